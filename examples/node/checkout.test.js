import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { OTLPTraceExporter as GRPCExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JSONExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

import { checkout } from './checkout.js';
import { start } from './otlptest.js';

let backend;
before(async () => { backend = await start(); });
afterEach(() => backend.reset());
after(() => backend.stop());

const exporters = {
  'http/json': () => new JSONExporter({ url: `${backend.http}/v1/traces` }),
  'http/protobuf': () => new ProtobufExporter({ url: `${backend.http}/v1/traces` }),
  grpc: () => new GRPCExporter({ url: `http://${backend.grpc}` }),
};

for (const [protocol, exporter] of Object.entries(exporters)) {
  test(`a charge is traced over ${protocol}`, async () => {
    await run(exporter());

    const [span] = await backend.spans('service="shop" name="charge"');
    assert.equal(span.attributes['payment.cents'], 1200);
    const { batches } = await backend.report();
    assert.deepEqual(batches[0].attempts.map((a) => a.protocol), [protocol]);
  });
}

for (const protocol of ['http/json', 'http/protobuf']) {
  test(`a throttled export over ${protocol} is sent again when it may be`, async () => {
    await backend.faults('traces: throttle 1s');
    await run(exporters[protocol]());

    const { batches, items } = await backend.report();
    const [first, second] = batches[0].attempts;
    assert.deepEqual([first.status.code, second.status.code], ['UNAVAILABLE', 'OK']);
    const waited = new Date(second.arrived) - new Date(first.answered);
    assert.ok(waited >= 990, `waited ${waited} ms, want 1 s as told`); // timers may be some ms early
    assert.deepEqual([items.delivered, items.lost, items.illegalDuplicates], [1, 0, 0]);
  });
}

// The gRPC exporter of this release never sends a batch again. When an update
// changes that, this test fails: grpc can then join the loop above.
test('a throttled export over grpc is lost', async () => {
  await backend.faults('traces: throttle 1s');
  await assert.rejects(run(exporters.grpc()), /UNAVAILABLE/);

  const { exports, items } = await backend.report();
  assert.deepEqual([exports, items.delivered, items.lost], [1, 0, 1]);
});

// run calls the code under test, and returns when its spans are exported.
async function run(exporter) {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  checkout(provider, 1200);
  await provider.shutdown();
}
