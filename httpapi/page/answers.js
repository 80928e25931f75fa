// What became of an export, as a sign, a colour and words; and whether the
// client waited as long as it had been told.
import { h } from './dom.js';
import { nanoseconds, duration, count, number } from './format.js';

const outcomes = {
  accepted: ['✓', 'good'], 'partial success': ['½', 'warn'], refused: ['✕', 'bad'], malformed: ['!', 'bad'],
  'client gave up': ['↩', 'warn'], 'cut by the server': ['✂', 'bad'], open: ['…', 'open'],
};

// became is { sign, kind, text } of an export.
export function became(e) {
  const [sign, kind] = outcomes[e.outcome] ?? ['?', 'open'];
  return { sign, kind, text: words(e) };
}

function words(e) {
  const status = e.status ? [e.status.http, e.status.code].filter(Boolean).join(' ') : '';
  switch (e.outcome) {
    case 'refused': return status;
    case 'malformed': return `malformed, ${status}`;
    case 'partial success': return `partial success, ${number(e.rejected ?? 0)} rejected`;
    case 'open': return 'not answered yet';
  }
  return e.outcome;
}

// answer shows what became of an export.
export function answer(e) {
  const { sign, kind, text } = became(e);
  return h('span', { class: `answer ${kind}` }, h('span', { class: 'sign', 'aria-hidden': 'true' }, sign), text);
}

const nouns = { traces: 'span', metrics: 'data point', logs: 'log record' };

// carried is how many items of which kind: "3 spans".
export const carried = (signal, n) => count(n, nouns[signal] ?? 'item');

// waits is, for each attempt of a batch but the last, how long the client
// waited before the next one, in nanoseconds: { gap, promised, early }, where
// early is what is missing to what was promised, or 0. A timer may ring a bit
// early, as the check of the ledger allows, too.
export function waits(batch) {
  return batch.gaps.map((text, i) => {
    const gap = nanoseconds(text), promised = nanoseconds(batch.promised[i]);
    return { gap, promised, early: promised > 0 && gap < promised - Math.min(5e6, promised / 10) ? promised - gap : 0 };
  });
}

// waited says such a wait in words.
export function waited({ gap, promised, early }) {
  const came = gap < 0 ? 'while the attempt before was not answered yet' : `${duration(gap)} after the answer before it`;
  if (!promised) return came;
  return `${came}; ${duration(promised)} were promised${early ? `: ${duration(early)} too early` : ''}`;
}
