import {svg, el} from "./dom.js";

/** What a thread can do while it holds its carrier; in the order in which they are stacked. */
export const KINDS = ["park", "wait", "enter", "io", "class_init", "native", "jvm"];

const MEANING = {
  park: "parked (sleep, socket, lock, queue) while a monitor or a native frame kept it on its carrier",
  wait: "in Object.wait",
  enter: "waited to enter a contended monitor",
  io: "in file I/O or a name lookup, during which it cannot unmount",
  class_init: "waited for another thread to initialize a class",
  native: "blocked inside native code",
  jvm: "blocked inside the JVM itself",
};

export function colour(kind) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + kind).trim();
}

/** The name of a kind with its colour. */
export function label(kind) {
  const square = svg("svg", {viewBox: "0 0 1 1", "aria-hidden": "true"}, svg("rect", {width: "1", height: "1", fill: `var(--${kind})`}));
  return el("span", {class: "kind", title: MEANING[kind]}, square, kind);
}
