// Tables, of which a narrow screen shows each row as a few lines.
import { h } from './dom.js';

// table makes one. columns are names, those of numbers as { number: name }; rows
// are arrays of cells, text or nodes.
export function table(columns, rows, caption) {
  const all = columns.map((c) => (typeof c === 'string' ? { name: c } : { name: c.number, kind: 'number' }));
  return h('table', {}, caption && h('caption', {}, caption),
    h('thead', {}, h('tr', {}, all.map(({ name, kind }) => h('th', { scope: 'col', class: kind }, name)))),
    h('tbody', {}, rows.map((cells) => h('tr', {}, cells.map((cell, i) => h('td', { class: all[i].kind, data: { name: all[i].name } }, cell))))));
}
