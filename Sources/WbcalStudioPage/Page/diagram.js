// The CIE 1931 x,y diagram: the loci, the current light, the target, and the range of the controls.

import { $, describe, draw, press } from "./elements.js";
import { chromaticity, light } from "./numbers.js";
import { get, on, state } from "./server.js";
import { words } from "./words.js";

const figure = $("diagram");
const edge = { left: 38, right: 10, top: 8, bottom: 24 };
const ticks = [1500, 2000, 2500, 3000, 4000, 5000, 6500, 10000, 20000];

let locus = { xy: [], planckian: [] };
let whole = false;
let view = null;
let marks = null;
let drawn = "";

const at = ([x, y]) => [
  edge.left + (x - view.x) * view.scale,
  view.height - edge.bottom - (y - view.y) * view.scale,
];
const points = list => list.map(one => at(one).map(value => value.toFixed(1)).join(",")).join(" ");
const target = () => {
  const asked = state.reading?.set?.asked ?? state.reading?.device;
  return asked?.xy ?? chromaticity(asked?.temperature, asked?.tint, locus.planckian);
};

/** Returns the range of x and y to show, with the same scale for both. */
function fit(width, height) {
  let [left, right, low, high] = [0, 0.76, 0, 0.86];
  if (!whole) {
    const daylight = [2500, 4000, 10000].map(kelvin => chromaticity(kelvin, 0, locus.planckian));
    // Only the part of the controls' range near the lights: a gamut can be nearly as large as the locus.
    const all = [...daylight, target(), state.reading?.region?.xy].filter(Boolean);
    const [xs, ys] = [all.map(one => one[0]), all.map(one => one[1])];
    // Whole steps of 0.05, so that a light that moves a little does not move the view.
    [left, right] = [Math.floor((Math.min(...xs, 0.3) - 0.01) * 20) / 20, Math.ceil((Math.max(...xs, 0.45) + 0.01) * 20) / 20];
    [low, high] = [Math.floor((Math.min(...ys, 0.3) - 0.01) * 20) / 20, Math.ceil((Math.max(...ys, 0.4) + 0.01) * 20) / 20];
  }
  const [w, h] = [width - edge.left - edge.right, height - edge.top - edge.bottom];
  const scale = Math.min(w / (right - left), h / (high - low));
  return { x: left - (w / scale - (right - left)) / 2, y: low - (h / scale - (high - low)) / 2, scale, width, height };
}

function axes() {
  const group = draw("g", { class: "axes" });
  // The labels of x are up to 34 wide.
  const step = [0.02, 0.05, 0.1, 0.2, 0.5].find(one => one * view.scale >= 36) ?? 1;
  const [right, top] = [view.width - edge.right, edge.top];
  const [floor, left] = [view.height - edge.bottom, edge.left];
  const decimals = step < 0.1 ? 2 : 1;
  for (let tick = Math.max(0, Math.ceil(view.x / step) * step); at([tick, 0])[0] <= right; tick += step) {
    const x = at([tick, 0])[0];
    group.append(draw("line", { class: "grid", x1: x, x2: x, y1: top, y2: floor }));
    if (x < right - 16) group.append(draw("text", { x, y: floor + 16, "text-anchor": "middle", text: tick.toFixed(decimals) }));
  }
  for (let tick = Math.max(0, Math.ceil(view.y / step) * step); at([0, tick])[1] >= top; tick += step) {
    const y = at([0, tick])[1];
    group.append(draw("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }));
    if (y > top + 16) group.append(draw("text", { x: left - 5, y: y + 4, "text-anchor": "end", text: tick.toFixed(decimals) }));
  }
  group.append(draw("text", { class: "name", x: right, y: floor + 16, "text-anchor": "end", text: "x" }),
    draw("text", { class: "name", x: left - 5, y: top + 9, "text-anchor": "end", text: "y" }));
  return group;
}

function planckian() {
  const group = draw("g", { class: "planckian" });
  group.append(draw("polyline", { points: points(locus.planckian.map(([, x, y]) => [x, y])) }));
  let last = null;
  for (const kelvin of ticks) {
    const [green, magenta] = [12, -12].map(tint => chromaticity(kelvin, tint, locus.planckian));
    if (!green || kelvin < locus.least || kelvin > locus.most) continue;
    const [a, b] = [at(green), at(magenta)];
    group.append(draw("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }));
    // A label where there is room for it, on the magenta side.
    const near = last && Math.abs(b[0] - last[0]) < 46 && Math.abs(b[1] - last[1]) < 13;
    const outside = b[1] + 14 > view.height - edge.bottom || b[0] + 44 > view.width;
    if (near || outside || (whole && ![2000, 4000, 10000].includes(kelvin))) continue;
    group.append(draw("text", { x: b[0] + 4, y: b[1] + 11, text: words.units.kelvin(kelvin) }));
    last = b;
  }
  return group;
}

/** Draws the static parts again if the view or the range of the controls has changed. */
function base() {
  const [width, height] = [figure.clientWidth, figure.clientHeight];
  if (!width || !height || !locus.xy.length) return false;
  view = fit(width, height);
  const now = JSON.stringify([view, whole, state.camera?.reach?.gamut]);
  if (now === drawn) return true;
  drawn = now;
  const gamut = state.camera?.reach?.gamut ?? [];
  figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const clip = draw("clipPath", { id: "diagram-clip" }, draw("rect", {
    x: edge.left, y: edge.top, width: width - edge.left - edge.right, height: height - edge.top - edge.bottom }));
  marks = {
    ellipse: draw("polygon", { class: "ellipse" }),
    now: draw("circle", { class: "now", r: 4.5 }),
    target: draw("path", { class: "target" }),
  };
  const inside = draw("g", { "clip-path": "url(#diagram-clip)" },
    draw("polygon", { class: "locus", points: points(locus.xy) }),
    draw("polygon", { class: "reach", points: points(gamut) }),
    planckian(), marks.ellipse, marks.target, marks.now);
  figure.replaceChildren(clip, axes(), inside);
  return true;
}

function lights() {
  if (!base()) return;
  const { region, set, device } = state.reading ?? {};
  const [here, wanted] = [region?.xy, target()];
  marks.now.toggleAttribute("hidden", !here);
  if (here) {
    const [x, y] = at(here);
    marks.now.setAttribute("cx", x.toFixed(1));
    marks.now.setAttribute("cy", y.toFixed(1));
  }
  marks.ellipse.setAttribute("points", region?.ellipse ? points(region.ellipse) : "");
  const [x, y] = wanted ? at(wanted) : [0, 0];
  marks.target.setAttribute("d", wanted ? `M${x - 9} ${y}h6m6 0h6M${x} ${y - 9}v6m0 6v6` : "");
  const said = (sentence, one) => Number.isFinite(one?.temperature) ? sentence(light(one.temperature, one.tint)) : "";
  const { details } = words;
  describe(figure, details.said(said(details.saidNow, region), said(details.saidTarget, set?.asked ?? device),
    state.camera?.reach?.gamut ? details.saidReach : details.saidNoReach));
}

export function toggleWhole() {
  whole = !whole;
  press($("whole"), whole);
  lights();
}

export async function start() {
  $("whole").onclick = toggleWhole;
  new ResizeObserver(lights).observe(figure);
  on("reading", lights);
  on("camera", lights);
  on("connection", async connected => {
    if (!connected || locus.xy.length) return;
    const answer = await get("spectrum-locus");
    if (!answer) return;
    locus = answer;
    const kelvins = locus.planckian.map(row => row[0]);
    [locus.least, locus.most] = [Math.min(...kelvins), Math.max(...kelvins)];
    lights();
  });
}
