const SECOND = 1e9;

/** Nanoseconds in the unit that keeps them short, as the report at exit has them. */
export function duration(nanos) {
  if (nanos >= SECOND) {
    return (nanos / SECOND).toLocaleString("en", {minimumFractionDigits: 2, maximumFractionDigits: 2}) + " s";
  }
  return nanos >= 1e6 ? (nanos / 1e6).toFixed(1) + " ms" : Math.round(nanos / 1e3) + " µs";
}

/** Nanoseconds per second or whatever was counted; they may be few. */
export function rate(nanos) {
  return Math.abs(nanos) >= 1e3 ? (nanos < 0 ? "−" : "") + duration(Math.abs(nanos)) : Math.round(nanos) + " ns";
}

/** A change, with its sign. */
export function growth(nanos) {
  return (nanos > 0 ? "+" : "") + rate(nanos).replace("-", "−");
}

/** A change as a part of what there was; nothing where there was nothing. */
export function growthShare(nanos, before) {
  const share = before > 0 ? 100 * nanos / before : nanos === 0 ? 0 : Infinity;
  return Number.isFinite(share)
    ? `${share > 0 ? "+" : share < 0 ? "−" : ""}${Math.abs(share).toLocaleString("en", {minimumFractionDigits: 1, maximumFractionDigits: 1})} %` : "";
}

/** The held time of `figures`, which may be estimated from samples. */
export function held(figures, heldNanos = figures.heldNanos) {
  return (figures.estimated ? "~" : "") + duration(heldNanos);
}

/** Where an estimated figure comes from. */
export function basis(figures) {
  return figures.estimated ? `Estimated from ${count(figures.samples)} ${figures.samples === 1 ? "sample" : "samples"}` : "";
}

/** What the sampler saw too seldom to call it a site. */
export function rare({places, heldNanos} = {places: 0}) {
  return places === 0 ? "" : `Too few samples for a site: ${places} ${places === 1 ? "place" : "places"}, at most ${duration(heldNanos)}. `;
}

/** A part of a whole; small ones are not rounded to nothing. */
export function percent(share) {
  const value = share * 100;
  return value === 0 ? "0 %" : value < 0.01 ? "< 0.01 %" : (value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : Math.round(value)) + " %";
}

/** The share that is lost. */
export function ofScheduler(share) {
  return percent(share) + " of the scheduler lost";
}

export function count(number) {
  return number.toLocaleString("en");
}

export function pins(number) {
  return count(number) + (number === 1 ? " pin" : " pins");
}

/** Carriers on average. */
export function carriers(number) {
  return number === 0 ? "0" : number < 0.005 ? "< 0.01" : number < 10 ? number.toFixed(2).replace(/\.?0+$/, "") : Math.round(number).toString();
}

/** Whole seconds as hours, minutes, seconds. */
export function clock(seconds) {
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? minutes + ":" + rest : Math.floor(minutes / 60) + ":" + String(minutes % 60).padStart(2, "0") + ":" + rest;
}

/** A method or site without its package, for where there is little room. */
export function short(site) {
  const parts = site.split(".");
  const from = parts.findIndex(part => /^[A-Z]/.test(part));
  return from <= 0 ? site : parts.slice(from).join(".");
}
