// The card's region over the picture: moved, found, proposed, and used as gray.

import { $, draw, make, press, put, say, show } from "./elements.js";
import { kelvin, light, percent } from "./numbers.js";
import { act, latest, on, state } from "./server.js";

const box = $("region");
const frame = $("frame");
const least = 8;

/** The card's region in the camera's pixels: x, y, width and height. */
export let region = null;

let dragging = null;
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

const words = ([x, y, w, h]) => `Region at ${x}, ${y}, ${w} wide and ${h} high.`;

// MARK: Mouse, touch and keys

/** Converts a position in the window to the camera's pixels. */
function point(event) {
  const bounds = frame.getBoundingClientRect();
  const { width, height } = picture();
  return [(event.clientX - bounds.left) / bounds.width * width, (event.clientY - bounds.top) / bounds.height * height];
}

function begin(event) {
  if (event.button || !state.control?.here) return;
  const edge = event.target.dataset.edge ?? "";
  if (aiming) return;
  event.preventDefault();
  box.focus({ preventScroll: true });
  box.setPointerCapture(event.pointerId);
  dragging = { edge, from: point(event), region: [...region] };
}

function drag(event) {
  if (!dragging) return;
  const at = point(event);
  const [dx, dy] = [at[0] - dragging.from[0], at[1] - dragging.from[1]];
  let [x, y, w, h] = dragging.region;
  const { edge } = dragging;
  if (edge === "") { x += dx; y += dy; }
  if (edge.includes("e")) w = Math.max(least, w + dx);
  if (edge.includes("s")) h = Math.max(least, h + dy);
  if (edge.includes("w")) { const d = Math.min(dx, w - least, Math.max(dx, -x)); x += d; w -= d; }
  if (edge.includes("n")) { const d = Math.min(dy, h - least, Math.max(dy, -y)); y += d; h -= d; }
  place([x, y, w, h]);
}

function end() {
  if (dragging) say(words(region));
  dragging = null;
}

function key(event) {
  const step = event.ctrlKey ? 1 : Math.max(1, Math.round(picture().width / 80));
  const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    ?? [0, 0];
  if (!dx && !dy || !state.control?.here) return;
  event.preventDefault();
  const [x, y, w, h] = region;
  place(event.shiftKey ? [x, y, w + dx, h + dy] : [x + dx, y + dy, w, h]);
  say(words(region));
}

// MARK: This is gray

let aiming = false;

export function aim(starts = !aiming) {
  aiming = starts && Boolean(state.control?.here);
  press($("gray"), aiming);
  show($("aim"), aiming);
  frame.classList.toggle("aiming", aiming);
  if (aiming) {
    choose([]);
    box.focus({ preventScroll: true });
    say($("aim").textContent);
  }
}

async function takeGray() {
  aim(false);
  put($("gray-result"), "The card is being made neutral.");
  const answer = await act("gray", { region }, "picture");
  if (!answer) return put($("gray-result"), "");
  const seen = answer.firstFrame === undefined ? "It is set." : `Frame ${answer.firstFrame} is the first to show it.`;
  const left = answer.ciede2000 === undefined ? "" : ` The residual is ${answer.ciede2000.toFixed(1)} ΔE00.`;
  const of = answer.light ? ` The light is ${light(answer.light.temperature, answer.light.tint)}.` : "";
  put($("gray-result"), `The card is neutral. ${seen}${left}${of}`);
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
  aim(false);
  const button = $(`find-${what}`);
  button.setAttribute("aria-busy", "true");
  const answer = await act("find", { what }, "picture");
  button.removeAttribute("aria-busy");
  if (!answer) return;
  const found = (Array.isArray(answer) ? answer : answer.proposals ?? [answer]).filter(one => one.proposal !== false);
  choose(found, what);
  if (!found.length) say(`No ${what} was found.`);
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
  list.append(make("span", { text: found.length > 1 ? "Which one is it?" : "Is it this one?" }));
  found.forEach((one, index) => {
    const corners = one.corners ? numbers(one.corners) : null;
    const area = corners ? chartRegion(corners) : numbers(one.region);
    const around = corners ? bounds(corners) : area;
    const name = `${what === "card" ? "Card" : "Chart"} ${index + 1}`;
    const take = () => {
      choose([]);
      place(area);
      box.focus({ preventScroll: true });
      say(`${name} is used. ${words(region)}`);
    };
    if (corners) chart.append(draw("polygon", { points: corners.join(" ") }));
    const mark = make("button", { type: "button", class: "proposal", "aria-label": `Take ${name.toLowerCase()}`, onclick: take },
      make("span", { text: `${index + 1}` }));
    lay(mark, around);
    layer.append(mark);
    const sure = one.confidence === undefined ? "" : `, ${percent(one.confidence)} sure`;
    const warm = one.estimate?.temperature ? `, ${kelvin(one.estimate.temperature)}` : "";
    list.append(make("button", { type: "button", text: `${name}${sure}${warm}`, onclick: take }));
  });
  list.append(make("button", { type: "button", class: "bare", text: "None of these", onclick: () => choose([]) }));
  say(found.length === 1 ? "One proposal. Take it below the picture."
    : `${found.length} proposals. Choose one below the picture.`);
}

export function escape() {
  aim(false);
  choose([]);
}

// MARK: Start

export function start() {
  box.addEventListener("pointerdown", begin);
  box.addEventListener("pointermove", drag);
  box.addEventListener("pointerup", end);
  box.addEventListener("pointercancel", end);
  box.addEventListener("keydown", event => {
    if (event.key === "Enter" && aiming) { event.preventDefault(); takeGray(); } else key(event);
  });
  frame.addEventListener("click", event => {
    if (!aiming) return;
    const [x, y] = point(event);
    place([x - region[2] / 2, y - region[3] / 2, region[2], region[3]], { tells: false });
    takeGray();
  });
  $("gray").onclick = () => aim();
  $("find-card").onclick = () => find("card");
  $("find-chart").onclick = () => find("chart");
  on("camera", camera => {
    if (camera.state !== "open") escape();
    if (dragging || sender.pending || !camera.picture) return;
    const { width, height } = picture();
    const middle = [width * 0.375, height * 0.375, width * 0.25, height * 0.25];
    place(camera.region ?? region ?? middle, { tells: false });
  });
  on("control", control => {
    if (!control.here) escape();
    else if (region && state.camera?.picture && !state.camera.region) sender.send({ region });
  });
}
