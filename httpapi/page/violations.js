// Departures from OTLP, grouped by the requirement that they break.
import { h, fill, cut } from './dom.js';
import { get } from './api.js';
import { emptyState, noMatch } from './empty.js';
import { count, number } from './format.js';
import { pill, service } from './marks.js';

export const of = 'violations';

const kinds = { error: 'bad', warning: 'warn', info: '' };
const levels = {
  error: 'It breaks what the specification requires, or makes data invalid', warning: 'It goes against what the specification recommends',
  info: 'It is allowed, but often not what was meant',
};
const items = { traces: 'span', metrics: 'metric', logs: 'log record' };

// name tells groups apart: a rule may be broken more or less badly.
const name = (g) => `${g.rule}-${g.level}`;

export function mount(root, page) {
  const heading = h('h2', {}, 'Violations');
  const all = h('button', { hidden: true, onclick: () => fold(closed.size === 0 ? groups.map(name) : []) });
  const body = h('div', { class: 'scroll groups' });
  let groups = [], q, closed = new Set(), drawn, empty;
  const more = new Map(); // by group, what was asked for instead of the first few
  fill(root, h('div', { class: 'head' }, heading, all), body);

  const fold = (names) => page.go(undefined, { closed: [...names].join(',') });

  async function load() {
    const asked = q;
    const said = await get('violations', { format: 'groups', q });
    if (asked !== q) return;
    groups = said.items;
    const total = groups.reduce((n, g) => n + g.count, 0);
    heading.textContent = total > 0 ? `${count(total, 'violation')} of ${count(groups.length, 'requirement')}` : 'Violations';
    await draw();
  }

  async function draw() {
    all.hidden = groups.length === 0;
    all.textContent = closed.size === 0 ? 'Fold all' : 'Unfold all';
    if (groups.length === 0) return nothing();
    empty = undefined;
    const now = JSON.stringify([groups, [...closed], [...more.values()].map((list) => list.length)]);
    if (now === drawn) return;
    drawn = now;
    const focused = document.activeElement?.dataset.of; // stays where it is
    const top = body.scrollTop;
    fill(body, groups.map(group));
    body.scrollTop = top;
    if (focused) body.querySelector(`[data-of="${CSS.escape(focused)}"]`)?.focus();
  }

  // nothing says why there is none: because nothing came, or because all that
  // came is right.
  async function nothing() {
    drawn = undefined;
    const { exports } = q ? {} : await get('stats');
    const now = q ? 'no match' : exports > 0 ? `none in ${exports}` : 'empty';
    if (empty === now) return;
    empty = now;
    fill(body, q ? noMatch('violations', page) : exports > 0 ? fine(exports) : emptyState('violations'));
  }

  function group(g) {
    const id = name(g), open = !closed.has(id), shown = more.get(id) ?? g.first;
    const left = g.count - shown.reduce((n, v) => n + 1 + (v.more ?? 0), 0);
    return h('section', { class: 'paper group', 'aria-labelledby': `${id}-title` },
      h('h3', {}, h('button', { class: 'quiet', id: `${id}-title`, 'aria-expanded': String(open), 'aria-controls': id, data: { of: `fold ${id}` }, onclick: () => toggle(id) },
        h('span', { class: 'fold', 'aria-hidden': 'true' }, open ? '▾' : '▸'), h('code', {}, g.rule), pill(g.level, kinds[g.level], levels[g.level]),
        h('span', { class: 'grow' }, g.doc), h('span', { class: 'number' }, `${number(g.count)}×`))),
      h('div', { id, hidden: !open },
        h('ul', {}, shown.map((v) => h('li', {}, violation(v)))),
        left > 0 && h('p', { class: 'buttons' }, h('button', { data: { of: `more ${id}` }, onclick: () => extend(g).catch(page.fail) }, `Show more of the ${number(left)} others`))));
  }

  function toggle(id) {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    fold(next);
  }

  // extend shows more of a group.
  async function extend(g) {
    const asked = q, rule = `rule=${JSON.stringify(g.rule)}`;
    const said = await get('violations', { q: q ? `${q} ${rule}` : rule, limit: (more.get(name(g)) ?? g.first).length + 50 });
    if (asked !== q) return;
    more.set(name(g), said.items.filter((v) => v.level === g.level));
    await draw();
  }

  return {
    async show(route) {
      const next = route.params.get('q') ?? '';
      closed = new Set((route.params.get('closed') ?? '').split(',').filter(Boolean));
      if (next === q) return draw();
      q = next;
      more.clear();
      drawn = empty = undefined;
      await load();
    },
    refresh: load,
  };
}

function fine(exports) {
  return h('div', { class: 'empty' }, h('h2', {}, 'Nothing departs from OTLP so far'),
    h('p', {}, `${count(exports, 'export')} came, and each was held against the requirements of OTLP. What breaks one is listed here, with the sentence that explains it.`));
}

// violation is what was there, what should have been, and where.
function violation(v) {
  return [
    h('p', { class: 'got' }, h('span', { class: 'faint' }, 'Got '), cut(v.got, 400), h('span', { class: 'faint' }, ', want '), cut(v.want, 400)),
    h('p', { class: 'where' },
      h('a', { href: `#/exports?export=${v.export}` }, `export ${number(v.export)}`),
      v.item && h('span', {}, `${items[v.signal] ?? 'item'} `, h('strong', {}, cut(v.item))), v.service && service(v.service), v.path && h('code', {}, v.path),
      v.more > 0 && h('span', { class: 'faint' }, `and ${number(v.more)} more like it in this export`)),
  ];
}
