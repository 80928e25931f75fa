// The details of a span: all that it says, and how it came.
import { h, fill, cut } from './dom.js';
import { get } from './api.js';
import { details, section, pairs, attributes, copying, moment } from './details.js';
import { between, bytes, clock, count, duration, number } from './format.js';
import { pill, service } from './marks.js';

// spanDetails makes the panel of a span. came is [{number, export}]: its own
// place first, then those of its duplicates. remarks, sentences about where it
// stands in its trace, parent, the parent's name, and tool, a button, may be left
// away.
export function spanDetails(span, { page, close, came, remarks = [], parent, tool }) {
  const took = span.start && span.end ? duration(between(span.start, span.end)) : undefined;
  const attrs = (title, of, dropped) => section(title, attributes(of), left(dropped, 'attribute'));
  return details({
    title: cut(span.name || '(no name)', 2000), close,
    sections: [
      h('div', { class: 'buttons' }, service(span.resource?.attributes?.['service.name']), pill(span.kind), status(span), took && pill(took)),
      copying('spans', came[0].number, page.note, tool),
      remarks.length > 0 && section('In its trace', h('ul', { class: 'remarks' }, remarks.map((text) => h('li', {}, text)))),
      section('Span', pairs([
        ['Status message', span.status?.message], ['Starts', moment(span.start)], ['Ends', moment(span.end)],
        ['Trace', link(page, span.traceId, span.spanId, span.traceId)], ['Span', h('code', {}, span.spanId)],
        ['Parent', span.parentSpanId ? link(page, span.traceId, span.parentSpanId, parent ?? span.parentSpanId) : 'none: it is a root'],
        ['Trace state', span.traceState], ['Flags', span.flags && flags(span.flags)],
      ])),
      attrs('Attributes', span.attributes, span.droppedAttributesCount),
      (span.events || span.droppedEventsCount) && section('Events', (span.events ?? []).map((e) => event(e, span.start)), left(span.droppedEventsCount, 'event')),
      (span.links || span.droppedLinksCount) && section('Links', (span.links ?? []).map((l) => linked(l, page)), left(span.droppedLinksCount, 'link')),
      section('How it came', came.map((c) => arrival(c, page))),
      section('Logs', h('p', {},
        h('a', { href: page.link('logs', { q: `trace=${span.traceId} span=${span.spanId}` }) }, 'Log records of this span'), ' · ',
        h('a', { href: page.link('logs', { q: `trace=${span.traceId}` }) }, 'Log records of its trace'))),
      attrs('Resource', span.resource?.attributes, span.resource?.droppedAttributesCount),
      section('Scope', pairs([['Name', span.scope?.name], ['Version', span.scope?.version], ['Schema', span.scope?.schemaUrl], ['Schema of the resource', span.resource?.schemaUrl]]),
        span.scope?.attributes && attributes(span.scope.attributes), left(span.scope?.droppedAttributesCount, 'attribute')),
    ],
  });
}

// status is that of a span as a pill, nothing where it is unset.
export function status(span) {
  const code = span.status?.code ?? 'unset';
  return code !== 'unset' && pill(code, { ok: 'good', error: 'bad' }[code]);
}

const flags = (n) => `0x${n.toString(16)}${n & 1 ? ', sampled' : ', not sampled'}${n & 0x100 && n & 0x200 ? ', its parent is remote' : ''}`;

const left = (n, what) => n > 0 && h('p', { class: 'warn' }, `The sender dropped ${count(n, what)}.`);

function link(page, traceId, spanId, text) {
  return h('a', { class: 'mono', href: page.link(`traces/${traceId}`, { span: spanId }) }, cut(text, 120));
}

function event(e, start) {
  return h('div', { class: 'part' },
    h('h4', {}, h('span', {}, cut(e.name || '(no name)', 1000)), h('span', { class: 'number faint', title: e.time }, offset(start, e.time))),
    e.attributes && attributes(e.attributes), left(e.droppedAttributesCount, 'attribute'));
}

// offset is when something was after the start of its span.
export function offset(start, at) {
  if (!start || !at) return 'at an unknown time';
  const ns = between(start, at);
  return ns < 0 ? duration(ns) : `+${duration(ns)}`;
}

function linked(l, page) {
  return h('div', { class: 'part' },
    h('h4', {}, h('span', {}, 'span ', link(page, l.traceId, l.spanId, l.spanId), ' of trace ', link(page, l.traceId, l.spanId, l.traceId))),
    pairs([['Trace state', l.traceState], ['Flags', l.flags && flags(l.flags)]]),
    l.attributes && attributes(l.attributes), left(l.droppedAttributesCount, 'attribute'));
}

// arrival is the export that brought an item; it asks for it.
export function arrival(came, page) {
  const body = h('div', { class: 'part' }, h('p', { class: 'faint' }, 'asking the backend…'));
  get(`exports/${came.export}`).then((e) => fill(body, pairs([
    ['Export', h('a', { href: page.link('exports', { export: e.number }) }, `export ${number(e.number)}`)],
    ['Attempt', e.batch && `attempt ${e.attempt} of batch ${number(e.batch)}${e.attempts > e.attempt ? `; ${count(e.attempts - e.attempt, 'more attempt')} followed` : ''}`],
    ['Arrived', clock(e.arrived)], ['Protocol', e.protocol], ['From', e.peer], ['Size', `${bytes(e.bodySize)}${e.encoding ? `, ${bytes(e.wireSize)} as ${e.encoding}` : ''}`],
    ['Answer', h('span', { class: e.outcome === 'accepted' ? 'good' : 'bad' }, answer(e))], ['Because of', e.fault?.text && h('code', {}, e.fault.text)],
  ])), (err) => fill(body, err.message));
  return body;
}

function answer(e) {
  const code = [e.status?.http, e.status?.code].filter(Boolean).join(' ');
  return `${e.outcome}${code && ` (${code})`}${e.status?.message ? `: ${e.status.message}` : ''}`;
}
