// The drawings of one metric: what its type calls for.
import { h, fill, cut } from './dom.js';
import { clock, count, instant, number } from './format.js';
import { canvas, overTime } from './plot.js';
import { bars, bucketText, heat, histogramOf, layout, quantile } from './histogram.js';
import { measured, numeric, rate, recorded, restarted } from './series.js';

// At most so much is drawn: lines, points of each and of all, histograms, and
// points of each.
const drawn = { series: 20, points: 1000, all: 6000, histograms: 6, columns: 80 };

// bounds is how many series of a metric are asked for and drawn, and how many
// points of each.
export function bounds(m) {
  const asked = Math.min(drawn.series, m.series.length);
  return m.type.endsWith('histogram') ? { asked, shown: drawn.histograms, points: drawn.columns }
    : { asked, shown: drawn.series, points: Math.min(drawn.points, Math.floor(drawn.all / asked)) };
}

const ms = (text) => Number(instant(text) / 1000n) / 1000;
const timed = (p) => p.time !== undefined;

// chart makes them; open(point) is called for a point that is chosen, linkOf(exemplar)
// gives its address. update({ metric, series, rates }) draws anew what is there: the
// drawings stay, and with them the place of the cursor.
export function chart({ open, linkOf }) {
  const node = h('div', { class: 'plots' });
  let figures = new Map(), shows;

  function update(what) {
    const wanted = what.metric.type.endsWith('histogram') ? what.series.filter((s) => s.points.some(complete)).slice(0, drawn.histograms) : [undefined];
    const ids = wanted.map((s) => s?.id ?? 'lines');
    if (shows !== ids.join()) {
      figures = new Map(wanted.map((s, i) => [ids[i], figures.get(ids[i]) ?? (s ? histogram({ open, linkOf }) : lines({ open, linkOf }))]));
      fill(node, [...figures.values()].map((f) => f.node));
      shows = ids.join();
    }
    wanted.forEach((s, i) => figures.get(ids[i]).update(what, s));
  }
  return { node, update };
}

const complete = (p) => recorded(p) && histogramOf(p);

// lines draws all series in one plot.
function lines({ open, linkOf }) {
  let what, made;
  const plot = canvas({
    height: 240, open: (m) => open(m.item),
    label: () => `${what.rates ? 'Rate of ' : ''}${what.metric.name}: ${made.lines.length} ${made.bars ? 'rows of bars' : 'lines'}, ${count(made.lines.reduce((n, l) => n + l.marks.length, 0), 'point')}`,
    paint: overTime(() => made),
  });
  return {
    node: h('figure', {}, plot.node),
    update(to) {
      what = to;
      const { unit } = what.metric;
      made = {
        unit, per: what.rates ? '/s' : '', bars: what.metric.type === 'sum' && what.metric.temporality === 'delta',
        lines: what.metric.type === 'summary' ? what.series.flatMap(quantiles).slice(0, drawn.series) : what.series.map((s) => line(s, what.rates)),
      };
      const places = new Map(made.lines.flatMap((l) => l.marks.map((m) => [m.item.number, m.v])));
      made.exemplars = exemplars(what.series).slice(0, 100).map(({ e, p }) => ({
        t: ms(e.time ?? p.time), v: places.get(p.number), href: linkOf(e), text: exemplarText(e, unit),
      }));
      plot.redraw();
    },
  };
}

function line(s, rates) {
  const points = s.points.filter(timed);
  let before;
  const marks = points.map((p) => {
    const v = !recorded(p) ? NaN : rates ? rate(before, p) : numeric(p.value);
    const again = recorded(p) && restarted(before, p);
    const said = !recorded(p) ? valueText(p) : rates ? `${measured(v, p.unit)} a second` : valueText(p);
    if (recorded(p)) before = p;
    return { t: ms(p.time), v, again, key: p.number, item: p, text: `${clock(p.time)}\n${said}${again ? ', restarted' : ''}\n${cut(s.label, 80)}` };
  });
  return { hue: s.hue, dashed: s.dashed, marks: marks.filter((m) => !rates || !recorded(m.item) || !Number.isNaN(m.v)) };
}

// quantiles is a line for each quantile of a summary.
function quantiles(s, nth) {
  const points = s.points.filter((p) => timed(p) && recorded(p) && p.summary);
  const all = [...new Set(points.flatMap((p) => (p.summary.quantiles ?? []).map((q) => Number(q.quantile))))].sort((a, b) => b - a);
  return all.map((at, i) => ({ hue: i % 10, dashed: nth > 0, marks: points.flatMap((p) => (p.summary.quantiles ?? []).filter((q) => Number(q.quantile) === at).map((q) => ({
    t: ms(p.time), v: numeric(q.value), key: `${p.number} ${at}`, item: p, text: `${clock(p.time)}\n${quantileName(at)}: ${measured(q.value, p.unit)}\n${cut(s.label, 80)}`,
  }))) }));
}

// quantileName is smallest, p50 or largest.
export const quantileName = (q) => (q === 0 ? 'smallest' : q === 1 ? 'largest' : `p${number(Number((q * 100).toPrecision(6)))}`);

