// Shortcuts to elements of the page.

export const $ = id => document.getElementById(id);

/** A new element: `make("p", { class: "quiet", text: "…", onclick: act }, child…)`. */
export function make(name, settings = {}, ...children) {
  return fill(document.createElement(name), settings, children);
}

/** The same for SVG. */
export function draw(name, settings = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), settings, children);
}

function fill(element, settings, children) {
  for (const [key, value] of Object.entries(settings)) {
    if (value === null || value === undefined) continue;
    if (key === "text") element.textContent = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Sets a text only if it changes, so that a selection is kept. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, visible) {
  if (element.hidden === visible) element.hidden = !visible;
}

export function press(button, pressed) {
  if (button.getAttribute("aria-pressed") !== `${pressed}`) button.setAttribute("aria-pressed", pressed);
}

/** Announces a text to screen readers, once no newer one has come for a moment. */
export function say(text) {
  clearTimeout(say.later);
  say.later = setTimeout(() => { $("live-polite").textContent = text; }, 400);
}

/** The text alternative of a figure, changed at most every four seconds. */
export function describe(element, text) {
  const now = Date.now();
  if (now - (element.described ?? 0) < 4000) return;
  element.described = now;
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}
