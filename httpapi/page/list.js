// A list of which only the rows in sight are in the page.
import { h, fill, small, uniqueID } from './dom.js';

// list makes one. Its options: label; height of a row in pixels, and narrow,
// that on a narrow screen; row(item), the row's content; key(item), which tells
// items apart; open(item), for Enter and click; more(), which is called near the
// end and appends; keys(event, item), true for keys that it has dealt with. It
// is a listbox unless role, rowRole and props(item), the attributes of a row,
// say otherwise. Its result has node, set(items), append(items), select(key),
// reveal(key), which scrolls there too, items and atTop().
export function list({ label, height: usual, narrow = usual, row, key, open, more = () => {}, keys = () => false, role = 'listbox', rowRole = 'option', props = () => ({}) }) {
  const id = uniqueID('list');
  const rows = h('div', { class: 'rows' });
  const node = h('div', {
    class: 'list', role, tabindex: '0', 'aria-label': label,
    onscroll: () => draw(), onkeydown: (e) => keydown(e), onclick: (e) => click(e),
    onpointerdown: (e) => { held = e.target !== node; }, onpointerup: release, onpointercancel: release, onpointerleave: release,
  }, rows);
  new ResizeObserver(() => draw()).observe(node);
  const drawn = new WeakMap(); // the item of a row
  let height = usual, items = [], active = -1, total, loading = false;
  let held = false; // a row is pressed: it must stay, or the click is lost

  function release() {
    if (!held) return;
    held = false;
    setTimeout(draw); // behind the click
  }

  function draw() {
    if (held) return;
    height = small.matches ? narrow : usual;
    const first = Math.max(0, Math.floor(node.scrollTop / height) - 10);
    const last = Math.min(items.length, Math.ceil((node.scrollTop + node.clientHeight) / height) + 10);
    rows.style.height = `${items.length * height}px`;
    fill(rows, items.slice(first, last).map((item, i) => option(item, first + i)));
    if (active >= first && active < last) node.setAttribute('aria-activedescendant', `${id}-${active}`);
    else node.removeAttribute('aria-activedescendant');
    if (last > items.length - 30 && items.length > 0) load();
  }

  async function load() {
    if (loading) return;
    loading = true;
    try { await more(); } finally { loading = false; }
  }

  function option(item, i) {
    const option = h('div', {
      class: 'row', role: rowRole, id: `${id}-${i}`, style: { top: `${i * height}px`, height: `${height}px` }, data: { index: i },
      'aria-selected': String(i === active), 'aria-setsize': total ?? items.length, 'aria-posinset': i + 1, ...props(item),
    }, row(item, i));
    drawn.set(option, item);
    return option;
  }

  function keydown(e) {
    if (keys(e, items[active])) return e.preventDefault();
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 15, PageUp: -15, Home: -items.length, End: items.length }[e.key];
    if (step && !e.ctrlKey && !e.metaKey && !e.altKey && items.length > 0) {
      e.preventDefault();
      move(Math.min(items.length - 1, Math.max(0, active + step)));
    } else if ((e.key === 'Enter' || e.key === ' ') && items[active]) {
      e.preventDefault();
      open(items[active]);
    }
  }

  function move(to) {
    active = to;
    const top = active * height;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top + height > node.scrollTop + node.clientHeight) node.scrollTop = top + height - node.clientHeight;
    draw();
  }

  function click(e) {
    const item = drawn.get(e.target.closest('.row'));
    if (!item || String(getSelection()) !== '') return;
    held = false;
    active = items.findIndex((other) => key(other) === key(item));
    draw();
    open(item);
  }

  return {
    node,
    get items() { return items; },
    atTop: () => node.scrollTop < height,
    set(list, of) {
      const was = items[active] && key(items[active]);
      items = list;
      total = of;
      active = was === undefined ? -1 : items.findIndex((item) => key(item) === was);
      draw();
    },
    append(list) {
      items = items.concat(list);
      draw();
    },
    select(wanted) {
      active = items.findIndex((item) => key(item) === wanted);
      draw();
    },
    reveal(wanted) {
      const at = items.findIndex((item) => key(item) === wanted);
      if (at < 0) return;
      const top = at * height;
      if (top < node.scrollTop || top + height > node.scrollTop + node.clientHeight) node.scrollTop = top - node.clientHeight / 2;
      move(at);
    },
  };
}
