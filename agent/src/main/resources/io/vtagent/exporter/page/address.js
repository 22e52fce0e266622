/** What the page shows, in the fragment of its address. A colleague who opens that address sees the same. */
export class Address {
  constructor() {
    this.parts = new URLSearchParams(location.hash.slice(1));
    addEventListener("hashchange", () => location.reload()); // somebody has entered another one
  }

  /** The value of that name, or an empty text. */
  get(name) {
    return this.parts.get(name) ?? "";
  }

  all(name) {
    return this.parts.getAll(name);
  }

  /** Replaces the values of that name. Those that are empty are left out. */
  set(name, ...values) {
    this.parts.delete(name);
    values.filter(value => value !== "").forEach(value => this.parts.append(name, value));
    const fragment = this.parts.toString();
    try {
      history.replaceState(null, "", location.href.split("#")[0] + (fragment === "" ? "" : "#" + fragment));
    } catch {
      // too often for this browser, or the page has no address of its own
    }
  }
}
