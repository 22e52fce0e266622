import {codeCell} from "./busy.js";
import {byId, el, setText} from "./dom.js";
import {count, duration, growth, growthShare, percent, pins, rate} from "./format.js";
import {busyKeyOf, keyOf} from "./period.js";
import {siteDetails} from "./site.js";
import {CODE_AND_KIND, NOTABLE_PART} from "./sites.js";

const NANOS_PER_SECOND = 1e9;
const LINE = /:(\d+|\?)$/;

/**
 * Two periods of the same run, as `diff --json` has two reports. Each has its length as `nanos`, and what there was of each site as
 * `figures`, and of code that computed as `busyFigures`, by key; or null for all the time.
 */
export function ofPeriods({sites, busy, scheduler, durationBoundsNanos}, before, after) {
  const rows = pairs(sites, before, after, sideOf).map(({site, ...pair}) => ({
    caller: site.caller, site: site.site, operation: site.operation, kind: site.kind, key: keyOf(site), ...pair,
    growthNanosPer: grown(pair, "heldNanosPer"), waitingGrowthNanosPer: grown(pair, "waitingNanosPer"),
    newest: site, oldest: site, stack: site.stack,
  }));
  const busyRows = pairs(busy ?? [], before, after, busySideOf).map(({site, ...pair}) => ({
    caller: site.caller, site: site.site, ...pair, growthNanosPer: grown(pair, "busyNanosPer"), newest: site,
  }));
  const [old, newer] = [["old", before], ["new", after]].map(([name, period]) => {
    const sum = what => rows.reduce((all, row) => all + (row[name]?.[what] ?? 0), 0);
    return {uptimeNanos: period.nanos, parallelism: scheduler.parallelism, count: sum("count"), heldNanos: sum("heldNanos"), heldNanosPer: sum("heldNanosPer")};
  });
  return {per: "second", sameCode: true, durationBoundsNanos, old, new: newer, growthNanosPer: newer.heldNanosPer - old.heldNanosPer, sites: rows,
    busy: busyRows.sort((a, b) => b.growthNanosPer - a.growthNanosPer)};
}

/** The sites that are in one of the periods, with what `sideOf` finds in each. */
function pairs(sites, before, after, sideOf) {
  return sites.map(site => ({site, old: sideOf(before, site), new: sideOf(after, site)}))
    .filter(pair => pair.old !== undefined || pair.new !== undefined)
    .map(pair => ({...pair, status: pair.old === undefined ? "new" : pair.new === undefined ? "gone" : "same"}));
}

function sideOf({nanos, figures}, site) {
  const shown = figures === null ? site : figures.get(keyOf(site));
  return shown === undefined || shown.heldNanos === 0 ? undefined
    : {count: shown.count, heldNanos: shown.heldNanos, durations: shown.durations,
      heldNanosPer: perSecond(shown.heldNanos, nanos), waitingNanosPer: perSecond(shown.waitingNanos, nanos)};
}

function busySideOf({nanos, busyFigures}, site) {
  const shown = busyFigures === null ? site : busyFigures.get(busyKeyOf(site));
  return shown === undefined || shown.busyNanos === 0 ? undefined
    : {count: shown.count, busyNanos: shown.busyNanos, busyNanosPer: perSecond(shown.busyNanos, nanos)};
}

function perSecond(part, nanos) {
  return nanos > 0 ? part * NANOS_PER_SECOND / nanos : 0;
}

function grown({old, new: newer}, what) {
  return (newer?.[what] ?? 0) - (old?.[what] ?? 0);
}

/** Two reports, `comparison` as `diff --json` has it. */
export function ofReports(comparison, oldReport, newReport) {
  const [before, after] = [oldReport, newReport].map(report => new Map(report.sites.map(site => [keyOf(site), site])));
  for (const row of comparison.sites) {
    row.oldest = before.get(keyOf({...row, ...names(row.old)}));
    row.newest = after.get(keyOf({...row, ...names(row.new)}));
    [[row.old, row.oldest], [row.new, row.newest]].filter(([side]) => side !== undefined).forEach(([side, site]) => side.durations = site.durations);
    row.newest ??= row.oldest;
    row.oldest ??= row.newest;
    row.key = keyOf(row);
  }
  const busy = new Map([oldReport, newReport].flatMap(report => report.busy ?? []).map(site => [busyKeyOf(site), site]));
  comparison.busy.forEach(row => row.newest = busy.get(busyKeyOf(row)));
  const [old, newer] = [[comparison.old, oldReport], [comparison.new, newReport]].map(([run, {scheduler}]) => ({...run, parallelism: scheduler.parallelism}));
  return {...comparison, sameCode: false, durationBoundsNanos: newReport.durationBoundsNanos, old, new: newer};
}

