// Nodes from code. Text is only ever set as text: nothing here, and nothing
// elsewhere, parses HTML, so that what telemetry says cannot become markup.

const svgNamespace = 'http://www.w3.org/2000/svg';

// h makes an element: h('button', {class: 'quiet', onclick: f}, 'Text', node, [more]).
// Properties that begin with on are listeners, style is an object of CSS
// properties, data one of data-…; true is an empty attribute, and undefined,
// null and false are none.
export function h(tag, props, ...children) {
  return build(document.createElement(tag), props, children);
}

// svg makes an element of a drawing.
export function svg(tag, props, ...children) {
  return build(document.createElementNS(svgNamespace, tag), props, children);
}

// fill replaces what is in a node.
export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

function build(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) set(node, name, value);
  node.append(...nodes(children));
  return node;
}

function set(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
  else if (name === 'style') for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
  else if (name === 'data') Object.assign(node.dataset, value);
  else if (name === 'value') node.value = value;
  else node.setAttribute(name, value === true ? '' : value);
}

// nodes flattens children; text becomes text nodes.
function nodes(children) {
  return children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false)
    .map((c) => (c instanceof Node ? c : document.createTextNode(visible(String(c)))));
}

// What would change the order of the text around it, or cannot be seen.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

// visible shows control characters and those that turn the direction of text
// as their code points.
function visible(text) {
  return text.replace(unseen, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, '0')}`);
}

// cut shortens long text; the whole belongs into a title or a detail.
export function cut(text, most = 200) {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length.toLocaleString('en')} characters)`;
}

// small is whether the screen is narrow; style.css asks the same.
export const small = matchMedia('(max-width: 760px)');

let lastID = 0;

// uniqueID is one for an element that another refers to.
export const uniqueID = (prefix) => `${prefix}-${++lastID}`;
