// Where the nodes and edges of a directed graph are drawn: callers left of what
// they call.

// The room of a node, at least, of a line with its label that comes to it, and of
// an edge that passes a column.
const size = { width: 176, height: 56, line: 18, gapX: 184, gapY: 30, bend: 20 };

// layout places nodes, [{id}], and edges, [{from, to}] between ids. The result
// has width and height, nodes as [{id, x, y, width, height}] and edges as [{edge,
// d, label: {x, y}}], where d is the path of a line, and a label ends at x, in
// front of what the line leads to. Edges that would make a
// circle lead back to the left.
export function layout(nodes, edges) {
  const known = new Map(nodes.map((n) => [n.id, { id: n.id, layer: 0, out: [], rank: 0 }]));
  const lines = edges.filter((e) => known.has(e.from) && known.has(e.to) && e.from !== e.to)
    .map((edge) => ({ edge, from: known.get(edge.from), to: known.get(edge.to), back: false }));
  for (const l of lines) l.from.out.push(l);
  breakCircles(known, lines);
  rank(known, lines);
  const layers = [];
  const put = (node) => { (layers[node.layer] ??= []).push(node); };
  for (const n of known.values()) put(n);
  for (const l of lines) l.stops = stops(l, put);
  sortLayers(layers, lines);
  return draw(layers, lines, known);
}

// breakCircles marks edges that lead back to where one came from.
function breakCircles(known, lines) {
  const called = new Set(lines.map((l) => l.to));
  const seen = new Map(); // true while one is below it
  const first = [...known.values()].sort((a, b) => called.has(a) - called.has(b));
  for (const start of first) {
    const path = seen.has(start) ? [] : [[start, 0]];
    if (path.length) seen.set(start, true);
    while (path.length > 0) {
      const step = path.at(-1), line = step[0].out[step[1]++];
      if (!line) seen.set(path.pop()[0], false);
      else if (seen.get(line.to)) line.back = true;
      else if (!seen.has(line.to)) { seen.set(line.to, true); path.push([line.to, 0]); }
    }
  }
}

// rank puts each node right of all that lead to it.
function rank(known, lines) {
  const ahead = lines.filter((l) => !l.back);
  for (let i = 0, moved = true; moved && i <= known.size; i++) {
    moved = false;
    for (const { from, to } of ahead) if (to.layer <= from.layer) { to.layer = from.layer + 1; moved = true; }
  }
}

// stops are the nodes and the bends in the columns between, left to right.
function stops(line, put) {
  const [a, b] = line.back ? [line.to, line.from] : [line.from, line.to];
  const all = [a];
  for (let layer = a.layer + 1; layer < b.layer; layer++) {
    const bend = { layer, bend: true };
    put(bend);
    all.push(bend);
  }
  return [...all, b];
}

// sortLayers moves each node towards the middle of its neighbours, to have few
// lines that cross.
function sortLayers(layers, lines) {
  const before = new Map(), after = new Map();
  const add = (map, a, b) => map.set(a, [...map.get(a) ?? [], b]);
  for (const { stops: s } of lines) for (let i = 1; i < s.length; i++) { add(before, s[i], s[i - 1]); add(after, s[i - 1], s[i]); }
  const number = (layer) => layer.forEach((n, i) => { n.at = (i + 0.5) / layer.length; });
  layers.forEach(number);
  for (let i = 0; i < 8; i++) {
    const [order, near] = i % 2 ? [[...layers].reverse(), after] : [layers, before];
    for (const layer of order) {
      for (const n of layer) n.want = near.has(n) ? near.get(n).reduce((sum, m) => sum + m.at, 0) / near.get(n).length : n.at;
      layer.sort((a, b) => a.want - b.want);
      number(layer);
    }
  }
}

function draw(layers, lines, known) {
  for (const n of layers.flat()) Object.assign(n, { leaving: [], coming: [] });
  for (const l of lines) l.legs = l.stops.slice(1).map((to, i) => ({ from: l.stops[i], to }));
  for (const leg of lines.flatMap((l) => l.legs)) { leg.from.leaving.push(leg); leg.to.coming.push(leg); }
  const tall = (n) => (n.bend ? size.bend : Math.max(size.height, size.line * (n.coming.length + 1)));
  const heights = layers.map((layer) => layer.reduce((sum, n) => sum + tall(n) + size.gapY, -size.gapY));
  const height = Math.max(0, ...heights);
  layers.forEach((layer, i) => {
    let y = (height - heights[i]) / 2;
    for (const n of layer) {
      Object.assign(n, { x: i * (size.width + size.gapX), y, height: tall(n), middle: y + tall(n) / 2 });
      y += tall(n) + size.gapY;
    }
  });
  for (const n of layers.flat()) {
    spread(n, n.leaving.sort((a, b) => a.to.middle - b.to.middle), 'y1');
    spread(n, n.coming.sort((a, b) => a.from.middle - b.from.middle), 'y2');
  }
  const drawn = lines.map((l) => ({ edge: l.edge, ...curve(l) }));
  separate(drawn.map((d) => d.label));
  return {
    width: Math.max(0, layers.length * (size.width + size.gapX) - size.gapX), height,
    nodes: [...known.values()].map(({ id, x, y, height: tall }) => ({ id, x, y, width: size.width, height: tall })), edges: drawn,
  };
}

// spread lets the lines at one side of a node stand apart.
function spread(node, legs, end) {
  legs.forEach((leg, i) => { leg[end] = node.bend ? node.middle : node.y + (node.height * (i + 1)) / (legs.length + 1); });
}

function curve({ legs, back }) {
  const points = legs.map(({ from, to, y1, y2 }) => ({ x1: from.x + size.width, y1, x2: to.x, y2, through: to.bend ? to.x + size.width : to.x }));
  const part = ({ x1, y1, x2, y2 }) => `C ${x1 + size.gapX * 0.45} ${y1}, ${x2 - size.gapX * 0.45} ${y2}, ${x2} ${y2}`;
  const reversed = ({ x1, y1, x2, y2 }) => `C ${x2 - size.gapX * 0.45} ${y2}, ${x1 + size.gapX * 0.45} ${y1}, ${x1} ${y1}`;
  const last = points.at(-1);
  const label = { x: last.x2 - 12, y: last.y2 + (last.y1 - last.y2) / 14 };
  if (!back) return { label, d: `M ${points[0].x1} ${points[0].y1} ${points.map((p) => `${part(p)} L ${p.through} ${p.y2}`).join(' ')}` };
  const from = [...points].reverse();
  return { label, d: `M ${last.x2} ${last.y2} ${from.map((p, i) => `${i ? `L ${p.x2} ${p.y2} ` : ''}${reversed(p)}`).join(' ')}` };
}

// separate moves labels that would cover one another.
function separate(labels) {
  const columns = new Map();
  for (const l of labels) columns.set(l.x, [...columns.get(l.x) ?? [], l]);
  for (const column of columns.values()) {
    column.sort((a, b) => a.y - b.y);
    for (let i = 1; i < column.length; i++) column[i].y = Math.max(column[i].y, column[i - 1].y + 17);
  }
}
