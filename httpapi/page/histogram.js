// Histograms: their buckets, what can be estimated from them, and drawings.
import { svg } from './dom.js';
import { clock, count } from './format.js';
import { frame, brief, most } from './plot.js';
import { measured, restarted, unitName } from './series.js';

export const histogramOf = (p) => p.histogram ?? p.exponentialHistogram;

// layout is buckets that points of one series have in common: { buckets: [{ low,
// high }], counts(point) }. At most so many: those of exponential histograms are
// put together, two by two, until they are few enough, which is exact. counts is
// undefined for a point whose buckets are others.
export function layout(points, atMost = 60) {
  return points.at(-1).exponentialHistogram ? exponential(points, atMost) : explicit(points);
}

function explicit(points) {
  const h = points.at(-1).histogram, bounds = JSON.stringify(h.bounds ?? []);
  const edges = [-Infinity, ...(h.bounds ?? []).map(Number), Infinity];
  return {
    buckets: edges.slice(1).map((high, i) => ({ low: edges[i], high })),
    counts: ({ histogram: o }) => (JSON.stringify(o.bounds ?? []) === bounds && o.counts?.length === edges.length - 1 ? o.counts : undefined),
  };
}

// Bucket i of scale s has what is above base^i and at most base^(i+1), where base
// is 2^(2^-s). Of scale s-1 it is bucket floor(i/2).
function exponential(points, atMost) {
  const all = points.map((p) => p.exponentialHistogram);
  let scale = all.reduce((s, e) => Math.min(s, e.scale), 20);
  let positive, negative;
  for (; ; scale--) {
    positive = extent(all, 'positive', scale);
    negative = extent(all, 'negative', scale);
    if (positive.size + negative.size < atMost) break; // in the end only indexes -1 and 0 are left
  }
  const edge = (i) => 2 ** (i * 2 ** -scale);
  const zero = negative.size > 0 || all.some((e) => e.zeroCount > 0);
  const near = all.reduce((t, e) => Math.max(t, Number(e.zeroThreshold ?? 0)), 0);
  const buckets = [
    ...range(negative).reverse().map((i) => ({ low: -edge(i + 1), high: -edge(i) })),
    ...(zero ? [{ low: -near, high: near, zero: true }] : []),
    ...range(positive).map((i) => ({ low: edge(i), high: edge(i + 1) })),
  ];
  return {
    buckets,
    counts({ exponentialHistogram: e }) {
      const into = (sign, { first, size }) => {
        const list = Array(size).fill(0);
        (e[sign].counts ?? []).forEach((n, i) => { if (n > 0) list[at(e, sign, i, scale) - first] += n; });
        return list;
      };
      return [...into('negative', negative).reverse(), ...(zero ? [e.zeroCount] : []), ...into('positive', positive)];
    },
  };
}

const range = ({ first, size }) => Array.from({ length: size }, (_, i) => first + i);
const at = (e, sign, i, scale) => Math.floor((e[sign].offset + i) / 2 ** (e.scale - scale));

// extent is from where to where buckets have something.
function extent(all, sign, scale) {
  let first = Infinity, last = -Infinity;
  for (const e of all) {
    const counts = e[sign].counts ?? [], from = counts.findIndex((n) => n > 0), to = counts.findLastIndex((n) => n > 0);
    if (from < 0) continue;
    first = Math.min(first, at(e, sign, from, scale));
    last = Math.max(last, at(e, sign, to, scale));
  }
  return last >= first ? { first, size: last - first + 1 } : { first: 0, size: 0 };
}

// bucketText says what a bucket holds.
export function bucketText(b, unit) {
  if (b.zero) return b.high > 0 ? `${measured(b.low, unit)} to ${measured(b.high, unit)}, taken for zero` : 'zero';
  if (b.low === -Infinity) return b.high === Infinity ? 'all values' : `up to ${measured(b.high, unit)}`;
  if (b.high === Infinity) return `more than ${measured(b.low, unit)}`;
  return `${measured(b.low, unit)} to ${measured(b.high, unit)}`;
}

// quantile estimates one from counts, as if values were spread evenly in a
// bucket (for exponential ones, on a logarithmic scale): { value, open }, where an
// open one is more than value, as its bucket has no end. NaN if that says nothing.
export function quantile(q, { buckets }, counts, h) {
  const total = (counts ?? []).reduce((a, b) => a + b, 0);
  if (total === 0) return { value: NaN };
  const min = h.min === undefined ? -Infinity : Number(h.min), max = h.max === undefined ? Infinity : Number(h.max);
  let below = 0;
  const i = counts.findIndex((n) => { below += n; return n > 0 && below >= q * total; });
  const low = Math.max(buckets[i].low, min), high = Math.min(buckets[i].high, max);
  const part = 1 - (below - q * total) / counts[i];
  if (!Number.isFinite(low)) return { value: Number.isFinite(high) && high > 0 && buckets[i].low === -Infinity ? part * high : high };
  if (!Number.isFinite(high)) return { value: low, open: true };
  return { value: h.scale !== undefined && low > 0 ? low * (high / low) ** part : low + part * (high - low) };
}

// since is the counts of a point, of a cumulative one those that came after the
// point before.
export function since(before, p, { counts }) {
  const now = counts(p), was = before && p.temporality === 'cumulative' && !restarted(before, p) ? counts(before) : undefined;
  return now && was ? now.map((n, i) => Math.max(0, n - was[i])) : now;
}

