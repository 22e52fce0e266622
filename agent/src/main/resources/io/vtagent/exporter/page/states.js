import {el} from "./dom.js";
import {carriers, percent} from "./format.js";

/** What a carrier can do; in the order in which they are stacked. */
export const STATES = ["held", "running", "runnable", "idle"];

const MEANING = {
  held: "a virtual thread is mounted and blocked",
  running: "on a CPU",
  runnable: "waiting for a CPU, because of other threads or a quota",
  idle: "without work",
};

const SECONDS = 10;

/** One bar of four parts: what the carriers did in the last seconds. */
export function statesBar(period) {
  const from = Math.max(period.first, period.next - SECONDS);
  const means = STATES.map(state => period.meanTime(state, from, period.next));
  const all = means.reduce((sum, mean) => sum + mean, 0);
  if (all < 0.005) {
    return "";
  }
  const shares = STATES.map((state, index) => `${state} ${percent(means[index] / all)}`);
  return el("div", {class: "states"},
    el("div", {class: "bar", role: "img", "aria-label": `The carriers in the last ${SECONDS} seconds: ${shares.join(", ")}`},
      ...STATES.map((state, index) => part(state, means[index], all))),
    el("p", {class: "says"}, `The ${carriers(all)} carriers in the last ${SECONDS} seconds: `,
      ...STATES.flatMap((state, index) => [stateLabel(state), ` ${percent(means[index] / all)} `])));
}

function part(state, mean, all) {
  const element = el("span", {class: "part", title: `${state}: ${MEANING[state]}`});
  element.style.width = 100 * mean / all + "%";
  element.style.background = `var(--${state})`;
  return element;
}

function stateLabel(state) {
  const square = el("span", {class: "square"});
  square.style.background = `var(--${state})`;
  return el("span", {class: "kind", title: MEANING[state]}, square, state);
}
