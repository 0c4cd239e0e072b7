// The CIE 1931 x,y diagram, which the server draws: marks of the current light, the target, and the range of the controls.

import { $, describe, draw, press } from "./elements.js";
import { light } from "./numbers.js";
import { get, on, state } from "./server.js";
import { words } from "./words.js";

const figure = $("diagram");
let whole = false;
/** The query of the drawing that was asked for last, and the drawing that is shown. */
let asked = "";
let drawing = null;
let marks = null;

const at = ([x, y]) => {
  const { box: [left, top, right, bottom], x: [from, to], y: [low, high] } = drawing;
  return [left + (x - from) / (to - from) * (right - left), bottom - (y - low) / (high - low) * (bottom - top)];
};
/** Returns the place of a mark: a light outside the view is marked at the edge. */
const inside = one => {
  const [left, top, right, bottom] = drawing.box;
  const [x, y] = at(one);
  return [Math.min(right, Math.max(left, x)), Math.min(bottom, Math.max(top, y))];
};
const points = list => (list ?? []).map(one => at(one).map(value => value.toFixed(1)).join(",")).join(" ");

/** Gets the drawing for the size of the figure, if it is not the one that is shown. */
async function base() {
  const [width, height] = [figure.clientWidth, figure.clientHeight];
  const query = `diagram?width=${width}&height=${height}&whole=${whole}`;
  if (Math.min(width, height) < 100 || query === asked) return;
  asked = query;
  const answer = await get(query);
  if (query !== asked) return;
  if (!answer) {
    asked = "";
    return;
  }
  drawing = answer;
  figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
  figure.innerHTML = answer.svg;
  marks = { reach: draw("polygon", { class: "reach" }), ellipse: draw("polygon", { class: "ellipse" }),
    target: draw("path", { class: "target" }), now: draw("circle", { class: "now", r: 4.5 }) };
  figure.querySelector(".plot").append(...Object.values(marks));
  lights();
}

function lights() {
  base();
  if (!drawing) return;
  const { region, set, device, wanted } = state.reading ?? {};
  const gamut = state.camera?.reach?.gamut;
  marks.reach.setAttribute("points", points(gamut));
  marks.ellipse.setAttribute("points", points(region?.ellipse));
  marks.now.toggleAttribute("hidden", !region?.xy);
  if (region?.xy) {
    const [x, y] = inside(region.xy);
    marks.now.setAttribute("cx", x.toFixed(1));
    marks.now.setAttribute("cy", y.toFixed(1));
  }
  const [x, y] = wanted ? inside(wanted) : [];
  marks.target.setAttribute("d", wanted ? `M${x - 9} ${y}h6m6 0h6M${x} ${y - 9}v6m0 6v6` : "");
  const said = (sentence, one) => Number.isFinite(one?.temperature) ? sentence(light(one.temperature, one.tint)) : "";
  const { details } = words;
  describe(figure, details.said(said(details.saidNow, region), said(details.saidTarget, set?.asked ?? device),
    gamut ? details.saidReach : details.saidNoReach));
}

function toggleWhole() {
  whole = !whole;
  press($("whole"), whole);
  lights();
}

export function start() {
  $("whole").onclick = toggleWhole;
  new ResizeObserver(lights).observe(figure);
  for (const name of ["reading", "camera"]) on(name, lights);
}
