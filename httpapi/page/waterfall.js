// A trace as rows, and the rows as a tree with bars over time.
import { h, cut, small } from './dom.js';
import { between, count, duration, hue, instant } from './format.js';
import { list } from './list.js';
import { pill } from './marks.js';

// model is what a waterfall shows of a trace of the API: rows, a span before
// what is below it; total, how long it took in nanoseconds; and said, the
// sentences about what does not fit, as [{key, text}] with the row they are about.
//
// A row has key (the span's id), span, depth, up (the row above it in the tree),
// children (how many) and end (the index behind all that is below it). A row
// without a span is the parent that orphans name, with text.
export function model(trace) {
  const rows = [], open = [], byID = new Map();
  const came = group(trace.received, (r) => r.spanId);
  const tops = [...trace.roots ?? [], ...orphanages(trace.orphans ?? [], came)];
  const stack = tops.map((node, i) => ({ node, depth: 0, place: i + 1, of: tops.length })).reverse();
  while (stack.length > 0) { // a chain of 10,000 spans is too deep for calls
    const { node, depth, place, of } = stack.pop();
    close(open, depth, rows.length);
    const children = node.children ?? [];
    const row = { span: node.group ? undefined : node, text: node.text, key: node.group ?? (node.spanId || 'none'), depth, place, of, up: open.at(-1), index: rows.length, children: children.length };
    row.service = row.span?.resource?.attributes?.['service.name'] ?? '';
    row.came = came.get(node.spanId) ?? [];
    rows.push(row);
    open.push(row);
    if (!byID.has(row.key)) byID.set(row.key, row);
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i], depth: depth + 1, place: i + 1, of: children.length });
  }
  close(open, 0, rows.length);
  const total = place(rows);
  critical(trace.criticalPath ?? [], byID, total);
  return { rows, byID, total, said: remarks(trace, byID) };
}

function close(open, depth, end) {
  while (open.length > depth) open.pop().end = end;
}

function group(items, key) {
  const groups = new Map();
  for (const item of items ?? []) groups.get(key(item))?.push(item) ?? groups.set(key(item), [item]);
  return groups;
}

// orphanages are the parents that orphans name.
function orphanages(orphans, came) {
  return [...group(orphans, (o) => o.parentSpanId)].map(([id, children]) => ({
    group: `parent ${id}`, children, text: came.has(id) ? 'Spans that are each other’s ancestors' : `The parent ${id} never came`,
  }));
}

// place gives each row its times in nanoseconds since the trace's start; what is
// unknown is undefined.
function place(rows) {
  const spans = rows.filter((r) => r.span);
  const known = spans.flatMap(({ span }) => [span.start, span.end]).filter(Boolean).map(instant);
  const zero = known.reduce((first, t) => (t < first ? t : first), known[0] ?? 0n);
  let total = 1;
  for (const row of spans) {
    row.from = row.span.start && Number(instant(row.span.start) - zero);
    row.to = row.span.end && Number(instant(row.span.end) - zero);
    row.zero = zero;
    total = Math.max(total, row.from ?? 0, row.to ?? 0);
  }
  return total;
}

// critical gives rows the stretches in which they held up the trace, those
// that nobody can tell apart as one, and how long these are.
function critical(path, byID, total) {
  for (const { spanId, start, end } of path) {
    const row = byID.get(spanId);
    if (!row?.span) continue;
    const from = Number(instant(start) - row.zero), to = Number(instant(end) - row.zero);
    row.critical ??= [];
    row.held = (row.held ?? 0) + to - from;
    const last = row.critical.at(-1);
    if (last && from - last.to < total / 1000) last.to = to;
    else row.critical.push({ from, to });
  }
}

// remarks are the sentences about what does not fit; rows get theirs too.
function remarks(trace, byID) {
  const said = [];
  const say = (key, text) => {
    const row = byID.get(key);
    (row.remarks ??= []).push(text);
    said.push({ key, name: row.span?.name ?? '', text });
  };
  for (const o of trace.orphans ?? []) say(o.spanId, byID.has(o.parentSpanId) ? 'is its own ancestor, which no span can be' : `names the parent ${o.parentSpanId}, which never came`);
  for (const [id, twice] of group(trace.duplicates ?? [], (d) => d.spanId)) {
    const again = byID.get(id).came.slice(-twice.length).map((c) => c.export);
    say(id, `came ${twice.length + 1} times: again in ${again.length === 1 ? 'export' : 'exports'} ${again.join(', ')}`);
  }
  for (const { span, parent, early, late } of trace.skew ?? []) {
    const parts = [early && `starts ${duration(early)} before`, late && `ends ${duration(late)} after`].filter(Boolean);
    say(span.spanId, `${parts.join(' and ')} its parent ${cut(parent.name, 80)}${early ? ': their clocks differ' : ''}`);
  }
  return said;
}

