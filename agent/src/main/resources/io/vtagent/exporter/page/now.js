import {el, byId} from "./dom.js";
import {carriers, count, duration, percent, pins, rare} from "./format.js";
import {KINDS, label} from "./kinds.js";
import {statesBar} from "./states.js";

const MOST_PINS = 8;
const MINUTE = 60;
const LATELY = 10;

/** Fewer carriers on average are none. */
const LEAST = 0.005;

/** Pauses for a smaller part of the time are those of every JVM. */
const NOTABLE_PAUSES = 0.05;

/** The strip: what is so at this moment. */
export function showNow(report, period, live, sites) {
  byId("now").replaceChildren(verdict(report, period, sites), statesBar(period), strip(report, period), worst(sites), ...inProgress(report, live));
}

/** The line to change first. */
function worst(sites) {
  const known = sites.filter(site => site.cause !== undefined && site.kind !== "jvm" && site.shown.heldNanos > 0);
  const all = sites.reduce((sum, site) => sum + site.shown.heldNanos, 0);
  if (known.length === 0) {
    return "";
  }
  const first = known.reduce((most, site) => site.shown.heldNanos > most.shown.heldNanos ? site : most);
  return el("p", {}, `${percent(first.shown.heldNanos / all)} of the held time of the chosen period: `, el("code", {}, first.caller),
    first.caller === first.site ? "" : " in ", first.caller === first.site ? "" : el("code", {}, first.site), ". " + first.advice);
}

function verdict(report, period, sites) {
  const second = period.next - 1;
  const since = Math.max(period.first, period.next - LATELY);
  if (!report.carriers) {
    return el("p", {class: "calm"}, "Virtual threads have no carriers in this JVM, so nothing can be pinned.");
  }
  if (report.scheduler.size === 0 && report.count === 0) {
    return el("p", {class: "calm"}, "No virtual thread has run yet. ", proof(report));
  }
  if (report.active.count === 0 && period.meanHeld(since, period.next) < LEAST) {
    const never = sites.length === 0;
    return el("p", {class: "calm"}, never ? "No virtual thread has held its carrier. " : "No carrier is held now. ", never ? rare(report.rare) : "", proof(report));
  }
  const held = report.active.count > 0 ? "Carriers are held now" : "Carriers were held in the last seconds";
  if (period.meanLost(since, period.next) < LEAST) {
    return el("p", {class: "calm"}, held + "; the scheduler compensates for them.");
  }
  const starved = second >= period.first && period.value("starved", second) > 0;
  return el("p", {class: "alarm"}, starved
    ? "Every carrier was held in the last second, while virtual threads waited for one."
    : held + ", and the scheduler lacks them.");
}

/** An application without pins must not look broken. */
function proof(report) {
  const sensors = Object.entries(report.sensors);
  const up = sensors.filter(([, state]) => state === "up").map(([name]) => name);
  const down = sensors.filter(([, state]) => state !== "up");
  return (up.length > 0 ? `The sensors ${up.join(", ")} are installed and tested.` : "")
    + down.map(([name, state]) => ` ${name}: ${state}.`).join("");
}

function strip(report, period) {
  const {parallelism, size, max, queued} = report.scheduler;
  const last = Math.max(period.first, period.next - 1);
  const minute = period.meanLost(Math.max(period.first, period.next - MINUTE), period.next);
  const held = KINDS.filter(kind => last < period.next && period.held(kind, last) > 0);
  return el("dl", {class: "strip"},
    figure("Scheduler lost, last minute", parallelism > 0 ? percent(minute / parallelism) : "?", percent(report.lostShare) + " since the agent's start"),
    figure("Carriers held, last second", `${carriers(period.meanHeld(last, period.next))} of ${parallelism}`,
      ...(held.length === 0 ? [`${size} exist, ${max} may`] : held.flatMap(kind => [label(kind), " " + carriers(period.held(kind, last)) + " "]))),
    figure("Waiting for a carrier", count(queued), queued === 1 ? "virtual thread" : "virtual threads",
      `; in all ${duration(report.waiting.heldNanos)} for held carriers, ${duration(report.waiting.busyNanos)} for busy ones`),
    delay(report.schedulerDelay),
    figure("Pins in progress", count(report.active.count), report.active.count > 0 ? "the oldest for " + duration(report.active.longestNanos) : "none"),
    ...(report.throttledNanos > 0 ? [figure("Stopped by the CPU quota", duration(report.throttledNanos), "in all, summed over the CPUs")] : []),
    ...(report.pausedNanos > NOTABLE_PAUSES * report.uptimeNanos ? [figure("Paused by the JVM", duration(report.pausedNanos), "in all, for example to collect garbage")] : []),
    figure("Held in all", duration(report.heldNanos), "by " + pins(report.count)));
}

function delay(delay) {
  if (delay === undefined) {
    return figure("Delay until a thread runs", "off", "delay-probe=off");
  }
  const mean = delay.count > 0 ? delay.nanos / delay.count : 0;
  return figure("Delay until a thread runs", duration(Math.max(mean, delay.currentNanos)),
    delay.currentNanos > mean ? "and still waiting" : delay.count > 0 ? "at most " + duration(delay.longestNanos) : "not measured yet");
}

function figure(name, value, ...more) {
  return el("div", {class: "figure"}, el("dt", {}, name), el("dd", {}, el("span", {class: "big"}, value), ...more));
}

function inProgress(report, live) {
  const all = report.active.pins;
  if (all.length === 0) {
    return [];
  }
  const rows = all.slice(0, MOST_PINS).map(pin => el("tr", {},
    el("td", {class: "n"}, duration(pin.ageNanos)),
    el("td", {}, label(pin.kind)),
    el("td", {class: "code"}, pin.caller, pin.caller === pin.site ? null : el("span", {class: "in"}, "in " + pin.site)),
    el("td", {class: "wide code"}, pin.thread),
    el("td", {class: "wide code"}, pin.carrier)));
  const more = report.active.count - rows.length;
  return [
    el("h3", {}, live ? "Pins in progress" : "Pins in progress at the end"),
    el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table of pins in progress"}, el("table", {},
      el("thead", {}, el("tr", {}, el("th", {class: "n"}, "For"), el("th", {}, "Kind"), el("th", {}, "Code"),
        el("th", {class: "wide"}, "Thread"), el("th", {class: "wide"}, "Carrier"))),
      el("tbody", {}, ...rows))),
    ...(more > 0 ? [el("p", {class: "says"}, "and " + pins(more) + " more")] : []),
  ];
}
