// The HTTP API, relative to where the page is.

const base = new URL('api/v1/', document.baseURI);

// Problem is an answer that is none: what the API says is wrong.
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `the backend answered ${status}`);
    this.status = status;
    this.place = /^(\w+): /.exec(this.message)?.[1]; // the parameter that is wrong
  }
}

const token = fromAddress() ?? sessionStorage.getItem('otlptest.token') ?? '';

// fromAddress takes a token out of the page's address, so that it is not
// shared with it: http://host:4319/#token=…
function fromAddress() {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (!given) return undefined;
  sessionStorage.setItem('otlptest.token', decodeURIComponent(given[1]));
  history.replaceState(null, '', location.pathname);
  return decodeURIComponent(given[1]);
}

// useToken is what requests show once the page is loaded anew.
export function useToken(value) {
  sessionStorage.setItem('otlptest.token', value);
}

// address is a URL of the API; parameters that are empty are left away.
export function address(path, params = {}) {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  return url;
}

async function ask(method, path, { params, body, type, signal } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = type ?? 'text/plain';
  let response;
  try {
    response = await fetch(address(path, params), { method, headers, body, signal, cache: 'no-store' });
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    throw new Problem(0, { detail: 'The backend does not answer. Has it ended?' });
  }
  if (response.status === 204) return null;
  const json = /json/.test(response.headers.get('Content-Type') ?? '');
  const text = await response.text(), said = json ? exact(text) : text;
  if (!response.ok) {
    if (response.status === 401) document.dispatchEvent(new Event('otlptest:unauthorized'));
    throw new Problem(response.status, json ? said : { detail: said });
  }
  return said;
}

// exact parses JSON. Integers beyond what a number has digits for are BigInts,
// where the browser tells how they were written, but for those that one counts with.
function exact(text) {
  if (!/[:,[]-?\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) => (
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source) && !counted.test(key) ? BigInt(context.source) : value));
}

const counted = /^(\d+|\w*[cC]ount|number|total|offset|scale)$/;

// A BigInt is written with all of its digits.
BigInt.prototype.toJSON = function toJSON() { return JSON.rawJSON(String(this)); };

export const get = (path, params, signal) => ask('GET', path, { params, signal });
export const post = (path, body, type) => ask('POST', path, { body, type });
export const remove = (path) => ask('DELETE', path);

// version is that of everything that can be asked, now; undefined where the
// backend does not say.
export async function version() {
  try { return (await get('changes')).version; } catch { return undefined; }
}

// follow calls changed after each change of anything that can be asked, beginning
// with those behind a version, and answers with whether the backend does. It asks
// only while the page can be seen: a browser has but six connections to a server,
// for all of its tabs.
export async function follow(version, changed, answers) {
  for (;;) {
    await seen();
    try {
      const said = await get('changes', version === undefined ? {} : { since: version, timeout: '30s' }, hiding());
      answers(true, said.closed);
      if (said.version !== version) changed();
      version = said.version;
      if (said.closed) return;
      await pause(250); // however fast exports come
    } catch (err) {
      if (err.name === 'AbortError') continue;
      answers(false);
      await pause(2000);
    }
  }
}

// seen waits until the page can be seen.
async function seen() {
  while (document.hidden) await new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
}

// hiding is a signal that aborts when the page cannot be seen any more.
function hiding() {
  const hidden = new AbortController();
  document.addEventListener('visibilitychange', () => hidden.abort(), { once: true });
  return hidden.signal;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
