import {KINDS} from "./kinds.js";

const KEPT_SECONDS = 3600;

/** The last hour as it is known here, and the period that was chosen of it. Seconds count from the agent's beginning. */
export class Period {
  constructor() {
    this.beganMillis = 0;
    this.first = 0;
    this.columns = {};
    this.slices = new Slices(["count", "heldNanos", "waitingNanos"]);
    this.durationSlices = new Slices(["bucket", "count"]);
    this.busySlices = new Slices(["count", "busyNanos"]);
    this.sliceSeconds = 10;
    this.chosen = null;
    this.lastSeconds = 900;
    this.base = null;
    this.run = null;
  }

  /** Takes what the agent tells of its history. */
  take(history) {
    this.run ??= history.run;
    if (history.seconds !== undefined) {
      this.takeSeconds(history);
    }
    if (history.slices !== undefined) {
      this.sliceSeconds = history.sliceSeconds;
      const keys = history.sites.map(keyOf);
      this.slices.take(keys, history.slices, history.unfinishedSlice, this.next - KEPT_SECONDS);
      if (history.durationSlices !== undefined) {
        this.durationSlices.take(keys, history.durationSlices, history.unfinishedDurationSlice, this.next - KEPT_SECONDS);
      }
      if (history.busySlices !== undefined) {
        this.busySlices.take(history.busySites.map(busyKeyOf), history.busySlices, history.unfinishedBusySlice, this.next - KEPT_SECONDS);
      }
    }
  }

  /** The first second of the slice in progress. */
  get unfinishedFrom() {
    return this.slices.unfinished[0];
  }

  takeSeconds({beganMillis, first, seconds}) {
    this.beganMillis = beganMillis;
    const known = this.columns.queued !== undefined;
    if (!known || first < this.first || first > this.next) {
      this.first = first;
      this.columns = structuredClone(seconds);
      return;
    }
    for (const [name, values] of Object.entries(seconds)) {
      const column = this.columns[name];
      column.splice(first - this.first, Infinity, ...values);
      column.splice(0, column.length - KEPT_SECONDS);
    }
    this.first = Math.max(this.first, first + seconds.queued.length - KEPT_SECONDS);
  }

  /** The second after the newest. */
  get next() {
    return this.first + (this.columns.queued ?? []).length;
  }

  /** Whether all the time was chosen, also what lies before the last hour. */
  get isAll() {
    return this.chosen === null && this.lastSeconds === Infinity;
  }

  /** Whether what is shown moves on with the time. */
  get isLive() {
    return this.chosen === null;
  }

  get from() {
    return this.chosen === null ? Math.max(this.first, this.next - this.lastSeconds) : Math.max(this.chosen.from, this.first);
  }

  get to() {
    return this.chosen === null ? this.next : Math.min(this.chosen.to, this.next);
  }

  choose(from, to) {
    this.chosen = this.known(from, to);
  }

  known(from, to) {
    return {from: Math.max(Math.floor(from), this.first), to: Math.min(Math.max(Math.ceil(to), Math.floor(from) + 1), this.next)};
  }

  /** Compares the chosen period with another one; with none if there is no other time. */
  compareWith(from, to) {
    this.base = from < to ? this.known(from, to) : null;
  }

  compareNoMore() {
    this.base = null;
  }

  /** The period with which the chosen one is compared, as far as it is still known, or null. */
  get compared() {
    return this.base === null || this.base.to <= this.first ? null : {from: Math.max(this.base.from, this.first), to: this.base.to};
  }

  /** The period with which the chosen one is compared, as a text; nothing if there is none. */
  get comparedName() {
    return this.base === null ? "" : `${this.base.from}-${this.base.to}`;
  }

  /** The choice as a text: the newest seconds, or the first second and the one after the last. */
  get name() {
    return this.chosen === null ? this.isAll ? "all" : String(this.lastSeconds) : `${this.chosen.from}-${this.chosen.to}`;
  }

  /** Makes the choice of that name; any other text changes nothing. */
  chooseNamed(name) {
    const [from, to] = secondsOf(name);
    if (name === "all") {
      this.chooseLast(Infinity);
    } else if (/^[1-9]\d*$/.test(name)) {
      this.chooseLast(Number(name));
    } else if (this.overlaps(from, to)) {
      this.choose(from, to);
    }
  }

  /** Compares with the period of that name; any other text changes nothing. */
  compareWithNamed(name) {
    const [from, to] = secondsOf(name);
    if (this.overlaps(from, to)) {
      this.compareWith(from, to);
    }
  }

  /** Whether something is known of the seconds. */
  overlaps(from, to) {
    return from < to && to > this.first && from < this.next;
  }

  /** The newest seconds, as they come. */
  chooseLast(seconds) {
    this.chosen = null;
    this.lastSeconds = seconds;
  }

  value(column, second) {
    return this.columns[column][second - this.first];
  }

