// Draws the graph around a fact, from the JSON beside it, placed by layout.js. Facts are
// buttons: one that is chosen shows what is linked to it. Texts become text nodes only.
"use strict";
(() => {
  const MOST = 30, START = 10, STEP = 8, WIDTH = 196, LINE = 16, PAD = 8, LETTERS = 26, LINES = 4;

  const make = (name, attributes = {}, text = "") => {
    const svg = ["svg", "g", "rect", "path", "text", "tspan", "title", "defs", "marker"].includes(name);
    const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text) e.textContent = text;
    return e;
  };
  const count = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;
  const other = (link, id) => (link.source === id ? link.target : link.source);
  const keyOf = (link) => `${link.source} ${link.type} ${link.target}`;

  // wrap breaks a label into lines.
  const wrap = (label) => {
    const lines = [""];
    for (const word of label.split(/\s+/).flatMap((w) => w.match(new RegExp(`.{1,${LETTERS}}`, "gu")) || [])) {
      const last = lines[lines.length - 1];
      if (last && last.length + word.length >= LETTERS) lines.push(word);
      else lines[lines.length - 1] = last ? `${last} ${word}` : word;
    }
    if (lines.length > LINES) lines.splice(LINES - 1, Infinity, `${lines[LINES - 1].slice(0, LETTERS - 1)}…`);
    return lines;
  };

  // Whole answers from all facts and links, in a file without a server.
  class Whole {
    constructor(all) {
      this.facts = new Map(all.facts.map((f) => [f.id, f]));
      this.at = new Map();
      for (const l of all.links) for (const id of new Set([l.source, l.target])) this.at.set(id, [...(this.at.get(id) || []), l]);
    }
    around(id, most) {
      const ids = [id];
      for (let i = 0; i < ids.length && ids.length < most; i++) {
        if (i > 0 && this.facts.get(ids[i])?.kind === "outcome") continue;
        for (const l of this.links(ids[i])) if (ids.length < most && !ids.includes(other(l, ids[i]))) ids.push(other(l, ids[i]));
      }
      return this.drawing(ids);
    }
    links(id) {
      return (this.at.get(id) || []).toSorted((a, b) => b.sessions - a.sessions || b.weight - a.weight);
    }
    drawing(ids) {
      const facts = ids.map((id) => this.facts.get(id)).filter(Boolean);
      return { facts, links: facts.flatMap((f) => this.links(f.id).filter((l) => l.source === f.id && ids.includes(l.target))) };
    }
    // path is the path of the largest product of weights.
    path(from, to) {
      for (const [a, b] of [[from, to], [to, from]]) {
        const best = new Map([[a, { w: 1, path: [a] }]]), done = new Set();
        for (;;) {
          const id = [...best.keys()].filter((k) => !done.has(k)).sort((x, y) => best.get(y).w - best.get(x).w)[0];
          if (id === undefined) break;
          done.add(id);
          const so = best.get(id);
          if (id !== a && id !== b && this.facts.get(id)?.kind === "outcome") continue;
          if (id === b) return { ...this.drawing(so.path), path: so.path, back: a === to };
          for (const l of this.links(id)) {
            const w = so.w * l.weight;
            if (l.source === id && l.type !== "correlates" && so.path.length < 9 && w > (best.get(l.target)?.w || 0))
              best.set(l.target, { w, path: [...so.path, l.target] });
          }
        }
      }
      return { ...this.drawing([from, to]), to, path: [] };
    }
  }

  // Server asks the server, which knows the other facts.
  class Server {
    constructor(url) { this.url = url; }
    async get(parameters) {
      const url = new URL(this.url, location.href);
      for (const [k, v] of Object.entries(parameters)) url.searchParams.set(k, v);
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      return answer.json();
    }
    around(id, most) { return this.get({ at: id, most }); }
    path(from, to) { return this.get({ at: from, to, most: 1 }); }
  }

  class Graph {
    constructor(box) {
      this.box = box;
      this.canvas = box.querySelector(".drawing");
      this.status = box.querySelector("[role=status]");
      this.detail = box.querySelector(".detail");
      const data = JSON.parse(box.querySelector("script[type='application/json']").textContent);
      this.facts = new Map();
      this.links = new Map();
      this.labels = new Map(); // of all facts that were drawn
      this.source = box.dataset.more ? new Server(box.dataset.more) : new Whole(data);
      box.classList.add("drawn");
      if (!box.dataset.more) {
        const follow = () => {
          const id = (location.hash.match(/^#graph-(n[0-9a-f]+)$/) || [])[1];
          if (id && this.source.facts.has(id)) this.begin(id, this.source.around(id, START));
        };
        window.addEventListener("hashchange", follow);
        this.begin(data.at, this.source.around(data.at, START));
        follow();
      } else if (data.at) this.begin(data.at, data);
      new ResizeObserver(() => this.narrow === (this.canvas.clientWidth < 640) || this.draw()).observe(this.canvas);
    }

    begin(at, drawing) {
      this.before = this.at;
      this.at = this.chosen = at;
      this.facts.clear();
      this.links.clear();
      this.path = drawing.path || [];
      this.merge(drawing);
      this.say(drawing.path?.length ? this.found(drawing, at, drawing.to) : `${count(this.facts.size, "fact")} and ${count(this.links.size, "link")}`);
    }

    merge(drawing) {
      for (const f of drawing.facts) this.facts.set(f.id, f) && this.labels.set(f.id, f.label);
      for (const l of drawing.links) this.links.set(keyOf(l), l);
      // The nearest facts stay: those of the path, then by distance from the one that was chosen.
      const keep = new Set([this.at, ...this.path, this.chosen, drawing.to].filter((id) => this.facts.has(id)));
      for (const id of keep) {
        for (const l of this.links.values())
          if (keep.size < MOST && (l.source === id || l.target === id)) keep.add(other(l, id));
      }
      for (const id of this.facts.keys()) if (!keep.has(id)) this.facts.delete(id);
      for (const [k, l] of this.links) if (!this.facts.has(l.source) || !this.facts.has(l.target)) this.links.delete(k);
      this.draw();
    }

    async choose(id) {
      const before = new Set(this.facts.keys());
      this.chosen = id;
      try {
        this.merge(await this.source.around(id, STEP + 1));
      } catch (e) {
        this.say(`Not shown: ${e.message}`);
        return;
      }
      const added = [...this.facts.keys()].filter((k) => !before.has(k)).length;
      const left = [...before].filter((k) => !this.facts.has(k)).length;
      this.say(`${count(added, "fact")} added` + (left ? `, ${left} farther away left out: at most ${MOST} are drawn` : ""));
      this.canvas.querySelector(`[data-id="${id}"]`)?.focus({ preventScroll: true });
    }

    async connect(from, to) {
      try {
        const drawing = await this.source.path(from, to);
        this.path = drawing.path || [];
        this.merge(drawing);
        this.say(this.found(drawing, from, to));
      } catch (e) {
        this.say(`Not shown: ${e.message}`);
      }
    }

    found(drawing, from, to) {
      const steps = count(Math.max(0, (drawing.path || []).length - 1), "step");
      if (!drawing.path?.length) return `No path is known between “${this.label(from)}” and “${this.label(to)}”.`;
      return drawing.back ? `There is only a path the other way, from “${this.label(to)}” to “${this.label(from)}”: ${steps}.`
        : `The path from “${this.label(from)}” to “${this.label(to)}” has ${steps}.`;
    }

    label(id) { return this.labels.get(id) || id; }
    say(text) { this.status.textContent = text; }

    verb(l) { // as in graph.go
      if (l.type === "prevents" && this.facts.get(l.source)?.kind === "tool_call") return "tried against";
      return { correlates: "goes with", causes: "led to" }[l.type] || l.type;
    }

    // more is how many facts linked to one are not drawn.
    more(f) {
      const shown = new Set([...this.links.values()].filter((l) => l.source === f.id || l.target === f.id).map((l) => other(l, f.id)));
      if (this.source instanceof Whole) return new Set(this.source.links(f.id).map((l) => other(l, f.id))).size - shown.size;
      f.linked ??= shown.size + (f.more || 0);
      return Math.max(0, f.linked - shown.size);
    }

    onPath(l) {
      return this.path.some((id, i) => i > 0 && ((l.source === this.path[i - 1] && l.target === id)));
    }

    draw() {
      const narrow = this.narrow = this.canvas.clientWidth < 640;
      const boxes = [...this.facts.values()].map((fact) => {
        const lines = wrap(fact.label);
        return { key: fact.id, fact, lines, width: WIDTH, height: (lines.length + 1) * LINE + 2 * PAD };
      });
      const links = [...this.links.values()].map((link) => ({ link, source: link.source, target: link.target }));
      const { width, height } = layout(boxes, links, narrow);
      const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Graph of facts" });
      const defs = make("defs");
      for (const name of ["arrow", "bar"]) {
        const m = make("marker", { id: `graph-${name}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" });
        m.append(make("path", { d: name === "arrow" ? "M0 1 L10 5 L0 9 z" : "M7 0 H10 V10 H7 z" }));
        defs.append(m);
      }
      svg.append(defs);
      for (const l of links) svg.append(this.drawLink(l));
      for (const b of boxes) svg.append(this.drawFact(b));
      this.canvas.replaceChildren(svg);
      const at = boxes.find((b) => b.key === this.chosen);
      if (at) this.canvas.scrollTo(at.x - this.canvas.clientWidth / 2, at.y - this.canvas.clientHeight / 2);
      this.describe();
    }

    drawLink({ link, points, x, y }) {
      const on = this.onPath(link) ? " on-path" : "";
      const e = make("g", { class: `link ${link.type}${on}` });
      const [first, ...rest] = points;
      const mids = rest.slice(0, -1).map((p, i) => `Q${p.x} ${p.y} ${(p.x + rest[i + 1].x) / 2} ${(p.y + rest[i + 1].y) / 2}`);
      const last = points[points.length - 1];
      const line = make("path", { d: `M${first.x} ${first.y}${mids.join("")}L${last.x} ${last.y}`, class: "line" });
      if (link.type !== "correlates") line.setAttribute("marker-end", `url(#graph-${link.type === "prevents" ? "bar" : "arrow"})`);
      e.append(make("title", {}, this.sentence(link)), line, make("text", { x, y: y + 4, "text-anchor": "middle" }, this.verb(link)));
      return e;
    }

    drawFact({ fact, lines, x, y, width, height }) {
      const left = x - width / 2, top = y - height / 2, more = this.more(fact);
      const classes = ["fact", fact.kind.replaceAll(" ", "-"), fact.id === this.at ? "at" : "", fact.id === this.chosen ? "chosen" : "", this.path.includes(fact.id) ? "on-path" : ""];
      const about = `${fact.kind} · ${count(fact.sessions, "session")}${more ? ` · +${more}` : ""}`;
      const e = make("g", { class: classes.join(" ").trim(), tabindex: 0, role: "button", "data-id": fact.id, "aria-pressed": fact.id === this.chosen });
      const box = make("rect", { x: left, y: top, width, height, rx: { choice: 14, outcome: 30 }[fact.kind] || 3 });
      e.append(box, make("text", { x: left + PAD, y: top + PAD + 11, class: "kind" }, `${about} `));
      lines.forEach((text, i) => e.append(make("text", { x: left + PAD, y: top + PAD + 12 + (i + 1) * LINE }, `${text} `)));
      e.addEventListener("click", () => this.choose(fact.id));
      e.addEventListener("keydown", (k) => {
        if (k.key === "Enter" || k.key === " ") { k.preventDefault(); this.choose(fact.id); }
      });
      return e;
    }

    sentence(l) {
      return `“${this.label(l.source)}” ${this.verb(l)} “${this.label(l.target)}” (read from ${count(l.sessions, "session")})`;
    }

    // describe says what is known of the chosen fact, and what can be done with it.
    describe() {
      const f = this.facts.get(this.chosen);
      if (!f) return;
      const known = f.known ? `; of ${f.known} with a known outcome ${f.good || 0} ended well` : "";
      const parts = [make("h2", {}, f.label), make("p", {}, `${f.kind}, in ${count(f.sessions, "session")}${known}.`)];
      const list = make("ul");
      for (const l of this.links.values()) if (l.source === f.id || l.target === f.id) list.append(make("li", {}, this.sentence(l)));
      if (list.children.length) parts.push(list);
      const start = f.id === this.at ? this.before : this.at;
      const row = make("p", { class: "actions" });
      if (start && start !== f.id) {
        const b = make("button", { type: "button", class: "path" }, `Path from “${(this.label(start)).slice(0, 60)}” to here`);
        b.addEventListener("click", () => this.connect(start, f.id));
        row.append(b);
      }
      if (f.id !== this.at) {
        const b = make("button", { type: "button", class: "recentre" }, "Draw around this fact");
        b.addEventListener("click", async () => this.begin(f.id, await this.source.around(f.id, START)));
        row.append(b);
      }
      const search = make("button", { type: "button", class: "search" }, "Search for the sessions that say it");
      search.addEventListener("click", () => {
        const field = document.getElementById("q");
        field.value = f.label;
        field.dispatchEvent(new Event("input"));
        field.focus();
      });
      row.append(search);
      parts.push(row);
      this.detail.replaceChildren(...parts);
    }
  }

  for (const box of document.querySelectorAll(".graph-box")) new Graph(box);
})();
