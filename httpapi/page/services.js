// The services and who calls whom, as a map and as a table.
import { h, svg, fill, cut, uniqueID } from './dom.js';
import { get } from './api.js';
import { emptyState, noMatch } from './empty.js';
import { count, duration, hue, key, nanoseconds, number, quote } from './format.js';
import { layout } from './layers.js';
import { service } from './marks.js';
import { table } from './table.js';

export const of = 'spans';

const margin = 14;

export function mount(root, page) {
  const total = h('span', { class: 'faint', role: 'status' });
  const box = h('div', { class: 'map', tabindex: '0', role: 'region', 'aria-label': 'Service map, which scrolls' });
  const tools = h('div', { class: 'buttons' },
    h('button', { 'aria-label': 'Smaller', onclick: () => zoom(scale() / 1.25) }, '−'), h('button', { 'aria-label': 'Larger', onclick: () => zoom(scale() * 1.25) }, '+'),
    h('button', { onclick: () => zoom(undefined) }, 'Fit'));
  const body = h('div', { class: 'services scroll' });
  let q, drawn = '', picture, natural, chosen, later, took = 0, asked = 0;
  root.append(h('div', { class: 'view' }, h('div', { class: 'head' }, h('h2', {}, 'Services'), total, tools), body));
  const watch = new ResizeObserver(() => zoom(chosen));
  watch.observe(box);

  // scale is how large the map is drawn; unless chosen it fits, as far as it can
  // be read then.
  const scale = () => chosen ?? Math.min(1, Math.max(0.55, (box.clientWidth - 2) / natural.width));

  function zoom(to) {
    chosen = to && Math.min(3, Math.max(0.2, to));
    if (!picture) return;
    picture.setAttribute('width', Math.floor(natural.width * scale()));
    picture.setAttribute('height', Math.floor(natural.height * scale()));
  }

  async function load() {
    clearTimeout(later);
    later = undefined;
    const mine = ++asked, begun = performance.now();
    const said = await get('services', { q });
    if (mine !== asked) return;
    took = performance.now() - begun;
    const text = JSON.stringify(said) + Boolean(q);
    if (text === drawn) return;
    drawn = text;
    show(said);
  }

  function show({ services, calls }) {
    total.textContent = `${count(services.filter((s) => !s.remote).length, 'service')}, ${count(calls.length, 'connection')}`;
    tools.hidden = services.length === 0;
    picture = undefined;
    if (services.length === 0) return fill(body, q ? noMatch('services', page) : emptyState('services'));
    const focused = document.activeElement?.closest?.('.map a')?.getAttribute('href');
    const placed = layout(services.map((s) => ({ ...s, id: s.name })), calls);
    natural = { width: placed.width + 2 * margin, height: placed.height + 2 * margin };
    picture = map(services, placed, page);
    if (!box.isConnected || !body.contains(box)) fill(body, box, legend(calls, services), h('div', { class: 'paper calls' }));
    fill(box, picture);
    body.children[1].replaceWith(legend(calls, services));
    fill(body.lastChild, callTable(calls, services, page));
    zoom(chosen);
    if (focused) [...box.querySelectorAll('a')].find((a) => a.getAttribute('href') === focused)?.focus();
  }

  return {
    show(route) {
      const wanted = route.params.get('q') ?? '';
      if (wanted === q) return undefined;
      q = wanted;
      return load();
    },
    // refresh waits where the answer takes the backend long.
    refresh() {
      if (took < 300) return load();
      later ??= setTimeout(() => load().catch(page.fail), took * 5);
      return undefined;
    },
    close() {
      asked++;
      clearTimeout(later);
      watch.disconnect();
    },
  };
}

// search finds what goes to a service, or comes from it.
function search({ name, remote }) {
  if (!remote) return `service=${quote(name)}`;
  return `(${['db.system.name', 'db.system', 'messaging.system', 'peer.service', 'server.address'].map((k) => `${key('attr', k)}=${quote(name)}`).join(' or ')})`;
}

