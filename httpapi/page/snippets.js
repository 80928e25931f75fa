// How to send the first span, data point or log record, in a few languages.

// snippets is, by language, what to do one after the other: [title, text]
// pairs. Programs find the backend, whose base URL is http, by the variables of
// OpenTelemetry; signal is traces, metrics or logs.
export function snippets(http, signal, tls) {
  const env = [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${http}`, 'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    ...(tls ? ['export OTEL_EXPORTER_OTLP_CERTIFICATE=ca.pem'] : []), 'export OTEL_SERVICE_NAME=shop',
  ];
  const exporters = ['export OTEL_TRACES_EXPORTER=otlp OTEL_METRICS_EXPORTER=otlp OTEL_LOGS_EXPORTER=otlp'];
  const run = (...lines) => lines.flat().join('\n');
  return {
    Go: [['main.go', go[signal]], ['Run it', run(env, 'go mod init shop && go mod tidy', 'go run .')]],
    Node: [['app.js', node[signal]], ['Run it', run('npm install @opentelemetry/api @opentelemetry/api-logs @opentelemetry/auto-instrumentations-node', env, exporters,
      'node --require @opentelemetry/auto-instrumentations-node/register app.js')]],
    Python: [['app.py', python[signal]], ['Run it', run('pip install opentelemetry-distro opentelemetry-exporter-otlp', env, exporters,
      'export OTEL_PYTHON_LOGGING_AUTO_INSTRUMENTATION_ENABLED=true', 'opentelemetry-instrument python app.py')]],
    Java: [['App.java', java[signal]()], ['Run it, with the agent that instruments any program', run(
      'curl -LO https://github.com/open-telemetry/opentelemetry-java-instrumentation/releases/latest/download/opentelemetry-javaagent.jar', env,
      'java -javaagent:opentelemetry-javaagent.jar App.java')]],
    curl: [['In a shell', `curl ${tls ? '--cacert ca.pem ' : ''}${http}/v1/${signal} \\\n  -H 'Content-Type: application/json' \\\n  -d '${lines(message(signal))}'`]],
  };
}

const go = {
  traces: `package main

import (
	"context"
	"log"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	defer provider.Shutdown(ctx) // sends what is left

	_, span := provider.Tracer("shop").Start(ctx, "charge")
	span.End()
}
`,
  metrics: `package main

import (
	"context"
	"log"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/sdk/metric"
)

func main() {
	ctx := context.Background()
	exporter, err := otlpmetrichttp.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	provider := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(exporter)))
	defer provider.Shutdown(ctx) // sends what is left

	charges, err := provider.Meter("shop").Int64Counter("charges")
	if err != nil {
		log.Fatal(err)
	}
	charges.Add(ctx, 1)
}
`,
  logs: `package main

import (
	"context"
	"log"

	"go.opentelemetry.io/contrib/bridges/otelslog"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	sdk "go.opentelemetry.io/otel/sdk/log"
)

func main() {
	ctx := context.Background()
	exporter, err := otlploghttp.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	provider := sdk.NewLoggerProvider(sdk.WithProcessor(sdk.NewBatchProcessor(exporter)))
	defer provider.Shutdown(ctx) // sends what is left

	otelslog.NewLogger("shop", otelslog.WithLoggerProvider(provider)).Info("charged")
}
`,
};

const node = {
  traces: `const { trace } = require('@opentelemetry/api');

trace.getTracer('shop').startSpan('charge').end();
`,
  metrics: `const { metrics } = require('@opentelemetry/api');

metrics.getMeter('shop').createCounter('charges').add(1);
`,
  logs: `const { logs } = require('@opentelemetry/api-logs');

logs.getLogger('shop').emit({ severityText: 'INFO', severityNumber: 9, body: 'charged' });
`,
};

const python = {
  traces: `from opentelemetry import trace

with trace.get_tracer("shop").start_as_current_span("charge"):
    pass
`,
  metrics: `from opentelemetry import metrics

metrics.get_meter("shop").create_counter("charges").add(1)
`,
  logs: `import logging

logging.getLogger("shop").warning("charged")
`,
};

const java = {
  traces: () => `import java.net.URI;
import java.net.http.*;

class App {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("${location.origin}")).build(); // the agent makes a span of it
    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
  }
}
`,
  metrics: () => `class App {
  public static void main(String[] args) {
    System.out.println("The agent sends metrics of the JVM.");
  }
}
`,
  logs: () => `class App {
  public static void main(String[] args) {
    java.util.logging.Logger.getLogger("shop").info("charged");
  }
}
`,
};

// message is one item as OTLP JSON; it is a new one each time.
function message(signal) {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
  const scope = { name: 'curl' }, end = Date.now(), start = end - 12;
  const nanos = (ms) => `${ms}000000`;
  switch (signal) {
    case 'metrics':
      return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: [{
        name: 'charges', unit: '{charge}', sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ startTimeUnixNano: nanos(start), timeUnixNano: nanos(end), asInt: '1' }] },
      }] }] }] };
    case 'logs':
      return { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [{
        timeUnixNano: nanos(end), observedTimeUnixNano: nanos(end), severityNumber: 9, severityText: 'INFO', body: { stringValue: 'charged' },
      }] }] }] };
  }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [{
    traceId: random(16), spanId: random(8), name: 'charge', kind: 2, startTimeUnixNano: nanos(start), endTimeUnixNano: nanos(end),
  }] }] }] };
}

// lines is JSON with a line for each thing in it.
const lines = (json) => JSON.stringify(json).replace(/"(scope\w+|spans|metrics|dataPoints|logRecords|startTimeUnixNano|severityNumber)":/g, '\n  "$1":');

const random = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, '0')).join('');
