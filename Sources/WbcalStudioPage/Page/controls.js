// White balance, exposure and focus: the requested and the applied setting, and the frame that shows it.

import { $, make, put, say, show } from "./elements.js";
import { first, fixed, kelvin, light, seconds, sentences, signed } from "./numbers.js";
import { region } from "./region.js";
import { act, latest, on, state } from "./server.js";
import { Slider } from "./slider.js";

const classNames = { thermal: "Thermal", daylight: "Daylight", led: "LED", fluorescent: "Fluorescent", other: "Other" };
const modeNames = { locked: "Locked", automatic: "Once", continuousAutomatic: "Automatic" };

// MARK: Common parts

/** Adds the classes of lights to a menu; `none` stands for the class that follows from the light's name. */
export function fillClasses(select, none) {
  select.append(make("option", { value: "", text: none }),
    ...Object.entries(classNames).map(([value, text]) => make("option", { value, text })));
}

/** Shows radio buttons for the modes; the promise of `asks(mode)` settles when the server has answered. */
function modes(id, list, now, asks) {
  const box = $(id);
  if (box.key !== list.join()) {
    box.key = list.join();
    box.replaceChildren(...list.map(mode => make("label", {},
      make("input", { type: "radio", name: id, value: mode, onchange: async () => {
        box.asking = true;
        await asks(mode);
        box.asking = false;
      } }), make("span", { text: modeNames[mode] ?? mode }))));
  }
  const input = box.querySelector(`input[value="${CSS.escape(now ?? "")}"]`);
  if (input && !box.asking && !input.checked) input.checked = true;
}

/** Adds the lines "asked", "applied" and "seen", and the Undo button. */
function trace(id, place) {
  const box = $(`${id}-trace`);
  const parts = Object.fromEntries(["asked", "applied", "seen"].map(name => [name, make("dd", { text: "–" })]));
  const undo = make("button", { type: "button", class: "small", text: "Undo", onclick: undoLast,
    "aria-label": `Undo the last setting of the ${place}` });
  box.append(make("dl", {}, ...Object.entries(parts).map(([name, dd]) =>
    make("div", {}, make("dt", { text: name[0].toUpperCase() + name.slice(1) }), dd))), undo);
  return {
    put({ asked, applied, seen }) {
      put(parts.asked, asked ?? "–");
      put(parts.applied, applied ?? "–");
      put(parts.seen, seen ?? "–");
      undo.disabled = placeOf(state.camera?.undoes) !== id;
    },
  };
}

/** The text for "seen". A small change has no first frame: a finished setting without one is in the picture nevertheless. */
const frameText = (seen, isSet) => seen?.frame !== undefined ? `in frame ${seen.frame}` : isSet ? "in the picture" : undefined;

/** The part of the page that an action belongs to. */
const placeOf = action => ({ set: "balance", gray: "balance", exposure: "exposure", focus: "focus" })[action];

const placeNames = { balance: "white balance", exposure: "exposure", focus: "focus" };

export async function undoLast() {
  const action = state.camera?.undoes;
  if (!action) return;
  const place = placeOf(action) ?? "balance";
  // By its name, so that a setting made in the meantime is not undone.
  if (!await act("undo", { action }, place)) return;
  // The previous request and its frame are no longer shown.
  if (place === "balance") balanceFrame = undefined;
  if (place === "exposure") exposureAnswer = null;
  if (place === "focus") focusAnswer = null;
  say(`The previous ${placeNames[place]} is restored.`);
}

// MARK: White balance

const balance = latest("set", "balance", answer => {
  if (!answer) return;
  balanceFrame = answer.firstFrame;
});
let balanceFrame;
let temperature, tint, balanceTrace;
/** The tint at which the slider ends. */
let tintEnd = 60;

function setLight(kelvins, green, more = {}) {
  balance.send({ temperature: kelvins, tint: green, ...chosenClass(), ...more });
}

const chosenClass = () => $("light-class").value ? { class: $("light-class").value } : {};

