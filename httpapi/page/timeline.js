// Batches on an axis of time. What is drawn knows its time (--t) and how long
// it lasts (--d) in milliseconds; the axis is two variables of a node around
// it, --from and --span, so that nothing is drawn anew when the axis changes.
import { h, fill, cut } from './dom.js';
import { between, duration, nanoseconds, number } from './format.js';
import { pill } from './marks.js';
import { answer, became, carried, waited, waits } from './answers.js';

const shortest = 10; // milliseconds of an axis for one batch

// track draws the attempts of a batch; origin is the time that counts as 0. own
// is whether it has an axis of its own.
export function track(batch, origin, own) {
  const node = h('div', { class: 'track', role: 'img', 'aria-label': inWords(batch) }, marks(batch, origin));
  if (own) {
    const [from, to] = extent([batch], origin, true), length = Math.max(to - from, shortest);
    scale(node, [from, from + length]);
    node.append(h('span', { class: 'length' }, duration(length * 1e6)));
  }
  return node;
}

function marks(batch, origin) {
  const all = waits(batch);
  return batch.attempts.map((e, i) => {
    const from = at(e.arrived, origin), to = e.answered ? at(e.answered, origin) : from;
    const promised = nanoseconds(batch.promised[i]) / 1e6, early = all[i]?.early / 1e6;
    const { sign, kind, text } = became(e);
    return [
      all[i]?.gap > 0 && span('gap', to, all[i].gap / 1e6),
      promised > 0 && span('promise', to, promised, `told to wait ${duration(promised * 1e6)}`),
      early > 0 && span('early', to + promised - early, early, `${duration(early * 1e6)} too early`),
      span(`flight ${kind}`, from, to - from),
      span(`mark ${kind}${i > 0 && all[i - 1].early ? ' hasty' : ''}`, to, 0, `export ${e.number}: ${text}`, sign),
    ];
  });
}

function span(name, t, d, title, text) {
  return h('span', { class: name, style: { '--t': t, '--d': d }, title }, text);
}

const at = (time, origin) => between(origin, time) / 1e6;

// scale sets the axis of a node.
export function scale(node, [from, to]) {
  node.style.setProperty('--from', from);
  node.style.setProperty('--span', Math.max(to - from, 0.001));
}

// extent is the time that batches take, in milliseconds since origin. What was
// promised counts where another attempt followed, or all of it.
export function extent(batches, origin, promises) {
  let from = Infinity, to = -Infinity;
  for (const b of batches) {
    for (const [i, e] of b.attempts.entries()) {
      from = Math.min(from, at(e.arrived, origin));
      to = Math.max(to, at(e.answered ?? e.arrived, origin) + (promises || i < b.gaps.length ? nanoseconds(b.promised[i]) / 1e6 : 0));
    }
  }
  return from < to ? [from, to] : [from, from + 1];
}

// axis draws what time it is where, in the last child of a node.
export function axis(node, [from, to]) {
  const step = round((to - from) / 5), ticks = [];
  for (let t = 0; t <= (to - from) * 0.94; t += step) ticks.push(t);
  scale(node, [from, to]);
  node.setAttribute('aria-label', `From left to right: ${duration((to - from) * 1e6)}`);
  fill(node.lastChild, ticks.map((t) => span('tick', from + t, 0, undefined, t === 0 ? '0' : `+${duration(t * 1e6)}`)));
}

const longer = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400].map((seconds) => seconds * 1000);

// round is the next of 1, 2, 2.5, 5, 10, …, and of usual times beyond ten seconds.
function round(n) {
  const usual = n > 10e3 && longer.find((t) => t >= n);
  if (usual) return usual;
  const power = 10 ** Math.floor(Math.log10(n));
  return power * [1, 2, 2.5, 5, 10].find((f) => f * power >= n * 0.999);
}

function inWords(batch) {
  const all = waits(batch);
  return batch.attempts.map((e, i) => `attempt ${i + 1}: ${became(e).text}${i > 0 ? `, came ${waited(all[i - 1])}` : ''}`).join('; ');
}

// summary is what stands beside the drawing of a batch.
export function summary(batch) {
  const early = waits(batch).filter((w) => w.early).length;
  return h('div', { class: 'told' },
    h('div', { class: 'line' }, h('span', { class: 'faint number' }, number(batch.number)), h('span', {}, batch.signal || 'no signal'), h('span', {}, carried(batch.signal, batch.items)),
      h('span', { class: 'chain' }, chain(batch.attempts)), early > 0 && pill(early === 1 ? 'too early' : `${early} too early`, 'bad')),
    h('div', { class: `fate ${early ? 'warn' : state(batch)}`, title: batch.text }, cut(batch.text)));
}

// state is good, warn or bad as the batch has fared.
export function state({ deliveries, acknowledged, repeatOf, attempts }) {
  if (deliveries === 0) return attempts.at(-1).outcome === 'open' ? 'faint' : 'bad';
  return deliveries > 1 || repeatOf || !acknowledged ? 'warn' : 'good';
}

// chain is the answers one after the other; what stands between the first and
// the last two is left away.
function chain(attempts) {
  const most = 4, left = attempts.length - most;
  const shown = left > 0 ? [...attempts.slice(0, most - 2), ...attempts.slice(-2)] : attempts;
  return shown.flatMap((e, i) => [i > 0 && h('span', { class: 'faint' }, left > 0 && i === most - 2 ? ` → ${left} more → ` : ' → '), answer(e)]);
}
