// The ledger: what clients tried to deliver, and what came of it. Each batch is
// a row, each attempt a mark at its time.
import { h, fill, cut, small } from './dom.js';
import { get, Problem } from './api.js';
import { produced, report, totals } from './account.js';
import { attempts } from './attempts.js';
import { clock, count, nanoseconds, number } from './format.js';
import { pages } from './pages.js';
import { table } from './table.js';
import { axis, extent, scale, summary, track } from './timeline.js';

export const of = 'exports';

const tall = { height: 64, narrow: 118 }; // a row
const often = 3000; // milliseconds between two looks at all items, at least

export function mount(root, page) {
  const heading = h('h2', {}, 'Exports');
  const items = h('span', { class: 'pills' });
  const scales = [['all', 'One time axis'], ['own', 'Each batch by itself']].map(([name, text]) =>
    h('button', { title: name === 'own' ? 'Each row from its first attempt to its last' : 'All rows in sight on the same axis', data: { name }, onclick: () => page.go(undefined, { scale: name === 'own' ? name : undefined }) }, text));
  const ticks = h('div', { class: 'times', role: 'img' }, h('span'), h('div', { class: 'ticks' }));
  const body = h('div', { class: 'split' });
  const connections = connectionTable((open) => page.go(undefined, { connections: open ? 'shown' : undefined }));
  let own = false, origin, due = 0, later;
  let panel, open, shown, asked = 0; // the details, of which batch, and what they say

  const batches = pages({
    page, what: 'exports', path: 'batches', size: 60, ...tall, label: 'Batches, newest first',
    key: (b) => b.number, open: (b) => page.go(undefined, { batch: b.number, export: undefined }),
    row: (b) => h('div', { class: 'batch grow' }, summary(b), h('div', { class: 'cell' }, track(b, origin, own))),
    told: (n) => { heading.textContent = n > 0 ? count(n, 'batch', 'batches') : 'Exports'; },
    changed: (list) => {
      origin ??= list.at(-1)?.attempts[0].arrived;
      key.hidden = !list.some((b) => b.promised.some((p) => nanoseconds(p) > 0));
    },
  });
  const list = batches.rows;
  const key = h('ul', { class: 'legend faint', hidden: true }, [['gap', 'The wait between two attempts'], ['promise', 'What the client was told to wait'], ['early', 'What was missing of it']]
    .map(([kind, text]) => h('li', {}, h('i', { class: `sample ${kind}` }), text)));
  const ledger = h('div', { class: 'ledger' }, ticks, batches.node, key);
  list.node.addEventListener('scroll', rescale);
  const resized = new ResizeObserver(rescale);
  resized.observe(list.node);

  fill(root, h('div', { class: 'head' }, heading, items, h('div', { class: 'buttons', role: 'group', 'aria-label': 'Scale' }, scales),
    h('div', { class: 'buttons' }, h('button', { onclick: () => produced(page, again) }, 'Produced items…'), h('button', { onclick: () => report(page).catch(page.fail) }, 'Report'))), body, connections.node);
  fill(body, ledger);

  // rescale fits the axis to the rows in sight.
  function rescale() {
    const height = small.matches ? tall.narrow : tall.height, first = Math.floor(list.node.scrollTop / height);
    const sight = list.items.slice(first, first + Math.ceil(list.node.clientHeight / height));
    ticks.hidden = own || sight.length === 0;
    if (ticks.hidden) return;
    const range = extent(sight, origin, false);
    scale(list.node, range);
    axis(ticks, range);
  }

  // details shows the batch that the address names, by its number or by that
  // of an export in it. The same as before is left as it is.
  async function details(params) {
    const wanted = params.get('export'), of = params.get('batch'), mine = ++asked;
    if (!wanted && !of) return take();
    const batch = await find(of, wanted);
    const text = JSON.stringify([batch, wanted]);
    if (mine !== asked || text === shown) return;
    const next = attempts(batch, {
      wanted: Number(wanted), close: () => page.go(undefined, { batch: undefined, export: undefined }),
      link: (n) => page.link(undefined, { batch: n, export: undefined }),
    });
    list.select(batch.number);
    take(next, text, open === batch.number, batch.number);
    if (wanted) next.querySelector('.marked')?.scrollIntoView({ block: 'nearest' });
  }

  // take puts the panel beside the ledger, in place of the one before, or takes
  // that away.
  function take(next, text, same, number) {
    const inside = panel?.contains(document.activeElement), top = panel?.scrollTop;
    panel?.remove();
    if (next) body.append(next);
    else if (inside) list.node.focus();
    if (same) next.scrollTop = top;
    if (next && (same ? inside : inside || ledger.contains(document.activeElement))) next.focus({ preventScroll: true });
    [panel, shown, open] = [next, text, number];
  }

  async function find(of, wanted) {
    const here = list.items.find((b) => (of ? b.number === Number(of) : b.attempts.some((e) => e.number === Number(wanted))));
    if (here) return here;
    const said = await get('batches', { limit: 1, ...(of ? { after: Math.max(0, Number(of) - 1) } : { q: `export=${wanted}` }) });
    const found = said.items[0];
    if (!found || (of && found.number !== Number(of))) throw new Problem(404, { detail: `There is no ${of ? `batch ${of}` : `export ${wanted}`}, or it carried no batch. Was the backend reset?` });
    return found;
  }

  // look says what became of all items: not with every change, and the less
  // often the longer it takes.
  async function look() {
    const early = due - Date.now();
    clearTimeout(later);
    if (early > 0) {
      later = setTimeout(() => look().catch(page.fail), early);
      return;
    }
    const begun = Date.now();
    due = begun + often;
    const said = await get('report', { format: 'summary' });
    due = Math.max(due, Date.now() + 30 * (Date.now() - begun));
    fill(items, totals(said));
  }

  function again() {
    due = 0;
    return look();
  }

  let route;
  return {
    async show(now) {
      route = now;
      const wasOwn = own;
      own = route.params.get('scale') === 'own';
      for (const b of scales) b.setAttribute('aria-pressed', String((b.dataset.name === 'own') === own));
      await batches.show(route.params.get('q') ?? '');
      if (wasOwn !== own) list.append([]);
      rescale();
      await Promise.all([details(route.params), connections.show(route.params.get('connections') === 'shown'), look()]);
    },
    async refresh() {
      await batches.refresh();
      rescale();
      await Promise.all([details(route.params), connections.refresh(), look()]);
    },
    close() {
      resized.disconnect();
      clearTimeout(later);
    },
  };
}

