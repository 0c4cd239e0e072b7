// The box on the gray card: moved, drawn, found, proposed, and made gray.

import { $, draw, make, put, say, show } from "./elements.js";
import { kelvin, light, percent } from "./numbers.js";
import { act, latest, on, state } from "./server.js";
import { words } from "./words.js";

const box = $("region");
const frame = $("frame");
const least = 8;

/** The box in the camera's pixels: x, y, width and height. */
export let region = null;

let dragging = null;
/** The size of the pictures that the box is for. */
let size = "";
const sender = latest("region", "picture");
const picture = () => state.camera?.picture ?? { width: 1280, height: 720 };

function place(next, { tells = true } = {}) {
  const { width, height } = picture();
  const w = Math.round(Math.min(width, Math.max(least, next[2])));
  const h = Math.round(Math.min(height, Math.max(least, next[3])));
  const x = Math.round(Math.min(width - w, Math.max(0, next[0])));
  const y = Math.round(Math.min(height - h, Math.max(0, next[1])));
  const same = region && [x, y, w, h].every((value, index) => value === region[index]);
  region = [x, y, w, h];
  lay(box, region);
  if (tells && !same) sender.send({ region });
}

function lay(element, [x, y, w, h]) {
  const { width, height } = picture();
  element.style.left = `${100 * x / width}%`;
  element.style.top = `${100 * y / height}%`;
  element.style.width = `${100 * w / width}%`;
  element.style.height = `${100 * h / height}%`;
}

// MARK: Mouse, touch and keys

/** Converts a position in the window to the camera's pixels. */
function point(event) {
  const bounds = frame.getBoundingClientRect();
  const { width, height } = picture();
  return [(event.clientX - bounds.left) / bounds.width * width, (event.clientY - bounds.top) / bounds.height * height];
}

const may = event => !event.button && state.control?.here === true && state.camera?.state === "open" && region;

function begin(event) {
  if (!may(event)) return;
  event.preventDefault();
  event.stopPropagation();
  box.focus({ preventScroll: true });
  box.setPointerCapture(event.pointerId);
  dragging = { edge: event.target.dataset.edge ?? "", from: point(event), region: [...region] };
}

/** Begins a new box outside the present one; a finger scrolls the page there. */
function beginNew(event) {
  if (!may(event) || event.pointerType === "touch" || event.target.closest("#split, .proposal")) return;
  event.preventDefault();
  box.focus({ preventScroll: true });
  box.setPointerCapture(event.pointerId);
  dragging = { edge: "new", from: point(event), region: [...region] };
}

function drag(event) {
  if (!dragging) return;
  const at = point(event);
  const [dx, dy] = [at[0] - dragging.from[0], at[1] - dragging.from[1]];
  let [x, y, w, h] = dragging.region;
  const { edge, from } = dragging;
  if (edge === "new") {
    if (Math.hypot(dx, dy) < least) return;
    return place([Math.min(from[0], at[0]), Math.min(from[1], at[1]), Math.abs(dx), Math.abs(dy)]);
  }
  if (edge === "") { x += dx; y += dy; }
  if (edge.includes("e")) w = Math.max(least, w + dx);
  if (edge.includes("s")) h = Math.max(least, h + dy);
  if (edge.includes("w")) { const d = Math.min(dx, w - least, Math.max(dx, -x)); x += d; w -= d; }
  if (edge.includes("n")) { const d = Math.min(dy, h - least, Math.max(dy, -y)); y += d; h -= d; }
  place([x, y, w, h]);
}

function end() {
  if (dragging) say(words.picture.boxAt(...region));
  dragging = null;
}

/** A click outside the box moves it there. */
function click(event) {
  if (!may(event) || event.target.closest("#region, #split, .proposal")) return;
  const [x, y] = point(event);
  place([x - region[2] / 2, y - region[3] / 2, region[2], region[3]]);
}

function key(event) {
  const step = event.ctrlKey ? 1 : Math.max(1, Math.round(picture().width / 80));
  const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    ?? [0, 0];
  if (!dx && !dy || !state.control?.here || !region) return;
  event.preventDefault();
  const [x, y, w, h] = region;
  place(event.shiftKey ? [x, y, w + dx, h + dy] : [x + dx, y + dy, w, h]);
  say(words.picture.boxAt(...region));
}

// MARK: Make this gray

