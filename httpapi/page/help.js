// What keys do, and how filters are written.
import { h } from './dom.js';
import { vocabulary } from './search.js';

const keys = [
  ['1 – 8', 'the views, from left to right'], ['/', 'the search box'], ['↑ ↓ or k j', 'in a list'], ['← →', 'fold and unfold, in a waterfall'], ['Enter', 'open what is selected'],
  ['Esc', 'close details or suggestions'], ['Ctrl Enter', 'add the rules that are written, in Faults'], ['p', 'pause live updates'], ['t', 'dark or light'], ['?', 'this'],
];

// help shows a dialog.
export async function help() {
  const filters = h('dl', {}), rules = h('dl', {});
  const dialog = h('dialog', { class: 'help', 'aria-labelledby': 'help-title', onclick: (e) => { if (e.target === dialog) dialog.close(); } },
    h('form', { method: 'dialog' }, h('button', { class: 'quiet close', 'aria-label': 'Close' }, '✕')),
    h('h2', { id: 'help-title' }, 'Keys'), h('dl', {}, keys.map(([k, what]) => [h('dt', {}, h('kbd', {}, k)), h('dd', {}, what)])),
    h('h2', {}, 'Filters'), h('p', {}, 'Terms stand side by side, and all must hold. not TERM and (TERM or TERM) combine them.'), filters,
    h('h2', {}, 'Rules'), h('p', {}, 'SELECTORS: FAULT, FAULT, … – what stands before the colon can be left away. A fault can be followed by x3, after 200ms and more.'), rules);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const known = await vocabulary();
  const explain = (terms) => terms.flatMap((t) => [h('dt', {}, h('code', {}, t.example)), h('dd', {}, t.doc)]);
  filters.append(...explain(known.filters));
  rules.append(...explain([...known.selectors, ...known.faults]));
}