  /** Carriers held in a second. */
  held(kind, second) {
    return this.value("held_" + kind, second) / 1000;
  }

  /** Carriers lost, the mean over some seconds. */
  meanLost(from, to) {
    return this.mean("lost", from, to) / 1000;
  }

  /** Carriers in a state, the mean over some seconds. */
  meanTime(state, from, to) {
    return this.mean("time_" + state, from, to) / 1000;
  }

  mean(column, from, to) {
    let sum = 0;
    for (let second = from; second < to; second++) {
      sum += this.value(column, second);
    }
    return to > from ? sum / (to - from) : 0;
  }

  /** Carriers held, the mean over some seconds. */
  meanHeld(from, to) {
    let sum = 0;
    for (let second = from; second < to; second++) {
      KINDS.forEach(kind => sum += this.held(kind, second));
    }
    return to > from ? sum / (to - from) : 0;
  }

  /** The chosen period, rounded out to whole slices: its first second, and the one after it. */
  get slicesFromTo() {
    return this.roundedOut(this);
  }

  roundedOut({from, to}) {
    const {sliceSeconds} = this;
    return [from - from % sliceSeconds, Math.min(to + (sliceSeconds - to % sliceSeconds) % sliceSeconds, this.next)];
  }

  /** What there was of each site, and of code that computed, in a period, and how long that was, all rounded out to whole slices. */
  figuresOf(period) {
    const [from, to] = this.roundedOut(period);
    const figures = this.slices.figures(from, to);
    this.durationSlices.visit(from, to, (key, [bucket, count]) => {
      const durations = figures.get(key).durations ??= [];
      while (durations.length <= bucket) {
        durations.push(0);
      }
      durations[bucket] += count;
    });
    return {nanos: (to - from) * 1e9, figures, busyFigures: this.busySlices.figures(from, to)};
  }

  /** The carriers that each site held over time, in at most so many steps, by key. */
  siteCourses(steps) {
    const begin = this.first - this.first % this.sliceSeconds;
    const stepSeconds = this.sliceSeconds * Math.max(Math.ceil((this.next - begin) / this.sliceSeconds / steps), 1);
    const courses = new Map();
    for (const slice of this.slices.all) {
      for (let at = 1; at < slice.length; at += this.slices.width) {
        const key = this.slices.keys[slice[at]];
        const course = courses.get(key) ?? new Array(Math.max(Math.ceil((this.next - begin) / stepSeconds), 2)).fill(0);
        const step = Math.floor((slice[0] - begin) / stepSeconds);
        if (step >= 0 && step < course.length) {
          course[step] += slice[at + 2] / 1e6 / stepSeconds;
        }
        courses.set(key, course);
      }
    }
    return courses;
  }
}

/** What sites did in slices of some seconds: how long they held carriers, or computed on them, or how long their pins lasted. */
class Slices {
  /** A row has, again and again, the index of a site and what `names` says: of these, all but a count and a bucket are microseconds. */
  constructor(names) {
    this.names = names;
    this.width = 1 + names.length;
    this.keys = [];
    this.finished = new Map();
    this.unfinished = [0];
  }

  /** Takes the newest `rows` and the one in progress, and forgets what began before `oldest`. */
  take(keys, rows, unfinished, oldest) {
    this.keys = keys;
    rows.forEach(row => this.finished.set(row[0], row));
    this.unfinished = unfinished;
    this.finished.delete(unfinished[0]);
    for (const from of this.finished.keys()) {
      if (from < oldest) {
        this.finished.delete(from);
      }
    }
  }

  get all() {
    return [...this.finished.values(), this.unfinished];
  }

  /** The figures by key, of the slices that begin in a period; times are in nanoseconds. */
  figures(from, to) {
    const figures = new Map();
    this.visit(from, to, (key, values) => {
      const sum = figures.get(key) ?? Object.fromEntries(this.names.map(name => [name, 0]));
      this.names.forEach((name, index) => sum[name] += values[index] * (name === "count" ? 1 : 1000));
      figures.set(key, sum);
    });
    return figures;
  }

  /** Calls `visitor` with the key of a site and its values, for each entry of the slices that begin in a period. */
  visit(from, to, visitor) {
    for (const slice of this.all) {
      if (slice[0] >= from && slice[0] < to) {
        for (let at = 1; at < slice.length; at += this.width) {
          visitor(this.keys[slice[at]], slice.slice(at + 1, at + this.width));
        }
      }
    }
  }
}

/** First and last second of the name of a period that does not move; nothing if it is another text. */
export function secondsOf(name) {
  return (/^(\d+)-(\d+)$/.exec(name) ?? []).slice(1).map(Number);
}

/** What tells a site from others. */
export function keyOf(site) {
  return [site.kind, site.site, site.caller, site.operation].join(" ");
}

/** Identifies a place that computes. */
export function busyKeyOf(busy) {
  return busy.site + " " + busy.caller;
}