function startBalance() {
  const tens = value => Math.round(value / 10) * 10;
  temperature = new Slider("temperature-slider", {
    label: "Temperature", unit: "K", step: 1, even: 1, to: value => -1e6 / value, from: value => -1e6 / value,
    round: tens, text: kelvin, mark: value => `${value}`, shown: value => Math.round(value), snap: nearestStep,
    asks: value => setLight(value, tint.value ?? 0),
  });
  tint = new Slider("tint-slider", {
    label: "Tint", step: 0.1, even: 1, shown: value => Math.round(value * 10) / 10,
    text: value => `${signed(value)} ${value < 0 ? "towards magenta" : value > 0 ? "towards green" : ""}`,
    mark: value => `${signed(value)}${value === -tintEnd ? " magenta" : value === tintEnd ? " green" : ""}`,
    asks: value => setLight(temperature.value ?? 5000, value),
  });
  fillClasses($("light-class"), "By name");
  $("set-light").onclick = () => {
    const name = $("light").value.trim();
    if (name) balance.send({ light: name, ...chosenClass() });
    else if (temperature.value) setLight(temperature.value, tint.value ?? 0);
  };
  $("light").onkeydown = event => { if (event.key === "Enter") $("set-light").click(); };
  $("set-gains").onclick = () => {
    const fields = ["red", "green", "blue"].map(name => $(`gain-${name}`));
    const wrong = fields.find(field => field.value === "" || !field.checkValidity());
    if (wrong) return wrong.reportValidity();
    balance.send({ gains: fields.map(field => Number(field.value)) });
  };
  balanceTrace = trace("balance", "white balance");
}

function nearestStep(value) {
  const steps = state.camera?.steps?.temperature;
  if (!steps?.length) return value;
  const mired = one => 1e6 / one;
  return steps.reduce((best, one) => Math.abs(mired(one) - mired(value)) < Math.abs(mired(best) - mired(value)) ? one : best);
}

function drawBalanceLimits(camera) {
  modes("balance-modes", camera.modes ?? [], state.reading?.mode, mode => act("set", { mode }, "mode"));
  const reach = camera.reach;
  const [low, high] = reach?.temperature ?? [2500, 10000];
  temperature.limits([Math.min(2000, low), Math.max(12000, high)], reach?.temperature ?? [low, low],
    camera.steps?.temperature ?? [2000, 2500, 3200, 4000, 5600, 10000]);
  const [magenta, green] = reach?.tint ?? [-40, 40];
  tintEnd = 20 * Math.ceil(Math.max(60, -magenta, green) / 20);
  tint.limits([-tintEnd, tintEnd], reach?.tint ?? [0, 0], [-tintEnd, 0, tintEnd]);
  const note = reach ? "The thick part is the range of this camera's controls." : "The range of this camera's controls is not known yet.";
  for (const id of ["temperature-slider", "tint-slider"]) $(id).title = note;
  const key = JSON.stringify(camera.presets);
  if ($("presets").key !== key) {
    $("presets").key = key;
    $("presets").replaceChildren(...(camera.presets ?? []).map(preset => make("button", {
      type: "button", class: "small", text: words(preset.name), title: kelvin(preset.temperature),
      onclick: () => setLight(preset.temperature, preset.tint ?? 0, preset.class ? { class: preset.class } : {}),
    })));
  }
  const lights = JSON.stringify(camera.lights);
  if ($("lights").key !== lights) {
    $("lights").key = lights;
    $("lights").replaceChildren(...(camera.lights ?? []).map(one => make("option", { value: one.name, label: one.kind })));
  }
}

/** Returns a name such as "studioTungsten" as separate words. */
function words(name) {
  const lower = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return lower[0].toUpperCase() + lower.slice(1);
}

const asText = one => !one ? undefined : Number.isFinite(one.temperature) ? light(one.temperature, one.tint)
  : one.light ?? one.gains?.map(gain => fixed(gain, 2)).join(", ") ?? undefined;

