// The live picture, and its overlays except the card's region.

import { $, describe, press, put, show } from "./elements.js";
import { fixed, sentences } from "./numbers.js";
import { act, on, state } from "./server.js";

let live = $("live");
let coming = null;
let width = 0;
let retry = 0;

// MARK: Stream

function wanted() {
  const pixels = Math.ceil($("frame").clientWidth * devicePixelRatio / 160) * 160;
  return Math.min(pixels || 640, state.camera?.picture?.width ?? 1280);
}

/** Starts, changes or stops the stream: it runs while there is a camera and the page is visible. */
function stream(anew = false) {
  const runs = !document.hidden && state.connected && state.camera && state.camera.state !== "vanished";
  if (!runs) {
    // Another address ends the old stream; the last picture stays if the camera went away.
    if (width && document.hidden) live.removeAttribute("src");
    width = 0;
    return;
  }
  const next = wanted();
  // A slightly smaller size does not restart the stream.
  if (!anew && next <= width && next > 0.7 * width) return;
  width = next;
  coming?.removeAttribute("src");
  // The old picture stays until the first one of the new stream arrives.
  const image = live.cloneNode();
  coming = image;
  image.onload = () => {
    image.onload = null;
    if (image !== coming) return;
    coming = null;
    live.replaceWith(image);
    live.removeAttribute("src");
    live = image;
  };
  image.onerror = () => { if (image === coming || image === live) soon(); };
  image.src = `api/1/picture?width=${width}&n=${Date.now()}`;
}

function soon() {
  clearTimeout(retry);
  retry = setTimeout(() => stream(true), 2000);
}

/** Shows over the picture why it does not change; returns the text. */
export function veil() {
  const camera = state.camera;
  const text = !state.connected ? "The connection to the studio is lost. The page connects again by itself."
    : camera?.state === "vanished" ? "The camera went away; the studio continues when it is back."
    : camera?.state === "opening" ? sentences([camera.reason ?? "The camera is being opened"])[0]
    : "";
  put($("veil"), text);
  show($("veil"), text !== "");
  return text;
}

// MARK: Zebra

const zebra = $("zebra");
let stripes = null;

function bits(text) {
  const bytes = atob(text ?? "");
  return index => (bytes.charCodeAt(index >> 3) >> (7 - (index & 7)) & 1) === 1;
}

function pattern(context, color, falling) {
  const tile = new OffscreenCanvas(8, 8);
  const ink = tile.getContext("2d");
  ink.fillStyle = "rgba(0,0,0,.55)";
  ink.fillRect(0, 0, 8, 8);
  ink.strokeStyle = color;
  ink.lineWidth = 2.6;
  for (const shift of [-8, 0, 8]) {
    ink.moveTo(shift, falling ? 0 : 8);
    ink.lineTo(shift + 8, falling ? 8 : 0);
  }
  ink.stroke();
  return context.createPattern(tile, "repeat");
}

function drawZebra(cells) {
  if (zebra.hidden || !cells) return;
  zebra.width = zebra.clientWidth;
  zebra.height = zebra.clientHeight;
  const context = zebra.getContext("2d");
  stripes ??= { clipped: pattern(context, "#ff5a4f", true), dark: pattern(context, "#5ab0ff", false) };
  const [w, h] = [zebra.width / cells.columns, zebra.height / cells.rows];
  const count = { clipped: 0, dark: 0 };
  for (const kind of ["clipped", "dark"]) {
    const marked = bits(cells[kind]);
    context.fillStyle = stripes[kind];
    for (let index = 0; index < cells.columns * cells.rows; index++) {
      if (!marked(index)) continue;
      count[kind] += 1;
      const [column, row] = [index % cells.columns, Math.floor(index / cells.columns)];
      context.fillRect(Math.floor(column * w), Math.floor(row * h), Math.ceil(w), Math.ceil(h));
    }
  }
  const share = kind => Math.round(100 * count[kind] / (cells.columns * cells.rows));
  describe(zebra, `Zebra: ${share("clipped")} % of the picture is clipped, ${share("dark")} % is too dark.`);
}

