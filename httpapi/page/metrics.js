// Metrics: a list of them, and one with its drawings, exemplars and points.
import { h, fill, cut } from './dom.js';
import { get } from './api.js';
import { beside } from './beside.js';
import { bounds, bucketList, chart, exemplars, odd, quantileName, valueText } from './chart.js';
import { attributes, moment, pairs, section } from './details.js';
import { emptyState, noMatch } from './empty.js';
import { clock, count, number, quote, value } from './format.js';
import { histogramOf } from './histogram.js';
import { list } from './list.js';
import { dressed, facets, kind, labels, measured, service, unitName } from './series.js';
import { table } from './table.js';

export const of = 'points';

const most = { series: 5000, listed: 200 }; // asked for at once

export function mount(root, page) {
  const names = list({ label: 'Metrics', height: 50, row, key: (m) => m.id, open: (m) => page.go(undefined, { ...address(m), item: undefined, off: undefined, as: undefined }) });
  const one = metricPane(page), nothing = h('div', { class: 'paper scroll', hidden: true });
  const summary = h('span', { class: 'faint', role: 'status' }, 'asking the backend…');
  const split = h('div', { class: 'split metrics' }, h('div', { class: 'names' }, h('div', { class: 'head' }, h('h2', {}, 'Metrics'), summary), names.node), one.node, nothing);
  const details = beside({ split, page, of: 'points', about: (p) => about(p, page), back: () => one.focus() ?? names.node });
  root.append(split);
  let params = new URLSearchParams(), asked = 0, last = {};

  async function load() {
    const mine = ++asked, q = params.get('q') ?? '', name = params.get('metric');
    const said = await summarized(q);
    const metrics = metricsOf(said.items);
    const chosen = metrics.find((m) => m.name === name && (!params.get('kind') || kind(m) === params.get('kind')) && (!params.has('unit') || m.unit === params.get('unit')));
    const terms = chosen && `${chosen.terms} ${q}`.trim(), to = chosen && bounds(chosen);
    const [drawn, points] = chosen ? await Promise.all([
      get('series', { q: terms, limit: to.asked, points: to.points }), get('points', { q: terms, order: 'newest', limit: most.listed })]) : [];
    if (mine !== asked) return;
    names.set(metrics);
    names.select(chosen?.id);
    fill(summary, `${count(metrics.length, 'metric')}, ${said.next ? 'more than ' : ''}${number(said.items.length)} series`);
    split.classList.toggle('chosen', Boolean(name));
    split.classList.toggle('without', metrics.length === 0);
    one.node.hidden = !chosen;
    if (chosen) one.update(chosen, drawn.items, points, params);
    tellNothing(metrics.length === 0 ? (q ? `no match` : 'empty') : name && !chosen ? `no ${name}` : '', q);
  }

  // busily shows that what is asked for takes its time.
  async function busily() {
    split.setAttribute('aria-busy', 'true');
    try { await load(); } finally { split.removeAttribute('aria-busy'); }
  }

  // summarized is the series without their points; what takes the backend long is
  // not asked for again so soon.
  async function summarized(q) {
    const begun = Date.now();
    if (last.q !== q || begun - last.at > last.took * 8) {
      const said = await get('series', { format: 'summary', q, limit: most.series });
      last = { q, said, at: Date.now(), took: Date.now() - begun };
    }
    return last.said;
  }

  // tellNothing says that there is nothing to show; what says it stays as long as it is so.
  function tellNothing(why, q) {
    nothing.hidden = !why;
    if (!why || nothing.dataset.why === why) return;
    nothing.dataset.why = why;
    fill(nothing, why === 'empty' ? emptyState('metrics') : why === 'no match' ? noMatch('metrics', page)
      : h('div', { class: 'empty' }, h('h2', {}, `There is no metric ${cut(params.get('metric'), 100)}`), h('p', {}, q ? 'Or none of its points match the search.' : 'Its points may not have come yet.'),
        h('div', { class: 'buttons' }, q && h('button', { onclick: () => page.go(undefined, { q: undefined }) }, 'Clear the search'), h('a', { href: page.link('metrics', { q }) }, 'All metrics'))));
  }

  return {
    show(route) {
      const was = String(without(params, 'item'));
      params = route.params;
      const same = was === String(without(params, 'item')) && asked > 0;
      return Promise.all([same ? undefined : busily(), details.show(params.get('item'))]);
    },
    refresh: load,
  };
}

