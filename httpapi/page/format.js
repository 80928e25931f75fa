// How values are written.

const units = { ns: 1, 'µs': 1e3, 'μs': 1e3, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

// nanoseconds reads a duration as Go writes it: "1m2.5s" is 62.5e9.
export function nanoseconds(text) {
  if (!text) return 0;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/([\d.]+)(ns|µs|μs|us|ms|s|m|h)/g)) sum += Number(number) * units[unit];
  return text.startsWith('-') ? -sum : sum;
}

// duration writes nanoseconds with three digits: 412ms, 1.25s, 2m05s.
export function duration(ns) {
  if (!Number.isFinite(ns)) return '–';
  if (ns < 0) return `-${duration(-ns)}`;
  if (ns < 1e3) return `${Math.round(ns)}ns`;
  if (ns < 1e6) return `${digits(ns / 1e3)}µs`;
  if (ns < 1e9) return `${digits(ns / 1e6)}ms`;
  if (ns < 60e9) return `${digits(ns / 1e9)}s`;
  const seconds = Math.round(ns / 1e9);
  const h = Math.floor(seconds / 3600), m = Math.floor(seconds / 60) % 60, s = String(seconds % 60).padStart(2, '0');
  return h ? `${h}h${String(m).padStart(2, '0')}m${s}s` : `${m}m${s}s`;
}

function digits(n) {
  return String(Number(n.toPrecision(3)));
}

// instant reads an RFC 3339 time as nanoseconds since the epoch, as a BigInt:
// a Number does not have the digits.
export function instant(text) {
  const m = /^(.*?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text ?? '');
  if (!m) return 0n;
  const ms = Date.parse(m[1] + m[3]);
  return Number.isNaN(ms) ? 0n : BigInt(ms) * 1000000n + BigInt((m[2] ?? '').padEnd(9, '0'));
}

// since is the nanoseconds from one time to another, both as text.
export const between = (from, to) => Number(instant(to) - instant(from));

// clock is the local time of day with milliseconds, and the date where it is
// not today.
export function clock(text) {
  if (!text) return '–';
  const t = new Date(text);
  if (Number.isNaN(t.getTime())) return text;
  const time = `${pad(t.getHours())}:${pad(t.getMinutes())}:${pad(t.getSeconds())}.${String(t.getMilliseconds()).padStart(3, '0')}`;
  const day = `${t.getFullYear()}-${pad(t.getMonth() + 1)}-${pad(t.getDate())}`;
  return t.toDateString() === new Date().toDateString() ? time : `${day} ${time}`;
}

const pad = (n) => String(n).padStart(2, '0');

// count is a number and what it counts: "1 span", "1,204 spans".
export function count(n, one, many = `${one}s`) {
  return `${number(n)} ${n === 1 ? one : many}`;
}

// number writes a number for people; what JSON has as text, as NaN, stays.
export function number(n) {
  if (typeof n === 'bigint') return n.toLocaleString('en');
  if (typeof n !== 'number') return String(n);
  const size = Math.abs(n);
  if (Number.isInteger(n) && size < 1e18) return n.toLocaleString('en');
  return size >= 1e-3 && size < 1e9 ? n.toLocaleString('en', { maximumSignificantDigits: 6 }) : n.toExponential(3);
}

// bytes is 512 B, 1.2 kB, 3.4 MB.
export function bytes(n) {
  if (n < 1000) return `${n} B`;
  return n < 1e6 ? `${digits(n / 1e3)} kB` : `${digits(n / 1e6)} MB`;
}

// value writes an attribute's value: text as it is, all else as JSON.
export function value(v) {
  return typeof v === 'string' ? v : JSON.stringify(v);
}

// literal is a value in the grammar of filters.
export function literal(v) {
  return typeof v === 'string' ? quote(v) : String(v);
}

// quote is text in double quotes with Go's escapes.
export function quote(text) {
  return `"${text.replace(/[\\"\u0000-\u001f\u007f]/g, (c) => escapes[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

const escapes = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

// key is an attribute's key in the grammar of filters.
export function key(prefix, name) {
  return /^[\p{L}\p{N}._\-+/:@$]+$/u.test(name) ? `${prefix}.${name}` : `${prefix}.${quote(name)}`;
}

// hue is the colour of a service, known to style.css as data-hue. It follows
// from the name, unless another service that was seen before has it: only with
// more than ten do two have the same.
export function hue(name = '') {
  if (hues.has(name)) return hues.get(name);
  let at = 0;
  for (const c of name) at = (at * 31 + c.codePointAt(0)) % 9973;
  const taken = new Set(hues.values());
  for (at %= 10; taken.size < 10 && taken.has(at);) at = (at + 1) % 10;
  hues.set(name, at);
  return at;
}

const hues = new Map();
