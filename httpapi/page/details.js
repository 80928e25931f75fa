// The panel with all of one item: attributes, where it came from, and how to
// find it again.
import { h } from './dom.js';
import { get, address } from './api.js';
import { clock, value } from './format.js';

// details makes a panel beside a view. Its sections come as nodes, null ones
// are left away.
export function details({ title, close, sections }) {
  return h('aside', { class: 'details', 'aria-label': title, tabindex: '-1', onkeydown: (e) => { if (e.key === 'Escape') { e.stopPropagation(); close(); } } },
    h('header', {}, scrolls(h('h2', {}, title)), h('button', { class: 'quiet', 'aria-label': 'Close the details', title: 'Close (Esc)', onclick: close }, '✕')),
    sections);
}

// section is a titled part of the panel.
export function section(title, ...children) {
  return h('section', {}, h('h3', {}, title), children);
}

// pairs lists names and values; values may be nodes. Empty ones are left away.
export function pairs(list) {
  const shown = list.filter(([, v]) => v !== undefined && v !== null && v !== '' && v !== false);
  return h('dl', { class: 'pairs' }, shown.map(([k, v]) => h('div', {}, h('dt', {}, k), scrolls(h('dd', {}, v)))));
}

// scrolls lets the keyboard scroll a part that may be too long to be shown whole.
function scrolls(node) {
  if (node.textContent.length > 150 || node.textContent.split('\n').length > 5) node.tabIndex = 0;
  return node;
}

// attributes lists an item's attributes, sorted, as the API writes them: an object.
export function attributes(attrs) {
  const all = Object.entries(attrs ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (all.length === 0) return h('p', { class: 'faint' }, 'none');
  return pairs(all.map(([k, v]) => [k, typeof v === 'string' ? (v === '' ? '""' : v) : h('code', {}, value(v))]));
}

// moment is a time of day, and the whole of the time as it was sent.
export function moment(text) {
  return text && [clock(text), ' ', h('span', { class: 'faint whole' }, text)];
}

// copying is the buttons that copy what finds the item: as a Go assertion, and
// as a curl command. of is spans, points or logs; tool is one more button.
export function copying(of, number, note, tool) {
  const found = async () => get(`${of}/${number}/assertion`);
  return h('div', { class: 'buttons' },
    h('button', { onclick: async () => copy((await found()).go, note) }, 'Copy as Go assertion'),
    h('button', { onclick: async () => copy(curl(of, (await found()).q), note) }, 'Copy as curl'), tool);
}

// curl is the command that asks for what a filter finds.
export function curl(of, q) {
  return `curl -sG --fail-with-body ${address(of)} --data-urlencode 'q=${q.replaceAll("'", "'\\''")}'`;
}

// copy puts text into the clipboard; where the browser does not let the page,
// the text is shown to be copied by hand.
export async function copy(text, note) {
  try {
    await navigator.clipboard.writeText(text);
    note(`Copied: ${text}`);
  } catch {
    const dialog = h('dialog', { class: 'copy', 'aria-label': 'Copy this' }, h('pre', { tabindex: '0' }, text), h('form', { method: 'dialog' }, h('button', {}, 'Close')));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    getSelection().selectAllChildren(dialog.firstChild);
  }
}