function drawBalance(reading) {
  modes("balance-modes", state.camera?.modes ?? [], reading.mode);
  const { asked, applied, seen } = reading.set ?? {};
  const now = balance.pending ?? asked ?? applied ?? reading.device;
  temperature.follow(now?.temperature);
  tint.follow(now?.tint);
  const open = balance.pending !== null;
  balanceTrace.put({
    asked: asText(balance.pending ?? asked), applied: open ? "…" : asText(applied ?? reading.device),
    seen: open ? "not yet" : frameText(seen ?? (balanceFrame && { frame: balanceFrame }), Boolean(asked)),
  });
}

// MARK: Exposure

let duration, gain, compensation, exposureTrace;
let exposureAnswer = null;
const remember = (answer, sent) => {
  if (!answer) return;
  exposureAnswer = { asked: sent, applied: answer, seen: { frame: answer.firstFrame } };
};
const exposure = latest("exposure", "exposure", remember);

const logarithmic = { to: Math.log2, from: value => 2 ** value, even: 0.01 };
/** Parses a number or a fraction, such as "0.0167" or "1/60". */
function fraction(text) {
  const [above, below = 1] = text.split("/").map(Number);
  return above / below;
}

const rounded = digits => value => Number(value.toPrecision(digits));

function startExposure() {
  duration = new Slider("duration-slider", {
    ...logarithmic, label: "Exposure time", unit: "s", text: seconds, round: rounded(3),
    shown: value => seconds(value).slice(0, -2), parse: fraction,
    asks: value => exposure.send({ ...hand(), duration: value }),
  });
  gain = new Slider("gain-slider", {
    ...logarithmic, label: "Gain", unit: "×", text: value => `${fixed(value, 1)} times`, mark: value => `${rounded(2)(value)}`,
    round: rounded(3), shown: rounded(3), asks: value => exposure.send({ ...hand(), gain: value }),
  });
  compensation = new Slider("compensation-slider", {
    label: "Compensation", unit: "stops", even: 0.1, step: 0.1, text: value => `${signed(value, 1)} stops`,
    mark: value => signed(value), round: value => Math.round(value * 10) / 10, shown: value => Math.round(value * 10) / 10,
    asks: value => exposure.send({ compensation: value }),
  });
  exposureTrace = trace("exposure", "exposure");
  $("take-bracket").onclick = () => bracket();
}

/** Returns the requested time and gain that are not yet sent: they are set together. */
function hand() {
  const { duration: time, gain: factor } = exposure.pending ?? {};
  return { ...(time && { duration: time }), ...(factor && { gain: factor }) };
}

function between([low, high], list) {
  return [...new Set([low, ...list.filter(value => value > low * 1.2 && value < high / 1.2), high])];
}

function drawExposureLimits(camera) {
  const can = camera.exposure ?? {};
  modes("exposure-modes", can.modes ?? [], state.reading?.exposure?.mode, mode => act("exposure", { mode }, "exposure"));
  for (const [slider, id, range] of [[duration, "duration", can.duration], [gain, "gain", can.gain],
    [compensation, "compensation", can.compensation]]) {
    show($(`${id}-slider`), Boolean(range));
    if (!range) continue;
    const marks = id === "duration" ? between(range, [1 / 1000, 1 / 250, 1 / 60, 1 / 15])
      : id === "gain" ? between(range, [2, 4, 8, 16]) : [range[0], 0, range[1]];
    slider.limits(range, null, marks);
  }
}

const exposureText = one => !one ? undefined : [
  Number.isFinite(one.duration) && seconds(one.duration), Number.isFinite(one.gain) && `gain ${fixed(one.gain, 1)}`,
  one.compensation && `${signed(one.compensation, 1)} stops`].filter(Boolean).join(", ") || undefined;