/** What tells a site from others of its operation and kind, where the report has it. */
function names(side) {
  return side === undefined ? {} : {caller: side.caller, site: side.site};
}

/** How much longer carriers were held in all. */
export function summaryOf({per, old, new: newer, growthNanosPer}) {
  const share = growthShare(growthNanosPer, old.heldNanosPer);
  return `Carrier time held per ${per}: ${rate(old.heldNanosPer)} in the old, ${rate(newer.heldNanosPer)} in the new: `
    + `${growth(growthNanosPer)}${share === "" ? "" : ` (${share})`}.`;
}

/** The sites of a comparison. */
export class ComparedView {
  first = "Growth";
  further = [];
  seldom = "";

  constructor(comparison) {
    this.comparison = comparison;
    this.columns = [
      ...CODE_AND_KIND,
      {name: "Growth", sort: site => site.growthNanosPer, number: true, show: site => growth(site.growthNanosPer)},
      {name: "Growth, %", sort: partOf, number: true, wide: true, show: site => growthShare(site.growthNanosPer, site.old?.heldNanosPer ?? 0)},
      {name: "Old", sort: site => site.old?.heldNanosPer ?? -1, number: true, show: site => site.old === undefined ? "–" : rate(site.old.heldNanosPer)},
      {name: "New", sort: site => site.new?.heldNanosPer ?? -1, number: true, show: site => site.new === undefined ? "–" : rate(site.new.heldNanosPer)},
      {name: "Change", sort: site => site.status, text: true, wide: true, show: change},
      {name: "Others waited", sort: site => site.waitingGrowthNanosPer, number: true, wide: true, show: site => growth(site.waitingGrowthNanosPer)},
      {name: "Pins", sort: site => (site.new?.count ?? 0) - (site.old?.count ?? 0), number: true, wide: true,
        show: site => `${count(site.old?.count ?? 0)} → ${count(site.new?.count ?? 0)}`},
      {name: "Operation", sort: site => site.operation, text: true, wide: true, code: true, show: site => site.operation},
    ];
  }

  has() {
    return true;
  }

  /** Whether nobody would act on either of its times. */
  folds({old, new: newer}) {
    const isSmall = (side, {uptimeNanos}) => (side?.heldNanos ?? 0) < uptimeNanos * NOTABLE_PART;
    return isSmall(old, this.comparison.old) && isSmall(newer, this.comparison.new);
  }

  rest(folded) {
    return `${folded.length === 1 ? "1 site" : folded.length + " sites"} held carriers for less than a ten-thousandth of the time in either run. `;
  }

  furtherCells() {
    return [];
  }

  fill({cells}, site) {
    this.columns.slice(CODE_AND_KIND.length).forEach(({show}, index) => setText(cells[index], show(site)));
    cells[0].className = "n" + tone(site.growthNanosPer);
  }

  details(site, chart) {
    if (site.oldest === site.newest) {
      return siteDetails(site.newest, chart);
    }
    const side = (name, details) => el("div", {}, el("h3", {}, name), siteDetails(details, null));
    return el("div", {class: "detail"}, chart.element, el("div", {class: "sides"}, side("Old", site.oldest), side("New", site.newest)));
  }

  draw(chart, {old, new: newer, oldest, newest}) {
    const series = [{name: "Old", colour: "same", durations: old?.durations ?? []}, {name: "New", colour: "link", durations: newer?.durations ?? []}];
    chart.show(this.comparison.durationBoundsNanos, series, `in the compared ${this.comparison.sameCode ? "periods" : "runs"}`,
      newest.estimated ? newest : oldest);
  }
}

function tone(growth) {
  return growth > 0 ? " grew" : growth < 0 ? " shrank" : "";
}

/** The growth as a part of what there was. */
function partOf(site) {
  return site.old === undefined ? Infinity : site.growthNanosPer / site.old.heldNanosPer;
}

