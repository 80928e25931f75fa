// A list of what the API has, newest first: it is asked for page by page as one
// scrolls, and again when there is more.
import { h, fill } from './dom.js';
import { get } from './api.js';
import { list } from './list.js';
import { emptyState, noMatch } from './empty.js';

const most = 2000; // items in a page: pages grow with what is there, so that the end is reached

// pages makes one, of what (a word of emptyState) is at path with params. told
// hears how many there are in all, and changed(items) what is in the list before
// it is drawn. All other options are those of list. Its result has node, rows,
// the list, q, what was asked last, and show(q) and refresh() as a view has them.
export function pages({ page, what, path, params = {}, size, told, changed = () => {}, ...options }) {
  const rows = list({ ...options, more });
  const fresh = h('button', { class: 'fresh main', hidden: true, onclick: () => { rows.node.focus(); first().catch(page.fail); } }, 'New data – back to the top');
  const node = h('div', { class: 'pages' });
  let q, next, asked = 0, total, newest;

  const ask = (limit, after) => get(path, { ...params, q, order: 'newest', limit, after });

  // first shows the newest items.
  async function first() {
    const mine = ++asked;
    const said = await ask(size);
    if (mine !== asked) return;
    next = said.next;
    note(said);
    fresh.hidden = true;
    rows.node.scrollTop = 0;
    changed(said.items);
    rows.set(said.items, total);
    draw();
  }

  async function more() {
    if (!next) return;
    const mine = asked, after = next;
    next = undefined; // asked for once
    try {
      const said = await ask(Math.min(most, Math.max(size, rows.items.length)), after);
      if (mine !== asked) return;
      next = said.next;
      changed(rows.items.concat(said.items));
      rows.append(said.items);
    } catch (err) {
      if (mine === asked) next = after;
      page.fail(err);
    }
  }

  function note(said) {
    total = said.total;
    newest = said.items[0]?.number;
    told(total);
  }

  function draw() {
    const shown = total > 0 ? 'list' : q ? 'no match' : 'empty';
    if (node.dataset.shows === shown) return;
    node.dataset.shows = shown;
    fill(node, total > 0 ? [fresh, rows.node] : q ? noMatch(what, page) : emptyState(what));
  }

  return {
    node, rows,
    get q() { return q; },
    show(wanted) {
      if (wanted === q) return undefined;
      q = wanted;
      return first();
    },
    // refresh leaves a list alone in which one has scrolled.
    async refresh() {
      if (rows.atTop() || !total) return first();
      const mine = asked, before = [total, newest];
      const said = await ask(1);
      if (mine !== asked) return;
      note(said);
      if (total === 0) return first();
      if (total !== before[0] || newest !== before[1]) fresh.hidden = false;
    },
  };
}
