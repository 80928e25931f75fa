// The panel that directs the backend: rules that say how exports are answered,
// outages, and answers that are kept back.
import { h, fill, cut } from './dom.js';
import { get, post, remove, address } from './api.js';
import { completing, suggestions, vocabulary } from './search.js';
import { answer, carried } from './answers.js';
import { copy } from './details.js';
import { clock, count, number } from './format.js';
import { pill } from './marks.js';
import { table } from './table.js';

export function mount(root, page) {
  const parts = [rules(), outages(), holds(), met()];
  fill(root, h('div', { class: 'head' }, h('h2', {}, 'Faults and outages'), h('button', { class: 'danger', onclick: reset }, 'Reset everything…')),
    h('div', { class: 'scroll' }, h('div', { class: 'panels' }, parts.map((p) => p.node))));
  const refresh = async () => { await Promise.all(parts.map((p) => p.refresh())); };

  // run does what a button is for, and shows what is then; wrong hears of an
  // error, instead of the page.
  async function run(f, wrong = page.fail) {
    try {
      await f();
      await refresh();
      return true;
    } catch (err) {
      wrong(err);
      return false;
    }
  }

  function rules() {
    const problem = h('p', { class: 'problem', id: 'rules-problem', role: 'alert', hidden: true });
    const list = h('ul', { class: 'rules' });
    const clear = h('button', { onclick: () => run(() => remove('faults')) }, 'Clear all');
    const box = completing({
      id: 'rules', rows: 3, label: 'Rules', placeholder: 'traces: throttle 30s x2, unavailable', describedBy: 'rules-problem', suggest: continued, done: add,
    });
    const say = (text) => {
      problem.hidden = !text;
      problem.textContent = text;
      box.input.setAttribute('aria-invalid', String(Boolean(text)));
    };
    box.input.addEventListener('input', () => say(''));
    async function add() {
      if (box.input.value.trim() === '') return box.input.focus();
      say('');
      if (await run(() => post('faults', box.input.value), (err) => say(err.message.replace(/^body: /, '')))) box.input.value = '';
      box.input.focus();
    }
    const update = changes(list);
    return {
      node: panel('Script answers', 'A rule says how the next exports are answered. The first rule that fits is used, until it is used up.', 'wide-panel',
        h('label', { for: 'rules' }, 'Rules, one a line, such as ', h('code', {}, 'traces: throttle 30s x2, unavailable')), box.node, problem,
        h('div', { class: 'buttons' }, h('button', { class: 'main', title: 'Ctrl+Enter', onclick: add }, 'Add'),
          h('button', { onclick: () => copy(`curl -sS --fail-with-body ${address('faults')} -H 'Content-Type: text/plain' -d '${box.input.value.replaceAll("'", "'\\''")}'`, page.note) }, 'Copy as curl'),
          h('span', { class: 'faint' }, h('kbd', {}, 'Ctrl'), ' ', h('kbd', {}, 'Enter'), ' adds')),
        h('div', { class: 'titled' }, h('h4', {}, 'Rules that can still be met'), clear), list),
      async refresh() {
        const { rules } = await get('faults');
        clear.disabled = rules.length === 0;
        update(rules, (r) => h('li', {}, h('code', {}, cut(r.text, 600))), 'None: every export is accepted, if it is OTLP.');
      },
    };
  }

  function outages() {
    const state = h('p', { role: 'status' });
    const button = (path, text, what) => h('div', {}, h('button', { onclick: () => run(() => post(path)) }, text), h('span', { class: 'faint' }, what));
    return {
      node: panel('Outage', 'Whether clients reach the backend. Its addresses stay, and so does what it has received.', '', state, h('div', { class: 'choices' },
        button('down', 'Down', 'Closes all connections and refuses new ones, as if the backend had ended'),
        button('refuse', 'Refuse connections', 'Refuses new connections; those that are open stay'),
        button('up', 'Up', 'Ends either'),
        button('restart', 'Restart', 'Closes all connections once; clients can connect again at once'))),
      async refresh() {
        const { state: now, open } = await get('stats');
        const [text, kind, what] = states[now] ?? [now, '', ''];
        const said = `${text}${what}${open > 0 ? ` ${count(open, 'request')} not answered yet.` : ''}`;
        if (state.textContent !== said) fill(state, pill(text, kind), what, open > 0 && ` ${count(open, 'request')} not answered yet.`);
      },
    };
  }

  function holds() {
    const problem = h('p', { class: 'problem', id: 'hold-problem', role: 'alert', hidden: true });
    const box = completing({ id: 'hold', label: 'Filters', placeholder: 'protocol=grpc name="charge"', describedBy: 'hold-problem', suggest: (text) => suggestions(text, 'exports'), done: begin });
    const list = h('div', { class: 'holds' });
    const update = changes(list);
    const say = (text) => {
      problem.hidden = !text;
      problem.textContent = text;
    };
    async function begin() {
      say('');
      if (await run(() => post('hold', box.input.value.trim()), (err) => say(err.message.replace(/^body: /, '')))) box.input.value = '';
    }
    function hold({ id, q, waiting, items }) {
      const kept = items.map((e, i) => ({ e, i })).filter(({ e }) => e.outcome === 'open');
      const release = (i) => run(() => post(`hold/${id}/release${i === undefined ? '' : `?index=${i}`}`));
      return h('section', { 'aria-label': `Hold ${id}` },
        h('div', { class: 'titled' }, h('h4', {}, `Hold ${id}: `, q ? h('code', {}, cut(q)) : 'all exports'), h('div', { class: 'buttons' },
          h('button', { disabled: kept.length === 0, data: { of: `next ${id}` }, onclick: () => release(kept[0].i) }, 'Release next'),
          h('button', { disabled: kept.length === 0, data: { of: `all ${id}` }, onclick: () => release() }, 'Release all'),
          h('button', { data: { of: `end ${id}` }, onclick: () => run(() => remove(`hold/${id}`)) }, 'End'))),
        h('p', { class: 'faint' }, waiting > 0 ? `${count(waiting, 'answer')} kept back.` : items.length > 0 ? 'All answers that were kept back have gone.' : 'No export has come that it fits.'),
        h('ul', {}, kept.slice(0, 50).map(({ e, i }) => h('li', {}, exportLink(e.number), h('span', {}, carried(e.signal, e.items)), h('span', { class: 'faint' }, `${e.protocol}, since ${clock(e.arrived)}`),
          h('button', { 'aria-label': `Release export ${e.number}`, data: { of: `${id} ${i}` }, onclick: () => release(i) }, 'Release')))));
    }
    return {
      node: panel('Hold answers', 'The data of exports that fit is stored, and their clients wait until you release the answer.', '',
        h('label', { for: 'hold' }, 'Only exports for which these filters hold; all where it is empty'),
        h('div', { class: 'beside' }, box.node, h('button', { class: 'main', onclick: begin }, 'Start')), problem, list),
      async refresh() {
        const { items } = await get('hold');
        const all = await Promise.all(items.map(async (x) => ({ ...x, items: x.held > 0 ? (await get(`hold/${x.id}`)).items : [] })));
        update(all, hold, 'No answer is held.');
      },
    };
  }

  function met() {
    const list = h('div', { class: 'scroll', role: 'region', 'aria-label': 'Which rule met which request', tabindex: '0' });
    const update = changes(list);
    return {
      node: panel('Which rule met which request', 'The newest exports that a rule decided about.', 'wide-panel', list),
      async refresh() {
        const met = (await get('exports', { order: 'newest', limit: 200 })).items.filter((e) => e.fault);
        update(met.length > 0 ? [met] : [], metTable, 'No rule has met an export so far.');
      },
    };
  }

  function reset() {
    const dialog = h('dialog', { 'aria-labelledby': 'reset-title' }, h('form', { method: 'dialog' },
      h('h2', { id: 'reset-title' }, 'Reset everything?'),
      h('p', {}, 'All that was received is dropped, and so are all rules and holds. Numbers begin anew. This cannot be undone.'),
      h('div', { class: 'buttons' }, h('button', { class: 'danger', value: 'reset' }, 'Reset'), h('button', { autofocus: true }, 'Keep everything'))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (dialog.returnValue === 'reset') run(() => post('reset')).then((done) => done && page.note('All data, rules and holds are gone.'));
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  return { show: refresh, refresh };
}

const states = {
  up: ['up', 'good', ' Clients reach the backend.'], down: ['down', 'bad', ' Every connection is closed, and new ones are refused.'],
  refusing: ['refusing connections', 'warn', ' Connections that are open stay, new ones are refused.'], closed: ['closed', 'bad', ' The backend has ended.'],
};

function panel(title, what, kind, ...children) {
  return h('section', { class: `paper panel ${kind}` }, h('h3', {}, title), h('p', { class: 'faint' }, what), children);
}

const exportLink = (n) => h('a', { href: `#/exports?export=${n}` }, `export ${number(n)}`);

function metTable(list) {
  return table(['Rule', 'Fault', 'Export', 'Signal', 'Answer', 'Time'], list.slice(0, 100).map((e) => [
    number(e.fault.rule), [h('code', {}, cut(e.fault.text)), e.fault.of > 1 && h('span', { class: 'faint' }, ` ${e.fault.fault} of ${e.fault.of}`)], exportLink(e.number), e.signal, answer(e), clock(e.arrived),
  ]));
}

// changes fills a node with items, but only if they differ from those before,
// and keeps the focus on what it was on.
function changes(node) {
  let before;
  return (items, draw, none) => {
    const now = JSON.stringify(items);
    if (now === before) return;
    before = now;
    const focused = node.contains(document.activeElement) ? document.activeElement.dataset.of : undefined;
    fill(node, items.length > 0 ? items.map(draw) : none && h(node.matches('ul') ? 'li' : 'p', { class: 'faint' }, none));
    if (focused) (node.querySelector(`[data-of="${CSS.escape(focused)}"]:enabled`) ?? node.querySelector('button:enabled'))?.focus();
  };
}

// continued suggests how a rule goes on: selectors and faults where one can
// stand, by the word that has begun.
async function continued(text) {
  const rule = /[^;\n]*$/.exec(text.replace(/"(?:\\.|[^"\\])*"/g, (quoted) => '_'.repeat(quoted.length)))[0];
  const [, begun] = /(?:^|[\s,:])([^\s,:]*)$/.exec(rule) ?? [];
  if (begun === undefined) return [];
  const { faults, selectors } = await vocabulary();
  const selected = rule.includes(':'), start = /[:,]\s*$|^\s*$/.test(rule.slice(0, rule.length - begun.length));
  const fits = (word) => word.toLowerCase().startsWith(begun.toLowerCase());
  const offer = (word, text, doc, more) => fits(word) && { text, doc, more, replaces: begun.length };
  const before = selected ? [] : selectors.map((s) => offer(s.term, `${s.example}: `, s.doc, true));
  const offers = [...before.slice(0, 3), ...(start ? faults.map((f) => offer(f.kind, f.example, f.doc)) : []), ...before.slice(3)].filter(Boolean); // signals first
  return begun === '' && !start ? [] : offers;
}
