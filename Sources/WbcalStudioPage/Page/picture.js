// The live picture, and what is drawn over it except the box on the card.

import { $, describe, press, put, show } from "./elements.js";
import { fixed, sentences } from "./numbers.js";
import { act, ask, on, pause, state } from "./server.js";
import { words } from "./words.js";

const live = $("live");

// MARK: Pictures

function wanted() {
  const pixels = Math.ceil($("frame").clientWidth * devicePixelRatio / 160) * 160;
  return Math.max(16, Math.min(pixels || 640, state.camera?.picture?.width ?? 1280));
}

const runs = () => !document.hidden && state.connected && state.camera?.state === "open";
let isRunning = false;

/** Asks for one picture after the other, as long as there is a camera and the page is visible. */
async function follow() {
  if (isRunning) return;
  isRunning = true;
  while (runs()) {
    try {
      const answer = await ask(`snapshot?width=${wanted()}`);
      if (!answer.ok) throw answer.status;
      await drawPicture(await answer.blob());
    } catch {
      await pause(500);
    }
  }
  isRunning = false;
}

async function drawPicture(blob) {
  const bitmap = await createImageBitmap(blob);
  if (live.width !== bitmap.width) live.width = bitmap.width;
  if (live.height !== bitmap.height) live.height = bitmap.height;
  live.getContext("2d", { willReadFrequently: !$("edges").hidden }).drawImage(bitmap, 0, 0);
  live.dataset.pictures = Number(live.dataset.pictures ?? 0) + 1;
  drawEdges(bitmap);
  drawLens(bitmap);
  bitmap.close();
}

/** Shows over the picture why it does not change; returns the text. */
export function veil() {
  const { camera, ended } = state;
  const text = ended ? words.veil.ended : !camera || camera.state === "open" ? ""
    : [words.veil[camera.state], ...(["busy", "failed"].includes(camera.state) ? sentences([camera.reason]) : [])].filter(Boolean).join(" ");
  put($("veil"), text);
  show($("veil"), text !== "");
  $("frame").classList.toggle("stale", text !== "" && !(camera?.state === "opening"));
  return text;
}

// MARK: Bright and dark spots

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
  describe(zebra, words.picture.zebraOf(share("clipped"), share("dark")));
}

export function toggleZebra() {
  show(zebra, zebra.hidden);
  show($("legend"), !zebra.hidden);
  press($("zebra-button"), !zebra.hidden);
  drawZebra(state.reading?.zebra);
}

// MARK: Sharp edges

const edges = $("edges");

/** Marks the pixels whose brightness differs most from their neighbors'. */
function drawEdges(bitmap) {
  if (edges.hidden) return;
  const [width, height] = [Math.min(bitmap.width, 480), Math.round(bitmap.height * Math.min(1, 480 / bitmap.width))];
  [edges.width, edges.height] = [width, height];
  const context = edges.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const out = context.createImageData(width, height);
  const light = index => data[index] + 2 * data[index + 1] + data[index + 2];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const here = 4 * (y * width + x);
      const slope = Math.abs(light(here + 4) - light(here - 4)) + Math.abs(light(here + 4 * width) - light(here - 4 * width));
      if (slope > 120) out.data.set([255, 70, 60, 255], here);
    }
  }
  context.putImageData(out, 0, 0);
}

export function toggleEdges() {
  show(edges, edges.hidden);
  press($("edges-button"), !edges.hidden);
}

// MARK: Loupe

const lens = $("lens");
let place = [0.5, 0.5];

function drawLens(bitmap) {
  if (lens.hidden) return;
  const side = 160;
  [lens.width, lens.height] = [side, side];
  const context = lens.getContext("2d");
  context.imageSmoothingEnabled = false;
  const span = Math.min(bitmap.width, bitmap.height) / 8;
  context.drawImage(bitmap, place[0] * bitmap.width - span / 2, place[1] * bitmap.height - span / 2, span, span, 0, 0, side, side);
}

function startLens() {
  $("lens-button").onclick = () => {
    show(lens, lens.hidden);
    press($("lens-button"), !lens.hidden);
  };
  $("frame").addEventListener("pointermove", event => {
    const box = $("frame").getBoundingClientRect();
    place = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    // The corner that is away from the pointer.
    lens.classList.toggle("left", place[0] > 0.5);
  });
}

// MARK: Recording

let recorder = null;