export function toggleZebra() {
  show(zebra, zebra.hidden);
  show($("legend"), !zebra.hidden);
  press($("zebra-button"), !zebra.hidden);
  drawZebra(state.reading?.zebra);
}

// MARK: Before and after

const split = $("split");
let kept = false;

function keepPlace(share) {
  const place = Math.min(1, Math.max(0, share));
  $("frame").style.setProperty("--split", `${place * 100}%`);
  split.setAttribute("aria-valuenow", Math.round(place * 100));
  split.setAttribute("aria-valuetext", `${Math.round(place * 100)} % of the width shows the picture before`);
  split.place = place;
}

async function keep() {
  if (!await act("before", {}, "picture")) return false;
  $("before-picture").src = `api/1/snapshot?which=before&n=${Date.now()}`;
  kept = true;
  return true;
}

export async function toggleCompare() {
  const opens = split.hidden;
  if (opens && !kept) {
    if (state.camera?.before) $("before-picture").src = `api/1/snapshot?which=before&n=${Date.now()}`;
    else if (!await keep()) return;
    kept = true;
  }
  show(split, opens);
  show($("before"), opens);
  show($("keep-before"), opens);
  press($("compare"), opens);
}

function startSplit() {
  keepPlace(0.5);
  split.addEventListener("pointerdown", event => {
    split.setPointerCapture(event.pointerId);
    event.preventDefault();
    split.focus();
  });
  split.addEventListener("pointermove", event => {
    if (!split.hasPointerCapture(event.pointerId)) return;
    const box = $("frame").getBoundingClientRect();
    keepPlace((event.clientX - box.left) / box.width);
  });
  split.addEventListener("keydown", event => {
    const step = event.shiftKey ? 0.1 : 0.02;
    const place = { ArrowLeft: split.place - step, ArrowDown: split.place - step, ArrowRight: split.place + step,
      ArrowUp: split.place + step, Home: 0, End: 1 }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    keepPlace(place);
  });
}

// MARK: Meters

function meter(element, share, value, text, spoken) {
  element.querySelector("b").style.width = `${Math.min(1, Math.max(0, share)) * 100}%`;
  put(element.querySelector("output"), text);
  if (element.getAttribute("aria-valuetext") !== spoken) {
    element.setAttribute("aria-valuenow", value);
    element.setAttribute("aria-valuetext", spoken);
  }
}

function drawMeters(reading) {
  const stops = reading.exposure?.stops;
  const exposure = $("exposure-meter");
  if (Number.isFinite(stops)) {
    const clips = stops > -0.1;
    meter(exposure, (stops + 6) / 6, Math.max(-6, Math.min(0, stops)).toFixed(1),
      clips ? "clipped" : `${fixed(stops, 1)} stops`,
      clips ? "clipped" : `${fixed(-stops, 1)} stops below clipping`);
    exposure.dataset.kind = clips ? "bad" : stops < -5 ? "warn" : "good";
  } else {
    meter(exposure, 0, -6, "–", "not known");
  }
  const sharpness = reading.sharpness;
  const known = Number.isFinite(sharpness);
  meter($("focus-meter"), known ? sharpness : 0, known ? Math.round(100 * sharpness) : 0,
    known ? sharpness.toFixed(2) : "–", known ? `${Math.round(100 * sharpness)} % of the best seen` : "not known");
}

// MARK: Start

export function start() {
  startSplit();
  $("zebra-button").onclick = toggleZebra;
  $("compare").onclick = toggleCompare;
  $("keep-before").onclick = keep;
  document.addEventListener("visibilitychange", () => stream());
  let later = 0;
  new ResizeObserver(() => {
    clearTimeout(later);
    later = setTimeout(() => { stream(); drawZebra(state.reading?.zebra); }, 300);
  }).observe($("frame"));
  let before = null;
  on("camera", camera => {
    const { width: w = 16, height: h = 9 } = camera.picture ?? {};
    document.documentElement.style.setProperty("--ratio", `${w / h}`);
    // A request made while the camera was opened may have failed.
    stream(camera.state === "open" && before !== "open");
    before = camera.state;
  });
  on("connection", () => { width = 0; before = null; stream(true); });
  on("reading", reading => { drawMeters(reading); drawZebra(reading.zebra); });
}
