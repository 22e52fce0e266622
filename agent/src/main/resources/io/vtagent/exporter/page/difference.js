import {el} from "./dom.js";
import {fit, framesOf} from "./flame.js";
import {growth, growthShare, rate} from "./format.js";
import {lineOf, methodOf} from "./frame.js";

/** A smaller part of a frame's time is no change. */
const LEAST_CHANGE = 0.01;

/** The stacks of a comparison for a flame graph: as wide as the longer of the two times of each site, so that what is gone has its place, too. */
export function stacksOf({sites, sameCode}) {
  const nameOf = sameCode ? lineOf : methodOf; // another build has the same methods on other lines
  return sites.map(site => {
    const [before, after] = [site.old?.heldNanosPer ?? 0, site.new?.heldNanosPer ?? 0];
    return {kind: site.kind, frames: framesOf(stackOf(site), nameOf), nanos: Math.max(before, after), old: before, new: after};
  });
}

/** The newest stack, for both times, so that the frames of a site that moved are the same ones. */
function stackOf({newest, oldest}) {
  return (newest.stack ?? []).length > 0 ? newest : oldest;
}

/** Frames that grew are red, those that shrank blue, the others grey; their names have the sign as well. */
export class DifferenceLook {
  constructor({per, sameCode}) {
    this.per = per;
    this.says = "Frames that held carriers for longer in the new run are red and marked +; those that held them for less long are blue and marked −. "
      + `The width of a frame is the longer of both times per ${per} of the sites below it. ${sameCode ? "" : "Frames have no line numbers, because these differ between builds. "}Click on a frame to enlarge it.`;
    this.legend = [["grew", "+ grew"], ["shrank", "− shrank"], ["same", "unchanged"]].map(([name, text]) => {
      const square = el("span", {class: "square"});
      square.style.background = `var(--${name})`;
      return el("span", {class: "kind"}, square, text + " ");
    });
  }

  paint(frame, theme) {
    const change = changeOf(frame);
    return change === 0 ? {colour: theme.same, alpha: 0.35}
      : {colour: change > 0 ? theme.grew : theme.shrank, alpha: 0.2 + 0.35 * Math.abs(change)};
  }

  sign(frame) {
    const change = changeOf(frame);
    return change > 0 ? "+" : change < 0 ? "−" : "";
  }

  label(frame, room) {
    return frame.parent === null ? `all, ${growth(frame.new - frame.old)} per ${this.per}` : `${this.sign(frame)} ${fit(frame.name, room - 2)}`.trim();
  }

  name(frame) {
    return `${this.sign(frame)} ${frame.name}`.trim();
  }

  figures(frame) {
    const share = growthShare(frame.new - frame.old, frame.old);
    return `${growth(frame.new - frame.old)} per ${this.per}${share === "" ? "" : ` (${share})`}: ${rate(frame.old)} in the old, ${rate(frame.new)} in the new`;
  }

  below(marked) {
    return `${this.figures(marked)}, below it`;
  }
}

/** From −1, all gone, to 1, all new. */
function changeOf(frame) {
  const most = Math.max(frame.old, frame.new);
  const change = most > 0 ? (frame.new - frame.old) / most : 0;
  return Math.abs(change) < LEAST_CHANGE ? 0 : change;
}
