// Drawings whose every mark the keyboard reaches.
import { h, svg, fill } from './dom.js';
import { bytes } from './format.js';
import { unitName } from './series.js';

// canvas is a drawing that is as wide as its place. Its options: height; label();
// paint(width, height), which gives { shapes, rows, links }, where rows are arrays
// of marks { x, y, text, key, item } from left to right, and links are { x, y, href,
// text }; open(mark), for Enter and click; chosen(mark) when one gets the cursor.
// redraw() paints again; the cursor stays at the mark with the same key.
export function canvas({ height, label, paint, open = () => {}, chosen = () => {} }) {
  const drawing = svg('svg', { role: 'img', height, width: '100%' });
  const tip = h('div', { class: 'tip', hidden: true });
  const ring = h('div', { class: 'ring', hidden: true });
  const marks = h('div', { class: 'marks' });
  const cursor = h('div', {
    class: 'cursor', role: 'slider', tabindex: '0', 'aria-valuemin': 1,
    onkeydown: (e) => keydown(e), onfocus: () => { if (active === undefined) go(last()); else point(); }, onblur: () => point(false),
    onpointermove: (e) => near(e), onpointerleave: () => { if (document.activeElement !== cursor) point(false); },
    onclick: (e) => { near(e); if (active) open(active); },
  });
  const node = h('div', { class: 'canvas', style: { height: `${height}px` } }, drawing, cursor, ring, tip, marks);
  let rows = [], active, width = 0;
  new ResizeObserver(() => { if (node.clientWidth !== width) redraw(); }).observe(node);

  function redraw() {
    width = node.clientWidth;
    if (width < 60) return;
    const made = paint(width, height);
    rows = made.rows.filter((row) => row.length > 0);
    drawing.setAttribute('aria-label', label());
    cursor.setAttribute('aria-label', `${label()}. Arrow keys go from one to the next.`);
    cursor.hidden = rows.length === 0;
    cursor.setAttribute('aria-valuemax', rows.reduce((n, row) => n + row.length, 0) || 1);
    fill(drawing, made.shapes);
    fill(marks, (made.links ?? []).map((l) => h('a', { class: 'exemplar', href: l.href, title: l.text, tabindex: '-1', 'aria-hidden': 'true', style: { left: `${l.x}px`, top: `${l.y}px` } })));
    if (active) active = rows.flat().find((m) => m.key === active.key);
    describe();
    point(!tip.hidden);
  }

  const last = () => rows[0]?.at(-1);

  function go(mark) {
    if (!mark) return;
    active = mark;
    describe();
    point();
    chosen(mark);
  }

  function describe() {
    cursor.setAttribute('aria-valuenow', active ? rows.flat().indexOf(active) + 1 : 1);
    cursor.setAttribute('aria-valuetext', active?.text ?? 'nothing is chosen');
  }

  // point shows what is at the cursor, or hides it.
  function point(on = true) {
    tip.hidden = ring.hidden = !on || !active;
    if (tip.hidden) return;
    fill(tip, active.text);
    ring.style.left = `${active.x}px`;
    ring.style.top = `${active.y}px`;
    const right = active.x > width / 2;
    tip.style.left = right ? 'auto' : `${Math.max(0, active.x + 10)}px`;
    tip.style.right = right ? `${Math.max(0, width - active.x + 10)}px` : 'auto';
    tip.style.top = `${Math.max(0, Math.min(height - 48, active.y - 20))}px`;
    tip.style.maxWidth = `${Math.min(360, (right ? active.x : width - active.x) - 16)}px`;
  }

  function keydown(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const row = rows.findIndex((r) => r.includes(active)), i = rows[row]?.indexOf(active);
    const beside = (r) => r && r.reduce((best, m) => (Math.abs(m.x - active.x) < Math.abs(best.x - active.x) ? m : best));
    const to = {
      ArrowLeft: () => rows[row]?.[i - 1], ArrowRight: () => rows[row]?.[i + 1], Home: () => rows[row]?.[0], End: () => rows[row]?.at(-1),
      ArrowUp: () => beside(rows[row - 1]), ArrowDown: () => beside(rows[row + 1]),
    }[e.key];
    if (to) {
      e.preventDefault();
      go(active ? to() : last());
    } else if (e.key === 'Enter' && active) open(active);
  }

  function near(e) {
    const box = node.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    let best, least = Infinity;
    for (const m of rows.flat()) {
      const away = Math.abs(m.x - x) * 2 + Math.abs(m.y - y); // across is what one aims at
      if (away < least) [best, least] = [m, away];
    }
    if (best !== active) go(best);
    else point();
  }

  return { node, redraw };
}

