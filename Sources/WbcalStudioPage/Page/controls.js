// White balance, exposure and focus: the sliders and presets, and what was wanted, set and confirmed.

import { $, make, press, put, say, show } from "./elements.js";
import { first, fixed, fraction, kelvin, light, seconds, sentences, signed } from "./numbers.js";
import { region } from "./region.js";
import { act, latest, on, state } from "./server.js";
import { Slider } from "./slider.js";
import { words } from "./words.js";

// MARK: Common parts

/** Adds the classes of lights to a menu, after the one that follows from the light's name. */
export function fillClasses(select) {
  select.append(make("option", { value: "", text: words.balance.byName }),
    ...Object.entries(words.classes).map(([value, text]) => make("option", { value, text })));
}

/** Shows radio buttons for the modes; the promise of `asks(mode)` settles when the server has answered. */
function modes(id, list, names, now, asks) {
  const box = $(id);
  if (box.key !== list.join()) {
    box.key = list.join();
    box.replaceChildren(...list.map(mode => make("label", {},
      make("input", { type: "radio", name: id, value: mode, onchange: async () => {
        box.asking = true;
        await asks(mode);
        box.asking = false;
        follow(box, box.now);
      } }), make("span", { text: names[mode] ?? mode }))));
  }
  show(box, list.length > 1);
  box.now = now;
  if (!box.asking) follow(box, now);
}

function follow(box, now) {
  for (const input of box.querySelectorAll("input")) {
    if (input.checked !== (input.value === now)) input.checked = input.value === now;
  }
}

/** Adds the lines of what was wanted, what was set, and whether the picture shows it. */
function trace(id) {
  const box = $(`${id}-trace`);
  const parts = Object.fromEntries(["wanted", "set", "confirmed"].map(name => [name, make("dd", { text: words.unknown })]));
  box.append(make("dl", {}, ...Object.entries(parts).map(([name, dd]) =>
    make("div", {}, make("dt", { text: words.trace[name] }), dd))));
  return {
    put({ wanted, set, confirmed }) {
      show(box, Boolean(wanted || set));
      put(parts.wanted, wanted ?? words.unknown);
      put(parts.set, set ?? words.unknown);
      put(parts.confirmed, confirmed ?? words.unknown);
    },
  };
}

/** The part of the page that an action belongs to. */
const placeOf = action => ({ set: "balance", gray: "balance", exposure: "exposure", focus: "focus" })[action];

export async function undoLast() {
  const action = state.camera?.undoes;
  if (!action) return;
  const place = placeOf(action) ?? "balance";
  // By its name, so that a setting made in the meantime is not undone.
  if (!await act("undo", { action }, place)) return;
  // The previous request is no longer shown.
  if (place === "balance") {
    balance.pending = null;
    forgetBalance();
  }
  if (place === "exposure") exposureAnswer = exposure.pending = null;
  if (place === "focus") focusAnswer = focus.pending = null;
  say(words.undo.done[action]);
}

// MARK: White balance

/** The last white balance that was set on this page: the request and the answer. */
let balanceAnswer = null;
let temperature, tint, kelvinSlider, red, blue, balanceTrace;
const sliders = () => [temperature, tint, kelvinSlider, red, blue];
/** The tint at which the slider ends. */
let tintEnd = 60;

function forgetBalance() {
  balanceAnswer = null;
  for (const slider of sliders()) slider.revert();
}

const balance = latest("set", "balance", (answer, sent) => {
  if (answer) balanceAnswer = { sent, answer };
  else forgetBalance();
}, "adjust");

const chosenClass = () => $("light-class").value ? { class: $("light-class").value } : {};
const lightOf = (kelvins, green) => ({ temperature: kelvins, tint: green, ...chosenClass() });

/** The name of the camera's control of the temperature. */
const kelvinControl = "white_balance_temperature";
const controlOf = name => state.camera?.controls?.find(one => one.name === name);
const controlSteps = name => value => {
  const { minimum = 0, maximum = 1, step = 1 } = controlOf(name) ?? {};
  return Math.min(maximum, Math.max(minimum, minimum + Math.round((value - minimum) / step) * step));
};