// histogram draws one series: the buckets of the point that the cursor is at over
// time, or of the latest.
function histogram({ open, linkOf }) {
  let unit, points, plan, shown, series, follows = true;
  const title = h('figcaption', {}), stats = h('dl', { class: 'stats' }), note = h('p', { class: 'faint' });
  const buckets = canvas({
    height: 200, open: (m) => open(points.find((p) => p.number === m.item)), label: () => `Buckets of ${series.label}, ${clock(shown.time)}`,
    paint: bars(() => ({ point: shown, plan, unit, exemplars: (shown.exemplars ?? []).map((e) => ({ value: numeric(e.value), href: linkOf(e), text: exemplarText(e, unit) })) })),
  });
  const strip = canvas({
    height: 130, open: (m) => open(points.find((p) => p.number === m.item)), label: () => `Buckets of ${series.label} over time, ${count(points.length, 'point')}`,
    paint: heat(() => ({ points, plan, unit })),
    chosen(m) { follows = m.item === points.at(-1).number; show(points.find((p) => p.number === m.item)); },
  });
  const over = h('div', {}, h('p', { class: 'faint' }, 'Over time, in stronger colour where more came'), strip.node);

  function show(p) {
    shown = p;
    const o = histogramOf(p), counts = plan.counts(p);
    const from = p.temporality === 'delta' ? ['came', p.start && `since ${clock(p.start)}`] : ['in all', p.start && `since ${clock(p.start)}`];
    fill(title, h('strong', {}, cut(series.label, 200)), ` ${follows ? 'latest point' : 'the point at the cursor'}, ${clock(p.time)}: ${count(o.count, 'value')} ${from.filter(Boolean).join(' ')}`);
    const given = (v) => v !== undefined && measured(v, unit), mean = o.sum === undefined || !o.count ? NaN : numeric(o.sum) / o.count;
    const facts = [['Count', number(o.count)], ['Sum', given(o.sum)], ['Smallest', given(o.min)], ['Mean', roughly(mean, unit)],
      ...[0.5, 0.9, 0.99].map((q) => [`p${q * 100}, about`, about(quantile(q, plan, counts, o), unit)]), ['Largest', given(o.max)]];
    fill(stats, facts.filter(([, v]) => v).map(([name, v]) => h('div', {}, h('dt', { class: 'faint' }, name), h('dd', {}, v))));
    const held = counts?.reduce((a, b) => a + b, 0);
    buckets.node.hidden = !held;
    note.hidden = held === o.count;
    fill(note, held === undefined ? 'It has no buckets, or not as many as its boundaries call for.' : `Its buckets hold ${count(held, 'value')}, but its count is ${number(o.count)}.`);
    buckets.redraw();
  }

  return {
    node: h('figure', {}, title, buckets.node, note, stats, over),
    update(what, s) {
      series = s;
      unit = what.metric.unit;
      points = s.points.filter(complete);
      plan = layout(points, 48);
      over.hidden = points.length < 2 || plan.buckets.length < 2;
      show((!follows && points.find((p) => p.number === shown.number)) || points.at(-1));
      if (!over.hidden) strip.redraw();
    },
  };
}

const roughly = (n, unit) => Number.isFinite(n) && measured(Number(n.toPrecision(4)), unit);

// about is an estimate in words.
function about({ value, open }, unit) {
  const text = roughly(value, unit);
  return text && open ? `more than ${text}` : text;
}

// exemplars is those of some series, the newest first: [{ e, p, s }].
export function exemplars(series) {
  return series.flatMap((s) => s.points.flatMap((p) => (p.exemplars ?? []).map((e) => ({ e, p, s }))))
    .sort((a, b) => Number(instant(b.e.time ?? b.p.time) - instant(a.e.time ?? a.p.time)));
}

const exemplarText = (e, unit) => `An exemplar: ${measured(e.value ?? 'no value', unit)}${e.traceId ? `, trace ${e.traceId}` : ''}`;

// valueText is a point's value in a line.
export function valueText(p) {
  if (!recorded(p)) return 'no recorded value';
  const o = p.summary ?? histogramOf(p);
  if (!o) return p.value === undefined ? 'no value' : measured(p.value, p.unit);
  const mean = o.count > 0 && o.sum !== undefined ? numeric(o.sum) / o.count : NaN;
  return `${count(o.count, 'value')}${Number.isFinite(mean) ? `, mean ${measured(Number(mean.toPrecision(4)), p.unit)}` : ''}`;
}

// odd says in words what lines cannot show.
export function odd({ metric, series }) {
  const points = series.flatMap((s) => s.points), said = [];
  const tell = (some, text) => { if (some.length > 0) said.push(`${count(some.length, 'point')} ${text}`); };
  tell(points.filter((p) => !timed(p)), 'without a time: left out.');
  tell(points.filter((p) => !recorded(p)), 'without a recorded value, which says that the series ended or paused: a cross at the axis.');
  const values = metric.type === 'sum' || metric.type === 'gauge' ? points.filter((p) => recorded(p)) : [];
  for (const v of ['NaN', 'Infinity', '-Infinity']) tell(values.filter((p) => p.value === v), `with the value ${v}: a cross at the edge.`);
  tell(values.filter((p) => p.value === undefined), 'without any value: a cross at the axis.');
  const again = series.flatMap((s) => s.points.filter(recorded).filter((p, i, all) => restarted(all[i - 1], p)));
  if (again.length > 0) said.push(`Counting restarted ${again.length === 1 ? 'once' : `${again.length} times`}, last at ${clock(again.reduce((a, b) => (instant(a.time) > instant(b.time) ? a : b)).time)}${metric.type === 'sum' ? ': the line breaks there, at a dashed line' : ''}.`);
  return said;
}

// bucketList is what the buckets of a point hold: [[which, how many]].
export function bucketList(p) {
  const plan = layout([p], 60), counts = plan.counts(p) ?? [];
  return counts.map((n, i) => [bucketText(plan.buckets[i], p.unit), number(n)]).filter(([, n]) => n !== '0');
}