function without(params, name) {
  const rest = new URLSearchParams(params);
  rest.delete(name);
  return rest;
}

// metricsOf groups series by name, and by type and unit where the same name has
// several: terms are the filters that find the points of one.
function metricsOf(series) {
  const found = new Map();
  for (const s of series) {
    const id = JSON.stringify([s.name, s.unit, kind(s)]);
    if (!found.has(id)) found.set(id, { ...s, id, unit: s.unit ?? '', series: [], points: 0, services: new Set() });
    const m = found.get(id);
    m.series.push(s);
    m.points += s.count;
    m.services.add(service(s));
    if ((s.description ?? '').length > (m.description ?? '').length) m.description = s.description;
  }
  const all = [...found.values()];
  for (const m of all) {
    m.alone = all.filter((o) => o.name === m.name).length === 1;
    m.terms = `name=${quote(m.name)}`;
    if (m.alone) continue;
    m.terms += ` unit=${quote(m.unit)} type=${m.type}`;
    if (m.temporality) m.terms += ` temporality=${m.temporality}`;
    if (m.type === 'sum') m.terms += m.monotonic ? ' monotonic' : ' not monotonic';
  }
  return all;
}

const address = (m) => ({ metric: m.name, kind: m.alone ? undefined : kind(m), unit: m.alone ? undefined : m.unit });

function row(m) {
  const facts = [kind(m), unitName(m.unit), `${count(m.series.length, 'series', 'series')}, ${count(m.points, 'point')}`, [...m.services].map((s) => s || 'no service').slice(0, 3).join(', ') + (m.services.size > 3 ? ` and ${m.services.size - 3} more` : '')];
  return [
    h('div', { class: 'grow two' }, h('div', { class: 'name' }, cut(m.name, 150)), h('div', { class: 'faint' }, facts.filter(Boolean).join(' · '))),
    h('div', { class: 'about wide faint' }, cut(m.description ?? '', 200)),
  ];
}

// metricPane shows one metric. What it is made of stays through updates.
function metricPane(page) {
  const head = h('div', { class: 'heading' }), chips = h('div', { class: 'facets' }), caps = h('p', { class: 'warn' }), words = h('ul', { class: 'faint' });
  const legend = h('div', { class: 'curves', role: 'group', 'aria-label': 'Series: choose which are drawn' }), marks = h('section', {});
  const open = (p) => page.go(undefined, { item: p.number });
  const linkOf = (e) => (e.traceId ? page.link(`traces/${e.traceId}`, { span: e.spanId }) : undefined);
  const plots = chart({ open, linkOf });
  const title = h('h3', {}), fresh = h('button', { class: 'fresh main', hidden: true, onclick: () => { points.node.scrollTop = 0; latest(); } }, 'New data – back to the top');
  let label, listed = [], metric, now; // now is the parameters of the address
  const points = list({ label: 'Points, the newest first', height: 30, row: (p) => pointRow(p, label), key: (p) => p.number, open });
  const node = h('div', { class: 'paper scroll metric', hidden: true }, head, chips, caps, plots.node, legend, words, marks, h('section', {}, title, fresh, h('div', { class: 'points' }, points.node)));

  function latest() {
    fresh.hidden = true;
    points.set(listed);
  }

  function update(m, drawn, said, params) {
    const changed = metric?.id !== m.id;
    metric = m;
    now = params;
    label = labels(m.series);
    const shown = dressed(drawn, label), off = new Set((params.get('off') ?? '').split(',').filter(Boolean));
    const on = shown.filter((s) => !off.has(s.id)), rates = params.get('as') === 'rate' && m.type === 'sum' && m.monotonic && m.temporality === 'cumulative';
    renew(head, heading(m, rates, page));
    renew(chips, narrowing(m, (term) => page.go(undefined, { q: `${now.get('q') ?? ''} ${term}`.trim(), item: undefined, off: undefined })));
    renew(caps, limits(m, on));
    renew(legend, m.type === 'summary' ? quantileLegend(on) : shown.length > 1 ? shown.map((s) => toggle(s, off, page)) : []);
    plots.update({ metric: m, series: on, rates });
    renew(words, odd({ metric: m, series: on }).map((text) => h('li', {}, text)));
    renew(marks, exemplarTable(on, m.unit, linkOf));
    listed = said.items;
    fill(title, `Points${said.total > listed.length ? `: the newest ${listed.length} of ${number(said.total)}` : `: ${number(said.total)}`}`);
    points.node.parentNode.style.height = `${Math.min(10, listed.length) * 30 + 2}px`;
    if (changed || points.atTop()) latest();
    else fresh.hidden = listed[0]?.number === points.items[0]?.number;
    if (changed) node.scrollTop = 0;
  }
  // focus goes back to where a point was opened, if that is still there.
  return { node, update, focus: () => (node.hidden ? undefined : points.node) };
}

