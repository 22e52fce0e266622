const COPIED_MILLIS = 2000;

/** An element with attributes, listeners (`onclick` and the like) and children; a child that is null is left out. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for a drawing. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.substring(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Sets a text only where it has changed, so that a screen reader is not told what it knows, and a selection stays. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** A button that copies what `text()` returns, and says that it has. */
export function copyButton(name, text) {
  const button = el("button", {type: "button", onclick: async () => {
    await copy(text());
    button.textContent = "Copied";
    setTimeout(() => button.textContent = name, COPIED_MILLIS);
  }}, name);
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // not a secure context: the endpoint is bound to another address
    const area = el("textarea", {"aria-hidden": "true"});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
