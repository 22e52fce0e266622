import {byId, el} from "./dom.js";
import {count, duration, percent} from "./format.js";

const MOST_SITES = 20;
const ADVICE = "Virtual threads share no time slices, so code that computes keeps its carrier from all others: run it on a bounded pool of "
  + "platform threads, call Thread.yield() every so often, or let fewer threads compute at a time.";

/** What computes on carriers without unmounting, of all the time; nothing where nothing does. */
export function showBusy(report) {
  const sites = report.busy ?? [];
  byId("busy-section").hidden = sites.length === 0;
  if (sites.length === 0) {
    return;
  }
  const all = report.scheduler.parallelism * report.uptimeNanos;
  const rows = sites.slice(0, MOST_SITES).map(site => el("tr", {},
    el("td", {class: "code"}, site.caller, site.caller === site.site ? null : el("span", {class: "in"}, "in " + site.site), stack(site)),
    el("td", {class: "n"}, count(site.count)),
    el("td", {class: "n"}, "~" + duration(site.busyNanos)),
    el("td", {class: "n"}, all > 0 ? percent(site.busyNanos / all) : "?"),
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

function stack(site) {
  return site.stack === undefined ? null
    : el("details", {}, el("summary", {}, "Stack"), el("pre", {tabindex: "0", "aria-label": "Stack"}, site.stack.map(frame => "at " + frame).join("\n")));
}
