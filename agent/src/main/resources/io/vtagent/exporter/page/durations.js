import {el} from "./dom.js";
import {basis, count, percent, pins} from "./format.js";

/**
 * How the durations of a site's pins are distributed, in one period or run, or in two: a bar for each range of durations from the
 * shortest to the longest, as long as its share of the pins.
 */
export class DurationChart {
  constructor() {
    this.element = el("figure", {class: "durations", hidden: true});
    this.text = "";
    this.drawn = "";
  }

  /**
   * Shows `series`, each of which has a name, a colour and the number of pins in each bucket of `boundsNanos`; one without pins is left
   * out. `when` says when the pins ended. Where figures of `site` are estimated, the durations are, too.
   */
  show(boundsNanos, series, when, site) {
    const drawn = JSON.stringify([series, when, site.estimated]);
    if (drawn === this.drawn) {
      return; // a selection stays
    }
    this.drawn = drawn;
    const shown = series.map(one => ({...one, sum: one.durations.reduce((sum, next) => sum + next, 0)})).filter(({sum}) => sum > 0);
    this.element.hidden = shown.length === 0;
    if (shown.length === 0) {
      this.text = "";
      return;
    }
    const ranges = [...boundsNanos, Infinity].map((_, bucket) => rangeOf(boundsNanos, bucket, site.estimated ? "~" : ""));
    const filled = ranges.map((_, bucket) => bucket).filter(bucket => shown.some(({durations}) => durations[bucket] > 0));
    const inOne = filled.length === 1;
    this.text = inOne ? sentence(shown, ranges[filled[0]], when) : lines(shown, ranges, when);
    this.element.replaceChildren(
      el("figcaption", {title: basis(site)}, ...inOne ? [this.text] : caption(shown, when, site)),
      inOne ? "" : bars(shown, ranges, filled[0], filled[filled.length - 1]));
  }
}

/** The durations of a bucket, with `mark` before the first. */
function rangeOf(boundsNanos, bucket, mark) {
  const [from, fromUnit] = bucket === 0 ? [] : inUnit(boundsNanos[bucket - 1]);
  if (bucket === boundsNanos.length) {
    return `≥ ${mark}${from} ${fromUnit}`;
  }
  const [to, unit] = inUnit(boundsNanos[bucket]);
  return bucket === 0 ? `< ${mark}${to} ${unit}` : `${mark}${from}${fromUnit === unit ? "" : " " + fromUnit}–${to} ${unit}`;
}

function inUnit(nanos) {
  return nanos >= 1e9 ? [nanos / 1e9, "s"] : nanos >= 1e6 ? [nanos / 1e6, "ms"] : [nanos / 1e3, "µs"];
}

/** There is nothing to draw where all are in one bucket. */
function sentence(shown, range, when) {
  const all = shown.reduce((sum, one) => sum + one.sum, 0);
  const which = shown.map(({name, sum}) => `${count(sum)} ${name.toLowerCase()}`.trim()).join(" and ");
  return `${all === 1 ? "The one pin" : `All ${which} pins`} that ended ${when} lasted ${range}.`;
}

/** A line for each of the series. */
function lines(shown, ranges, when) {
  return shown.map(({name, durations}) => `${name} durations of the pins that ended ${when}: `.trim()
    + durations.map((number, bucket) => number > 0 ? ` ${count(number)} of ${ranges[bucket]}` : "").filter(text => text !== "").join(",")).join("\n");
}

function caption(shown, when, {estimated}) {
  const mark = estimated ? ", ~ estimated" : "";
  return shown.some(({name}) => name !== "")
    ? [`Durations of the pins that ended ${when}${mark}: `,
      ...shown.map(({name, colour, sum}) => el("span", {class: "kind"}, painted("square", colour), `${name}, ${pins(sum)} `))]
    : [`Durations of the ${pins(shown[0].sum)} that ended ${when}${mark}`];
}

function bars(shown, ranges, first, last) {
  const most = Math.max(...shown.flatMap(({durations, sum}) => durations.map(number => number / sum)));
  const rows = [];
  for (let bucket = first; bucket <= last; bucket++) {
    rows.push(el("li", {}, el("span", {class: "range"}, ranges[bucket]), " ",
      el("span", {}, ...shown.map(one => bar(one, one.durations[bucket] ?? 0, most)))));
  }
  return el("ol", {role: "list"}, ...rows);
}

function bar({name, colour, sum}, number, most) {
  const share = number / sum;
  const fill = painted("fill", colour);
  fill.style.width = `calc((100% - ${name === "" ? 8 : 10}rem) * ${share / most})`; // what follows has room beside the longest
  const text = `${name.toLowerCase()} ${count(number)}`.trim();
  return number === 0 ? el("span", {class: "bar says"}, text) : el("span", {class: "bar"}, fill, `${text} (${percent(share)})`);
}

function painted(name, colour) {
  const element = el("span", {class: name});
  element.style.background = `var(--${colour})`;
  return element;
}