function toggleRecording() {
  if (recorder) return recorder.stop();
  const pieces = [];
  recorder = new MediaRecorder(live.captureStream(15));
  recorder.ondataavailable = event => pieces.push(event.data);
  recorder.onstop = () => {
    recorder = null;
    press($("record"), false);
    put($("record"), words.picture.record);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(pieces, { type: "video/webm" }));
    link.download = words.picture.recorded;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  recorder.start();
  press($("record"), true);
  put($("record"), words.picture.recordEnd);
}

// MARK: Before and now

const split = $("split");

function keepPlace(share) {
  const where = Math.min(1, Math.max(0, share));
  $("frame").style.setProperty("--split", `${where * 100}%`);
  split.setAttribute("aria-valuenow", Math.round(where * 100));
  split.setAttribute("aria-valuetext", words.picture.splitAt(Math.round(where * 100)));
  split.place = where;
}

const loadBefore = () => { $("before-picture").src = `api/1/snapshot?which=before&n=${Date.now()}`; };

export function toggleCompare() {
  const opens = split.hidden && state.camera?.before === true;
  if (opens) loadBefore();
  show(split, opens);
  show($("before"), opens);
  for (const button of [$("compare"), $("compare-gray")]) press(button, opens);
}

function startSplit() {
  keepPlace(0.5);
  $("before-picture").alt = words.picture.beforePicture;
  split.addEventListener("pointerdown", event => {
    split.setPointerCapture(event.pointerId);
    event.preventDefault();
    event.stopPropagation();
    split.focus();
  });
  split.addEventListener("pointermove", event => {
    if (!split.hasPointerCapture(event.pointerId)) return;
    const box = $("frame").getBoundingClientRect();
    keepPlace((event.clientX - box.left) / box.width);
  });
  split.addEventListener("keydown", event => {
    const step = event.shiftKey ? 0.1 : 0.02;
    const where = { ArrowLeft: split.place - step, ArrowDown: split.place - step, ArrowRight: split.place + step,
      ArrowUp: split.place + step, Home: 0, End: 1 }[event.key];
    if (where === undefined) return;
    event.preventDefault();
    keepPlace(where);
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
  const { notKnown, tooBright, below, ofBest } = words.picture;
  if (Number.isFinite(stops)) {
    const clips = stops > -0.1;
    meter(exposure, (stops + 6) / 6, Math.max(-6, Math.min(0, stops)).toFixed(1),
      clips ? tooBright : words.units.stops(fixed(stops, 1)), clips ? tooBright : below(fixed(-stops, 1)));
    exposure.dataset.kind = clips ? "bad" : stops < -5 ? "warn" : "good";
  } else {
    meter(exposure, 0, -6, words.unknown, notKnown);
  }
  const sharpness = reading.sharpness;
  const known = Number.isFinite(sharpness);
  show($("focus-meter"), known);
  meter($("focus-meter"), known ? sharpness : 0, known ? Math.round(100 * sharpness) : 0,
    known ? sharpness.toFixed(2) : words.unknown, known ? ofBest(Math.round(100 * sharpness)) : notKnown);
}

// MARK: Start

export function start() {
  startSplit();
  startLens();
  $("zebra-button").onclick = toggleZebra;
  $("edges-button").onclick = toggleEdges;
  $("compare").onclick = toggleCompare;
  $("compare-gray").onclick = toggleCompare;
  $("record").onclick = toggleRecording;
  show($("record"), "MediaRecorder" in window && "captureStream" in live);
  $("keep-before").onclick = async () => { if (await act("before", {}, "picture")) loadBefore(); };
  $("more-tools").onclick = () => {
    show($("tools-more"), $("tools-more").hidden);
    $("more-tools").setAttribute("aria-expanded", !$("tools-more").hidden);
  };
  for (const meter of [$("exposure-meter"), $("focus-meter")]) meter.setAttribute("aria-valuetext", words.picture.notKnown);
  document.addEventListener("visibilitychange", follow);
  new ResizeObserver(() => drawZebra(state.reading?.zebra)).observe($("frame"));
  on("camera", camera => {
    const { width: w = 16, height: h = 9 } = camera.picture ?? {};
    document.documentElement.style.setProperty("--ratio", `${w / h}`);
    $("compare").disabled = $("compare-gray").disabled = camera.before !== true;
    if (camera.before !== true && !split.hidden) toggleCompare();
    follow();
  });
  on("connection", follow);
  on("reading", reading => { drawMeters(reading); drawZebra(reading.zebra); });
}
