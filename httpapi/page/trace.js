// One trace: its waterfall, what does not fit, and the details of a span.
import { h, fill, cut } from './dom.js';
import { get, Problem } from './api.js';
import { copy } from './details.js';
import { clock, count, duration } from './format.js';
import { flaws, pill } from './marks.js';
import { spanDetails } from './span.js';
import { model, waterfall } from './waterfall.js';

// traceView makes it; back is the address of the list that led here.
export function traceView(id, page, back) {
  const head = h('div', { class: 'head' });
  const notes = h('details', { class: 'unfit', hidden: true });
  const critical = h('button', { onclick: () => page.go(undefined, { path: critical.getAttribute('aria-pressed') === 'true' ? 'off' : undefined }), title: 'What the trace waited for: without these stretches it would have ended earlier' }, 'Critical path');
  const whole = h('button', { class: 'main', hidden: true, onclick: () => page.go(undefined, { zoom: undefined }) }, 'Show the whole time');
  const tools = h('div', { class: 'buttons' }, whole, critical,
    h('button', { onclick: () => fall.expand(false) }, 'Fold all'), h('button', { onclick: () => fall.expand(true) }, 'Unfold all'),
    h('button', { onclick: async () => copy(await get(`traces/${id}`, { format: 'text' }), () => page.note('Copied the trace as text.')).catch(page.fail) }, 'Copy as text'),
    h('a', { href: page.link('logs', { q: `trace=${id}` }) }, 'Log records of this trace'));
  const panel = { key: '', node: undefined };
  const fall = waterfall({ link: page.link, open: (row) => page.go(undefined, { span: row.key }), close: () => panel.node && close() });
  const split = h('div', { class: 'split' }, fall.node);
  const node = h('div', { class: 'view' }, h('p', { class: 'faint' }, 'Asking for the trace…'));
  let version, route, zoomed;

  function close() {
    page.go(undefined, { span: undefined });
    fall.list.node.focus();
    return true;
  }

  async function load() {
    let trace;
    try {
      trace = await get(`traces/${id}`);
    } catch (err) {
      if (!(err instanceof Problem && err.status === 404)) throw err;
      version = undefined;
      fill(node, h('div', { class: 'empty' }, h('h2', {}, 'No span of this trace has come'), h('p', {}, 'Trace ', h('code', {}, cut(id)), ' is shown here as soon as one does.'), h('p', {}, h('a', { href: back() }, 'All traces'))));
      return;
    }
    version = versionOf({ ...trace, duplicates: trace.duplicates?.length ?? 0 });
    const m = model(trace);
    drawHead(trace, m);
    drawNotes(m.said);
    if (!split.isConnected) fill(node, head, notes, tools, split);
    fall.set(m);
    drawTime();
  }

  // drawTime zooms to the span that the address names.
  function drawTime() {
    zoomed = route.params.get('zoom') ?? '';
    whole.hidden = !fall.model.byID.has(zoomed);
    fall.zoom(zoomed);
  }

  function drawHead(trace, { rows, total }) {
    const spans = rows.filter((r) => r.span), first = spans[0]?.span;
    const errors = spans.filter((r) => r.span.status?.code === 'error').length;
    document.title = `${cut(first?.name ?? id, 80)} – otlptest`;
    fill(head, h('a', { href: back() }, '← All traces'), h('h2', {}, cut(first?.name || '(no name)')),
      pill(count(trace.spans, 'span')), pill(count(new Set(spans.map((r) => r.service)).size, 'service')), pill(duration(total)),
      flaws({ errors, orphans: trace.orphans?.length ?? 0, duplicates: trace.duplicates?.length ?? 0, complete: trace.complete }),
      h('span', { class: 'faint' }, clock(first?.start)), h('code', { class: 'faint id' }, id));
  }

  // drawNotes lists what does not fit, each with the span it is about.
  function drawNotes(said) {
    notes.hidden = said.length === 0;
    fill(notes, h('summary', { class: 'warn' }, `⚠ ${count(said.length, 'thing does', 'things do')} not fit in this trace`), h('ul', {},
      said.slice(0, 50).map(({ key, name, text }) => h('li', {}, h('a', { href: page.link(undefined, { span: key }) }, cut(name, 80) || '(no name)'), ` ${text}.`)),
      said.length > 50 && h('li', { class: 'faint' }, `and ${count(said.length - 50, 'more', 'more')}`)));
  }

  function drawDetails() {
    const row = fall.model?.byID.get(route.params.get('span'));
    const key = row?.span ? `${row.key} ${row.came.length} ${row.remarks?.length}` : '';
    if (panel.key === key) return;
    panel.key = key;
    panel.node?.remove();
    panel.node = key === '' ? undefined : spanDetails(row.span, {
      page, close, came: row.came, parent: row.up?.span?.name,
      tool: row.to > row.from && h('button', { onclick: () => page.go(undefined, { zoom: row.key }) }, 'Zoom to its time'),
      remarks: [...(row.remarks ?? []).map((text) => `It ${text}.`), row.held > 0 && `The critical path goes through it for ${duration(row.held)} of ${duration(fall.model.total)}.`].filter(Boolean),
    });
    if (!panel.node) return;
    split.append(panel.node);
    fall.select(row.key);
    panel.node.focus({ preventScroll: true });
  }

  return {
    id, node,
    focus: () => fall.list.node.focus({ preventScroll: true }),
    async show(to) {
      route = to;
      if (!version) await load();
      if (!version) return;
      if (zoomed !== (route.params.get('zoom') ?? '')) drawTime();
      const on = route.params.get('path') !== 'off';
      critical.setAttribute('aria-pressed', String(on));
      fall.critical(on);
      drawDetails();
    },
    // refresh asks for the whole only where there is more of it.
    async refresh() {
      const [now] = (await get('traces', { format: 'summary', q: `trace=${id}` })).items;
      if (!now || versionOf(now) === version) return;
      await load();
      drawDetails();
    },
  };
}

const versionOf = ({ spans, duplicates, duration: took }) => `${spans} ${duplicates} ${took}`;