// waterfall draws a model. open(row) is called for what is chosen, and link(path,
// params) makes addresses, as page.link does. Its result has node, set(model) and
// then zoom(key), which draws the time of a span or of the whole trace, critical(shown),
// select(key), expand(all), model and list. close() is for Esc, true where there
// was something to close.
export function waterfall({ open, link, close: closed }) {
  const folded = new Set();
  const axis = h('div', { class: 'axis', 'aria-hidden': 'true' });
  const tree = list({
    label: 'Spans as a tree, over time', height: 27, narrow: 46, role: 'treegrid', rowRole: 'row', key: (r) => r.key,
    open: (r) => (r.span ? open(r) : toggle(r)), row: (r) => cells(r), keys,
    props: (r) => ({ 'aria-level': r.depth + 1, 'aria-setsize': r.of, 'aria-posinset': r.place, 'aria-expanded': r.children ? String(!folded.has(r.key)) : undefined }),
  });
  const node = h('div', { class: 'waterfall' }, axis, tree.node);
  let shown, step = 1, range = { from: 0, length: 1, beside: 0 }; // the time that is drawn, in nanoseconds

  function draw() {
    const rows = [];
    for (let i = 0; i < shown.rows.length;) {
      const row = shown.rows[i];
      rows.push(row);
      i = folded.has(row.key) ? row.end : i + 1;
    }
    tree.set(rows);
  }

  function toggle(row, fold = !folded.has(row.key)) {
    if (row.children === 0) return;
    fold ? folded.add(row.key) : folded.delete(row.key);
    draw();
  }

  // keys are those of a tree; the others are the list's.
  function keys(e, row) {
    if (e.key === 'Escape') return closed();
    if (!row || e.ctrlKey || e.metaKey || e.altKey) return false;
    const isOpen = row.children > 0 && !folded.has(row.key);
    if (e.key === 'ArrowRight') isOpen ? tree.reveal(shown.rows[row.index + 1].key) : toggle(row, false);
    else if (e.key === 'ArrowLeft') isOpen ? toggle(row, true) : row.up && tree.reveal(row.up.key);
    else return false;
    return true;
  }

  function cells(row) {
    const { span, depth, up } = row;
    const name = span ? [
      row.remarks?.length > (row.came.length > 1) && h('span', { class: 'warn', title: row.remarks.join('\n') }, '⚠'),
      h('span', { class: 'name', title: cut(`${span.name}\n${row.service || 'no service'}, ${span.kind}`, 1000) }, cut(span.name, 120) || '(no name)'),
      row.service !== up?.service && h('span', { class: 'of faint' }, cut(row.service || 'no service', 60)),
      span.status?.code === 'error' && pill('error', 'bad', cut(span.status.message ?? '', 1000)),
      row.came.length > 1 && pill(`came ${row.came.length} times`, 'warn', row.remarks?.join('\n')),
      span.links?.slice(0, 3).map((l) => h('a', { class: 'linked', href: link(`traces/${l.traceId}`, { span: l.spanId }), tabindex: '-1', title: `Linked to span ${l.spanId} of trace ${l.traceId}`, onclick: (e) => e.stopPropagation() }, 'link')),
    ] : [h('span', { class: 'warn' }, '⚠'), h('span', { class: 'name warn' }, row.text)];
    return [
      h('div', { role: 'gridcell', class: span ? 'what' : 'what spread', 'aria-colspan': span ? undefined : 3, data: { hue: hue(row.service) } },
        h('span', { class: 'indent', style: { width: `${Math.min(depth, 30) * 14}px` } }),
        h('span', { class: 'twist', 'aria-hidden': 'true', onclick: (e) => { e.stopPropagation(); toggle(row); } }, row.children > 0 && (folded.has(row.key) ? '▸' : '▾')),
        span && h('i', { class: 'hue' }), name),
      span && h('div', { role: 'gridcell', class: 'lane', data: { hue: hue(row.service) }, 'aria-label': spoken(row), style: { 'background-size': `${(100 * step) / range.length}% 100%` } }, bar(row)),
      span && h('div', { role: 'gridcell', class: 'number took' }, length(span) ?? '–'),
    ];
  }

  // place is where a time is, in percent; what is out of sight is at the edge, or
  // beside it where one has zoomed.
  const place = (ns) => Math.min(100 + range.beside, Math.max(-range.beside, (100 * (ns - range.from)) / range.length));

  function bar(row) {
    const { span, from = row.to, to = from } = row;
    if (from === undefined) return undefined;
    const at = (a, b) => ({ left: `${place(a)}%`, width: `${Math.max(0, place(b) - place(a))}%` });
    return [
      h('i', { class: `bar${span.status?.code === 'error' ? ' error' : ''}`, style: at(from, to), title: `${cut(span.name, 200)}: from ${duration(from)} to ${duration(to)}` }),
      (row.critical ?? []).slice(0, 200).map((c) => h('i', { class: 'critical', style: at(c.from, c.to), title: 'On the critical path: the trace could not end earlier because of this' })),
      ticks(row).map((t) => h('i', { class: `event${t.bad ? ' error' : ''}`, style: { left: `${place(t.at)}%` }, title: t.names.join('\n') })),
    ];
  }

  // tick is a time at the axis: the first is since the trace began, and where one
  // has zoomed the others are since then.
  function tick(at) {
    if (at === 0) return range.from === 0 ? '0' : duration(range.from);
    return `${range.from === 0 ? '' : '+'}${duration(at)}`;
  }

  // ticks are the events of a row; those at one place are one.
  function ticks(row) {
    const all = new Map();
    for (const e of row.span.events ?? []) {
      const at = e.time ? Number(instant(e.time) - row.zero) : row.from ?? 0, spot = Math.round((500 * at) / range.length);
      const tick = all.get(spot) ?? { at, names: [], bad: false };
      if (tick.names.length < 10) tick.names.push(`${duration(at)} ${cut(e.name, 100)}`);
      tick.bad ||= e.name === 'exception';
      all.set(spot, tick);
    }
    return [...all.values()];
  }

  return {
    node, list: tree,
    get model() { return shown; },
    set(model) {
      shown = model;
    },
    zoom(key) {
      const { from, to } = shown.byID.get(key) ?? {}, closer = to > from;
      range = closer ? { from, length: to - from, beside: 10 } : { from: 0, length: shown.total, beside: 0 };
      step = niceStep(range.length / (small.matches ? 3 : 5));
      node.classList.toggle('closer', closer);
      axis.replaceChildren(h('span', {}), h('div', { class: 'lane' }, marks(range.length, step).map((at) => h('span', { style: { left: `${(100 * at) / range.length}%` } }, tick(at)))), h('span', {}));
      draw();
    },
    critical(on) { node.classList.toggle('plain', !on); },
    // select shows the row of a span, whatever is folded.
    select(key) {
      const row = shown.byID.get(key);
      if (!row) return;
      const hidden = (r) => r.up && (folded.has(r.up.key) || hidden(r.up));
      if (hidden(row)) {
        for (let up = row.up; up; up = up.up) folded.delete(up.key);
        draw();
      }
      tree.reveal(key);
    },
    // expand unfolds all, or leaves only the uppermost rows and those below.
    expand(all) {
      folded.clear();
      if (!all) for (const r of shown.rows) if (r.children > 0 && r.depth > 0) folded.add(r.key);
      draw();
    },
  };
}

const length = (span) => (span.start && span.end ? duration(between(span.start, span.end)) : undefined);

function spoken({ span, from, remarks = [] }) {
  return [from === undefined ? 'start unknown' : `from ${duration(from)}`, span.events && count(span.events.length, 'event'), ...remarks].filter(Boolean).join(', ');
}

// niceStep is the next of 1, 2, 5, 10, 20 and so on.
function niceStep(least) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= least);
}

function marks(total, step) {
  const all = [];
  for (let at = 0; at <= total * 0.97; at += step) all.push(at);
  return all;
}
