import {Address} from "./address.js";
import {showAnswer} from "./answer.js";
import {showBusy} from "./busy.js";
import {ComparedView, ofPeriods, showComparedBusy, summaryOf} from "./comparison.js";
import {DifferenceLook, stacksOf} from "./difference.js";
import {byId, el, setText} from "./dom.js";
import {Flame} from "./flame.js";
import {clock} from "./format.js";
import {showNow} from "./now.js";
import {Period, busyKeyOf, keyOf, secondsOf} from "./period.js";
import {showRelief} from "./relief.js";
import {HeldView, SPARK_STEPS, Sites} from "./sites.js";
import {source} from "./source.js";
import {Stuck} from "./stuck.js";
import {Threads} from "./threads.js";
import {Timeline} from "./timeline.js";
import {showTotals} from "./totals.js";

const SITES_EVERY_SECONDS = 2;

const figures = source();
const address = new Address();
const period = new Period();
const stuck = new Stuck();
const timeline = new Timeline(period, nameOfSecond, choosePeriod);
const sites = new Sites(site => fetchStackOf(site.newest ?? site), address);
const flame = new Flame(address);
new Threads(figures, address);
const stacks = new Map();
const busyStacks = new Map();
let report = null;
let dueAtSecond = 0;
let toldUptimeNanos = 0;
let isOfOtherRun = false;

/** The time of day where this page is looked at; of a report that was saved, the time since the agent began. */
function nameOfSecond(second) {
  return figures.live ? new Date(period.beganMillis + second * 1000).toLocaleTimeString() : clock(second);
}

function take(newReport) {
  report = newReport;
  for (const site of report.sites) {
    const key = keyOf(site);
    if (site.stack !== undefined) {
      stacks.set(key, {stack: site.stack, holderIndex: site.holderIndex, monitors: site.monitors});
    }
    Object.assign(site, stacks.get(key));
  }
  for (const busy of report.busy ?? []) {
    const key = busyKeyOf(busy);
    if (busy.stack !== undefined) {
      busyStacks.set(key, busy.stack);
    }
    busy.stack = busyStacks.get(key);
  }
}

function lacksStacks() {
  return report.sites.some(site => site.stack === undefined && site.cause !== undefined)
    || (report.busy ?? []).some(busy => busy.stack === undefined && !busy.site.startsWith("("));
}

async function fetchSites(withStacks) {
  const from = Math.max(period.unfinishedFrom, 0);
  const [newReport, history] = await Promise.all([figures.report(withStacks), figures.history(from)]);
  period.take(history);
  take(newReport);
}

function fetchStackOf(site) {
  if (site.stack === undefined && site.cause !== undefined && figures.live) {
    fetchSites(true).then(showPeriod).catch(offline);
  }
}

function choosePeriod() {
  isOfOtherRun = false;
  keepPeriod();
  showPeriod();
}

/** Seconds count from the beginning of a run, so that they are of that run only. */
function keepPeriod() {
  address.set("period", period.name);
  address.set("compare", period.comparedName);
  address.set("run", period.isLive && period.comparedName === "" ? "" : period.run ?? "");
}

/** The period of the address, if it is not one of another run. */
function choosePeriodOfAddress() {
  const [name, compared, of] = ["period", "compare", "run"].map(part => address.get(part));
  const isFixed = secondsOf(name).length > 0 || secondsOf(compared).length > 0;
  isOfOtherRun = isFixed && of !== "" && of !== period.run;
  if (isOfOtherRun) {
    return; // the address stays as it is, so that it says the same when it is loaded again
  }
  period.chooseNamed(name);
  period.compareWithNamed(compared);
  if (name !== "" || compared !== "") {
    keepPeriod(); // it may have lain before what is known
  }
}

