// Small signs that several views use.
import { h, cut } from './dom.js';
import { count, hue } from './format.js';

// service is a service's name, with its colour.
export function service(name) {
  return h('span', { class: 'service', data: { hue: hue(name) }, title: name || 'no service.name' }, cut(name || 'no service', 60));
}

// pill is a short remark; kind is bad, good, warn or nothing.
export function pill(text, kind = '', title) {
  return h('span', { class: `pill ${kind}`, title }, text);
}

// flaws is what is wrong with a trace, as pills.
export function flaws({ errors, orphans, duplicates, complete }) {
  return [
    errors > 0 && pill(count(errors, 'error'), 'bad', 'Spans with the status error'),
    orphans > 0 && pill(count(orphans, 'orphan'), 'warn', 'Spans whose parent has not come'),
    !complete && !orphans && pill('incomplete', 'warn', 'It has not exactly one root'),
    duplicates > 0 && pill(count(duplicates, 'duplicate'), 'warn', 'Spans that came more than once'),
  ];
}
