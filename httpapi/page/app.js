// The page: which view is shown, the search box above it, and live updates.
//
// A view is a module with of (what its search asks: traces, spans, points, logs,
// exports, violations; undefined for no search) and mount(root, page), which
// builds it and returns { show(route), refresh(), close() }. show is called
// with every address of the view, refresh after data changed; both may return a
// promise, whose error is shown. The address is all the state there is:
// #/traces/ID?q=…&span=….
import { h, fill } from './dom.js';
import { follow, useToken, version, Problem } from './api.js';
import { searchBox } from './search.js';
import { help } from './help.js';

const views = [
  { name: 'traces', title: 'Traces', load: () => import('./traces.js') },
  { name: 'spans', title: 'Spans', load: () => import('./spans.js') },
  { name: 'services', title: 'Services', load: () => import('./services.js') },
  { name: 'metrics', title: 'Metrics', load: () => import('./metrics.js') },
  { name: 'logs', title: 'Logs', load: () => import('./logs.js') },
  { name: 'exports', title: 'Exports', load: () => import('./exports.js') },
  { name: 'violations', title: 'Violations', load: () => import('./violations.js') },
  { name: 'faults', title: 'Faults', load: () => import('./faults.js') },
];

const bar = document.getElementById('bar'), main = document.getElementById('main'), notes = document.getElementById('notes');
const banner = h('p', { class: 'banner', role: 'alert', hidden: true });
const stage = h('div', { id: 'stage' });
const heading = h('h1', { class: 'unseen' });
const state = h('span', { class: 'state', role: 'status' });
const pause = h('button', { class: 'quiet', 'aria-pressed': 'false', title: 'Pause live updates (p)', onclick: () => setLive(!live) }, 'Pause');
const links = new Map(views.map((v, i) => [v.name, h('a', { href: `#/${v.name}`, title: `${v.title} (${i + 1})` }, v.title)]));
const search = searchBox((q) => page.go(undefined, { q, span: undefined, item: undefined }));

let route, shown, current; // the address, and the view that is there for it
let live = true, stale = false, resting = false, busy = 0;

// page is what views may use of it.
const page = {
  // link is the address of a path, of the current one if there is none, with
  // these parameters; undefined ones are dropped, those of the current address
  // are kept where the path is the current one.
  link(path, params = {}) {
    const kept = path === undefined ? Object.fromEntries(route.params) : {};
    const all = new URLSearchParams();
    for (const [k, v] of Object.entries({ ...kept, ...params })) if (v !== undefined && v !== null && v !== '') all.set(k, v);
    const text = String(all);
    return `#/${path ?? [route.view, ...route.path].map(encodeURIComponent).join('/')}${text && `?${text}`}`;
  },
  go(path, params) { location.hash = page.link(path, params); },
  // note tells something in passing.
  note(text) {
    fill(notes, h('p', {}, text));
    setTimeout(() => { if (notes.textContent === text) fill(notes); }, 4000);
  },
  fail,
  search,
};

function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view, ...rest] = path.split('/').filter(Boolean).map(decode);
  return { view: links.has(view) ? view : 'traces', path: rest, params: new URLSearchParams(query) };
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// navigate shows what the address says, in the view that it names.
async function navigate() {
  const first = route === undefined, asked = parse(location.hash);
  route = asked;
  stage.setAttribute('aria-busy', 'true');
  await attempt(async () => {
    if (shown !== asked.view) {
      current?.close?.();
      current = shown = undefined;
      const v = views.find((v) => v.name === asked.view);
      for (const [name, a] of links) name === v.name ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current');
      links.get(v.name).scrollIntoView({ block: 'nearest', inline: 'nearest' }); // on a narrow screen the bar scrolls
      const module = await v.load();
      if (asked !== route) return; // another address came meanwhile
      document.title = `${v.title} – otlptest`;
      heading.textContent = v.title;
      search.of(module.of);
      current = module.mount(fill(stage), page);
      shown = asked.view;
      if (!first && !search.node.contains(document.activeElement)) main.focus({ preventScroll: true });
    }
    search.set(asked.params.get('q') ?? '');
    await current.show(asked);
  });
  if (asked === route) stage.removeAttribute('aria-busy');
}