// connectionTable is the newest connections, asked for while they are shown.
function connectionTable(toggled) {
  const list = h('div', { class: 'scroll', role: 'region', 'aria-label': 'Connections', tabindex: '0' });
  const node = h('details', { class: 'connections paper', ontoggle: () => { if (node.open !== shown) toggled(node.open); } }, h('summary', {}, 'Connections'), list);
  let shown = false;
  async function refresh() {
    if (!shown) return;
    const { items, total } = await get('connections', { order: 'newest', limit: 50 });
    fill(list, items.length === 0 ? h('p', { class: 'faint' }, 'None so far.') : table(['No.', 'From', 'Protocol', 'Client', { number: 'Requests' }, 'Opened', 'State'], items.map(connection),
      `${count(items.length, 'connection')}${total > items.length ? ` of ${number(total)}` : ''}, newest first`));
  }
  return {
    node, refresh,
    show(open) {
      shown = open;
      node.open = open;
      return refresh();
    },
  };
}

function connection(c) {
  const state = c.error ? h('span', { class: 'bad' }, cut(c.error)) : c.closed ? `closed ${clock(c.closed)}` : h('span', { class: 'good' }, c.open > 0 ? `open, ${count(c.open, 'request')} in flight` : 'open');
  return [number(c.number), c.peer, [c.protocol, c.tls].filter(Boolean).join(', ') || `– (${c.listener})`, cut(c.userAgent ?? '', 120), number(c.requests), clock(c.opened), state];
}