// renew fills a part anew if it says something else now, so that a refresh takes
// no focus away; the focus stays on what has the same place.
function renew(node, children) {
  const next = fill(document.createElement('div'), children);
  node.hidden = next.childNodes.length === 0;
  if (next.isEqualNode(node)) return;
  const all = () => [...node.querySelectorAll('a, button, select')], at = all().indexOf(document.activeElement);
  node.replaceChildren(...next.childNodes);
  if (at >= 0) all()[at]?.focus();
}

function heading(m, rates, page) {
  const as = (text, to) => h('button', { 'aria-pressed': String(rates === (to === 'rate')), onclick: () => page.go(undefined, { as: to, item: undefined }) }, text);
  return [
    h('div', { class: 'head' }, h('h2', {}, cut(m.name, 300)), h('a', { href: page.link(undefined, { metric: undefined, kind: undefined, unit: undefined, off: undefined, as: undefined, item: undefined }) }, 'All metrics')),
    m.description && h('p', {}, cut(m.description, 1000)),
    h('p', { class: 'faint' }, [kind(m), m.unit && `unit ${m.unit}`, `${count(m.series.length, 'series', 'series')}, ${count(m.points, 'point')}`].filter(Boolean).join(' · ')),
    m.type === 'sum' && m.monotonic && m.temporality === 'cumulative' && h('div', { class: 'buttons', role: 'group', 'aria-label': 'What is drawn' }, as('Value'), as('Rate a second', 'rate')),
  ];
}

// narrowing is what tells the series apart, to choose by.
function narrowing(m, add) {
  return facets(m.series).slice(0, 12).map((f) => {
    const all = [...f.values].filter(([, v]) => v.plain);
    const name = h('span', { class: 'faint' }, cut(f.name, 60));
    if (all.length === 0) return null;
    if (all.length <= 8) return h('div', { class: 'buttons', role: 'group', 'aria-label': `Only series with ${f.name}` }, name, all.map(([as, v]) => h('button', { onclick: () => add(`${f.key}=${as}`), title: `Only those with ${f.key}=${cut(as)}` }, cut(v.text || '(empty)', 60), v.count > 1 && h('span', { class: 'faint' }, ` (${number(v.count)})`))));
    return h('label', { class: 'buttons' }, name, h('select', { onchange: (e) => add(`${f.key}=${e.target.value}`) },
      h('option', { value: '' }, `one of ${number(all.length)} values…`), all.slice(0, 300).map(([as, v]) => h('option', { value: as }, `${cut(v.text || '(empty)', 80)} (${number(v.count)})`))));
  });
}