// ticks is round numbers from low to high, about so many.
export function ticks(low, high, about) {
  const raw = (high - low) / Math.max(1, about), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((s) => s >= raw * 0.999);
  const list = [];
  if (!Number.isFinite(step) || step <= 0) return list;
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && list.length < 50; i++) list.push(i * step);
  return list;
}

// brief is a number at an axis.
export function brief(n, unit) {
  if (unit === 'By') return bytes(n);
  const size = Math.abs(n), [by, letter] = size >= 1e15 ? [0, ''] : size >= 1e9 ? [1e9, 'G'] : size >= 1e6 ? [1e6, 'M'] : size >= 1e4 ? [1e3, 'k'] : [1, ''];
  if (by === 0 || (size > 0 && size < 1e-4)) return n.toExponential(1).replace('+', '');
  return `${Number((n / by).toPrecision(4))}${letter}`;
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 7200e3, 10800e3, 21600e3, 43200e3];

// timeTicks is round local times, in milliseconds since the epoch: [[time, text]].
function timeTicks(from, to, about) {
  const raw = (to - from) / Math.max(1, about), day = 86400e3;
  const step = steps.find((s) => s >= raw) ?? Math.ceil(raw / day) * day;
  const shift = new Date(from).getTimezoneOffset() * 60e3, list = [];
  for (let t = Math.ceil((from - shift) / step) * step + shift; t <= to && list.length < 50; t += step) list.push([t, timeText(t, step)]);
  return list;
}

