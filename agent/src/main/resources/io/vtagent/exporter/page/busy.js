import {byId, el} from "./dom.js";
import {count, duration, percent} from "./format.js";
import {copyTraceButton} from "./frame.js";
import {busyKeyOf} from "./period.js";

const MOST_SITES = 20;
const LONG_NANOS = 100e6;
const MIN_SPELLS = 3;
const ADVICE = "Virtual threads share no time slices, so code that computes keeps its carrier from all others: run it on a bounded pool of "
  + "platform threads, call Thread.yield() every so often, or let fewer threads compute at a time.";

/** What is shown of each stack, by key. It stays as it is when the table is made anew around it. */
const stacks = new Map();

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
  const shown = site => figures === null ? site : figures.get(busyKeyOf(site)) ?? {count: 0, busyNanos: 0};
  const sites = known.map(site => ({...site, shown: shown(site)}))
    .filter(site => site.shown.busyNanos > 0)
    .sort((a, b) => b.shown.busyNanos - a.shown.busyNanos);
  if (sites.length === 0) {
    byId("busy").replaceChildren(el("p", {class: "says"}, "No code computed for long in this period."));
    return;
  }
  const all = report.scheduler.parallelism * nanos;
  const rows = sites.filter(site => !isRare(site)).slice(0, MOST_SITES).map(site => el("tr", {},
    codeCell(site),
    el("td", {class: "n"}, count(site.shown.count)),
    el("td", {class: "n"}, "~" + duration(site.shown.busyNanos)),
    el("td", {class: "n"}, all > 0 ? percent(site.shown.busyNanos / all) : "?"),
    el("td", {class: "n wide"}, duration(site.longestNanos))));
  const more = sites.length - rows.length;
  if (rows.length === 0) {
    const spells = sites.reduce((sum, site) => sum + site.shown.count, 0);
    byId("busy").replaceChildren(...(spells < MIN_SPELLS ? [] : [el("p", {}, ADVICE)]),
      el("p", {class: "says"}, `${count(more)} ${more === 1 ? "site" : "sites"}, each seen too rarely.`));
    return;
  }
  byId("busy").replaceChildren(
    el("p", {}, ADVICE),
    el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table of busy code"}, el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "Code"), el("th", {class: "n"}, "Spells"), el("th", {class: "n"}, "Busy"),
        el("th", {class: "n"}, "Of the scheduler"), el("th", {class: "n wide"}, "Longest"))),
      el("tbody", {}, ...rows))),
    ...(more > 0 ? [el("p", {class: "says"}, `and ${count(more)} more`)] : []));
}

/** Whether too few spells have been sampled since the start for an estimate of their time. */
function isRare(site) {
  return site.count < MIN_SPELLS && site.longestNanos < LONG_NANOS;
}

/** The place that computed, as the report has it, with its stack. */
export function codeCell(site) {
  return el("td", {class: "code"}, site.caller, site.caller === site.site ? null : el("span", {class: "in"}, "in " + site.site), stackOf(site));
}

function stackOf(site) {
  if (site.stack === undefined) {
    return null;
  }
  const key = busyKeyOf(site);
  if (!stacks.has(key)) {
    const shown = {site};
    shown.element = el("details", {}, el("summary", {}, "Stack"), copyTraceButton(() => message(shown.site), site.stack),
      el("pre", {tabindex: "0", "aria-label": "Stack"}, site.stack.map(frame => "at " + frame).join("\n")));
    stacks.set(key, shown);
  }
  stacks.get(key).site = site;
  return stacks.get(key).element;
}

function message(site) {
  return `computed at ${site.caller}` + (site.caller === site.site ? "" : `, in ${site.site}`)
    + `: ~${duration(site.busyNanos)}, seen in ${count(site.count)} ${site.count === 1 ? "spell" : "spells"}, longest ${duration(site.longestNanos)}, since the agent's start.`;
}
