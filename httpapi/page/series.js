// What data points say together: series, what tells them apart, how fast they
// rise. A point is as the API writes it.
import { between, hue, instant, key, literal, number, value } from './format.js';

// numeric is a point's or exemplar's value as a number; NaN where there is none.
export function numeric(v) {
  return typeof v === 'number' || typeof v === 'bigint' ? Number(v) : ['NaN', 'Infinity', '-Infinity'].includes(v) ? Number(v) : NaN;
}

// recorded says whether the point has a value: a flag marks those that have none.
export const recorded = (p) => ((p.flags ?? 0) & 1) === 0;

const units = { 1: '', By: 'B', us: 'µs', Cel: '°C', KiBy: 'KiB', MiBy: 'MiB' };

// unitName is a UCUM unit for people, as it stands behind some number: {item}
// is a word, and stands in the plural but for one.
export function unitName(unit = '', n = 2) {
  const [, word] = /^\{(\p{L}+)\}$/u.exec(unit) ?? [];
  if (!word) return units[unit] ?? unit.replace(/[{}]/g, '');
  if (Number(n) === 1 || word.endsWith('s')) return word;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

// measured is a value with its unit.
export function measured(v, unit) {
  const name = unitName(unit, v);
  return name === '' || typeof v === 'string' ? number(v) : name === '%' ? `${number(v)}%` : `${number(v)} ${name}`;
}

// kind is a metric's type in words: "cumulative monotonic sum".
export function kind(m) {
  return [m.temporality, m.monotonic && 'monotonic', m.type.replace('_', ' ')].filter(Boolean).join(' ');
}

const sorted = (attrs) => Object.entries(attrs ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

// identity is a text that tells a series from all others.
function identity(p) {
  return JSON.stringify([p.name, p.unit, p.type, p.temporality, p.monotonic, sorted(p.attributes), sorted(p.resource.attributes),
    p.scope.name, p.scope.version, sorted(p.scope.attributes)]);
}

// short is a text as a few letters, for addresses.
function short(text) {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return sum.toString(36);
}

// dressed gives series what drawings need beside their points: id, label, hue.
export function dressed(series, label = labels(series)) {
  return series.map((s, i) => ({ ...s, id: short(identity(s)), label: label(s), hue: series.length === 1 ? hue(service(s)) : i % 10, dashed: i >= 10 }));
}

export const service = (p) => p.resource.attributes?.['service.name'] ?? '';

// traits is what can tell a series from others of its metric: [{ key, value,
// text }] with the keys as filters have them.
function traits(s) {
  return [
    ...sorted(s.attributes).map(([k, v]) => ({ key: key('attr', k), name: k, value: v })),
    ...sorted(s.resource.attributes).map(([k, v]) => ({ key: key('resource', k), name: k === 'service.name' ? 'service' : k, value: v })),
    { key: 'scope', name: 'scope', value: s.scope.name ?? '' },
  ];
}

// facets is the traits in which series differ: [{ key, name, values: Map from the
// value in the grammar of filters to { text, count } }].
export function facets(series) {
  const all = new Map();
  for (const s of series) {
    for (const t of traits(s)) {
      if (!all.has(t.key)) all.set(t.key, { key: t.key, name: t.name, values: new Map(), count: 0 });
      const facet = all.get(t.key);
      facet.count++;
      const as = typeof t.value === 'object' ? JSON.stringify(t.value) : literal(t.value);
      const v = facet.values.get(as) ?? { text: value(t.value), count: 0, plain: typeof t.value !== 'object' };
      v.count++;
      facet.values.set(as, v);
    }
  }
  return [...all.values()].filter((f) => f.values.size > 1 || f.count < series.length);
}

// labels makes a function that names each of some series by what differs.
export function labels(series) {
  const differ = new Set(facets(series).map((f) => f.key));
  return (s) => {
    const own = traits(s).filter((t) => (series.length === 1 ? t.key.startsWith('attr.') : differ.has(t.key)));
    return own.map((t) => `${t.name}=${value(t.value)}`).join(' ') || service(s) || s.name;
  };
}

// restarted says whether a sum or histogram began anew between two points.
export function restarted(before, p) {
  if (!before || p.temporality !== 'cumulative') return false;
  if (p.start && before.start && p.start !== before.start) return true;
  const total = (x) => (x.type === 'sum' ? numeric(x.value) : (x.histogram ?? x.exponentialHistogram)?.count);
  return (p.monotonic || p.type !== 'sum') && total(p) < total(before);
}

// rate is how much a cumulative sum rose in a second, since the point before or
// since it restarted; NaN where that is not known.
export function rate(before, p) {
  const again = restarted(before, p);
  if (!before && !p.start) return NaN;
  const from = !before || again ? p.start : before.time;
  const seconds = between(from && again && before && instant(from) < instant(before.time) ? before.time : from, p.time) / 1e9;
  if (!from || seconds <= 0) return NaN;
  return (numeric(p.value) - (before && !again ? numeric(before.value) : 0)) / seconds;
}