/** Both sliders of a camera with two controls are sent together, so that neither is lost. */
function gainControls(change) {
  return { controls: { red_balance: red.value ?? state.reading?.controls?.red_balance,
    blue_balance: blue.value ?? state.reading?.controls?.blue_balance, ...change } };
}

function lightSlider(id, settings, body) {
  return new Slider(id, { ...settings, asks: value => balance.send(body(value)), slides: value => balance.slide(body(value)) });
}

function startBalance() {
  const { balance: texts } = words;
  const tens = value => Math.round(value / 10) * 10;
  const mired = { to: value => -1e6 / value, from: value => -1e6 / value, even: 1 };
  const ends = { ends: [texts.cooler, texts.warmer] };
  temperature = lightSlider("temperature-slider", {
    ...mired, ...ends, label: texts.temperature, unit: texts.temperatureUnit, step: 1, round: tens, text: kelvin,
    mark: value => `${value}`, shown: value => Math.round(value), snap: nearestStep,
  }, value => lightOf(value, tint.value ?? 0));
  tint = lightSlider("tint-slider", {
    label: texts.tint, step: 0.1, even: 1, shown: value => Math.round(value * 10) / 10, ends: [texts.greener, texts.pinker],
    to: value => -value, from: value => -value,
    text: value => [signed(value), value < 0 ? texts.towards.magenta : value > 0 ? texts.towards.green : ""].join(" ").trim(),
    mark: value => signed(value),
  }, value => lightOf(temperature.value ?? 5000, value));
  kelvinSlider = lightSlider("kelvin-slider", {
    ...ends, label: texts.temperature, unit: texts.temperatureUnit, step: 1, even: 1, text: kelvin, mark: value => `${value}`,
    shown: value => Math.round(value), round: controlSteps(kelvinControl),
  }, value => ({ controls: { [kelvinControl]: value } }));
  red = lightSlider("red-slider", {
    label: texts.red, step: 1, even: 1, text: value => `${value}`, mark: () => "", round: controlSteps("red_balance"),
  }, value => gainControls({ red_balance: value }));
  blue = lightSlider("blue-slider", {
    label: texts.blue, step: 1, even: 1, text: value => `${value}`, mark: () => "", round: controlSteps("blue_balance"),
  }, value => gainControls({ blue_balance: value }));
  fillClasses($("light-class"));
  $("set-light").onclick = () => {
    const name = $("light").value.trim();
    if (!name) return $("light").focus();
    balance.send({ light: name, ...chosenClass() });
  };
  $("light").onkeydown = event => { if (event.key === "Enter") $("set-light").click(); };
  $("set-gains").onclick = () => {
    const fields = ["red", "green", "blue"].map(name => $(`gain-${name}`));
    const wrong = fields.find(field => field.value === "" || !field.checkValidity());
    if (wrong) return wrong.reportValidity();
    balance.send({ gains: fields.map(field => Number(field.value)) });
  };
  balanceTrace = trace("balance");
}

function nearestStep(value) {
  const steps = state.camera?.steps?.temperature;
  if (!steps?.length) return value;
  const mired = one => 1e6 / one;
  return steps.reduce((best, one) => Math.abs(mired(one) - mired(value)) < Math.abs(mired(best) - mired(value)) ? one : best);
}

/** What the white balance can be set by: lights with a profile of this camera, else the camera's own controls. */
function means(camera) {
  if (camera.profile && !camera.profile.otherCamera) return "lights";
  const names = (camera.controls ?? []).map(one => one.name);
  return names.includes(kelvinControl) ? "kelvin" : names.includes("red_balance") ? "gains" : "none";
}

function drawBalanceLimits(camera) {
  modes("balance-modes", camera.modes ?? [], words.balance.mode, state.reading?.mode, mode => act("set", { mode }, "mode"));
  const by = means(camera);
  for (const [id, of] of [["temperature", "lights"], ["tint", "lights"], ["kelvin", "kelvin"], ["red", "gains"], ["blue", "gains"]]) {
    show($(`${id}-slider`), by === of);
  }
  show($("named-light"), by === "lights");
  drawNote(camera, by);
  drawPresets(camera, by);
  if (by === "lights") drawReach(camera);
  for (const [slider, name] of [[kelvinSlider, kelvinControl], [red, "red_balance"], [blue, "blue_balance"]]) {
    const control = controlOf(name);
    if (!control) continue;
    const { minimum, maximum } = control;
    slider.limits([minimum, maximum], null, name === kelvinControl
      ? [minimum, ...[4000, 5500].filter(value => value > minimum * 1.2 && value < maximum / 1.2), maximum] : []);
  }
  const lights = JSON.stringify(camera.lights);
  if ($("lights").key !== lights) {
    $("lights").key = lights;
    $("lights").replaceChildren(...(camera.lights ?? []).map(one => make("option", { value: one.name, label: words.classes[one.kind] })));
  }
}

