import {el, byId} from "./dom.js";
import {count, duration, pins} from "./format.js";

/** What relief has done; nothing where it is off. */
export function showRelief(report, period) {
  const relief = report.relief;
  byId("relief-section").hidden = relief === undefined;
  if (relief === undefined) {
    return;
  }
  let added = 0;
  for (let second = period.from; second < period.to; second++) {
    added += period.value("added", second);
  }
  byId("relief").replaceChildren(el("p", {}, `${count(added)} carriers were added in the chosen period, ${count(relief.carriersAdded)} in all; `
    + `${duration(relief.heldNanos)} of held time was compensated, of ${pins(relief.pins)}. ${count(report.scheduler.size)} carriers exist now, `
    + `${count(report.scheduler.parallelism)} would exist without relief.`));
}
