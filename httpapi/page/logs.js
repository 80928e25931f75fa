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
    page, what: 'logs', path: 'logs', size: 100, label: 'Log records', height: 34, row, key: (l) => l.number,
    told: (n) => { total.textContent = n > 0 ? count(n, 'record') : ''; },
    open: (l) => page.go(undefined, { item: l.number }),
  });
  const split = h('div', { class: 'split' }, records.node);
  const details = beside({ split, page, of: 'logs', about: (l) => about(l, page), back: () => records.rows.node });
  root.append(h('div', { class: 'head' }, h('h2', {}, 'Log records'), total, levels), split);

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
    'aria-label': level ? `${level} and above` : 'all severities', title: level ? `Severity ${level} and above` : 'All severities', 'aria-pressed': String(level === now), onclick: () => page.go(undefined, { q: level ? `${rest} severity>=${level}`.trim() : rest, item: undefined }),
  }, text);
  const within = levels.contains(document.activeElement) && [...levels.children].indexOf(document.activeElement);
  levels.replaceChildren(button('', 'All'), button('info', 'Info+'), button('warn', 'Warn+'), button('error', 'Error+'));
  if (within !== false) levels.children[within]?.focus();
}

function row(l) {
  return [
    h('span', { class: 'when number' }, clock(l.time ?? l.observedTime)), severity(l), h('span', { class: 'wide from' }, service(l.resource.attributes?.['service.name'])),
    l.eventName && h('code', { class: 'event wide' }, cut(l.eventName, 60)), h('span', { class: 'grow' }, oneLine(l.body)),
    l.traceId && h('span', { class: 'pill', title: 'It belongs to a trace' }, 'trace'),
  ];
}

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
    title: cut(l.eventName || oneLine(l.body), 120),
    sections: [
      section('Body', h('pre', { class: 'body', tabindex: '0' }, l.body === null || l.body === undefined ? 'none' : structured ? JSON.stringify(l.body, undefined, 2) : value(l.body))),
      section('Record', pairs([
        ['severity', severity(l)], ['severity as text', l.severityText], ['event', l.eventName], ['time', moment(l.time)],
        ['observed', moment(l.observedTime)],
        ['trace', l.traceId && h('a', { href: page.link(`traces/${l.traceId}`, { span: l.spanId }) }, h('code', {}, l.traceId))],
        ['span', l.spanId && h('code', {}, l.spanId)], ['flags', l.flags], ['number', l.number],
      ])),
      section('Attributes', attributes(l.attributes), l.droppedAttributesCount > 0 && h('p', { class: 'warn' }, `The sender dropped ${count(l.droppedAttributesCount, 'attribute')}.`)),
    ],
  };
}