/** States what the sliders cannot do, and why. */
function drawNote(camera, by) {
  const { balance: texts } = words;
  const text = camera.profile?.otherCamera ? texts.otherCamera(camera.profile.otherCamera)
    : camera.profile ? (camera.unchecked && !camera.shots.length ? texts.unchecked(lampName(camera.unchecked)) : "")
      : by === "kelvin" ? texts.ownScale : by === "none" && !camera.modes?.length ? texts.noControl : texts.needsCalibration;
  show($("balance-note"), camera.state === "open" && text !== "");
  put($("balance-note").querySelector("span"), text);
  show($("go-calibrate"), text !== texts.noControl);
}

/** The everyday name of a light, if it has one. */
export function lampName(light) {
  return { A: words.calibrate.lamps.bulb, D65: words.calibrate.lamps.daylight }[light] ?? light;
}

function drawReach(camera) {
  const reach = camera.reach;
  const [low, high] = reach?.temperature ?? [2500, 10000];
  temperature.limits([Math.min(2000, low), Math.max(12000, high)], reach?.temperature,
    camera.steps?.temperature ?? [2000, 2500, 3200, 4000, 5600, 10000]);
  const [magenta, green] = reach?.tint ?? [-40, 40];
  tintEnd = 20 * Math.ceil(Math.max(60, -magenta, green) / 20);
  tint.limits([tintEnd, -tintEnd], reach?.tint, [tintEnd, 0, -tintEnd]);
  for (const id of ["temperature-slider", "tint-slider"]) $(id).title = reach ? words.reach.known : words.reach.unknown;
}

// MARK: Presets

/** The presets that most people need, with the temperature of a camera's own control. */
const common = { tungsten: 2850, fluorescent: 4000, daylight: 5500, cloudy: 6500, shade: 7500 };

function presetBody(name, by) {
  if (by === "kelvin") return { controls: { [kelvinControl]: controlSteps(kelvinControl)(common[name]) } };
  const preset = state.camera.presets.find(one => one.name === name);
  return { temperature: preset.temperature, tint: preset.tint ?? 0, class: preset.class };
}

function drawPresets(camera, by) {
  show($("presets"), by === "lights" || by === "kelvin");
  show($("more-presets"), by === "lights");
  const control = controlOf(kelvinControl);
  const names = by === "kelvin" ? Object.keys(common).filter(name => common[name] >= control.minimum && common[name] <= control.maximum)
    : by === "lights" ? camera.presets.map(one => one.name) : [];
  const key = JSON.stringify([by, names]);
  if ($("presets").key === key) return;
  $("presets").key = key;
  const button = name => make("button", { type: "button", class: "small", "data-preset": name, "aria-pressed": "false",
    text: words.balance.preset[name] ?? name, onclick: () => balance.send(presetBody(name, by)) });
  $("presets").replaceChildren(...names.filter(name => name in common).map(button));
  $("more-presets").replaceChildren(...names.filter(name => !(name in common)).map(button));
}

/** Shows which preset is set. */
function pressPresets(reading, by) {
  const pending = balance.pending;
  for (const button of document.querySelectorAll("[data-preset]")) {
    const body = presetBody(button.dataset.preset, by);
    const asked = pending ?? (by === "kelvin" ? { controls: reading.controls } : reading.set?.asked ?? {});
    const is = by === "kelvin" ? reading.mode === "locked" && asked.controls?.[kelvinControl] === body.controls[kelvinControl]
      : Math.abs(asked.temperature - body.temperature) < 1 && Math.abs((asked.tint ?? 0) - body.tint) < 0.1;
    press(button, is);
  }
}

// MARK: The white balance as it is

