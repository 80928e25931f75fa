// The panel with all of one batch: each attempt, and what came of it.
import { h, fill, cut } from './dom.js';
import { get } from './api.js';
import { details, section, pairs } from './details.js';
import { answer, carried, waited, waits } from './answers.js';
import { between, bytes, clock, count, duration, nanoseconds } from './format.js';

const views = { traces: 'spans', metrics: 'metrics', logs: 'logs' };

// attempts makes the panel. wanted is the number of the export to begin with.
export function attempts(batch, { wanted, close, link }) {
  const all = waits(batch);
  return details({
    title: `Batch ${batch.number}: ${carried(batch.signal, batch.items)}`, close,
    sections: [
      h('section', {}, h('p', {}, batch.text),
        batch.repeatOf && h('p', {}, 'The same was acknowledged before, as ', h('a', { href: link(batch.repeatOf) }, `batch ${batch.repeatOf}`), '.')),
      batch.attempts.map((e, i) => attempt(e, i, all[i - 1], e.number === wanted && batch.attempts.length > 1)),
    ],
  });
}

function attempt(e, i, wait, marked) {
  const items = e.stored > 0 && views[e.signal];
  const node = section(`Attempt ${i + 1}: export ${e.number}`, pairs([
    ['Answer', answer(e)],
    ['Message', e.status?.message],
    ['Decided by', e.fault && h('span', {}, h('code', {}, cut(e.fault.text)), ` (rule ${e.fault.rule}${e.fault.of > 1 ? `, fault ${e.fault.fault} of ${e.fault.of}` : ''})`)],
    ['Told to wait', e.throttled && duration(nanoseconds(e.retryDelay))],
    ['Came', wait && h('span', { class: wait.early ? 'bad' : '' }, waited(wait))],
    ['Arrived', clock(e.arrived)],
    ['Answered', e.answered && `${duration(between(e.arrived, e.answered))} later`],
    ['Deadline', e.deadline && `${duration(between(e.arrived, e.deadline))} after its arrival`],
    ['Items', `${carried(e.signal, e.items)}, ${e.stored} kept${e.dropped ? '; the data was dropped to stay within the memory limit' : ''}`],
    ['Protocol', [e.protocol, e.tls].filter(Boolean).join(', ')],
    ['Request', h('code', {}, [e.method, e.path].filter(Boolean).join(' '))],
    ['Size', e.unread ? 'the body was not read' : size(e)],
    ['Connection', `${e.connection}${e.reused ? ', used before' : ', new'}, from ${e.peer}`],
  ]), headers(e.number), items && h('p', {}, h('a', { href: `#/${items}?q=${encodeURIComponent(`export=${e.number}`)}` }, `Show what it brought (${count(e.stored, 'item')})`)));
  if (marked) node.classList.add('marked');
  return node;
}

function size(e) {
  return e.encoding ? `${bytes(e.wireSize)} as ${e.encoding}, ${bytes(e.bodySize)} unpacked` : bytes(e.bodySize);
}

// headers is asked for when it is opened.
function headers(number) {
  const shown = h('div', {}, h('p', { class: 'faint' }, '…'));
  let asked = false;
  return h('details', {
    ontoggle: async () => {
      if (asked) return;
      asked = true;
      try {
        const { headers } = await get(`exports/${number}`);
        const names = Object.keys(headers ?? {}).sort();
        fill(shown, names.length ? pairs(names.map((name) => [name, h('code', {}, headers[name].join('\n'))])) : h('p', { class: 'faint' }, 'none'));
      } catch (err) {
        fill(shown, h('p', { class: 'bad' }, err.message));
        asked = false;
      }
    },
  }, h('summary', {}, 'Headers'), shown);
}
