import {el, byId} from "./dom.js";
import {count, duration, percent} from "./format.js";
import {label} from "./kinds.js";

/** By kind and reason, of all the time; and what an upgrade would change. */
export function showTotals(report) {
  const rows = report.totals.map(total => el("tr", {},
    el("td", {}, label(total.kind)),
    el("td", {}, total.reason + (total.compensated ? ", compensated" : "")),
    el("td", {class: "n"}, count(total.count)),
    el("td", {class: "n"}, duration(total.heldNanos)),
    el("td", {class: "n"}, duration(total.longestNanos))));
  byId("totals").replaceChildren(
    el("p", {}, `Since the agent began: ${duration(report.heldNanos)}, ${percent(report.heldShare)} of the scheduler.`),
    rows.length === 0 ? "" : el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Totals"}, el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "Kind"), el("th", {}, "Reason"), el("th", {class: "n"}, "Pins"),
        el("th", {class: "n"}, "Held"), el("th", {class: "n"}, "Longest"))),
      el("tbody", {}, ...rows))),
    forecast(report));
}

function forecast({withoutMonitorPins, heldNanos}) {
  if (withoutMonitorPins === undefined || heldNanos === 0) {
    return "";
  }
  const {goesNanos, staysNanos, unknownNanos} = withoutMonitorPins;
  const all = goesNanos + staysNanos + unknownNanos;
  return el("p", {}, `On JDK 24 and later ${percent(all > 0 ? goesNanos / all : 0)} of it (${duration(goesNanos)}) would go away with the `
    + `monitors, ${duration(staysNanos)} would stay` + (unknownNanos > 0 ? `; of ${duration(unknownNanos)} it is not known (no stack).` : "."));
}