// limits says what is not drawn.
function limits(m, on) {
  const { asked, shown, points } = bounds(m), said = [];
  if (m.series.length > asked) said.push(`${asked} of ${number(m.series.length)} series are drawn: narrow the search.`);
  if (on.length > shown) said.push(`The first ${shown} that are chosen are drawn.`);
  if (m.series.some((s) => s.count > points)) said.push(`Of each series the newest ${number(points)} points are drawn.`);
  return said.join(' ');
}

function toggle(s, off, page) {
  const hidden = off.has(s.id);
  const next = new Set(off);
  if (!next.delete(s.id)) next.add(s.id);
  return h('button', { class: s.dashed ? 'series dashed' : 'series', data: { hue: s.hue }, 'aria-pressed': String(!hidden), title: s.label, onclick: () => page.go(undefined, { off: [...next].join(',') }) }, cut(s.label, 90));
}

function quantileLegend(series) {
  const all = [...new Set(series.flatMap((s) => s.points.flatMap((p) => (p.summary?.quantiles ?? []).map((q) => Number(q.quantile)))))].sort((a, b) => b - a);
  return all.map((q, i) => h('span', { class: 'series', data: { hue: i % 10 } }, quantileName(q)));
}

function exemplarTable(series, unit, linkOf) {
  const all = exemplars(series), some = all.slice(0, 10);
  if (all.length === 0) return [];
  return [h('h3', {}, `Exemplars${all.length > some.length ? `: the newest ${some.length} of ${number(all.length)}` : ''}`), h('div', { class: 'sideways', tabindex: '0', role: 'group', 'aria-label': 'Exemplars' }, table(['Time', { number: 'Value' }, 'Trace', 'Attributes'], some.map(({ e, p }) => [
    clock(e.time ?? p.time), measured(e.value ?? 'none', unit), e.traceId ? h('a', { href: linkOf(e) }, h('code', {}, e.traceId)) : 'none',
    Object.entries(e.filteredAttributes ?? {}).map(([k, v]) => cut(`${k}=${value(v)}`, 100)).join(' '),
  ])))];
}

function pointRow(p, label) {
  return [h('span', { class: 'number faint' }, clock(p.time)), h('span', { class: 'value' }, valueText(p)), h('span', { class: 'grow faint' }, cut(label(p), 200)), p.exemplars && h('span', { class: 'pill' }, count(p.exemplars.length, 'exemplar'))];
}

function about(p, page) {
  const o = p.summary ?? histogramOf(p);
  return {
    title: `${cut(p.name, 200)}, ${valueText(p)}`,
    sections: [
      section('Point', pairs([
        ['Value', !o && valueText(p)], ['Time', moment(p.time)], ['Since', moment(p.start)],
        ['Metric', kind(p)], ['Unit', p.unit], ['Flags', p.flags && `${p.flags}${p.flags & 1 ? ': no recorded value' : ''}`], ['Number', p.number],
        ['Count', o && number(o.count)], ...[['Sum', 'sum'], ['Smallest', 'min'], ['Largest', 'max']].map(([name, k]) => [name, o?.[k] !== undefined && measured(o[k], p.unit)]),
        ['Scale', o?.scale !== undefined && String(o.scale)], ['Zero', o?.zeroCount > 0 && number(o.zeroCount)],
        ...(p.summary?.quantiles ?? []).map((q) => [quantileName(Number(q.quantile)), measured(q.value, p.unit)]),
      ])),
      histogramOf(p) && section('Buckets that are not empty', pairs(bucketList(p))),
      section('Attributes', attributes(p.attributes)),
      p.exemplars && section('Exemplars', p.exemplars.map((e) => pairs([
        ['Value', measured(e.value ?? 'none', p.unit)], ['Time', e.time && clock(e.time)],
        ['Trace', e.traceId && h('a', { href: page.link(`traces/${e.traceId}`, { span: e.spanId }) }, h('code', {}, e.traceId))],
        ...Object.entries(e.filteredAttributes ?? {}).map(([k, v]) => [k, value(v)]),
      ]))),
    ],
  };
}
