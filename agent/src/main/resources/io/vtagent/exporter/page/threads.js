import {byId, el, setText} from "./dom.js";
import {count, duration, percent} from "./format.js";
import {copyTraceButton} from "./frame.js";

const LEAST_PAUSE_MILLIS = 5000;
const NANOS_PER_MILLI = 1e6;

const STATES = {
  parked: "parked",
  waiting: "in Object.wait",
  blocked: "waiting for a monitor",
  sleeping: "sleeping",
  mounted: "on a carrier",
  queued: "ready to run",
  lost: "ready to run, in no queue",
};

/** Where the virtual threads wait. Asks the agent while the section is open and the page is looked at, and not otherwise. */
export class Threads {
  constructor(figures, address) {
    this.figures = figures;
    this.section = byId("threads");
    this.open = new Set();
    byId("threads-section").hidden = !figures.live;
    this.section.open = figures.live && address.get("threads") !== "";
    this.section.addEventListener("toggle", () => {
      address.set("threads", this.section.open ? "open" : "");
      this.ask();
    });
    document.addEventListener("visibilitychange", () => this.ask());
  }

  async ask() {
    clearTimeout(this.timer);
    if (!this.section.open || document.hidden || this.asking) {
      return;
    }
    this.asking = true;
    let pause = LEAST_PAUSE_MILLIS;
    try {
      const threads = await this.figures.threads();
      this.show(threads);
      pause = Math.max(pause, (threads.nextNanos ?? 0) / NANOS_PER_MILLI);
    } catch (failure) {
      setText(byId("threads-summary"), `The threads could not be read (${failure.message}).`);
    } finally {
      this.asking = false;
    }
    this.timer = setTimeout(() => this.ask(), pause);
  }

  show(threads) {
    setText(byId("threads-summary"), summary(threads));
    byId("threads-groups").replaceChildren(...(threads.groups ?? []).map(group => this.group(group)),
      ...((threads.others?.groups ?? 0) === 0 ? [] : [el("p", {class: "says"},
        `${count(threads.others.groups)} smaller groups of ${count(threads.others.count)} threads.`)]));
  }

  group(group) {
    const key = group.state + group.stack.join();
    const threads = `${count(group.count)} ${group.count === 1 ? "thread" : "threads"}`;
    const state = ` (${percent(group.share)}) ${inWords(group)} `;
    const details = el("details", {open: this.open.has(key), class: "group"},
      el("summary", {}, el("strong", {}, threads), state, group.at === undefined ? null : el("code", {}, group.at)),
      ...facts(group).map(fact => el("p", {class: "says"}, fact)),
      ...(group.stack.length === 0 ? [] : [
        copyTraceButton(() => threads + state + (group.at ?? ""), group.stack),
        el("pre", {tabindex: "0", "aria-label": "Stack"}, group.stack.map(frame => "at " + frame).join("\n"))]));
    details.addEventListener("toggle", () => details.open ? this.open.add(key) : this.open.delete(key));
    return details;
  }
}

function summary(threads) {
  if (threads.unknown !== undefined) {
    return `Where virtual threads wait is not known: ${threads.unknown}.`;
  }
  return `${threads.complete ? "" : "At least "}${count(threads.total)} virtual threads: ${count(threads.mounted)} on carriers, `
    + `${count(threads.queued)} ready to run, ${count(threads.waiting)} waiting; read ${duration(threads.ageNanos)} ago.`
    + (threads.sampled < threads.waiting ? ` The stacks of ${count(threads.sampled)} waiting threads, chosen at random, were read; counts are extrapolated.` : "")
    + (threads.deadlock === undefined ? "" : ` Deadlock: ${threads.deadlock.map(link => `${link.thread} has ${link.has}, and waits for ${link.waitsFor}`).join("; ")}.`)
    + (threads.allKnown ? "" : " Threads that were started directly are missing: -Djdk.trackAllThreads=false.");
}

function inWords(group) {
  const wanted = group.waitsFor === undefined || group.state !== "parked" || group.waitsFor === "park" ? "" : `, waiting for ${group.waitsFor}`;
  return STATES[group.state] + wanted + (group.at === undefined ? "" : ", at");
}

function facts(group) {
  const example = group.example === undefined ? "" : `For example ${group.example.name === "" ? "" : `“${group.example.name}” `}#${group.example.id}. `;
  const lock = group.lock === undefined ? "" : `${group.lock.name}${group.lock.owner === undefined ? "" : `, which ${group.lock.owner} has`}`
    + `${group.lock.locks === 1 ? "" : `, and ${count(group.lock.locks - 1)} more`}. `;
  return [
    group.longestNanos === 0 ? "" : `One has been seen there for ${duration(group.longestNanos)}.`,
    group.operation === undefined ? "" : `In ${group.operation}. ${lock}`,
    (group.container === undefined ? "" : `Of ${group.container}${group.containers === 1 ? "" : ` and ${count(group.containers - 1)} more`}. `) + example,
  ].filter(fact => fact !== "");
}
