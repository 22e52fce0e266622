import {copyButton, el} from "./dom.js";
import {duration, pins} from "./format.js";
import {copyTraceButton} from "./frame.js";
import {label} from "./kinds.js";

const ON_UPGRADE = {
  goes: "On JDK 24 and later it would go away: only a monitor or selector holds the carrier.",
  stays: "On JDK 24 and later it would stay: something other than a monitor or selector holds the carrier.",
  unknown: "Whether it would go away on JDK 24 and later is not known, because there is no stack.",
};

const MARKS = {
  monitor: "monitor",
  native: "native frame",
  class_init: "class initializer",
  class_loader: "class loader",
};

/**
 * All that is known of a site: figures, advice, what an upgrade would change, `chart` of how long its pins lasted, its stack with the
 * frames that hold monitors. The chart is null if it stands elsewhere.
 */
export function siteDetails(site, chart) {
  return el("div", {class: "detail"},
    el("p", {}, label(site.kind), ` blocked in ${site.operation}: ${figures(site)} `, copyButton("Copy as text", () => asText(site, chart)), " ",
      hasStack(site) ? copyTraceButton(() => message(site), site.stack) : null),
    ...[site.advice, below(site), ON_UPGRADE[site.withoutMonitorPins]].filter(text => text !== undefined).map(text => el("p", {}, text)),
    chart === null ? null : chart.element,
    !hasStack(site)
      ? el("p", {class: "says"}, site.cause === undefined ? "There is no stack: these pins belong to many sites, or were too short." : "The stack is being loaded.")
      : el("pre", {tabindex: "0", "aria-label": "Stack"}, ...site.stack.flatMap((frame, index) => line(site, frame, index))));
}

function hasStack({stack}) {
  return stack !== undefined && stack.length > 0;
}

function figures(site) {
  const inProgress = site.inProgress === undefined ? "" : `, ${duration(site.inProgress.heldNanos)} of it by ${pins(site.inProgress.count)} in progress`;
  const longest = site.longestNanos > 0 ? `, longest ${duration(site.longestNanos)}` : "";
  return `${pins(site.count)}, ${duration(site.heldNanos)}${inProgress}${longest}, since the agent's start.`;
}

function below({nativeFrame}) {
  return nativeFrame === undefined ? undefined
    : `Also above ${nativeFrame}, a native frame, class initializer or class loader, which would hold the carrier by itself, too.`;
}

function line(site, frame, index) {
  const text = "at " + frame + mark(site, index);
  return [mark(site, index) === "" ? text : el("mark", {}, text), "\n"];
}

/** What a frame holds. */
function mark(site, index) {
  const held = (site.monitors ?? []).find(monitors => monitors.frame === index);
  if (held !== undefined) {
    return `  <== monitor: ${held.classes}` + (held.keptByWait === undefined ? "" : `; the wait keeps ${held.keptByWait}`);
  }
  if (index !== site.holderIndex || MARKS[site.cause] === undefined) {
    return "";
  }
  return `  <== ${MARKS[site.cause]}` + (site.cause === "monitor" && site.monitor !== undefined ? `: ${site.monitor}` : "");
}

function message(site) {
  return `pinned at ${site.caller}` + (site.caller === site.site ? "" : `, in ${site.site}`)
    + `: ${site.kind}, blocked in ${site.operation}: ${figures(site)}`;
}

/** For a ticket. */
function asText(site, chart) {
  return [
    `Virtual threads hold their carriers at ${site.caller}` + (site.caller === site.site ? "" : `, in ${site.site}`),
    `${site.kind}, blocked in ${site.operation}: ${figures(site)}`,
    site.advice,
    below(site),
    ON_UPGRADE[site.withoutMonitorPins],
    chart?.text || undefined,
    ...(site.stack ?? []).map((frame, index) => `\tat ${frame}${mark(site, index)}`),
  ].filter(text => text !== undefined).join("\n") + "\n";
}