function map(services, placed, page) {
  const arrow = uniqueID('arrow'), byName = new Map(services.map((s) => [s.name, s]));
  const head = (kind) => svg('marker', { id: `${arrow}-${kind}`, class: kind, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto' }, svg('path', { d: 'M 0 0 L 8 4 L 0 8 z' }));
  return svg('svg', { viewBox: `${-margin} ${-margin} ${placed.width + 2 * margin} ${placed.height + 2 * margin}`, role: 'group', 'aria-label': 'Who calls whom; the table below has the same' },
    svg('defs', {}, head('call'), head('error')),
    svg('g', { 'aria-hidden': 'true' }, placed.edges.map(({ edge, d }) => line(edge, d, arrow)), placed.edges.map(({ edge, label }) => text(edge, label))),
    placed.nodes.map((n) => node(byName.get(n.id), n, page)));
}

function line(edge, d, arrow) {
  const kind = edge.errors > 0 ? 'error' : 'call';
  return svg('path', { class: `edge ${edge.kind} ${kind}`, d, 'stroke-width': (1 + Math.log10(edge.count) * 0.5).toFixed(1), 'marker-end': `url(#${arrow}-${kind})` }, svg('title', {}, sentence(edge)));
}

function text(edge, { x, y }) {
  const took = `${number(edge.count)} · ${duration(nanoseconds(edge.median))}`, failed = edge.errors > 0 ? ` · ${count(edge.errors, 'error')}` : '';
  const width = (took.length + failed.length) * 6.4 + 6; // about
  return svg('g', { class: 'label' }, svg('title', {}, sentence(edge)), svg('rect', { x: x - width, y: y - 9, width, height: 18 }),
    svg('text', { x: x - 3, y: y + 4, 'text-anchor': 'end' }, took, svg('tspan', { class: 'bad' }, failed)));
}

function sentence({ from, to, kind, count: n, errors, median, max }) {
  return `${from} ${kind === 'link' ? 'is linked by' : 'calls'} ${to} ${count(n, 'time')}, ${count(errors, 'error')}; median ${duration(nanoseconds(median))}, longest ${duration(nanoseconds(max))}`;
}

function node(s, { x, y, width, height }, page) {
  const name = s.name || 'no service';
  return svg('a', { href: page.link('traces', { q: search(s) }), class: `node${s.remote ? ' remote' : ''}`, data: s.remote ? undefined : { hue: hue(s.name) } },
    s.remote ? drum(x, y, width, height) : svg('rect', { class: 'shape', x, y, width, height, rx: 8 }), !s.remote && svg('rect', { class: 'stripe', x, y: y + 8, width: 4, height: height - 16, rx: 2 }),
    svg('text', { class: 'name', x: x + 16, y: y + height / 2 + (s.remote ? 2 : -4) }, name.length > 20 ? [`${name.slice(0, 19)}…`, svg('title', {}, cut(name))] : name),
    svg('text', { class: 'says', x: x + 16, y: y + height / 2 + (s.remote ? 18 : 14) }, ` ${count(s.spans, s.remote ? 'call' : 'span')}`, s.errors > 0 && svg('tspan', { class: 'bad' }, ` · ${count(s.errors, 'error')}`)));
}

// drum is the usual sign for a database.
function drum(x, y, w, height) {
  const r = 7, top = y + r, foot = y + height - r;
  return svg('path', { class: 'shape', d: `M ${x} ${top} A ${w / 2} ${r} 0 0 1 ${x + w} ${top} V ${foot} A ${w / 2} ${r} 0 0 1 ${x} ${foot} Z M ${x} ${top} A ${w / 2} ${r} 0 0 0 ${x + w} ${top}` });
}

function legend(calls, services) {
  return h('ul', { class: 'legend faint' },
    h('li', {}, 'Beside a line: how many calls, and how long half of them took at most.'),
    calls.some((c) => c.errors > 0) && h('li', { class: 'bad' }, 'Red: some failed.'),
    calls.some((c) => c.kind === 'link') && h('li', {}, 'Dashed: a span has a link to one of the other.'),
    services.some((s) => s.remote) && h('li', {}, 'Drum: callers name it, and it sends no spans.'));
}

function callTable(calls, services, page) {
  if (calls.length === 0) return h('p', { class: 'faint' }, 'No service calls another one.');
  const remote = new Set(services.filter((s) => s.remote).map((s) => s.name));
  const end = (name) => h('a', { href: page.link('traces', { q: search({ name, remote: remote.has(name) }) }) }, remote.has(name) ? cut(name, 60) : service(name));
  return table(['From', 'To', 'Kind', { number: 'Count' }, { number: 'Errors' }, { number: 'Median' }, { number: 'Longest' }], calls.map((c) => [
    end(c.from), end(c.to), c.kind, number(c.count), h('span', { class: c.errors ? 'bad' : '' }, number(c.errors)), duration(nanoseconds(c.median)), duration(nanoseconds(c.max)),
  ]), 'Calls and links between services');
}
