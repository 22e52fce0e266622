import {el, byId} from "./dom.js";
import {clock, count, duration} from "./format.js";

/** What is told of a standstill while it lasts, above all else; and of those that are over, below. */
export class Stuck {
  constructor() {
    this.shown = "";
  }

  show(starved) {
    const now = starved.now ? starved.diagnosis : null;
    const signature = JSON.stringify([now, starved.past.length, starved.past[0]?.beganNanos]);
    if (signature === this.shown) {
      return; // what is open stays open
    }
    this.shown = signature;
    const section = byId("stuck");
    section.hidden = now === null;
    section.className = now === null ? "" : now.overload ? "overload" : "stuck";
    section.replaceChildren(...(now === null ? [] : [
      el("h2", {}, now.overload ? "Overload: carriers take up other threads, but there is more work than they can do" : "Stuck: every carrier is held, and none takes up another thread"),
      ...diagnosis(now, true),
    ]));
    byId("past-section").hidden = starved.past.length === 0;
    byId("past").replaceChildren(...starved.past.map(past => el("details", {},
      el("summary", {}, `${past.diagnosis.overload ? "Overload" : "Standstill"} for ${duration(past.lastedNanos)}, `
        + `${clock(past.beganNanos / 1e9)} after the agent's start: ${past.diagnosis.verdict}`),
      ...diagnosis(past.diagnosis, false))));
  }
}

function diagnosis(found, open) {
  return [
    el("p", {}, el("strong", {}, ...quoted(found.verdict))),
    found.deadlock === undefined ? null : el("ul", {}, ...found.deadlock.map(link =>
      el("li", {}, code(link.thread), " has ", code(link.has), ", and waits for ", code(link.waitsFor)))),
    found.remedy === undefined ? null : el("p", {}, found.remedy),
    ...found.locks.map(lock => el("p", {}, code(lock.name), lock.owner === undefined ? " has no owner; " : " is owned by ",
      lock.owner === undefined ? null : code(lock.owner + "; "), "in its queue: ", lock.queue.length === 0 ? "no thread" : code(lock.queue.join(", ")))),
    el("p", {}, `Ready to run, without a carrier: ${count(found.queued)}`,
      found.queuedThreads.length === 0 ? "" : ` (${found.queuedThreads.join(", ")})`),
    el("details", {open, class: "carriers"}, el("summary", {}, `The ${found.held.length} carriers, when all had been held for ${duration(found.starvedNanos)}`),
      ...found.held.map(held => el("div", {},
        el("h3", {}, code(held.carrier), " carries ", code(held.thread), ": " + held.state,
          held.waitsFor === undefined ? "" : ", waits for ", held.waitsFor === undefined ? null : code(held.waitsFor),
          held.owner === undefined ? "" : ", which ", held.owner === undefined ? null : code(held.owner), held.owner === undefined ? "" : " has"),
        held.stack.length === 0 ? null : el("pre", {tabindex: "0"}, held.stack.map(frame => "at " + frame).join("\n"))))),
  ].filter(part => part !== null);
}

/** What stands between backquotes is a name. */
function quoted(text) {
  return text.split("`").map((part, index) => index % 2 === 1 ? code(part) : part);
}

function code(text) {
  return el("code", {}, text);
}
