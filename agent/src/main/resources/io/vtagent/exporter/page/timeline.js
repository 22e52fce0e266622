import {el, byId, setText} from "./dom.js";
import {carriers, clock, ofScheduler} from "./format.js";
import {KINDS, colour} from "./kinds.js";

/** The states of a carrier that are stacked on the kinds of pins, which are those that hold it. */
const FURTHER = ["running", "runnable", "idle"];
const MOST_POINTS = 300;
const STARVED_HEIGHT = 5;
const RANGES = [["minute", 60], ["5 minutes", 300], ["15 minutes", 900], ["hour", 3600], ["all", Infinity]];

/** The charts over time, and the choice of a period. */
export class Timeline {
  /** `wallClock(second)` is what a second is called, `onChoice` is told when another period was chosen. */
  constructor(period, wallClock, onChoice) {
    this.period = period;
    this.wallClock = wallClock;
    this.onChoice = onChoice;
    Chart.defaults.font.family = "system-ui, sans-serif";
    this.held = this.chart("held-chart", [
      ...KINDS.map((kind, index) => ({label: kind, kind, fill: index === 0 ? "origin" : "-1", pointRadius: 0, borderWidth: 1, stepped: "before", data: []})),
      ...FURTHER.map(state => ({label: state, kind: state, fill: "-1", pointRadius: 0, borderWidth: 1, stepped: "before", data: []})),
      {label: "parallelism", stack: "parallelism", borderDash: [6, 4], borderWidth: 1.5, pointRadius: 0, fill: false, data: []},
    ], {y: {stacked: true, min: 0, title: {display: true, text: "carriers"}}});
    this.delay = this.chart("delay-chart", [
      {label: "waiting for a carrier", yAxisID: "y", kind: "enter", pointRadius: 0, borderWidth: 1.5, data: []},
      {label: "delay, ms", yAxisID: "delay", kind: "park", pointRadius: 0, borderWidth: 1.5, data: []},
    ], {
      y: {min: 0, suggestedMax: 4, title: {display: true, text: "virtual threads"}},
      delay: {min: 0, suggestedMax: 1, position: "right", grid: {drawOnChartArea: false}, title: {display: true, text: "ms"}},
    });
    this.charts = [this.held, this.delay];
    this.charts.forEach(chart => chart.canvas.parentElement.append(this.selection(chart)));
    this.buttons = RANGES.map(([name, seconds]) => el("button", {type: "button", onclick: () => {
      this.period.chooseLast(seconds);
      this.onChoice();
    }}, name === "all" ? "All" : "Last " + name));
    this.noMore = this.button("Stop comparing", () => {
      this.period.compareNoMore();
      this.onChoice();
    });
    this.noMore.hidden = true;
    byId("period").replaceChildren(el("div", {class: "row", role: "group", "aria-label": "Period"},
      ...this.buttons,
      this.button("Earlier", () => this.move(-1)), this.button("Later", () => this.move(1)),
      this.button("Zoom in", () => this.zoom(0.5)), this.button("Zoom out", () => this.zoom(2)),
      el("span", {id: "period-name"})),
    el("div", {class: "row", role: "group", "aria-label": "Comparison"},
      this.button("Compare with the time before", () => this.compareWithTimeBefore()),
      this.button("Compare with this period", () => this.compareWithThis()),
      this.noMore, el("span", {id: "compared-name", role: "status"})));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    this.paint();
  }

  button(name, onclick) {
    return el("button", {type: "button", onclick}, name);
  }

