// The list of spans, newest first.
import { h, cut } from './dom.js';
import { get } from './api.js';
import { between, clock, count, duration } from './format.js';
import { pill, service } from './marks.js';
import { pages } from './pages.js';
import { spanDetails, status } from './span.js';

export const of = 'spans';

export function mount(root, page) {
  const total = h('span', { class: 'faint', role: 'status' });
  const all = pages({
    page, what: 'spans', path: 'spans', size: 200, label: 'Spans, newest first', height: 34, narrow: 58, row,
    key: (s) => s.number, open: (s) => page.go(undefined, { item: s.number }),
    told: (n) => { total.textContent = count(n, 'span') + (q ? ' found' : ''); },
    keys: (e) => e.key === 'Escape' && shown !== undefined && close(),
  });
  const split = h('div', { class: 'split' }, all.node);
  let q = '', shown, panel;
  root.append(h('div', { class: 'view twofold' }, h('div', { class: 'head' }, h('h2', {}, 'Spans'), total), split));

  function close() {
    page.go(undefined, { item: undefined });
    all.rows.node.focus();
    return true;
  }

  async function details(number) {
    if (number === shown) return;
    shown = number;
    const span = number && (all.rows.items.find((s) => s.number === Number(number)) ?? await get(`spans/${encodeURIComponent(number)}`));
    if (number !== shown) return;
    panel?.remove();
    panel = span && spanDetails(span, { page, close, came: [span] });
    if (!panel) return;
    all.rows.select(span.number);
    split.append(panel);
    panel.focus({ preventScroll: true });
  }

  return {
    async show(route) {
      q = route.params.get('q') ?? '';
      await all.show(q);
      await details(route.params.get('item') ?? undefined);
    },
    refresh: all.refresh,
    close: () => {},
  };
}

function row(s) {
  const took = s.start && s.end ? between(s.start, s.end) : NaN;
  return [
    h('span', { class: 'time faint' }, clock(s.start)),
    service(s.resource?.attributes?.['service.name']),
    h('span', { class: 'grow', title: cut(s.name, 1000) }, cut(s.name) || '(no name)'),
    h('span', { class: 'marks' }, s.events && pill(count(s.events.length, 'event')), s.links && pill(count(s.links.length, 'link')), status(s)),
    h('span', { class: 'faint kind' }, s.kind),
    h('span', { class: `number took${took < 0 ? ' warn' : ''}`, title: took < 0 ? 'It ends before it starts' : undefined }, duration(took)),
  ];
}
