// The details of the item that the address names, beside a view.
import { get } from './api.js';
import { attributes, copying, details, pairs, section } from './details.js';
import { arrival } from './span.js';

// beside makes them at the end of a view's split. of is spans, points or logs;
// about(item) gives { title, sections } before those that all items have. When they
// close, the focus goes back to where it was in the split, or to back(). Its result
// has show(number), for none too; the same number twice is shown once.
export function beside({ split, page, of, about, back }) {
  let panel, shown, from, asked = 0;
  split.addEventListener('keydown', (e) => { if (e.key === 'Escape' && shown) close(); });
  const close = () => page.go(undefined, { item: undefined });

  function take(next) {
    const at = document.activeElement, inside = panel?.contains(at);
    if (!inside) from = split.contains(at) ? at : undefined;
    panel?.remove();
    panel = next;
    if (panel) {
      split.append(panel);
      panel.focus({ preventScroll: true });
    } else if (inside) (from?.isConnected ? from : back()).focus();
  }

  return {
    async show(number) {
      number ||= undefined;
      if (number === shown) return;
      const mine = ++asked;
      shown = number;
      if (!number) return take();
      try {
        const item = await get(`${of}/${number}`);
        const { title, sections } = about(item);
        if (mine !== asked) return;
        take(details({ title, close, sections: [copying(of, item.number, page.note), sections, section('How it came', arrival(item, page)), source(item)] }));
      } catch (err) {
        if (mine === asked) { shown = undefined; take(); }
        throw err;
      }
    },
  };
}

// source is the sections about what made an item.
function source({ resource, scope }) {
  return [
    section('Resource', attributes(resource.attributes), pairs([['Schema', resource.schemaUrl]])),
    Object.keys(scope).length > 0 && section('Scope', pairs([['Name', scope.name], ['Version', scope.version], ['Schema', scope.schemaUrl]]), scope.attributes && attributes(scope.attributes)),
  ];
}
