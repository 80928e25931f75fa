// What became of all items: in numbers, as a report, and held against how many
// were produced.
import { h } from './dom.js';
import { get, post } from './api.js';
import { carried } from './answers.js';
import { copy } from './details.js';
import { number } from './format.js';
import { pill } from './marks.js';

// totals is the numbers of a report, as pills.
export function totals({ items, produced, lost }) {
  const some = (n, text, kind, title) => n > 0 && pill(`${number(n)} ${text}`, kind, title);
  return [
    some(items.sent, items.sent === 1 ? 'item sent' : 'items sent', '', 'Spans, data points and log records, each counted once'),
    some(items.delivered, 'delivered', 'good'),
    some(items.refused, 'rejected', 'warn', 'By a partial success'),
    some(items.lost, 'lost', 'bad', 'Sent, and never kept'),
    some(items.unacknowledged, 'never acknowledged', 'warn', 'They were kept, but the client does not know'),
    some(items.legalDuplicates, 'delivered again', 'warn', 'That is legal: the client could not know that they had been delivered (C-43)'),
    some(items.illegalDuplicates, 'again after an acknowledgement', 'bad', 'The client had been told that they had been delivered'),
    ['traces', 'metrics', 'logs'].filter((signal) => produced?.[signal] > 0).map((signal) => arrived(carried(signal, produced[signal]), lost[signal])),
  ];
}

// arrived says how much came of what was produced.
function arrived(made, lost) {
  return lost > 0 ? pill(`${number(lost)} of ${made} did not arrive`, 'bad') : pill(`${made} produced, all delivered`, 'good');
}

// dialog shows one, and takes it away when it is closed.
function dialog(props, ...children) {
  const node = h('dialog', props, children);
  node.addEventListener('close', () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

// report shows the ledger as text.
export async function report(page) {
  const text = await get('report', { format: 'text' });
  dialog({ class: 'report', 'aria-labelledby': 'report-title' },
    h('h2', { id: 'report-title' }, 'Report'), h('pre', { tabindex: '0' }, text),
    h('form', { method: 'dialog', class: 'buttons' }, h('button', { type: 'button', onclick: () => copy(text, () => page.note('Copied the report.')) }, 'Copy'), h('button', { class: 'main' }, 'Close')));
}

// produced asks how many items the clients made; added is called once the
// backend knows it.
export function produced(page, added) {
  const fields = [['traces', 'Spans'], ['metrics', 'Data points'], ['logs', 'Log records']].map(([signal, name]) => [name, h('input', { name: signal, type: 'number', min: 0, step: 1, inputmode: 'numeric' })]);
  const node = dialog({ class: 'produced', 'aria-labelledby': 'produced-title' }, h('form', { method: 'dialog' },
    h('h2', { id: 'produced-title' }, 'How many items were produced?'),
    h('p', {}, 'The backend sees only what is sent to it. Tell it how many items your program made, and it says how many of them did not arrive. Numbers are added to those told before; leave empty what you do not know.'),
    fields.map(([name, input]) => h('label', {}, h('span', {}, name), input)),
    h('div', { class: 'buttons' }, h('button', { class: 'main', value: 'add' }, 'Add'), h('button', { value: '', formnovalidate: true }, 'Cancel'))));
  node.addEventListener('close', () => {
    const told = fields.map(([, input]) => input).filter((input) => input.value !== '').map((input) => [input.name, Number(input.value)]);
    if (node.returnValue !== 'add' || told.length === 0) return;
    post('produced', JSON.stringify(Object.fromEntries(told)), 'application/json').then(added).catch(page.fail);
  });
}
