// Places a drawing in layers, as Sugiyama, Tagawa and Toda do: links point one way, layers are ordered so that few
// links cross, and what is linked is side by side.
"use strict";
// layout sets x and y of boxes, which have a key, a width and a height, and those of links, with a source and a
// target, the points of their lines too. It returns the size of the drawing. Down, links point down, else to the right.
const layout = (boxes, links, down) => {
  const BESIDE = 18, BETWEEN = 20, MARGIN = 10, LABEL = { width: 64, height: 16 };
  const [long, wide] = down ? ["height", "width"] : ["width", "height"]; // along links, and across them
  const items = boxes.map((of) => ({ of, weight: .1, in: [], out: [] }));
  const by = new Map(items.map((i) => [i.of.key, i]));

  // Links that would make a circle point the other way.
  const edges = links.map((link) => ({ link, from: by.get(link.source), to: by.get(link.target) }));
  const state = new Map();
  const visit = (i) => {
    state.set(i, "open");
    for (const e of edges.filter((e) => e.from === i && !e.back)) {
      if (state.get(e.to) === "open") [e.from, e.to, e.back] = [e.to, e.from, true];
      else if (!state.has(e.to)) visit(e.to);
    }
    state.set(i, "done");
  };
  for (const i of items) if (!state.has(i)) visit(i);

  // A box is two layers behind all that lead to it, and no farther from its links than it must be. Between are labels.
  const far = (i, side, end, step) => edges.filter((e) => e[end] === i).map((e) => e[side].layer + step);
  for (const i of items) i.layer = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (const e of edges) if (e.to.layer < e.from.layer + 2) [e.to.layer, changed] = [e.from.layer + 2, true];
  }
  for (let round = 0; round < items.length; round++) {
    for (const i of items) {
      const before = far(i, "from", "to", 2), after = far(i, "to", "from", -2);
      if (after.length > before.length) i.layer = Math.min(...after);
      else if (before.length > after.length) i.layer = Math.max(...before);
    }
  }

  // A link has an item in each layer that it crosses, and its label in the middle one.
  const layers = [];
  const put = (i) => (layers[i.layer] ??= []).push(i);
  for (const i of items) put(i);
  for (const e of edges) {
    e.bends = [];
    let last = e.from;
    const join = (i) => { last.out.push(i); i.in.push(last); last.weight++; i.weight++; last = i; };
    for (let layer = e.from.layer + 1; layer < e.to.layer; layer++) {
      const bend = { of: 2 * layer === e.from.layer + e.to.layer ? LABEL : { width: 0, height: 0 }, weight: 8, layer, in: [], out: [] };
      put(bend);
      join(bend);
      e.bends.push(bend);
    }
    join(e.to);
  }
  const used = layers.filter(Boolean);

  // The order that crosses least, of those in which all are at the mean of what is before, or behind them.
  const mean = (of, place) => of.reduce((sum, i) => sum + place(i), 0) / of.length;
  const number = () => { for (const l of used) l.forEach((i, n) => { i.at = n; }); };
  const crossings = (a, b) => {
    let n = 0;
    for (const s of a.out) for (const t of b.out) if (s.at > t.at) n++;
    return n;
  };
  const crossed = () => used.reduce((sum, l) => sum + l.reduce((n, b, i) => n + l.slice(0, i).reduce((m, a) => m + crossings(a, b), 0), 0), 0);
  let best, least = Infinity;
  number();
  for (let round = 0; round < 24 && least > 0; round++) {
    const side = round % 2 ? "out" : "in";
    for (const l of side === "in" ? used : used.toReversed()) {
      const want = new Map(l.map((i) => [i, i[side].length ? mean(i[side], (o) => o.at) : i.at]));
      l.sort((a, b) => want.get(a) - want.get(b)).forEach((i, n) => { i.at = n; });
    }
    const n = crossed();
    if (n < least) [best, least] = [used.map((l) => [...l]), n];
  }

  // Across: each at the mean of its links as far as neighbours leave room; those that are in each other's way share it.
  for (const l of best) l.reduce((end, i) => { i.across = end + i.of[wide] / 2; return end + i.of[wide] + BESIDE; }, 0);
  const settle = (l, sides) => {
    const groups = [];
    let offset = 0;
    l.forEach((i, n) => {
      if (n) offset += (l[n - 1].of[wide] + i.of[wide]) / 2 + BESIDE;
      const of = sides.flatMap((side) => i[side]);
      let group = { all: [[i, offset]], weight: i.weight, want: (of.length ? mean(of, (o) => o.across) : i.across) - offset };
      while (groups.length && groups.at(-1).want > group.want) {
        const g = groups.pop(), weight = g.weight + group.weight;
        group = { all: [...g.all, ...group.all], weight, want: (g.want * g.weight + group.want * group.weight) / weight };
      }
      groups.push(group);
    });
    for (const g of groups) for (const [i, at] of g.all) i.across = g.want + at;
  };
  for (let round = 0; round < 12; round++) {
    for (const l of best) settle(l, round < 8 ? ["in"] : ["in", "out"]);
    for (const l of best.toReversed()) settle(l, round < 8 ? ["out"] : ["in", "out"]);
  }
  const first = Math.min(...best.flat().map((i) => i.across - i.of[wide] / 2));
  let along = MARGIN, size = 0;
  for (const l of best) {
    const thick = Math.max(...l.map((i) => i.of[long]));
    for (const i of l) {
      i.along = along + thick / 2;
      i.past = i.layer % 2 ? 0 : thick / 2; // beside boxes a line is straight
      i.across += MARGIN - first;
      size = Math.max(size, i.across + i.of[wide] / 2 + MARGIN);
    }
    along += thick + BETWEEN;
  }
  along += MARGIN - BETWEEN;

  const point = (a, across) => (down ? { x: across, y: a } : { x: a, y: across });
  for (const i of items) Object.assign(i.of, point(i.along, i.across));
  for (const e of edges) {
    const line = [point(e.from.along + e.from.of[long] / 2, e.from.across),
      ...e.bends.flatMap((b) => [point(b.along - b.past, b.across), point(b.along + b.past, b.across)]),
      point(e.to.along - e.to.of[long] / 2, e.to.across)];
    const label = e.bends[e.bends.length >> 1];
    Object.assign(e.link, point(label.along, label.across), { points: e.back ? line.reverse() : line });
  }
  return down ? { width: size, height: along } : { width: along, height: size };
};