// bars paints the buckets of one point; data() is { point, plan, unit, exemplars }
// with the layout as plan, and exemplars as { value, href, text }.
export function bars(data) {
  return (width, height) => {
    const { point, plan, unit, exemplars } = data();
    const counts = plan.counts(point);
    if (!counts) return { shapes: [], rows: [] };
    const f = frame({ width, height, low: 0, high: most([1, ...counts]), unit: '', whole: true });
    const wide = Math.min(150, (f.right - f.left) / counts.length), total = counts.reduce((a, b) => a + b, 0);
    const marks = counts.map((n, i) => ({ x: f.left + (i + 0.5) * wide, y: f.y(n), key: i, item: point.number, text: `${bucketText(plan.buckets[i], unit)}: ${share(n, total)}` }));
    const path = counts.map((n, i) => (n > 0 ? `M${f.left + i * wide + 0.5} ${f.bottom}V${Math.min(f.bottom - 1, f.y(n))}h${Math.max(1, wide - 1)}V${f.bottom}z` : '')).join('');
    const stacked = new Map();
    const links = exemplars.map((e) => {
      const i = plan.buckets.findIndex((b) => e.value >= b.low && e.value <= b.high);
      stacked.set(i, (stacked.get(i) ?? -1) + 1);
      return { ...e, x: i < 0 ? f.left : marks[i].x, y: f.bottom - 8 - 12 * (stacked.get(i) % 8) };
    });
    return { shapes: [f.shapes, svg('path', { class: 'column', d: path }), edges(plan.buckets, f, wide, unit)], rows: [marks], links };
  };
}

const share = (n, total) => `${count(n, 'value')}${total > 0 ? `, ${Number(((100 * n) / total).toPrecision(3))}%` : ''}`;

// edges writes the boundaries below the bars, as many as there is room for.
function edges(buckets, f, wide, unit) {
  const list = [];
  let free = f.left - 10;
  buckets.slice(0, -1).forEach((b, i) => {
    const text = brief(b.high, unit), x = f.left + (i + 1) * wide, half = text.length * 3.4;
    if (x - half < free || x + half > f.right + 10) return;
    free = x + half + 8;
    list.push(svg('line', { class: 'rule', x1: x, x2: x, y1: f.bottom, y2: f.bottom + 4 }), svg('text', { class: 'tick', x, y: f.bottom + 17, 'text-anchor': 'middle' }, text));
  });
  const name = unit === 'By' ? '' : unitName(unit);
  if (name) list.push(svg('text', { class: 'tick', x: f.right + 10, y: f.bottom + 17, 'text-anchor': 'end' }, free + name.length * 7 < f.right ? name : ''));
  return list;
}

const shades = 6;

// heat paints buckets over time, a column for each point, in stronger colour where
// more came; data() is { points, plan, unit }.
export function heat(data) {
  return (width, height) => {
    const { points, plan, unit } = data();
    const columns = points.map((p, i) => since(points[i - 1], p, plan));
    const left = Math.min(width / 3, 70), right = width - 14, top = 4, bottom = height - 22;
    const wide = (right - left) / points.length, tall = (bottom - top) / plan.buckets.length, 
      peak = most([1, ...columns.slice(points[0].temporality === 'cumulative' && points.length > 1 ? 1 : 0).flatMap((c) => c ?? [])]); // the first has all from the start
    const paths = Array(shades).fill('');
    columns.forEach((c, i) => c?.forEach((n, j) => {
      if (n > 0) paths[Math.min(shades - 1, Math.floor((shades * n) / peak))] += `M${(left + i * wide).toFixed(1)} ${(bottom - (j + 1) * tall).toFixed(1)}h${Math.max(1, wide - 1).toFixed(1)}v${Math.max(1, tall - 0.5).toFixed(1)}h${-Math.max(1, wide - 1).toFixed(1)}z`;
    }));
    const every = Math.max(1, Math.ceil(14 / tall)), each = Math.max(1, Math.ceil(80 / wide));
    const marks = points.map((p, i) => ({ x: left + (i + 0.5) * wide, y: bottom - top, key: p.number, item: p.number, text: `${clock(p.time)}: ${columns[i] ? columnText(columns[i], plan, unit) : 'its buckets are others'}` }));
    return {
      rows: [marks],
      shapes: [
        svg('rect', { class: 'ground', x: left, y: top, width: right - left, height: bottom - top }),
        paths.map((d, i) => svg('path', { class: 'heat', d, 'fill-opacity': (i + 1) / shades })),
        plan.buckets.slice(0, -1).map((b, j) => ((j + 1) % every === 0 ? svg('text', { class: 'tick', x: left - 6, y: bottom - (j + 1) * tall + 4, 'text-anchor': 'end' }, brief(b.high, unit)) : null)),
        points.map((p, i) => (i % each === 0 && (i + 0.5) * wide < right - left - 30 ? svg('text', { class: 'tick', x: Math.max(left + 26, left + (i + 0.5) * wide), y: bottom + 16, 'text-anchor': 'middle' }, clock(p.time).slice(-12, -4)) : null)),
      ].flat().filter(Boolean),
    };
  };
}

function columnText(counts, plan, unit) {
  const total = counts.reduce((a, b) => a + b, 0), i = counts.indexOf(most(counts));
  return total === 0 ? 'no values came' : `${count(total, 'value')} came, most of them in ${bucketText(plan.buckets[i], unit)}`;
}
