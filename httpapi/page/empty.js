// What a view shows while there is nothing: how to send the first span, metric
// or log record to this backend, or that nothing matches a search.
import { h, fill, uniqueID } from './dom.js';
import { get } from './api.js';
import { copy } from './details.js';
import { snippets } from './snippets.js';

const kinds = { // what is missing, the signal that brings it, and the title
  traces: ['traces', 'traces'], spans: ['spans', 'traces'], services: ['services', 'traces'], exports: ['exports', 'traces'],
  violations: ['violations', 'traces', 'Nothing has come yet'],
  points: ['metrics', 'metrics'], series: ['metrics', 'metrics'], metrics: ['metrics', 'metrics'], logs: ['log records', 'logs'],
};

// emptyState says how to send the first of what: traces, spans, services,
// points, logs or exports. A view keeps the node as long as it is empty, so that
// a refresh does not take the focus away.
export function emptyState(what) {
  const [noun, signal, title = `No ${noun} yet`] = kinds[what] ?? kinds.traces;
  const shown = h('div', {});
  show();
  return h('div', { class: 'empty first' }, h('h2', {}, title), shown);

  async function show() {
    try {
      const { endpoints } = await get('stats');
      fill(shown, ways(endpoints, signal));
    } catch { /* a backend that does not answer is said elsewhere */ }
  }
}

// noMatch says that a search finds nothing, and offers to clear it.
export function noMatch(what, page) {
  return h('div', { class: 'empty' }, h('h2', {}, `No ${kinds[what]?.[0] ?? what} match the search`),
    h('p', {}, 'What is there may be written differently, or has not come yet: this updates by itself.'),
    h('div', { class: 'buttons' }, h('button', { onclick: () => page.go(undefined, { q: undefined }) }, 'Clear the search')));
}

function ways({ http, grpc }, signal) {
  const tls = http.startsWith('https:');
  const languages = snippets(http, signal, tls);
  const names = Object.keys(languages), chosen = localStorage.getItem('otlptest.language');
  return [
    h('p', {}, 'This backend takes OTLP over HTTP at ', h('code', {}, http), ' and over gRPC at ', h('code', {}, grpc),
      '. What arrives is shown here at once. To send something:'),
    tls && h('p', {}, 'It serves TLS with a certificate of its own. ca.pem is the file that it names when it starts.'),
    tabs('Languages', names, names.includes(chosen) ? chosen : names[0], (name) => languages[name].map(step), (name) => localStorage.setItem('otlptest.language', name)),
    h('p', { class: 'faint' }, 'For gRPC set OTEL_EXPORTER_OTLP_PROTOCOL=grpc, and OTEL_EXPORTER_OTLP_ENDPOINT to ', h('code', {}, `${tls ? 'https' : 'http'}://${grpc}`), '.'),
  ];
}

// step is a text to be copied, under what is to be done with it.
function step([title, text]) {
  const done = h('span', { class: 'faint', role: 'status' });
  return h('figure', { class: 'snippet' },
    h('figcaption', {}, h('span', {}, title), done,
      h('button', { 'aria-label': `Copy: ${title}`, onclick: () => copy(text, () => fill(done, 'copied')) }, 'Copy')),
    h('pre', { tabindex: '0', 'aria-label': title }, text));
}

// tabs shows one panel of several, content(name); the arrow keys go from one
// tab to the next.
function tabs(label, names, first, content, chosen) {
  const id = uniqueID('tab');
  const panel = h('div', { role: 'tabpanel', id: `${id}-panel` });
  const buttons = names.map((name, i) => h('button', { role: 'tab', id: `${id}-${i}`, 'aria-controls': `${id}-panel`, onclick: () => select(i), onkeydown: (e) => keydown(e, i) }, name));
  function select(i) {
    buttons.forEach((b, j) => { b.setAttribute('aria-selected', String(i === j)); b.tabIndex = i === j ? 0 : -1; });
    panel.setAttribute('aria-labelledby', `${id}-${i}`);
    fill(panel, content(names[i]));
    chosen(names[i]);
  }
  function keydown(e, i) {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: names.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    const next = (to + names.length) % names.length;
    select(next);
    buttons[next].focus();
  }
  select(names.indexOf(first));
  return h('div', { class: 'tabs' }, h('div', { role: 'tablist', 'aria-label': label }, buttons), panel);
}