export async function takeGray() {
  if ($("gray").disabled || !region) return;
  choose([]);
  // The camera states in its own event what was achieved, also if it is not neutral.
  await act("gray", { region }, "picture", answer => Number.isFinite(answer.ciede2000) || whyUnreadable(answer));
}

/** Returns the reason that a card cannot be measured, in the words of this page; "" if it can, or the reason is another one. */
export function unreadable(card) {
  if (!card || card.accepted) return "";
  const { total, used, clipped, dark } = card.pixels;
  const { card: texts } = words;
  return clipped > 0.5 * (total - used) && clipped > 0.05 * total ? texts.clipped
    : dark > 0.5 * total ? texts.dark : Number.isFinite(card.nonuniformity) ? texts.uneven : "";
}

/** The same of an action's refusal. */
export const whyUnreadable = answer => answer.error === "refused" && unreadable(state.reading?.region);

const rightExposure = () => act("exposure", { compensation: 0 }, "picture");

/** Returns the text of the button that helps after a refusal, and what it does, if there is one. */
export function help({ action, error }) {
  if (action !== "find" && (error !== "refused" || action === "undo")) return undefined;
  const isWrong = [words.card.clipped, words.card.dark].includes(unreadable(state.reading?.region));
  if (isWrong && state.camera?.exposure?.compensation) return [words.guide.exposure, rightExposure];
  return action === "find" ? undefined : [words.picture.findCard, () => find("card")];
}

/** The difference of the card's colors from gray in a reading, as a share. */
function colorOf(reading) {
  const rgb = reading?.region?.rgb;
  if (!rgb || reading.region.pixels.used < 0.5 * reading.region.pixels.total) return null;
  return Math.max(...rgb) / Math.min(...rgb) - 1;
}

/** The color of the card in the first readings after it was made gray, and how often it differed from that since. */
let after = { key: "", color: null, changes: 0 };

/** Shows what was achieved for as long as it is true. */
function drawGuide() {
  const { camera, reading, task } = state;
  const neutral = state.connected && camera?.state === "open" ? camera.neutral : null;
  const works = task?.state === "running" && task.action === "gray";
  const [steps, done, focused] = [$("steps"), $("done"), document.activeElement];
  show(steps, !neutral);
  show(done, Boolean(neutral));
  // Whoever uses the keyboard goes on with what replaced the button.
  if (neutral && steps.contains(focused)) done.focus({ preventScroll: true });
  if (!neutral && done.contains(focused)) $("gray").focus({ preventScroll: true });
  if (!neutral) {
    after = { key: "", color: null, changes: 0 };
    if (!works) put($("gray-result"), "");
    return;
  }
  const changed = hasChanged(neutral, reading);
  const { guide } = words;
  const lines = [
    changed ? guide.changed
      : neutral.accepted ? guide.neutral
        : neutral.ciede2000 < 1 ? guide.noDifference : guide.near(neutral.ciede2000),
    !changed && guide[neutral.card], !changed && neutral.accepted && knownLight(reading),
  ];
  put($("gray-result"), lines.filter(Boolean).join(" "));
  // What has to be done first is the button that stands out.
  const isWrong = !changed && Boolean(neutral.card);
  done.dataset.kind = changed || isWrong || !neutral.accepted ? "warn" : "good";
  show($("right-exposure"), isWrong);
  $("keep-gray").classList.toggle("primary", !isWrong && !changed);
  $("gray-again").classList.toggle("primary", changed);
  put($("keep-gray"), camera.keep ? guide.kept : guide.keep);
  if (camera.keep) {
    if (focused === $("keep-gray")) done.focus({ preventScroll: true });
    $("keep-gray").disabled = true;
  }
}

function knownLight(reading) {
  const card = reading?.region;
  return Number.isFinite(card?.temperature) ? words.guide.light(light(card.temperature, card.tint)) : "";
}

function hasChanged(neutral, reading) {
  const key = JSON.stringify(neutral);
  const color = colorOf(reading);
  if (after.key !== key) after = { key, color: null, changes: 0 };
  if (color === null || neutral.card || reading.adjusting) return false;
  after.color ??= color;
  after.changes = color > after.color + 0.04 ? after.changes + 1 : 0;
  return after.changes > 5;
}

// MARK: Proposals

const numbers = text => String(text).split(/[ ,]+/).map(Number);