function change({status, old, new: newer}) {
  if (status !== "moved") {
    return status === "same" ? "" : status;
  }
  const line = LINE.exec(old.caller)?.[1];
  return line === undefined || old.caller === newer.caller ? status : `moved, was line ${line}`;
}

/** Both runs, one beside the other. */
export function showRuns(comparison, oldReport, newReport) {
  const {per, old, new: newer} = comparison;
  const row = (name, ...values) => el("tr", {}, el("th", {scope: "row"}, name), ...values.map(value => el("td", {}, value)));
  byId("runs").replaceChildren(
    el("p", {}, el("strong", {}, summaryOf(comparison))),
    comparison.failAbove === undefined ? "" : el("p", {class: comparison.failed ? "alarm" : "calm"},
      comparison.failed ? `Failed: it grew by more than ${comparison.failAbove}.` : `Passed: it did not grow by more than ${comparison.failAbove}.`),
    oldReport.monitorsPin === newReport.monitorsPin ? "" : el("p", {class: "alarm"}, "Monitors pin in one of the runs only."),
    el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table of both runs"}, el("table", {},
      el("thead", {}, el("tr", {}, el("td", {}), el("th", {scope: "col"}, "Old"), el("th", {scope: "col"}, "New"))),
      el("tbody", {},
        row("Report", old.report, newer.report),
        row(`Held per ${per}`, rate(old.heldNanosPer), rate(newer.heldNanosPer)),
        row("Held", ...[old, newer].map(run => `${duration(run.heldNanos)} by ${pins(run.count)}`)),
        row("Measured for", duration(old.uptimeNanos), duration(newer.uptimeNanos)),
        row("Scheduler lost", percent(old.lostShare), percent(newer.lostShare)),
        row("Others waited", duration(old.waitingNanos), duration(newer.waitingNanos)),
        row("JDK", `${old.java}; ${oldReport.pinningMode}`, `${newer.java}; ${newReport.pinningMode}`)))),
    comparison.ambiguousSites === 0 ? "" : el("p", {class: "says"},
      `${comparison.ambiguousSites} of the new sites may be old ones that moved to another line: there are several in their method.`));
}

/** The code that computed, one run or period beside the other; nothing where it was not measured in both. */
export function showComparedBusy({busy, old, new: newer}) {
  const part = (side, {uptimeNanos}) => uptimeNanos > 0 ? (side?.busyNanos ?? 0) / uptimeNanos : 0;
  const share = (side, run) => percent(run.parallelism > 0 ? part(side, run) / run.parallelism : 0);
  const notable = busy.filter(site => part(site.old, old) >= NOTABLE_PART || part(site.new, newer) >= NOTABLE_PART);
  byId("busy-section").hidden = notable.length === 0;
  byId("busy").replaceChildren(el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table of busy code"}, el("table", {},
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "Code"), el("th", {class: "n", scope: "col"}, "Growth"), el("th", {class: "n wide", scope: "col"}, "Growth, %"),
      el("th", {class: "n", scope: "col"}, "Old"), el("th", {class: "n", scope: "col"}, "New"), el("th", {class: "wide", scope: "col"}, "Change"),
      el("th", {class: "n wide", scope: "col"}, "Of the scheduler"), el("th", {class: "n wide", scope: "col"}, "Spells"))),
    el("tbody", {}, ...notable.map(site => el("tr", {},
      codeCell(site.newest),
      el("td", {class: "n" + tone(site.growthNanosPer)}, growth(site.growthNanosPer)),
      el("td", {class: "n wide"}, growthShare(site.growthNanosPer, site.old?.busyNanosPer ?? 0)),
      el("td", {class: "n"}, site.old === undefined ? "–" : "~" + rate(site.old.busyNanosPer)),
      el("td", {class: "n"}, site.new === undefined ? "–" : "~" + rate(site.new.busyNanosPer)),
      el("td", {class: "wide"}, site.status === "same" ? "" : site.status),
      el("td", {class: "n wide"}, `${share(site.old, old)} → ${share(site.new, newer)}`),
      el("td", {class: "n wide"}, `${count(site.old?.count ?? 0)} → ${count(site.new?.count ?? 0)}`)))))));
}
