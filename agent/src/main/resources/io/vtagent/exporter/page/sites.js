import {byId, el, setText, svg} from "./dom.js";
import {DurationChart} from "./durations.js";
import {basis, count, duration, held, percent, pins, rare} from "./format.js";
import {KINDS, label} from "./kinds.js";
import {siteDetails} from "./site.js";

const SPARK_STEPS = 60;
/** Nobody would act on a site that has held carriers for less than this part of the time: the report at exit folds those, too. */
export const NOTABLE_PART = 1e-4;
/** What each view begins with. */
export const CODE_AND_KIND = [
  {name: "Code", sort: site => site.caller, text: true},
  {name: "Kind", sort: site => site.kind, text: true},
];
const CELLS_FROM = CODE_AND_KIND.length;

/** The table of sites: sorted, filtered, each one opens. A view says which columns it has, and what stands in them. */
export class Sites {
  constructor(onOpen, address) {
    this.onOpen = onOpen;
    this.address = address;
    this.sites = [];
    this.open = new Set(address.all("site"));
    this.folds = true;
    this.filter = el("input", {type: "search", id: "site-filter", placeholder: "part of a name", value: address.get("only"), oninput: () => this.ask("only", this.filter.value)});
    this.kind = el("select", {id: "site-kind", onchange: () => this.ask("kind", this.kind.value)},
      el("option", {value: ""}, "all kinds"), ...KINDS.map(kind => el("option", {value: kind, selected: kind === address.get("kind")}, kind)));
    this.head = el("tr");
    this.body = el("tbody");
    this.none = el("p", {class: "says"});
    this.seldom = el("p", {class: "says", id: "sites-rare"});
    this.rest = el("span");
    this.unfold = el("button", {type: "button", "aria-expanded": "false", onclick: () => this.fold(!this.folds)}, "Show them");
    this.fewer = el("p", {class: "says row", id: "sites-rest", hidden: true}, this.rest, this.unfold);
    byId("sites").replaceChildren(
      el("div", {class: "row"}, el("label", {for: "site-filter"}, "Only"), this.filter, el("label", {for: "site-kind"}, "of"), this.kind),
      el("div", {class: "scroll"}, el("table", {}, el("caption", {hidden: true}, "Sites"), el("thead", {}, this.head), this.body)),
      this.none, this.fewer, this.seldom);
  }

  /** Shows `sites`, each of which has a key, as `view` does. */
  show(view, sites) {
    if (this.view?.constructor !== view.constructor) {
      this.begin(view);
    }
    this.view = view;
    this.sites = sites;
    setText(this.seldom, view.seldom);
    this.arrange();
  }

  /** Another view has other columns. */
  begin({columns, further, first}) {
    this.columns = columns;
    this.rows = new Map();
    this.column = columns.find(column => column.name === this.address.get("sort")) ?? columns.find(column => column.name === first);
    this.descending = this.address.get("order") !== "ascending";
    this.heads = columns.map(column => el("th", {class: classOf({...column, code: false}), scope: "col"},
      el("button", {type: "button", onclick: () => this.sortBy(column)}, column.name)));
    this.head.replaceChildren(...this.heads, ...further.map(name => el("th", {class: "wide", scope: "col"}, name)));
    this.width = columns.length + further.length;
  }

  sortBy(column) {
    this.descending = this.column === column ? !this.descending : column.number === true;
    this.column = column;
    this.address.set("sort", column.name);
    this.ask("order", this.descending ? "" : "ascending");
  }

  /** Shows what was asked for, and keeps it in the address. */
  ask(name, value) {
    this.address.set(name, value);
    this.arrange();
  }

  fold(folds) {
    this.folds = folds;
    this.unfold.setAttribute("aria-expanded", String(!folds));
    setText(this.unfold, folds ? "Show them" : "Hide them");
    this.arrange();
  }

  /** The sites to be shown, of those that were asked for: who filters wants to find everything. */
  notable(asked) {
    const isUnasked = this.filter.value === "" && this.kind.value === "";
    const folded = isUnasked ? asked.filter(site => !this.open.has(site.key) && this.view.folds(site)) : [];
    this.fewer.hidden = folded.length === 0;
    setText(this.rest, this.view.rest(folded));
    return this.folds ? asked.filter(site => !folded.includes(site)) : asked;
  }

  arrange() {
    this.columns.forEach((column, index) => {
      const direction = this.descending ? "descending" : "ascending";
      this.heads[index].setAttribute("aria-sort", column === this.column ? direction : "none");
    });
    const wanted = this.filter.value.toLowerCase();
    const asked = this.sites.filter(site => this.view.has(site)
      && (this.kind.value === "" || site.kind === this.kind.value) && site.key.toLowerCase().includes(wanted));
    const sites = this.notable(asked);
    const {sort, text} = this.column;
    sites.sort((a, b) => text ? sort(a).localeCompare(sort(b)) : sort(a) - sort(b));
    if (this.descending) {
      sites.reverse();
    }
    const rows = sites.flatMap(site => this.rowsOf(site));
    // only what has to move is moved, so that the focus stays where it is
    rows.forEach((row, index) => {
      if (this.body.children[index] !== row) {
        this.body.insertBefore(row, this.body.children[index] ?? null);
      }
    });
    while (this.body.children.length > rows.length) {
      this.body.lastChild.remove();
    }
    setText(this.none, asked.length > 0 ? "" : this.sites.length === 0 ? "No site has held a carrier." : "No site of this kind and name held a carrier in this period.");
  }