// attempt runs what asks the backend, and shows what is wrong, unless another
// view is there by then.
async function attempt(f) {
  const asked = route?.view;
  busy++;
  try {
    await f();
    if (asked === route.view) fail();
  } catch (err) {
    if (asked === route.view) fail(err);
  } finally {
    busy--;
  }
  if (stale) changed();
}

// fail shows an error, or takes the last one away.
function fail(err) {
  if (err?.name === 'AbortError') return;
  const ofSearch = err instanceof Problem && err.place === 'q';
  search.problem(ofSearch ? err.message.replace('q: ', '') : '');
  banner.hidden = !err || ofSearch;
  banner.textContent = err?.message ?? '';
  if (err && !(err instanceof Problem)) console.error(err);
}

// changed refreshes the view, but at most once a second, however often it is
// called.
async function changed() {
  stale = true;
  if (!live || busy > 0 || resting || document.hidden || !current) return;
  stale = false;
  resting = true;
  setTimeout(() => { resting = false; if (stale) changed(); }, 1000);
  await attempt(() => current.refresh?.());
}

function setLive(on) {
  live = on;
  pause.textContent = live ? 'Pause' : 'Resume';
  pause.setAttribute('aria-pressed', String(!live));
  if (live && stale) changed();
}

function answers(ok, closed) {
  state.className = `state ${ok && !closed ? 'good' : 'bad'}`;
  state.textContent = !ok ? 'no answer' : closed ? 'closed' : 'live';
}

function theme(next) {
  if (next) localStorage.setItem('otlptest.theme', next);
  const chosen = localStorage.getItem('otlptest.theme');
  if (chosen) document.documentElement.dataset.theme = chosen;
}

function toggleTheme() {
  const dark = (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  theme(dark ? 'light' : 'dark');
}

// askToken is shown when the API wants a token. With one the page begins anew.
function askToken() {
  if (document.querySelector('dialog.token')) return;
  const input = h('input', { id: 'token', type: 'password', autocomplete: 'off', required: true });
  const dialog = h('dialog', { class: 'token', 'aria-labelledby': 'token-title' }, h('form', { method: 'dialog' },
    h('h2', { id: 'token-title' }, 'This backend asks for a token'),
    h('label', { for: 'token' }, 'The value of --token or OTLPTEST_TOKEN'), input,
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, 'Use it'))));
  dialog.addEventListener('close', () => { useToken(input.value); location.reload(); });
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = e.target.closest?.('input, textarea, select, [contenteditable]');
  if (typing || document.querySelector('dialog[open]')) return;
  const v = views[Number(e.key) - 1];
  if (v) page.go(v.name);
  else if (e.key === '/') { e.preventDefault(); search.focus(); }
  else if (e.key === '?') help();
  else if (e.key === 'p') setLive(!live);
  else if (e.key === 't') toggleTheme();
});
document.addEventListener('otlptest:unauthorized', askToken);
document.addEventListener('visibilitychange', () => { if (!document.hidden && stale) changed(); });
addEventListener('hashchange', navigate);

fill(bar,
  h('a', { class: 'brand', href: '#/traces', 'aria-label': 'otlptest: all traces' }, h('img', { src: 'page/icon.svg', alt: '', width: 20, height: 20 }), 'otlptest'),
  h('nav', { 'aria-label': 'Views' }, [...links.values()]),
  h('div', { class: 'tools' }, state, pause,
    h('button', { class: 'quiet', title: 'Dark or light (t)', 'aria-label': 'Dark or light', onclick: toggleTheme }, '◐'),
    h('button', { class: 'quiet', title: 'Keys and grammar (?)', 'aria-label': 'Keys and grammar', onclick: help }, '?')));
fill(main, heading, search.node, banner, stage);
theme();
const shownFrom = await version(); // before the first query, so that no change behind it is missed
if (shownFrom !== undefined) answers(true);
await navigate();
follow(shownFrom, changed, answers);