const asText = one => !one ? undefined : Number.isFinite(one.temperature) ? light(one.temperature, one.tint)
  : one.light ?? one.gains?.map(gain => fixed(gain, 2)).join(", ") ?? controlsText(one.controls);

function controlsText(controls) {
  if (!controls) return undefined;
  const { red: redName, blue: blueName } = words.balance;
  return kelvinControl in controls ? kelvin(controls[kelvinControl])
    : "red_balance" in controls ? `${redName} ${controls.red_balance}, ${blueName} ${controls.blue_balance}` : undefined;
}

function drawBalance(reading) {
  modes("balance-modes", state.camera?.modes ?? [], words.balance.mode, reading.mode, mode => act("set", { mode }, "mode"));
  if (!state.camera) return;
  const by = means(state.camera);
  const pending = balance.pending;
  const { asked, applied, seen } = reading.set ?? {};
  const now = asked ?? applied ?? reading.device;
  temperature.follow(now?.temperature, pending !== null);
  tint.follow(now?.tint, pending !== null);
  // The controls of an automatic white balance need not be those in effect.
  const values = reading.controls ?? {};
  kelvinSlider.follow(values[kelvinControl], pending !== null);
  red.follow(values.red_balance, pending !== null);
  blue.follow(values.blue_balance, pending !== null);
  pressPresets(reading, by);
  const last = state.camera.undoes === "set" && reading.mode === "locked" ? balanceAnswer : null;
  const wanted = asText(pending ?? asked) ?? (last ? asText(last.sent) : undefined);
  const { trace: texts } = words;
  balanceTrace.put({
    wanted, set: pending ? texts.setting : wanted && (asText(applied) ?? controlsText(last?.answer.controls)),
    confirmed: pending ? texts.waiting : seen || applied || last?.answer.gains ? texts.seen : last ? texts.reported : undefined,
  });
}

// MARK: Exposure

let duration, gain, compensation, exposureTrace;
let exposureAnswer = null;
const exposure = latest("exposure", "exposure", (answer, sent) => {
  if (answer) exposureAnswer = { wanted: sent, set: answer };
  else for (const slider of [duration, gain, compensation]) slider.revert();
});

const logarithmic = { to: Math.log2, from: value => 2 ** value, even: 0.01 };
/** Parses a number or a fraction, such as "0.0167" or "1/60". */
function parseFraction(text) {
  const [above, below = 1] = text.split("/").map(Number);
  return above / below;
}

const rounded = digits => value => Number(value.toPrecision(digits));

function startExposure() {
  const { exposure: texts, units } = words;
  duration = new Slider("duration-slider", {
    ...logarithmic, label: texts.time, unit: texts.timeUnit, text: seconds, round: rounded(3), shown: fraction, parse: parseFraction,
    asks: value => exposure.send({ ...hand(), duration: value }),
  });
  gain = new Slider("gain-slider", {
    ...logarithmic, label: texts.gain, unit: texts.gainUnit, text: value => units.times(fixed(value, 1)),
    mark: value => `${rounded(2)(value)}`, round: rounded(3), shown: rounded(3),
    asks: value => exposure.send({ ...hand(), gain: value }),
  });
  compensation = new Slider("compensation-slider", {
    label: texts.compensation, unit: texts.stopsUnit, even: 0.1, step: 0.1, text: value => units.stops(signed(value, 1)),
    mark: value => signed(value), round: value => Math.round(value * 10) / 10, shown: value => Math.round(value * 10) / 10,
    asks: value => exposure.send({ compensation: value }),
  });
  exposureTrace = trace("exposure");
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
  modes("exposure-modes", can.modes ?? [], words.exposure.mode, state.reading?.exposure?.mode, mode => act("exposure", { mode }, "exposure"));
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
  Number.isFinite(one.duration) && seconds(one.duration), Number.isFinite(one.gain) && words.exposure.gainText(fixed(one.gain, 1)),
  one.compensation && words.units.stops(signed(one.compensation, 1))].filter(Boolean).join(", ") || undefined;

