// The search box: filters in the grammar of package query/where, with
// completion of terms, keys and values that were seen.
import { h, fill, uniqueID } from './dom.js';
import { get } from './api.js';

let grammar; // a promise of what GET grammar says, asked for once

export function vocabulary() {
  grammar ??= get('grammar').catch((err) => { grammar = undefined; throw err; });
  return grammar;
}

const examples = {
  spans: 'name="charge" status=error attr.http.route~"^/pay"', traces: 'service="shop" status=error spans>=3', points: 'name*="request" attr.http.route="/pay"',
  logs: 'severity>=warn body*="declined"', exports: 'outcome=refused protocol=grpc', violations: 'rule="S-40" service="shop"',
};

// searchBox makes the box; submit is called with what was asked.
export function searchBox(submit) {
  const hint = h('p', { class: 'problem', id: 'search-problem', role: 'alert', hidden: true });
  const box = completing({
    id: 'search', label: 'Search',
    suggest: (text) => suggestions(text, of), done: submit, describedBy: 'search-problem',
  });
  const clear = h('button', { type: 'button', class: 'quiet', 'aria-label': 'Clear the search', hidden: true, onclick: () => { box.input.value = ''; emptied(); submit(''); box.input.focus(); } }, '✕');
  const node = h('form', { class: 'search', role: 'search', onsubmit: (e) => { e.preventDefault(); submit(box.input.value.trim()); } }, box.node, clear, h('button', {}, 'Search'), hint);
  const emptied = () => { clear.hidden = box.input.value === ''; };
  box.input.addEventListener('input', emptied);
  let of;
  return {
    node,
    of(kind) {
      of = kind;
      node.hidden = !kind;
      box.input.placeholder = examples[kind] ?? '';
    },
    set(q) {
      if (document.activeElement !== box.input) box.input.value = q;
      emptied();
    },
    focus() { box.input.focus(); box.input.select(); },
    problem(text) {
      hint.hidden = !text;
      hint.textContent = text;
      box.input.setAttribute('aria-invalid', String(Boolean(text)));
    },
  };
}

// completing is an input or textarea with a list of suggestions below it.
// suggest(text before the cursor) gives a promise of [{ text, replaces, doc }],
// where replaces is how many characters before the cursor a choice takes the
// place of; with more, suggestions go on behind it. Enter calls done(value); in a
// textarea, which has rows, Ctrl+Enter.
export function completing({ id, label, placeholder, suggest, done, describedBy, rows }) {
  const listID = uniqueID('suggestions');
  const options = h('div', { class: 'suggestions', role: 'listbox', id: listID, 'aria-label': `Suggestions for ${label}`, hidden: true });
  const input = h(rows ? 'textarea' : 'input', {
    id, rows, placeholder, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', role: 'combobox', 'aria-label': label,
    'aria-expanded': 'false', 'aria-controls': listID, 'aria-autocomplete': 'list', 'aria-describedby': describedBy,
    oninput: () => offer(), onkeydown: (e) => keydown(e), onblur: () => setTimeout(() => { if (document.activeElement !== input) close(); }, 150), // behind a click on one
  });
  let offered = [], active = -1, asked = 0;

  async function offer() {
    const mine = ++asked;
    let found = [];
    try { found = await suggest(input.value.slice(0, input.selectionStart)); } catch { /* without suggestions, then */ }
    if (mine !== asked || document.activeElement !== input) return;
    offered = found.slice(0, rows ? 60 : 12);
    active = -1;
    draw();
  }

  function draw() {
    options.hidden = offered.length === 0;
    input.setAttribute('aria-expanded', String(!options.hidden));
    fill(options, offered.map((o, i) => h('div', {
      role: 'option', id: `${listID}-${i}`, 'aria-selected': String(i === active), onmousedown: (e) => { e.preventDefault(); choose(o); },
    }, h('code', {}, o.text), o.doc && h('span', {}, o.doc))));
    if (active >= 0) {
      input.setAttribute('aria-activedescendant', `${listID}-${active}`);
      options.children[active].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  function close() {
    asked++;
    offered = [];
    active = -1;
    draw();
  }

  function choose(o) {
    const at = input.selectionStart, from = at - o.replaces;
    input.setRangeText(o.text, from, at, 'end');
    close();
    input.focus();
    if (o.more ?? !o.text.endsWith(' ')) offer();
  }

  function keydown(e) {
    if (!options.hidden && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) {
      e.preventDefault();
      active = (active + (e.key === 'ArrowDown' ? 1 : offered.length + (active < 0 ? 0 : -1))) % offered.length;
      draw();
    } else if (!options.hidden && e.key === 'Tab' && !e.shiftKey) {
      e.preventDefault();
      choose(offered[Math.max(0, active)]);
    } else if (e.key === 'Enter' && (active < 0 || e.ctrlKey || e.metaKey) && (!rows || e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      close();
      done(input.value.trim());
    } else if (e.key === 'Enter' && active >= 0) {
      e.preventDefault();
      choose(offered[active]);
    } else if (e.key === 'Escape') {
      if (options.hidden) input.blur();
      close();
    } else if (e.key === 'ArrowDown' && input.value === '') {
      offer();
    }
  }

  return { node: h('div', { class: 'completing' }, input, options), input };
}

let keys = { of: '', at: 0 }; // what was seen of a kind, and when that was asked for

// seen is the keys of the items that are searched, or of the spans in them.
async function seen(of) {
  const kind = ['spans', 'points', 'logs'].includes(of) ? of : 'spans';
  if (keys.of !== kind || Date.now() - keys.at > 5000) keys = { of: kind, at: Date.now(), said: get('keys', { of: kind }) };
  return (await keys.said).keys;
}

// suggestions continue the last term of a search.
export async function suggestions(text, of) {
  const [, term] = /(?:^|[\s(])((?:"(?:\\.|[^"\\])*(?:"|$)|[^\s()"])*)$/.exec(text) ?? [];
  if (term === undefined) return [];
  const [{ filters }, known] = await Promise.all([vocabulary(), seen(of)]);
  const [, name, op, begun] = /^([^=<>~*]*?(?:"[^"]*")?)(\*=|[=<>~]=?)(.*)$/s.exec(term) ?? [];
  if (op) {
    const values = [...known.find((k) => k.key === name)?.values ?? [], ...words(filters.find((f) => f.term === name))];
    return [...new Set(values)].filter((v) => v.startsWith(begun) || v.startsWith(`"${begun}`)).map((v) => ({ text: `${v} `, replaces: begun.length, doc: '' }));
  }
  const matches = (k) => k.toLowerCase().includes(term.toLowerCase());
  const terms = filters.filter((f) => f.of.includes(of) && matches(f.term) && !known.some((k) => k.key === f.term));
  return [
    ...known.filter((k) => matches(k.key)).map((k) => ({ text: `${k.key}=`, replaces: term.length, doc: `seen ${k.count} times` })),
    ...terms.map((f) => ({ text: `${f.example} `, replaces: term.length, doc: f.doc })),
  ].sort((a, b) => b.text.startsWith(term) - a.text.startsWith(term));
}

// words is what can stand behind a term that takes one of a few words: those
// that the grammar lists as what it means.
function words(filter) {
  const listed = (filter?.doc ?? '').split(', '), end = listed.findIndex((word) => !/^[a-z_/]+$/.test(word));
  const some = end < 0 ? listed : listed.slice(0, end);
  return some.length > 1 ? some : [];
}
