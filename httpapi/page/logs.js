// Log records, the newest first.
import { h, cut } from './dom.js';
import { beside } from './beside.js';
import { attributes, moment, pairs, section } from './details.js';
import { clock, count, value } from './format.js';
import { service } from './marks.js';
import { pages } from './pages.js';

export const of = 'logs';

export function mount(root, page) {
  const total = h('span', { class: 'faint', role: 'status' }), levels = h('div', { class: 'buttons', role: 'group', 'aria-label': 'Severity' });
  const records = pages({
    page, what: 'logs', path: 'logs', size: 100, label: 'Log records', height: 34, narrow: 58, row: (l) => row(l, page), key: (l) => l.number,
    told: (n) => { total.textContent = count(n, 'record') + (records.q ? ' found' : ''); },
    open: (l) => page.go(undefined, { item: l.number }),
  });
  const split = h('div', { class: 'split' }, records.node);
  const details = beside({ split, page, of: 'logs', about: (l) => about(l, page), back: () => records.rows.node });
  root.append(h('div', { class: 'view twofold records' }, h('div', { class: 'head' }, h('h2', {}, 'Log records'), total, levels), split));

  return {
    async show({ params }) {
      const q = params.get('q') ?? '';
      offer(levels, q, page);
      const item = params.get('item');
      await Promise.all([records.show(q), details.show(item)]);
      if (item) records.rows.select(Number(item));
    },
    refresh: () => records.refresh(),
  };
}

const least = /(?:^|\s)severity>=(\w+)(?=\s|$)/;

// offer shows buttons that change which severity the search wants at least.
function offer(levels, q, page) {
  const now = least.exec(q)?.[1] ?? '', rest = q.replace(least, '').trim();
  const button = (level, text) => h('button', {
    'aria-pressed': String(level === now), onclick: () => page.go(undefined, { q: level ? `${rest} severity>=${level}`.trim() : rest, item: undefined }),
  }, text, level && h('span', { class: 'unseen' }, ' and above'), level && h('span', { 'aria-hidden': 'true' }, '+'));
  const within = levels.contains(document.activeElement) && [...levels.children].indexOf(document.activeElement);
  levels.replaceChildren(button('', 'All'), button('info', 'Info'), button('warn', 'Warn'), button('error', 'Error'));
  if (within !== false) levels.children[within]?.focus();
}

// row is a record in the list. An option can hold no link, so that the one to
// its trace is for the mouse only; the details have it for all.
function row(l, page) {
  return [
    h('span', { class: 'time faint' }, clock(l.time ?? l.observedTime)), severity(l), service(l.resource.attributes?.['service.name']),
    l.eventName && h('code', { class: 'event wide' }, cut(l.eventName, 60)), h('span', { class: 'grow' }, oneLine(l.body)),
    l.traceId && h('span', { class: 'into', title: 'Go to its trace', onclick: (e) => { e.stopPropagation(); location.hash = traceOf(l, page); } }, 'trace →'),
  ];
}

const traceOf = (l, page) => page.link(`traces/${l.traceId}`, { span: l.spanId });

const kinds = { warn: 'warn', error: 'bad', fatal: 'bad fatal', info: 'info', unspecified: 'none' };

// severity is its name, coloured.
function severity(l) {
  const name = l.severity ?? 'unspecified', range = name.replace(/\d$/, '');
  return h('span', { class: 'severity' }, h('span', { class: `pill ${kinds[range] ?? ''}`, title: l.severityText && `sent as ${l.severityText}` }, name === 'unspecified' ? 'none' : name));
}

function oneLine(body) {
  const text = body === null || body === undefined ? '(no body)' : value(body);
  return text.slice(0, 400).replace(/\s+/g, ' ');
}

function about(l, page) {
  const structured = l.body !== null && typeof l.body === 'object';
  return {
    title: cut(l.eventName || (structured ? 'Log record' : oneLine(l.body)), 120),
    sections: [
      section('Body', h('pre', { class: 'body', tabindex: '0' }, l.body === null || l.body === undefined ? 'none' : structured ? JSON.stringify(l.body, undefined, 2) : value(l.body))),
      section('Record', pairs([
        ['Severity', severity(l)], ['Severity as text', l.severityText], ['Event', l.eventName], ['Time', moment(l.time)],
        ['Observed', moment(l.observedTime)],
        ['Trace', l.traceId && h('a', { href: traceOf(l, page) }, h('code', {}, l.traceId))],
        ['Span', l.spanId && h('code', {}, l.spanId)], ['Flags', l.flags], ['Number', l.number],
      ])),
      section('Attributes', attributes(l.attributes), l.droppedAttributesCount > 0 && h('p', { class: 'warn' }, `The sender dropped ${count(l.droppedAttributesCount, 'attribute')}.`)),
    ],
  };
}
