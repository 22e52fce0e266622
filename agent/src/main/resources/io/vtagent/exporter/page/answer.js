import {byId, el} from "./dom.js";

const ALARMING = ["stuck", "held", "throttled", "paused", "busy"];
let shown = "";

/** Why virtual threads are slow. */
export function showAnswer(answer, live) {
  const signature = JSON.stringify(answer);
  if (signature === shown) {
    return; // a selection stays
  }
  shown = signature;
  const section = byId("answer");
  section.hidden = answer === undefined;
  if (answer === undefined) {
    return;
  }
  fill(section, answer, live ? "Why are my virtual threads slow? The last minute" : "Why are my virtual threads slow? The whole run");
}

/** Shows an answer in its box; a report that is not of a whole run may have none. */
export function fill(section, answer, heading) {
  section.className = "answer" + (ALARMING.includes(answer?.kind) ? " alarming" : "");
  section.replaceChildren(
    el("h2", {}, heading),
    ...(answer === undefined ? [el("p", {}, "This report has no answer.")] : [el("p", {}, el("strong", {}, ...withCode(answer.text, answer.line)))]),
    ...(answer?.advice === undefined ? [] : [el("p", {}, answer.advice)]));
}

function withCode(text, line) {
  const at = line === undefined ? -1 : text.indexOf(line);
  return at < 0 ? [text] : [text.substring(0, at), el("code", {}, line), text.substring(at + line.length)];
}