  chart(id, datasets, scales) {
    return new Chart(byId(id), {
      type: "line",
      data: {labels: [], datasets},
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
        interaction: {mode: "index", intersect: false},
        scales: {x: {ticks: {maxRotation: 0, autoSkipPadding: 24}, grid: {display: false}}, ...scales},
        plugins: {legend: {position: "bottom", labels: {boxWidth: 12, boxHeight: 12}}},
      },
      plugins: [{id: "starved", afterDatasetsDraw: chart => this.drawStarved(chart)}],
    });
  }

  /** In the colours of the system's setting. */
  paint() {
    const style = getComputedStyle(document.documentElement);
    const of = name => style.getPropertyValue(name).trim();
    for (const chart of this.charts) {
      for (const dataset of chart.data.datasets) {
        const line = dataset.kind === undefined ? of("--text") : colour(dataset.kind);
        dataset.borderColor = line;
        dataset.backgroundColor = dataset.stepped === "before" ? line + "c0" : line;
      }
      chart.options.plugins.legend.labels.color = of("--text");
      for (const scale of Object.values(chart.options.scales)) {
        scale.ticks = {...scale.ticks, color: of("--quiet")};
        scale.grid = {...scale.grid, color: of("--line")};
        scale.title = {...scale.title, color: of("--quiet")};
      }
    }
    this.starvedColour = of("--bad");
    this.charts.forEach(chart => chart.update());
  }

  show(parallelism) {
    const {period} = this;
    const {from, to} = period;
    this.step = Math.max(Math.ceil((to - from) / MOST_POINTS), 1);
    // fixed places, so that what has been drawn does not change when a second is added
    this.begin = from - from % this.step;
    this.begins = [];
    for (let begin = this.begin; begin < to; begin += this.step) {
      this.begins.push(begin);
    }
    const points = value => this.begins.map(begin => value(Math.max(begin, from), Math.min(begin + this.step, to)));
    const mean = get => (begin, end) => this.reduce(begin, end, get, (sum, next) => sum + next) / (end - begin);
    const most = get => (begin, end) => this.reduce(begin, end, get, Math.max);
    const labels = this.begins.map(this.wallClock);
    this.held.data.labels = labels;
    KINDS.forEach((kind, index) => this.held.data.datasets[index].data = points(mean(second => period.held(kind, second))));
    FURTHER.forEach((state, index) =>
      this.held.data.datasets[KINDS.length + index].data = points(mean(second => period.value("time_" + state, second) / 1000)));
    this.held.data.datasets[KINDS.length + FURTHER.length].data = this.begins.map(() => parallelism);
    this.delay.data.labels = labels;
    this.delay.data.datasets[0].data = points(most(second => period.value("queued", second)));
    this.delay.data.datasets[1].data = points(most(second => period.value("delay", second) / 1000));
    this.starved = points(most(second => period.value("starved", second) > 0 ? 1 : 0));
    this.charts.forEach(chart => chart.update("none"));
    this.describe(parallelism);
  }

  reduce(begin, end, get, combine) {
    let result = 0;
    for (let second = begin; second < end; second++) {
      result = combine(result, get(second));
    }
    return result;
  }

  describe(parallelism) {
    const {period} = this;
    const mean = period.meanHeld(period.from, period.to);
    const lost = period.meanLost(period.from, period.to);
    let starvedMillis = 0;
    for (let second = period.from; second < period.to; second++) {
      starvedMillis += period.value("starved", second);
    }
    setText(byId("period-name"), `${this.wallClock(period.from)} to ${this.wallClock(period.to)} (${clock(period.to - period.from)})`);
    setText(byId("timeline-summary"), `In this period ${carriers(mean)} of ${parallelism} carriers were held on average, `
      + ofScheduler(parallelism > 0 ? lost / parallelism : 0)
      + (starvedMillis > 0 ? `; for ${(starvedMillis / 1000).toFixed(1)} s every one of them, with work queued (red at the top of the charts).` : "."));
    const {compared} = period;
    this.noMore.hidden = compared === null;
    setText(byId("compared-name"), compared === null ? ""
      : `${this.wallClock(compared.from)} to ${this.wallClock(compared.to)} (${clock(compared.to - compared.from)}) is the old period; `
        + (compared.from === period.from && compared.to === period.to ? "choose the new one." : "the new one is chosen above."));
    this.buttons.forEach((button, index) =>
      button.setAttribute("aria-pressed", String(period.isLive && period.lastSeconds === RANGES[index][1])));
  }

  drawStarved(chart) {
    const {ctx, chartArea, scales} = chart;
    ctx.save();
    ctx.fillStyle = this.starvedColour;
    (this.starved ?? []).forEach((starved, index) => {
      if (starved > 0) {
        const left = scales.x.getPixelForValue(index);
        const width = Math.max(scales.x.getPixelForValue(index + 1) - left, 2);
        ctx.fillRect(left, chartArea.top, width, STARVED_HEIGHT);
      }
    });
    ctx.restore();
  }

  move(direction) {
    const length = this.period.to - this.period.from;
    const from = Math.min(Math.max(this.period.from + direction * Math.max(Math.round(length / 2), 1), this.period.first), this.period.next - length);
    this.period.choose(from, from + length);
    this.onChoice();
  }

  /** Both periods stay where they are from now on. */
  compareWithTimeBefore() {
    const {from, to, first, sliceSeconds} = this.period;
    const border = from > first ? from : Math.floor((from + to) / 2); // nothing is known of the time before
    const middle = border - border % sliceSeconds; // no slice is of both
    this.period.compareWith(Math.max(middle - (to - middle), first), middle);
    this.period.choose(middle, to);
    this.onChoice();
  }

  /** The next period that is chosen is compared with the one that is chosen now. */
  compareWithThis() {
    const {from, to} = this.period;
    this.period.compareWith(from, to);
    this.onChoice();
  }

  zoom(factor) {
    const middle = (this.period.from + this.period.to) / 2;
    const half = Math.max((this.period.to - this.period.from) * factor / 2, 2);
    this.period.choose(middle - half, middle + half);
    this.onChoice();
  }

  /** Dragging over a chart chooses a period. */
  selection(chart) {
    const mark = el("div", {class: "chosen", hidden: true});
    const {canvas} = chart;
    let start = null;
    const clamp = event => {
      const x = event.clientX - canvas.getBoundingClientRect().left;
      return Math.min(Math.max(x, chart.chartArea.left), chart.chartArea.right);
    };
    canvas.addEventListener("pointerdown", event => {
      start = clamp(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
      if (start === null) {
        return;
      }
      const end = clamp(event);
      mark.hidden = Math.abs(end - start) < 4;
      Object.assign(mark.style, {left: Math.min(start, end) + "px", width: Math.abs(end - start) + "px",
        top: chart.chartArea.top + "px", height: chart.chartArea.bottom - chart.chartArea.top + "px"});
    });
    canvas.addEventListener("pointerup", event => {
      const end = clamp(event);
      const chosen = start !== null && Math.abs(end - start) >= 4;
      mark.hidden = true;
      if (chosen) {
        const second = x => this.begin + this.step * chart.scales.x.getValueForPixel(x);
        this.period.choose(second(Math.min(start, end)), second(Math.max(start, end)) + this.step);
        this.onChoice();
      }
      start = null;
    });
    canvas.addEventListener("pointercancel", () => {
      start = null;
      mark.hidden = true;
    });
    return mark;
  }
}
