import {byId, el} from "./dom.js";
import {count, duration, percent} from "./format.js";
import {busyKeyOf} from "./period.js";

const MOST_SITES = 20;
const ADVICE = "Virtual threads share no time slices, so code that computes keeps its carrier from all others: run it on a bounded pool of "
  + "platform threads, call Thread.yield() every so often, or let fewer threads compute at a time.";

/** The keys of those whose stacks are shown, which the table is made anew around. */
const open = new Set();

/**
 * What computes on carriers without unmounting, with the `figures` of the chosen period by key, or null for all the time, which was
 * `nanos` long; nothing where nothing has ever computed.
 */
export function showBusy(report, figures, nanos) {
  const known = report.busy ?? [];
  byId("busy-section").hidden = known.length === 0;
  if (known.length === 0) {
    return;
  }
  const shown = site => figures === null ? {count: site.count, nanos: site.busyNanos} : ofPeriod(figures.get(busyKeyOf(site)));
  const sites = known.map(site => ({...site, shown: shown(site)}))
    .filter(site => site.shown.nanos > 0)
    .sort((a, b) => b.shown.nanos - a.shown.nanos);
  if (sites.length === 0) {
    byId("busy").replaceChildren(el("p", {class: "says"}, "Nothing computed for long in this period."));
    return;
  }
  const all = report.scheduler.parallelism * nanos;
  const rows = sites.slice(0, MOST_SITES).map(site => el("tr", {},
    el("td", {class: "code"}, site.caller, site.caller === site.site ? null : el("span", {class: "in"}, "in " + site.site), stack(site)),
    el("td", {class: "n"}, count(site.shown.count)),
    el("td", {class: "n"}, "~" + duration(site.shown.nanos)),
    el("td", {class: "n"}, all > 0 ? percent(site.shown.nanos / all) : "?"),
    el("td", {class: "n wide"}, duration(site.longestNanos))));
  const more = sites.length - rows.length;
  byId("busy").replaceChildren(
    el("p", {}, ADVICE),
    el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table of what computes"}, el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "Code"), el("th", {class: "n"}, "Spells"), el("th", {class: "n"}, "Busy"),
        el("th", {class: "n"}, "Of the scheduler"), el("th", {class: "n wide"}, "Longest"))),
      el("tbody", {}, ...rows))),
    ...(more > 0 ? [el("p", {class: "says"}, `and ${count(more)} more`)] : []));
}

function ofPeriod(sum) {
  return sum === undefined ? {count: 0, nanos: 0} : {count: sum.count, nanos: sum.heldNanos};
}

function keep(key, isOpen) {
  if (isOpen) {
    open.add(key);
  } else {
    open.delete(key);
  }
}

function stack(site) {
  const key = busyKeyOf(site);
  return site.stack === undefined ? null
    : el("details", {open: open.has(key), ontoggle: event => keep(key, event.target.open)}, el("summary", {}, "Stack"),
      el("pre", {tabindex: "0", "aria-label": "Stack"}, site.stack.map(frame => "at " + frame).join("\n")));
}
