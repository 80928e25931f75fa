// Starts a backend on free ports, and asks it through its HTTP API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const free = '127.0.0.1:0';
const args = ['serve', '--json', '--log-level', 'warn', '--grpc', free, '--http', free, '--api', free];

// start resolves once the backend is ready: its first line has the addresses.
export async function start() {
  const program = spawn(process.env.OTLPTEST_BIN ?? 'otlptest', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(program, 'spawn'); // or throws, where there is no such program
  for await (const line of createInterface({ input: program.stdout })) {
    return new Backend(program, JSON.parse(line));
  }
  throw new Error('otlptest ended before it was ready');
}

class Backend {
  constructor(program, { grpc, http, api }) {
    Object.assign(this, { program, grpc, http, api });
  }

  // spans waits until n match the query, or throws what the backend says of
  // why they did not come.
  async spans(q, n = 1) {
    const { items } = await this.ask(`spans?${new URLSearchParams({ q, wait: n })}`);
    return items;
  }

  report() {
    return this.ask('report');
  }

  faults(rules) {
    return this.ask('faults', { method: 'POST', body: rules });
  }

  reset() {
    return this.ask('reset', { method: 'POST' });
  }

  async ask(path, init) {
    const answer = await fetch(`${this.api}/api/v1/${path}`, { ...init, headers: { accept: 'application/json' } });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(JSON.parse(text).detail);
    }
    return text && JSON.parse(text);
  }

  async stop() {
    this.program.kill();
    await once(this.program, 'exit');
  }
}
