// The list of traces, and one trace at #/traces/ID.
import { h, cut } from './dom.js';
import { clock, count, duration, hue, nanoseconds } from './format.js';
import { flaws, service } from './marks.js';
import { pages } from './pages.js';
import { traceView } from './trace.js';

export const of = 'traces';

export function mount(root, page) {
  const all = traceList(page);
  let trace; // the one that is shown, if any
  root.append(all.node);

  return {
    async show(route) {
      const [id] = route.path, q = route.params.get('q') ?? '';
      if (id && q) return location.replace(page.link('traces', { q })); // a search is for all traces
      const before = trace, chosen = all.node.contains(document.activeElement);
      if (trace?.id !== id) {
        trace?.node.remove();
        trace = id && traceView(id, page, () => page.link('traces', { q: all.q }));
        if (trace) root.append(trace.node);
      }
      all.node.hidden = Boolean(trace);
      if (trace) {
        await trace.show(route);
        if (chosen && document.activeElement === document.body) trace?.focus();
        return undefined;
      }
      document.title = 'Traces – otlptest';
      await all.show(q);
      if (before) all.back();
    },
    refresh: () => (trace ?? all).refresh(),
    close: () => {},
  };
}

function traceList(page) {
  let longest = 1, q = '';
  const total = h('span', { class: 'faint', role: 'status' });
  const list = pages({
    page, what: 'traces', path: 'traces', params: { format: 'summary' }, size: 100, label: 'Traces, newest first', height: 38, narrow: 58,
    key: (t) => t.traceId, open: (t) => page.go(`traces/${t.traceId}`),
    told: (n) => { total.textContent = count(n, 'trace') + (q ? ' found' : ''); },
    changed: (items) => { longest = items.reduce((most, t) => Math.max(most, nanoseconds(t.duration)), 1); },
    row: (t) => row(t, longest),
  });
  return {
    node: h('div', { class: 'view twofold' }, h('div', { class: 'head' }, h('h2', {}, 'Traces'), total), list.node),
    get q() { return q; },
    show(wanted) {
      q = wanted;
      return list.show(q);
    },
    refresh: list.refresh,
    // back is for after a trace was shown.
    back() {
      list.rows.node.focus();
      return list.refresh();
    },
  };
}

function row(t, longest) {
  const took = nanoseconds(t.duration);
  return [
    h('span', { class: 'time faint' }, clock(t.start)),
    service(t.service),
    h('span', { class: 'grow', title: cut(t.name, 1000) }, cut(t.name) || '(no name)'),
    h('span', { class: 'marks' }, flaws(t)),
    h('span', { class: 'hues wide', title: t.services.map((s) => cut(s, 60)).join(', ') }, t.services.slice(0, 6).map((s) => h('i', { data: { hue: hue(s) } })), ` ${count(t.services.length, 'service')}`),
    h('span', { class: 'number spans' }, count(t.spans, 'span')),
    h('span', { class: 'measure wide', 'aria-hidden': 'true' }, h('i', { style: { width: `${Math.max(0, (100 * took) / longest)}%` } })),
    h('span', { class: `number took${took < 0 ? ' warn' : ''}`, title: took < 0 ? 'It ends before it starts' : undefined }, duration(took)),
  ];
}