function showPeriod() {
  timeline.show(report.scheduler.parallelism);
  const [from, to] = period.slicesFromTo;
  const chosen = period.isAll ? {nanos: report.uptimeNanos, figures: null, busyFigures: null} : period.figuresOf(period);
  const courses = period.siteCourses(SPARK_STEPS);
  for (const site of report.sites) {
    site.key = keyOf(site);
    site.shown = chosen.figures === null ? site : chosen.figures.get(site.key) ?? {count: 0, heldNanos: 0, waitingNanos: 0};
    site.course = courses.get(site.key);
  }
  const name = period.isAll ? "The whole run." : `From ${nameOfSecond(from)} to ${nameOfSecond(to)}${period.compared === null ? "; Longest covers the whole run" : ""}.`;
  setText(byId("sites-period"), name);
  setText(byId("busy-period"), name);
  showSites(chosen);
  showTotals(report, report.sites, period);
  showRelief(report, period);
  setText(byId("period-of-other-run"), isOfOtherRun
    ? "The period in this page's address belongs to another run of the JVM, so it is not shown. The figures below are from this run." : "");
}

/** What held carriers and what computed in the chosen period, or how that differs from the period that it is compared with. */
function showSites(chosen) {
  const {compared} = period;
  if (compared === null) {
    sites.show(new HeldView(report, chosen.nanos, period.isAll ? "since the agent's start" : "in the chosen period"), report.sites);
    showBusy(report, chosen.busyFigures, chosen.nanos);
    flame.show(report.sites);
    setText(byId("sites-compared"), "");
    setText(byId("busy-compared"), "");
    return;
  }
  const comparison = ofPeriods(report, period.figuresOf(compared), chosen);
  sites.show(new ComparedView(comparison), comparison.sites);
  showComparedBusy(comparison);
  flame.lookLike(new DifferenceLook(comparison), stacksOf(comparison));
  const [from, to] = period.roundedOut(compared);
  const name = `Compared with ${nameOfSecond(from)} to ${nameOfSecond(to)}`;
  setText(byId("sites-compared"), `${name}. ${summaryOf(comparison)}`);
  setText(byId("busy-compared"), `${name}, per second.`);
}

function showNowOf(latest) {
  setText(byId("where"), `JDK ${latest.java}; ${latest.pinningMode}; measured for ${clock(latest.uptimeNanos / 1e9)}; agent ${latest.agent}`);
  showNow(latest, period, figures.live, report.sites);
  stuck.show(latest.starved);
  showAnswer(latest.answer, figures.live);
}

function offline(failure) {
  setText(byId("connection"), `Not connected to the agent (${failure.message}). The page shows the last data that it received.`);
}

async function second(event) {
  if (event.run !== period.run || event.report.uptimeNanos < toldUptimeNanos) {
    location.reload(); // another JVM listens where this one did
    return;
  }
  toldUptimeNanos = event.report.uptimeNanos;
  if (event.history.first > period.next) {
    period.take(await figures.history(period.next)); // what came while there was no connection
  }
  period.take(event.history);
  if (period.isLive && period.next >= dueAtSecond) {
    dueAtSecond = period.next + SITES_EVERY_SECONDS;
    await fetchSites(lacksStacks());
    showPeriod();
  } else if (period.isLive) {
    timeline.show(report.scheduler.parallelism);
  }
  report.scheduler = event.report.scheduler;
  showNowOf(event.report);
}

function footer() {
  const links = [["report as text", "report"], ["as JSON", "report?format=json"], ["as a page in one file", "report?format=html"],
    ["stacks, collapsed", "api/stacks"], ["metrics", "metrics"]];
  byId("footer").replaceChildren(...(figures.live ? ["This JVM's figures: ",
    ...links.flatMap(([name, path], index) => [index === 0 ? "" : ", ", el("a", {href: path, onclick: event => figures.follow(event)}, name)]), "."]
    : ["Saved by vt-agent."]));
}

async function begin() {
  footer();
  const [first, history] = await Promise.all([figures.report(true), figures.history(0)]);
  period.take(history);
  take(first);
  if (!figures.live) {
    period.chooseLast(Infinity);
    setText(byId("now-heading"), "At the end");
  }
  choosePeriodOfAddress();
  showPeriod();
  showNowOf(first);
  document.body.dataset.ready = "true";
  if (figures.live) {
    let busy = Promise.resolve();
    await figures.listen(event => {
      busy = busy.then(() => second(event)).catch(failure => {
        console.error(failure);
        offline(failure);
      });
    }, (connected, failure) => connected ? setText(byId("connection"), "") : offline(failure));
  }
}

begin().catch(failure => {
  offline(failure);
  throw failure;
});
