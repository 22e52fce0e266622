import {byId, el, setText, svg} from "./dom.js";
import {count, duration, percent} from "./format.js";
import {KINDS, label} from "./kinds.js";
import {keyOf} from "./period.js";
import {siteDetails} from "./site.js";

const SPARK_STEPS = 60;
const COLUMNS = [
  {name: "Code", sort: site => site.caller, text: true},
  {name: "Kind", sort: site => site.kind, text: true},
  {name: "Operation", sort: site => site.operation, text: true, wide: true},
  {name: "Pins", sort: site => site.shown.count, number: true},
  {name: "Held", sort: site => site.shown.heldNanos, number: true},
  {name: "Share", sort: site => site.shown.heldNanos, number: true},
  {name: "Longest", sort: site => site.longestNanos, number: true, wide: true},
];

/** The table of sites: sorted, filtered, each one opens. */
export class Sites {
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.sites = [];
    this.rows = new Map();
    this.open = new Set();
    this.column = COLUMNS[4];
    this.descending = true;
    this.filter = el("input", {type: "search", id: "site-filter", placeholder: "a part of a name", oninput: () => this.arrange()});
    this.kind = el("select", {id: "site-kind", onchange: () => this.arrange()},
      el("option", {value: ""}, "all kinds"), ...KINDS.map(kind => el("option", {value: kind}, kind)));
    this.heads = COLUMNS.map(column => el("th", {class: classOf(column), scope: "col"},
      el("button", {type: "button", onclick: () => this.sortBy(column)}, column.name)));
    this.body = el("tbody");
    this.none = el("p", {class: "says"});
    byId("sites").replaceChildren(
      el("div", {class: "row"}, el("label", {for: "site-filter"}, "Only"), this.filter, el("label", {for: "site-kind"}, "of"), this.kind),
      el("div", {class: "scroll"}, el("table", {}, el("caption", {hidden: true}, "Sites"),
        el("thead", {}, el("tr", {}, ...this.heads, el("th", {class: "wide", scope: "col"}, "Last hour"))), this.body)),
      this.none);
  }

  /** `sites` as the report has them, `figures` of the chosen period by key, or null for all the time. */
  show(sites, figures, courses) {
    this.sites = sites;
    for (const site of sites) {
      site.key = keyOf(site);
      site.shown = figures === null ? site : figures.get(site.key) ?? {count: 0, heldNanos: 0};
      site.course = courses.get(site.key);
    }
    this.total = sites.reduce((sum, site) => sum + site.shown.heldNanos, 0);
    this.arrange();
  }

  sortBy(column) {
    this.descending = this.column === column ? !this.descending : column.number === true;
    this.column = column;
    this.arrange();
  }

  arrange() {
    COLUMNS.forEach((column, index) => {
      const direction = this.descending ? "descending" : "ascending";
      this.heads[index].setAttribute("aria-sort", column === this.column ? direction : "none");
    });
    const wanted = this.filter.value.toLowerCase();
    const sites = this.sites.filter(site => site.shown.heldNanos > 0
      && (this.kind.value === "" || site.kind === this.kind.value) && site.key.toLowerCase().includes(wanted));
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
    setText(this.none, sites.length > 0 ? "" : this.sites.length === 0 ? "No site has held a carrier." : "No site of this kind and name held a carrier in this period.");
  }

  rowsOf(site) {
    const row = this.rows.get(site.key) ?? this.add(site);
    row.site = site;
    const [pins, held, share, longest] = row.cells;
    setText(pins, count(site.shown.count));
    setText(held, duration(site.shown.heldNanos));
    setText(share, percent(this.total > 0 ? site.shown.heldNanos / this.total : 0));
    setText(longest, duration(site.longestNanos));
    drawSpark(row.spark, site.course);
    const open = this.open.has(site.key);
    row.button.setAttribute("aria-expanded", String(open));
    if (!open) {
      return [row.element];
    }
    if (row.details === undefined || row.stack !== site.stack) {
      row.stack = site.stack;
      row.details = el("tr", {}, el("td", {colspan: COLUMNS.length + 1}, siteDetails(site)));
    }
    return [row.element, row.details];
  }

  add(site) {
    const button = el("button", {type: "button", class: "site", onclick: () => this.toggle(site.key)}, site.caller);
    const spark = svg("path");
    const cells = COLUMNS.slice(3).map(column => el("td", {class: classOf(column)}));
    const element = el("tr", {},
      el("td", {}, button, site.caller === site.site ? null : el("span", {class: "in code"}, "in " + site.site)),
      el("td", {}, label(site.kind)),
      el("td", {class: "wide code"}, site.operation),
      ...cells,
      el("td", {class: "wide"}, svg("svg", {class: "spark", viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true"}, spark)));
    const row = {element, button, cells, spark};
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
    this.arrange();
  }
}

function classOf(column) {
  return [column.number ? "n" : "", column.wide ? "wide" : ""].join(" ").trim();
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
