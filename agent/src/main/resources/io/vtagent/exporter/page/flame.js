import {byId, el, setText} from "./dom.js";
import {duration, percent} from "./format.js";
import {KINDS, colour} from "./kinds.js";

const ROW = 18;
const CHARACTER = 6.7;
const NARROWEST = 0.4;

/** The stacks weighted by the time that they held carriers, the outermost frame on top, by kind. */
export class Flame {
  constructor(address) {
    this.address = address;
    this.path = address.all("frame");
    this.search = el("input", {type: "search", id: "flame-search", placeholder: "a part of a name", value: address.get("mark"), oninput: () => {
      address.set("mark", this.search.value);
      this.draw();
    }});
    this.canvas = el("canvas", {tabindex: "0", role: "img", "aria-label": "Flame graph: the arrow keys go from frame to frame, Enter enlarges one, Escape shows all",
      onclick: event => this.zoom(this.at(event)), onmousemove: event => this.point(this.at(event)), onkeydown: event => this.key(event)});
    this.tip = el("p", {class: "tip code", "aria-live": "polite"});
    this.found = el("span", {"aria-live": "polite"});
    byId("flame").replaceChildren(
      el("div", {class: "row"}, el("label", {for: "flame-search"}, "Mark"), this.search, this.found,
        el("button", {type: "button", onclick: () => this.zoom(this.root)}, "Show all"), el("span", {id: "flame-kinds"})),
      this.tip, this.canvas);
    this.root = node("all", null, null);
    this.top = this.root;
    this.pointed = null;
    this.width = 0;
    new ResizeObserver(() => requestAnimationFrame(() => this.resized())).observe(byId("flame"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** `sites` with their stacks and what they held in the chosen period. */
  show(sites) {
    const pointed = this.pointed === null ? null : pathOf(this.pointed);
    this.root = node("all", null, null);
    for (const site of sites) {
      if (site.shown.heldNanos > 0) {
        const frames = site.stack === undefined ? [site.site] : site.stack.map(nameOf).reverse();
        let at = add(this.root, site.kind, site.kind, site.shown.heldNanos);
        frames.forEach(frame => at = add(at, frame, site.kind, site.shown.heldNanos));
      }
    }
    this.root.nanos = [...this.root.children.values()].reduce((sum, child) => sum + child.nanos, 0);
    this.top = follow(this.root, this.path) ?? this.root;
    this.pointed = pointed === null ? null : follow(this.root, pointed);
    this.draw();
  }

  /** Its height changes with what it shows. */
  resized() {
    if (this.canvas.clientWidth !== this.width) {
      this.draw();
    }
  }

  draw() {
    const {canvas} = this;
    const width = canvas.clientWidth;
    if (width === 0) {
      return;
    }
    this.width = width;
    this.boxes = [];
    const above = ancestors(this.top);
    above.forEach((frame, row) => this.boxes.push({frame, x: 0, width, row}));
    this.lay(this.top, 0, width, above.length);
    const height = (Math.max(...this.boxes.map(box => box.row)) + 1) * ROW;
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = height + "px";
    const ink = canvas.getContext("2d");
    ink.scale(ratio, ratio);
    ink.font = "11px ui-monospace, monospace";
    ink.textBaseline = "middle";
    const style = getComputedStyle(document.documentElement);
    const colours = new Map(KINDS.map(kind => [kind, colour(kind)]));
    const theme = name => style.getPropertyValue(name).trim();
    const plain = {ground: theme("--ground"), text: theme("--text"), mark: theme("--mark"), raised: theme("--raised")};
    const wanted = this.search.value.toLowerCase();
    for (const box of this.boxes) {
      this.drawBox(ink, box, box.frame.kind === null ? plain.raised : colours.get(box.frame.kind), wanted, plain, box.row < above.length);
    }
    this.tell(wanted);
  }

  drawBox(ink, {frame, x, width, row}, fill, wanted, plain, above) {
    const marked = wanted !== "" && frame.name.toLowerCase().includes(wanted);
    ink.fillStyle = plain.ground;
    ink.fillRect(x, row * ROW, width, ROW);
    // frames of a kind differ a little, so that neighbours can be told apart
    ink.globalAlpha = marked ? 1 : above ? 0.2 : frame.kind === null ? 1 : 0.3 + 0.2 * (hash(frame.name) % 3) / 2;
    ink.fillStyle = marked ? plain.mark : fill;
    ink.fillRect(x, row * ROW, Math.max(width - 0.5, 0.5), ROW - 1);
    ink.globalAlpha = 1;
    ink.fillStyle = plain.text;
    if (frame === this.pointed) {
      ink.strokeStyle = plain.text;
      ink.strokeRect(x + 0.5, row * ROW + 0.5, Math.max(width - 1.5, 1), ROW - 2);
    }
    const room = Math.floor((width - 6) / CHARACTER);
    if (room > 3) {
      const text = frame.parent === null ? `all, ${duration(frame.nanos)}` : fit(frame.name, room);
      ink.fillText(text, x + 3, row * ROW + ROW / 2, width - 6);
    }
  }

  lay(frame, x, width, row) {
    this.boxes.push({frame, x, width, row});
    let left = x;
    const children = [...frame.children.values()].sort((a, b) => b.nanos - a.nanos);
    for (const child of children) {
      const share = width * child.nanos / frame.nanos;
      if (share >= NARROWEST) {
        this.lay(child, left, share, row + 1);
      }
      left += share;
    }
  }

  /** How much of the time lies in frames that are marked. */
  tell(wanted) {
    const marked = wanted === "" ? 0 : matched(this.root, wanted);
    setText(this.found, wanted === "" ? "" : `${percent(this.root.nanos > 0 ? marked / this.root.nanos : 0)} of the held time is below it`);
  }

  at(event) {
    const row = Math.floor(event.offsetY / ROW);
    const box = (this.boxes ?? []).find(each => each.row === row && event.offsetX >= each.x && event.offsetX < each.x + each.width);
    return box === undefined ? null : box.frame;
  }

  point(frame) {
    if (frame !== this.pointed) {
      this.pointed = frame;
      setText(this.tip, frame === null || frame.parent === null ? ""
        : `${frame.name}  ${frame.kind === frame.name ? "" : "(" + frame.kind + ") "}${duration(frame.nanos)}, ${percent(frame.nanos / this.root.nanos)}`);
      this.draw();
    }
  }

  zoom(frame) {
    if (frame !== null) {
      this.top = frame;
      this.path = pathOf(frame);
      this.address.set("frame", ...this.path);
      this.draw();
    }
  }

  key(event) {
    const at = this.pointed ?? this.top;
    const siblings = at.parent === null ? [at] : [...at.parent.children.values()].sort((a, b) => b.nanos - a.nanos);
    const place = siblings.indexOf(at);
    const down = [...at.children.values()].sort((a, b) => b.nanos - a.nanos)[0];
    const moves = {ArrowUp: at.parent ?? at, ArrowDown: down ?? at, ArrowLeft: siblings[place - 1] ?? at, ArrowRight: siblings[place + 1] ?? at};
    if (moves[event.key] !== undefined) {
      event.preventDefault();
      this.point(moves[event.key]);
    } else if (event.key === "Enter") {
      this.zoom(at);
    } else if (event.key === "Escape") {
      this.zoom(this.root);
    }
  }
}

function node(name, kind, parent) {
  return {name, kind, parent, nanos: 0, children: new Map()};
}

function add(parent, name, kind, nanos) {
  const child = parent.children.get(name) ?? node(name, kind, parent);
  parent.children.set(name, child);
  child.nanos += nanos;
  return child;
}

/** Class, method and line of a frame as it is printed. */
function nameOf(frame) {
  const open = frame.indexOf("(");
  const method = (open < 0 ? frame : frame.substring(0, open)).replace(/^.*\//, "");
  const line = /:(\d+)\)$/.exec(frame);
  return method + (line === null ? "" : ":" + line[1]);
}

/** The end of a name says more than its packages. */
function fit(name, room) {
  if (name.length <= room) {
    return name;
  }
  const shorter = name.split(".").slice(-2).join(".");
  return shorter.length <= room ? shorter : shorter.substring(0, room - 1) + "…";
}

function ancestors(frame) {
  return frame.parent === null ? [] : [...ancestors(frame.parent), frame.parent];
}

function pathOf(frame) {
  return [...ancestors(frame), frame].slice(1).map(each => each.name);
}

function follow(root, path) {
  return path.reduce((at, name) => at?.children.get(name), root) ?? null;
}

function matched(frame, wanted) {
  return frame.parent !== null && frame.name.toLowerCase().includes(wanted) ? frame.nanos
    : [...frame.children.values()].reduce((sum, child) => sum + matched(child, wanted), 0);
}

function hash(text) {
  let hash = 7;
  for (let i = 0; i < text.length; i++) {
    hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  }
  return hash;
}