  rowsOf(site) {
    const row = this.rows.get(site.key) ?? this.add(site);
    row.site = site;
    this.view.fill(row, site);
    const open = this.open.has(site.key);
    row.button.setAttribute("aria-expanded", String(open));
    if (!open) {
      return [row.element];
    }
    if (row.details === undefined || row.stack !== site.stack) {
      row.stack = site.stack;
      row.chart = new DurationChart();
      row.details = el("tr", {}, el("td", {colspan: this.width}, this.view.details(site, row.chart)));
    }
    this.view.draw(row.chart, site);
    return [row.element, row.details];
  }

  add(site) {
    const button = el("button", {type: "button", class: "site", onclick: () => this.toggle(site.key)}, site.caller);
    const cells = this.columns.slice(CELLS_FROM).map(column => el("td", {class: classOf(column)}));
    const row = {button, cells};
    row.element = el("tr", {},
      el("td", {}, button, site.caller === site.site ? null : el("span", {class: "in code"}, "in " + site.site)),
      el("td", {}, label(site.kind)),
      ...cells,
      ...this.view.furtherCells(row));
    this.rows.set(site.key, row);
    return row;
  }

  toggle(key) {
    const row = this.rows.get(key);
    row.details = undefined;
    if (!this.open.delete(key)) {
      this.open.add(key);
      this.onOpen(row.site);
    }
    this.address.set("site", ...this.open);
    this.arrange();
  }
}

/** What the sites held in a period. */
export class HeldView {
  first = "Others waited";
  further = ["Last hour"];
  columns = [
    ...CODE_AND_KIND,
    {name: "Operation", sort: site => site.operation, text: true, wide: true, code: true},
    {name: "Pins", sort: site => site.shown.count, number: true},
    {name: "Held", sort: site => site.shown.heldNanos, number: true},
    {name: "Share", sort: site => site.shown.heldNanos, number: true},
    {name: "Others waited", sort: site => site.shown.waitingNanos + site.shown.heldNanos / 1e12, number: true},
    {name: "Longest", sort: site => site.longestNanos, number: true, wide: true},
  ];

  /** The sites as the report has them, of a period of `nanos`; `when` says of which. */
  constructor({sites, rare: seldom, durationBoundsNanos}, nanos, when) {
    this.seldom = rare(seldom);
    this.boundsNanos = durationBoundsNanos;
    this.when = when;
    this.leastNanos = nanos * NOTABLE_PART;
    this.total = sites.reduce((sum, site) => sum + site.shown.heldNanos, 0);
  }

  has(site) {
    return site.shown.heldNanos > 0;
  }

  folds(site) {
    return site.kind === "jvm" || this.isSmall(site) || this.isSmallRest(site);
  }

  isSmall(site) {
    return site.shown.heldNanos < this.leastNanos && site.inProgress === undefined;
  }

  /** Whether it stands for the pins without a stack, and they are few. */
  isSmallRest(site) {
    return site.site === "(unattributed)" && site.shown.heldNanos <= this.total / 100 && site.inProgress === undefined;
  }

  rest(folded) {
    const jvm = folded.filter(site => site.kind === "jvm");
    const small = folded.filter(site => site.kind !== "jvm" && this.isSmall(site));
    const unattributed = folded.filter(site => site.kind !== "jvm" && !this.isSmall(site));
    return (small.length === 0 ? "" : `${small.length === 1 ? "1 site" : small.length + " sites"} held carriers for less than a ten-thousandth of the time each: ${sum(small)}. `)
      + (unattributed.length === 0 ? "" : `No stack was read of ${sum(unattributed)}. `)
      + (jvm.length === 0 ? "" : `The JVM itself made carriers wait, for example for memory or a class: ${sum(jvm)}. `);
  }

  furtherCells(row) {
    row.spark = svg("path");
    return [el("td", {class: "wide"}, svg("svg", {class: "spark", viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true"}, row.spark))];
  }

  fill({cells, spark}, site) {
    const [operation, pins, nanos, share, waited, longest] = cells;
    setText(operation, site.operation);
    setText(pins, count(site.shown.count));
    setText(nanos, held(site, site.shown.heldNanos));
    nanos.title = basis(site);
    setText(share, percent(this.total > 0 ? site.shown.heldNanos / this.total : 0));
    setText(waited, duration(site.shown.waitingNanos));
    waited.title = "how long virtual threads were queued because of this site, summed over the threads";
    setText(longest, site.longestNanos > 0 ? duration(site.longestNanos) : "–");
    drawSpark(spark, site.course);
  }

  details(site, chart) {
    return siteDetails(site, chart);
  }

  draw(chart, site) {
    chart.show(this.boundsNanos, [{name: "", colour: "link", durations: site.shown.durations ?? []}], this.when, site);
  }
}

function sum(sites) {
  return `${pins(sites.reduce((all, site) => all + site.shown.count, 0))}, ${duration(sites.reduce((all, site) => all + site.shown.heldNanos, 0))}`;
}

function classOf(column) {
  return [column.number ? "n" : "", column.wide ? "wide" : "", column.code ? "code" : ""].join(" ").trim();
}

function drawSpark(path, course) {
  const most = course === undefined ? 0 : Math.max(...course);
  const points = most === 0 ? [] : course.map((value, index) =>
    `${(100 * index / (course.length - 1)).toFixed(1)} ${(19 - 18 * value / most).toFixed(1)}`);
  const line = points.length === 0 ? "" : "M" + points.join("L");
  if (path.getAttribute("d") !== line) {
    path.setAttribute("d", line);
  }
}

export {SPARK_STEPS};