function drawExposure(reading) {
  const now = reading.exposure ?? {};
  modes("exposure-modes", state.camera?.exposure?.modes ?? [], now.mode);
  const { asked = exposureAnswer?.asked, applied = now.applied ?? now, seen = exposureAnswer?.seen } = now;
  duration.follow(first(exposure.pending?.duration, now.duration));
  gain.follow(first(exposure.pending?.gain, now.gain));
  compensation.follow(first(exposure.pending?.compensation, now.compensation, asked?.compensation, 0));
  const open = exposure.pending !== null;
  exposureTrace.put({
    asked: exposureText(exposure.pending ?? asked), applied: open ? "…" : exposureText(applied),
    seen: open ? "not yet" : frameText(seen, Boolean(asked)),
  });
}

async function bracket(replace = null) {
  const [count, steps] = [$("bracket-count"), $("bracket-steps")];
  for (const field of [count, steps]) if (field.value === "" || !field.checkValidity()) return field.reportValidity();
  const list = $("bracket-result");
  list.replaceChildren();
  let question = "";
  const answer = await act("bracket", { count: Number(count.value), steps: Number(steps.value),
    output: $("bracket-output").value.trim(), replace }, "bracket", refusal => {
    if (refusal.error === "exists") question = sentences(refusal.reasons).join(" ");
    return question !== "";
  });
  if (question) {
    list.replaceChildren(make("li", {}, `${question} `, make("button", { type: "button", class: "small", text: "Replace them",
      onclick: () => bracket(true) })));
    return;
  }
  const pictures = Array.isArray(answer) ? answer : answer?.pictures ?? (answer ? [answer] : []);
  list.replaceChildren(...pictures.map(one => make("li", { text: [`Frame ${one.frame}`,
    Number.isFinite(one.stops) && `${signed(one.stops, 1)} stops`, !one.seen && "counted, not verified", one.file].filter(Boolean).join(", ") })));
  if (pictures.length) say(`The bracket has ${pictures.length} pictures.`);
}

// MARK: Focus

let position, focusTrace;
let focusAnswer = null;
const focus = latest("focus", "focus", (answer, sent) => {
  if (!answer) return;
  focusAnswer = { asked: sent.position, applied: answer.position, seen: answer.seen === false ? "not seen" : "yes" };
});

function startFocus() {
  position = new Slider("position-slider", {
    label: "Focus", even: 0.005, step: 0.001, text: value => fixed(value, 2), round: rounded(3), shown: rounded(3),
    ends: ["near", "far"], asks: value => focus.send({ position: value }),
  });
  $("sweep").onclick = async () => {
    const answer = await act("focus", { sweep: true, region }, "focus");
    if (!answer) return;
    focusAnswer = { applied: answer.position, seen: "yes" };
    say("The lens is at the position where the region is sharpest.");
  };
  focusTrace = trace("focus", "focus");
}

function drawFocusLimits(camera) {
  const can = camera.focus;
  show($("focus-controls"), Boolean(can));
  show($("focus-trace"), Boolean(can));
  show($("no-focus"), !can);
  if (!can) return;
  modes("focus-modes", can.modes ?? [], state.reading?.focus?.mode, mode => act("focus", { mode }, "focus"));
  if (can.position) position.limits(can.position);
}

function drawFocus(reading) {
  const now = reading.focus ?? {};
  modes("focus-modes", state.camera?.focus?.modes ?? [], now.mode);
  position.follow(first(focus.pending?.position, now.position, focusAnswer?.applied));
  const open = focus.pending !== null;
  const text = value => Number.isFinite(value) ? fixed(value, 3) : undefined;
  focusTrace.put({
    asked: text(first(focus.pending?.position, now.asked, focusAnswer?.asked)),
    applied: open ? "…" : text(first(now.applied, now.position, focusAnswer?.applied)),
    seen: open ? "not yet" : frameText(now.seen) ?? focusAnswer?.seen,
  });
}

// MARK: Start

export function start() {
  startBalance();
  startExposure();
  startFocus();
  on("camera", camera => {
    drawBalanceLimits(camera);
    drawExposureLimits(camera);
    drawFocusLimits(camera);
  });
  on("reading", reading => {
    drawBalance(reading);
    drawExposure(reading);
    drawFocus(reading);
  });
}