function drawExposure(reading) {
  const now = reading.exposure ?? {};
  modes("exposure-modes", state.camera?.exposure?.modes ?? [], words.exposure.mode, now.mode, mode => act("exposure", { mode }, "exposure"));
  const last = state.camera?.undoes === "exposure" ? exposureAnswer : null;
  const pending = exposure.pending;
  duration.follow(now.duration, pending !== null);
  gain.follow(now.gain, pending !== null);
  compensation.follow(first(last?.wanted.compensation, 0), pending !== null);
  const { trace: texts } = words;
  exposureTrace.put({
    wanted: exposureText(pending ?? last?.wanted), set: pending ? texts.setting : last ? exposureText(now) : undefined,
    confirmed: pending ? texts.waiting : last ? (last.set.firstFrame === undefined ? texts.reported : texts.seen) : undefined,
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
    list.replaceChildren(make("li", {}, `${question} `, make("button", { type: "button", class: "small", text: words.exposure.replace,
      onclick: () => bracket(true) })));
    return;
  }
  const pictures = answer?.pictures ?? [];
  list.replaceChildren(...pictures.map(bracketPicture));
  if (pictures.length) say(words.exposure.taken(pictures.length));
}

/** A picture of the strip; browsers show no TIFF. */
function bracketPicture(one) {
  const stops = Number.isFinite(one.stops) ? words.units.stops(signed(one.stops, 1)) : "";
  const text = words.exposure.picture(stops, one.seen ? one.file : `${one.file}, ${words.exposure.uncounted}`);
  const picture = /\.png$/i.test(one.file ?? "")
    ? [make("img", { src: `api/1/file?name=${encodeURIComponent(one.file)}&n=${Date.now()}`, alt: "", loading: "lazy" })] : [];
  return make("li", {}, ...picture, make("span", { text }));
}

// MARK: Focus

let position, focusTrace;
let focusAnswer = null;
const focus = latest("focus", "focus", (answer, sent) => {
  if (answer) focusAnswer = { wanted: sent.position, set: answer.position, seen: answer.seen !== false };
  else position.revert();
});

function startFocus() {
  const { focus: texts } = words;
  position = new Slider("position-slider", {
    label: texts.position, even: 0.005, step: 0.001, text: value => fixed(value, 2), round: rounded(3), shown: rounded(3),
    ends: [texts.near, texts.far], asks: value => focus.send({ position: value }),
  });
  $("sweep").onclick = async () => {
    const answer = await act("focus", { sweep: true, region }, "focus");
    if (!answer) return;
    focusAnswer = { set: answer.position, seen: true };
    say(texts.swept);
  };
  focusTrace = trace("focus");
}

function drawFocusLimits(camera) {
  const can = camera.focus;
  show($("focus-controls"), Boolean(can));
  show($("no-focus"), !can);
  if (!can) return;
  modes("focus-modes", can.modes ?? [], words.focus.mode, state.reading?.focus?.mode, mode => act("focus", { mode }, "focus"));
  show($("position-slider"), Boolean(can.position));
  show($("sweep"), Boolean(can.position));
  if (can.position) position.limits(can.position);
}

function drawFocus(reading) {
  const now = reading.focus ?? {};
  modes("focus-modes", state.camera?.focus?.modes ?? [], words.focus.mode, now.mode, mode => act("focus", { mode }, "focus"));
  const pending = focus.pending;
  const last = state.camera?.undoes === "focus" ? focusAnswer : null;
  position.follow(first(now.position, last?.set), pending !== null);
  const text = value => Number.isFinite(value) ? fixed(value, 3) : undefined;
  const { trace: texts } = words;
  focusTrace.put({
    wanted: text(first(pending?.position, last?.wanted)), set: pending ? texts.setting : last ? text(first(now.position, last.set)) : undefined,
    confirmed: pending ? texts.waiting : last ? (last.seen ? texts.seen : texts.reported) : undefined,
  });
}

// MARK: Start

export function start() {
  startBalance();
  startExposure();
  startFocus();
  $("undo-gray").onclick = undoLast;
  let device = null;
  on("camera", camera => {
    if (camera.device !== device) {
      device = camera.device;
      forgetBalance();
      exposureAnswer = focusAnswer = null;
    }
    drawBalanceLimits(camera);
    drawExposureLimits(camera);
    drawFocusLimits(camera);
    // A result is shown until another action replaces it or it is undone, and not until the next reading.
    if (state.reading) drawReading(state.reading);
  });
  on("reading", drawReading);
}

function drawReading(reading) {
  drawBalance(reading);
  drawExposure(reading);
  drawFocus(reading);
}
