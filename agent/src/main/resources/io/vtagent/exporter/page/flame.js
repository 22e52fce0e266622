import {byId, el, setText} from "./dom.js";
import {duration, percent} from "./format.js";
import {lineOf} from "./frame.js";

const ROW = 18;
const CHARACTER = 6.7;
const NARROWEST = 0.4;

/** Stacks as wide as their time, the outermost frame on top, by kind. A look says what the frames look like, and what is said of them. */
export class Flame {
  constructor(address) {
    this.address = address;
    this.path = address.all("frame");
    this.search = el("input", {type: "search", id: "flame-search", placeholder: "part of a name", value: address.get("mark"), oninput: () => {
      address.set("mark", this.search.value);
      this.draw();
    }});
    this.canvas = el("canvas", {tabindex: "0", role: "img", "aria-label": "Flame graph: the arrow keys go from frame to frame, Enter enlarges one, Escape shows all",
      onclick: event => this.zoom(this.at(event)), onmousemove: event => this.point(this.at(event)), onkeydown: event => this.key(event)});
    this.tip = el("p", {class: "tip code", "aria-live": "polite"});
    this.found = el("span", {"aria-live": "polite"});
    byId("flame").replaceChildren(
      el("div", {class: "row"}, el("label", {for: "flame-search"}, "Mark"), this.search, this.found,
        el("button", {type: "button", onclick: () => this.zoom(this.root)}, "Show all"), el("span", {id: "flame-legend"})),
      this.tip, this.canvas);
    this.look = new HeldLook();
    this.root = node("all", null, null);
    this.top = this.root;
    this.pointed = null;
    this.width = 0;
    new ResizeObserver(() => requestAnimationFrame(() => this.resized())).observe(byId("flame"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** `sites` with their stacks and what they held in the chosen period. */
  show(sites) {
    this.lookLike(new HeldLook(), sites.map(site => ({kind: site.kind, frames: framesOf(site, lineOf), nanos: site.shown.heldNanos})));
  }

  /** `stacks` have a kind, their frames, the outermost first, and `nanos`, as which they are wide; `old` and `new` where two are compared. */
  lookLike(look, stacks) {
    const pointed = this.pointed === null ? null : pathOf(this.pointed);
    this.look = look;
    this.root = node("all", null, null);
    for (const stack of stacks.filter(each => each.nanos > 0)) {
      let at = grow(this.root, stack);
      [stack.kind, ...stack.frames].forEach(frame => at = grow(child(at, frame, stack.kind), stack));
    }
    setText(byId("flame-says"), look.says);
    byId("flame-legend").replaceChildren(...look.legend);
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
    const theme = new Proxy({}, {get: (known, name) => known[name] ??= style.getPropertyValue("--" + name).trim()});
    const wanted = this.search.value.toLowerCase();
    for (const box of this.boxes) {
      this.drawBox(ink, box, wanted, theme, box.row < above.length);
    }
    this.tell(wanted);
  }

  drawBox(ink, {frame, x, width, row}, wanted, theme, above) {
    const marked = wanted !== "" && frame.name.toLowerCase().includes(wanted);
    const {colour, alpha} = this.look.paint(frame, theme);
    ink.fillStyle = theme.ground;
    ink.fillRect(x, row * ROW, width, ROW);
    ink.globalAlpha = marked ? 1 : above ? 0.2 : alpha;
    ink.fillStyle = marked ? theme.mark : colour;
    ink.fillRect(x, row * ROW, Math.max(width - 0.5, 0.5), ROW - 1);
    ink.globalAlpha = 1;
    ink.fillStyle = theme.text;
    if (frame === this.pointed) {
      ink.strokeStyle = theme.text;
      ink.strokeRect(x + 0.5, row * ROW + 0.5, Math.max(width - 1.5, 1), ROW - 2);
    }
    const room = Math.floor((width - 6) / CHARACTER);
    const text = room > 3 ? this.look.label(frame, room) : room > 0 ? this.look.sign(frame) : "";
    if (text !== "") {
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

  /** What lies in frames that are marked. */
  tell(wanted) {
    const marked = node("marked", null, null);
    if (wanted !== "") {
      matched(this.root, wanted).forEach(frame => grow(marked, frame));
    }
    setText(this.found, wanted === "" ? "" : this.look.below(marked, this.root));
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
        : `${this.look.name(frame)}  ${frame.kind === frame.name ? "" : "(" + frame.kind + ") "}${this.look.figures(frame, this.root)}`);
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

/** Frames in the colours of their kinds. */
class HeldLook {
  says = "The stacks of the sites. The width of a frame is the time for which it held carriers; click on a frame to enlarge it.";
  legend = [];

  /** Frames of a kind differ a little, so that neighbours can be told apart. */
  paint({name, kind}, theme) {
    return kind === null ? {colour: theme.raised, alpha: 1} : {colour: theme[kind], alpha: 0.3 + 0.2 * (hash(name) % 3) / 2};
  }

  label(frame, room) {
    return frame.parent === null ? `all, ${duration(frame.nanos)}` : fit(frame.name, room);
  }

  /** What there is room for in a narrow frame. */
  sign() {
    return "";
  }

  name(frame) {
    return frame.name;
  }

  figures(frame, root) {
    return `${duration(frame.nanos)}, ${percent(frame.nanos / root.nanos)}`;
  }

  below(marked, root) {
    return `${percent(root.nanos > 0 ? marked.nanos / root.nanos : 0)} of the held time is below it`;
  }
}

/** The frames of a site, the outermost first, by the names that `nameOf` gives them. */
export function framesOf(site, nameOf) {
  return (site.stack ?? []).length === 0 ? [site.site] : site.stack.map(nameOf).reverse();
}

function node(name, kind, parent) {
  return {name, kind, parent, nanos: 0, old: 0, new: 0, children: new Map()};
}

function child(parent, name, kind) {
  const known = parent.children.get(name) ?? node(name, kind, parent);
  parent.children.set(name, known);
  return known;
}

function grow(frame, more) {
  frame.nanos += more.nanos;
  frame.old += more.old ?? 0;
  frame.new += more.new ?? 0;
  return frame;
}

/** The end of a name says more than its packages. */
export function fit(name, room) {
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

/** The outermost frames that are marked. */
function matched(frame, wanted) {
  return frame.parent !== null && frame.name.toLowerCase().includes(wanted) ? [frame]
    : [...frame.children.values()].flatMap(child => matched(child, wanted));
}

function hash(text) {
  let hash = 7;
  for (let i = 0; i < text.length; i++) {
    hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  }
  return hash;
}
