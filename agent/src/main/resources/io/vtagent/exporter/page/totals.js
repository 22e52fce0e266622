import {el, byId} from "./dom.js";
import {basis, carriers, count, duration, held, ofScheduler, percent} from "./format.js";
import {label} from "./kinds.js";

/** By kind, of the chosen period; of all the time also by reason. And what an upgrade would change. */
export function showTotals(report, sites, period) {
  const all = period.isAll;
  const totals = all ? report.totals : ofSites(sites);
  const heldNanos = totals.reduce((sum, total) => sum + total.heldNanos, 0);
  const [from, to] = period.slicesFromTo;
  const nanos = all ? report.uptimeNanos : (to - from) * 1e9;
  const rows = totals.map(total => el("tr", {},
    el("td", {}, label(total.kind)),
    all ? el("td", {}, total.reason + (total.compensated ? ", compensated" : "")) : null,
    el("td", {class: "n"}, count(total.count)),
    el("td", {class: "n", title: basis(total)}, held(total)),
    all ? el("td", {class: "n"}, duration(total.longestNanos)) : null));
  byId("totals").replaceChildren(
    el("p", {}, `${all ? "Since the agent's start" : "In the chosen period"}: ${duration(heldNanos)}, ${carriers(nanos > 0 ? heldNanos / nanos : 0)} carriers on average${all ? ", " + ofScheduler(report.lostShare) : ""}.`),
    rows.length === 0 ? "" : el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table of totals"}, el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "Kind"), all ? el("th", {}, "Reason") : null, el("th", {class: "n"}, "Pins"),
        el("th", {class: "n"}, "Held"), all ? el("th", {class: "n"}, "Longest") : null)),
      el("tbody", {}, ...rows))),
    forecast(report, sites));
}

function ofSites(sites) {
  const totals = new Map();
  for (const site of sites) {
    const total = totals.get(site.kind) ?? {kind: site.kind, count: 0, heldNanos: 0};
    total.count += site.shown.count;
    total.heldNanos += site.shown.heldNanos;
    totals.set(site.kind, total);
  }
  return [...totals.values()].filter(total => total.heldNanos > 0).sort((a, b) => b.heldNanos - a.heldNanos);
}

function forecast({monitorsPin}, sites) {
  const sum = what => sites.filter(site => site.withoutMonitorPins === what).reduce((nanos, site) => nanos + site.shown.heldNanos, 0);
  const [goes, stays, unknown] = [sum("goes"), sum("stays"), sum("unknown")];
  const all = goes + stays + unknown;
  if (!monitorsPin || all === 0) {
    return "";
  }
  return el("p", {}, `On JDK 24 and later ${percent(goes / all)} of it (${duration(goes)}) would go away, `
    + `${duration(stays)} would stay` + (unknown > 0 ? `; for ${duration(unknown)} it is not known (no stack).` : "."));
}