function bounds(corners) {
  const [xs, ys] = [0, 1].map(odd => corners.filter((_, index) => index % 2 === odd));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

export async function find(what) {
  choose([]);
  const button = $(`find-${what}`);
  button.setAttribute("aria-busy", "true");
  const answer = await act("find", { what }, "picture", refusal => refusal.error === "bad-data" && words.find.nothing[what]);
  button.removeAttribute("aria-busy");
  if (!answer) return;
  const found = (Array.isArray(answer) ? answer : answer.proposals ?? [answer]).filter(one => one.proposal !== false);
  choose(found, what);
  if (!found.length) say(words.find.nothing[what]);
}

/** The gray patch of a chart that is measured best: neutral 6.5 or its neighbors, a fifth of a row inside the corners. */
function chartRegion(corners) {
  // The patches' row of grays is the last: from corner 3 (lower left) to corner 2 (lower right); neutral 6.5 is third.
  const corner = index => [corners[2 * index], corners[2 * index + 1]];
  const at = (u, v) => [0, 1].map(axis => (1 - v) * ((1 - u) * corner(0)[axis] + u * corner(1)[axis])
    + v * ((1 - u) * corner(3)[axis] + u * corner(2)[axis]));
  const [cx, cy] = at(2.5 / 6, 3.5 / 4);
  const [right, low] = [at(3.5 / 6, 3.5 / 4), at(2.5 / 6, 2.5 / 4)];
  const size = 0.5 * Math.min(Math.hypot(right[0] - cx, right[1] - cy), Math.hypot(low[0] - cx, low[1] - cy));
  return [cx - size / 2, cy - size / 2, size, size];
}

function choose(found, what) {
  const [layer, list, chart] = [$("proposals"), $("choices"), $("chart")];
  layer.replaceChildren();
  list.replaceChildren();
  chart.replaceChildren();
  show(list, found.length > 0);
  show($("tools"), !found.length);
  if (!found.length) return;
  const { width, height } = picture();
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  list.append(make("span", { text: found.length > 1 ? words.find.which : words.find.one }));
  found.forEach((one, index) => {
    const corners = one.corners ? numbers(one.corners) : null;
    const area = corners ? chartRegion(corners) : numbers(one.region);
    const around = corners ? bounds(corners) : area;
    const name = what === "card" ? words.find.card(index + 1) : words.find.chart(index + 1);
    const take = () => {
      choose([]);
      place(area);
      box.focus({ preventScroll: true });
      say(words.find.used(name, words.picture.boxAt(...region)));
    };
    if (corners) chart.append(draw("polygon", { points: corners.join(" ") }));
    const mark = make("button", { type: "button", class: "proposal", "aria-label": words.find.take(name), onclick: take },
      make("span", { text: `${index + 1}` }));
    lay(mark, around);
    layer.append(mark);
    const more = [one.confidence !== undefined && words.find.sure(percent(one.confidence)),
      one.estimate?.temperature && kelvin(one.estimate.temperature)];
    list.append(make("button", { type: "button", text: [name, ...more].filter(Boolean).join(", "), onclick: take }));
  });
  list.append(make("button", { type: "button", class: "bare", text: words.find.none, onclick: () => choose([]) }));
  say(found.length === 1 ? words.find.single : words.find.several(found.length));
}

export function escape() {
  choose([]);
}

// MARK: Start

export function start() {
  box.addEventListener("pointerdown", begin);
  frame.addEventListener("pointerdown", beginNew);
  box.addEventListener("pointermove", drag);
  box.addEventListener("pointerup", end);
  box.addEventListener("pointercancel", end);
  box.addEventListener("keydown", key);
  frame.addEventListener("click", click);
  $("gray").onclick = takeGray;
  $("gray-again").onclick = takeGray;
  $("right-exposure").onclick = rightExposure;
  $("find-card").onclick = () => find("card");
  $("find-chart").onclick = () => find("chart");
  on("camera", camera => {
    if (camera.state !== "open") escape();
    if (dragging || sender.pending || !camera.picture) return;
    const { width, height } = picture();
    if (size !== `${width} ${height}`) region = null;
    size = `${width} ${height}`;
    const middle = [width * 0.375, height * 0.375, width * 0.25, height * 0.25];
    place(camera.region ?? region ?? middle, { tells: false });
  });
  on("control", control => {
    if (!control.here) escape();
    else if (region && state.camera?.picture && !state.camera.region) sender.send({ region });
  });
  for (const name of ["camera", "reading", "task", "connection"]) on(name, drawGuide);
}