function timeText(t, step) {
  const at = new Date(t), two = (n) => String(n).padStart(2, '0');
  if (step >= 86400e3) return `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const text = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (step >= 60e3) return text;
  return `${text}:${two(at.getSeconds())}${step < 1e3 ? `.${String(at.getMilliseconds()).padStart(3, '0')}` : ''}`;
}

// frame is the axes of a drawing: { x, y, left, right, top, bottom, shapes } with
// the functions that give the places of values. whole has ticks only at whole
// numbers, inset is how far the first and last time are from the edges.
export function frame({ width, height, low, high, unit, per = '', xs, whole = false, inset = 6 }) {
  if (!(high > low)) [low, high] = low === 0 || !Number.isFinite(low) ? [0, 1] : [low - Math.abs(low) / 10, low + Math.abs(low) / 10];
  const name = unit === 'By' ? '' : unitName(unit);
  const at = ticks(low, high, height / 45).filter((v) => !whole || Number.isInteger(v)), texts = at.map((v, i) => brief(v, unit) + (i === at.length - 1 && (name || per) ? ` ${name}${per}` : per && unit === 'By' ? per : ''));
  const left = Math.min(width / 3, 14 + 6.6 * Math.max(3, ...texts.map((t) => t.length))), right = width - 14, top = 12, bottom = height - 24;
  const y = (v) => bottom - ((v - low) / (high - low)) * (bottom - top);
  const x = xs && ((v) => (xs.to > xs.from ? left + inset + ((v - xs.from) / (xs.to - xs.from)) * (right - left - 2 * inset) : (left + right) / 2));
  const shapes = at.map((v, i) => [
    svg('line', { class: 'grid', x1: left, x2: right, y1: y(v), y2: y(v) }),
    svg('text', { class: 'tick', x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, texts[i]),
  ]);
  if (xs) {
    const span = xs.to > xs.from ? timeTicks(xs.from, xs.to, (right - left) / (xs.to - xs.from < 1e4 ? 115 : 85)) : [[xs.from, timeText(xs.from, 1)]];
    shapes.push(span.map(([t, text]) => [
      svg('line', { class: 'rule', x1: x(t), x2: x(t), y1: bottom, y2: bottom + 4 }),
      svg('text', { class: 'tick', x: Math.min(x(t), width - text.length * 3.4), y: bottom + 17, 'text-anchor': 'middle' }, text),
    ]));
  }
  shapes.push(svg('line', { class: 'rule', x1: left, x2: right, y1: bottom, y2: bottom }));
  return { x, y, left, right, top, bottom, shapes };
}

// overTime is a paint function: lines with points, or bars. data() gives
// { lines, bars, unit, per, restarts, exemplars }, where a line is { hue, dashed,
// marks: [{ t, v, text, key, item, again }] } with t in milliseconds; again begins
// the line anew. What is no number is a cross at the axis.
export function overTime(data) {
  return (width, height) => {
    const { lines, bars, unit, per, exemplars = [] } = data();
    const all = lines.flatMap((l) => l.marks), values = all.map((m) => m.v).filter(Number.isFinite), times = all.map((m) => m.t);
    if (all.length === 0) return { shapes: [], rows: [] };
    let low = least(values), high = most(values);
    if (bars || (low > 0 && low < high / 2) || per) [low, high] = [Math.min(0, low), Math.max(0, high)];
    const f = frame({ width, height, low, high, unit, per, xs: { from: least(times), to: most(times) }, inset: bars ? 20 : 6 });
    const place = (m) => ({ ...m, x: f.x(m.t), y: Number.isFinite(m.v) ? f.y(m.v) : m.v === Infinity ? f.top : f.bottom });
    const rows = lines.map((l) => l.marks.map(place));
    const shapes = [f.shapes, rows.map((row, i) => (bars ? barShapes(row, i, lines, f) : lineShapes(row, lines[i], all.length <= 600)))];
    shapes.push(rows.flat().filter((m) => !Number.isFinite(m.v)).map((m) => svg('path', { class: 'odd', d: `M${m.x - 4} ${m.y - 4}l8 8m0 -8l-8 8` })));
    shapes.push(rows.flat().filter((m) => m.again).map((m) => svg('line', { class: 'again', x1: m.x, x2: m.x, y1: f.top, y2: f.bottom })));
    return { shapes, rows, links: exemplars.map((e) => ({ ...e, x: Math.min(f.right, Math.max(f.left, f.x(e.t))), y: Number.isFinite(e.v) ? f.y(e.v) : f.bottom })) };
  };
}

export const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
export const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);

function lineShapes(row, line, dotted) {
  let path = '', dots = '', alone = true;
  row.forEach((m, i) => {
    if (!Number.isFinite(m.v)) { alone = true; return; }
    const next = row[i + 1], begins = alone || m.again, ends = !next || !Number.isFinite(next.v) || next.again;
    path += `${begins ? 'M' : 'L'}${m.x.toFixed(1)} ${m.y.toFixed(1)}`;
    if (dotted || (begins && ends)) dots += `M${m.x.toFixed(1)} ${m.y.toFixed(1)}h0`;
    alone = false;
  });
  return svg('g', { 'data-hue': line.hue }, svg('path', { class: line.dashed ? 'line dashed' : 'line', d: path }), svg('path', { class: 'dots', d: dots }));
}

function barShapes(row, i, lines, f) {
  const most = lines.reduce((n, l) => Math.max(n, l.marks.length), 1);
  const wide = Math.max(1, Math.min(22, ((f.right - f.left) / most / lines.length) * 0.8));
  const shift = (i - (lines.length - 1) / 2) * wide;
  for (const m of row) m.x += shift;
  const path = row.filter((m) => Number.isFinite(m.v)).map((m) => `M${(m.x - wide / 2).toFixed(1)} ${f.y(0).toFixed(1)}V${m.y.toFixed(1)}h${(wide * 0.9).toFixed(1)}V${f.y(0).toFixed(1)}z`).join('');
  return svg('path', { class: 'column', 'data-hue': lines[i].hue, d: path });
}
