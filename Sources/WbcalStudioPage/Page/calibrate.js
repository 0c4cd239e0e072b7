// The guided calibration: a lamp, the card, its picture, and what the profile is good for.

import { $, make, put, say, show } from "./elements.js";
import { fillClasses, lampName } from "./controls.js";
import { percent, sentences } from "./numbers.js";
import { region, unreadable, whyUnreadable } from "./region.js";
import { act, on, state } from "./server.js";
import { words } from "./words.js";

const texts = words.calibrate;

/** The largest variation for a good shot; the server's own limit is larger. */
const uneven = 0.2;
const clippedShare = 0.001;

// MARK: The lamp

/** The light of a lamp, as the server takes it. Lamps of LEDs and tubes state their temperature on the package. */
const lights = {
  bulb: () => ({ light: "A", class: "thermal" }),
  daylight: () => ({ light: "D65", class: "daylight" }),
  led: () => ({ light: `${$("package").value}K`, class: "led" }),
  tube: () => ({ light: `${$("package").value}K`, class: "fluorescent" }),
  other: () => ({ light: $("shot-light").value.trim(), class: $("shot-class").value || null }),
};
const hasPackage = lamp => lamp === "led" || lamp === "tube";

function drawLamp() {
  const lamp = $("lamp").value;
  show($("package-label"), hasPackage(lamp));
  show($("other-lamp"), lamp === "other");
}

function nameOfLamp() {
  const lamp = $("lamp").value;
  return lamp === "other" ? $("shot-light").value.trim()
    : hasPackage(lamp) ? `${texts.lamps[lamp]}, ${words.units.kelvin($("package").value)}` : texts.lamps[lamp];
}

/** The everyday name of a shot's lamp. */
function nameOfShot({ light, class: kind }) {
  const temperature = /^(\d+)K$/.exec(light)?.[1];
  const lamp = { led: "led", fluorescent: "tube" }[kind];
  return temperature && lamp ? `${texts.lamps[lamp]}, ${words.units.kelvin(temperature)}` : lampName(light);
}

// MARK: The card

/** Returns the checks before a shot: the kind and the text of each. */
function checks(reading) {
  const { checks: say } = texts;
  const card = reading?.region;
  if (!card) return [["wait", say.none]];
  const list = [];
  const { total = 0, clipped = 0, dark = 0 } = card.pixels ?? {};
  if (Number.isFinite(card.nonuniformity)) {
    const share = percent(Math.round(card.nonuniformity * 100) / 100);
    list.push(card.nonuniformity <= uneven ? ["good", say.even(share)] : ["bad", say.uneven(share)]);
  }
  if (total) {
    list.push(clipped / total <= clippedShare ? ["good", say.notClipped] : ["bad", say.clipped(percent(clipped / total))]);
  }
  const stops = reading.exposure?.stops;
  if (Number.isFinite(stops)) list.push(stops < -5 || dark > total / 100 ? ["bad", say.dark] : ["good", say.bright]);
  // An automatic white balance moves the picture, but not while the card is measured.
  list.push(reading.mode !== "locked" ? ["good", say.automatic] : reading.adjusting ? ["wait", say.changing] : ["good", say.steady]);
  // The server's judgement includes more than these shares.
  const reasons = card.accepted || list.some(([kind]) => kind === "bad") ? []
    : [unreadable(card)].filter(Boolean).concat(sentences(card.reasons)).slice(0, 1);
  return [...reasons.map(reason => ["bad", reason]), ...list];
}

let last = "";
let changed = 0;

function drawChecks(reading) {
  if ($("calibrate").hidden || Date.now() - changed < 500) return;
  const list = checks(reading);
  const now = JSON.stringify(list);
  if (now === last) return;
  last = now;
  changed = Date.now();
  const marks = { good: "✓", bad: "✗", wait: "…" };
  $("checks").replaceChildren(...list.map(([kind, text]) => make("li", { class: kind },
    make("span", { "aria-hidden": "true", text: marks[kind] }), make("span", { class: "unseen", text: texts.checks[kind] }), text)));
}

let taking = false;

async function takeShot() {
  if (taking || state.control?.here !== true) return;
  const light = lights[$("lamp").value]?.();
  if (!light?.light) {
    $(light ? "shot-light" : "lamp").focus();
    return put($("shot-status"), light ? texts.nameLamp : texts.chooseLamp);
  }
  const name = nameOfLamp();
  taking = true;
  $("take-shot").disabled = true;
  put($("shot-status"), texts.taking(name));
  // A wrong name would spoil everything, so that the lamp of the next shot is chosen again.
  const lamp = $("lamp").value;
  $("lamp").value = "";
  drawLamp();
  const answer = await act("calibrate/shot", { ...light, region }, "shot",
    refusal => whyUnreadable(refusal) || refusal.error === "contradiction" && texts.contradicts(name));
  taking = false;
  $("take-shot").disabled = false;
  put($("shot-status"), answer ? texts.taken(name) : "");
  if (answer) $("shot-light").value = "";
  if (answer || $("lamp").value) return;
  $("lamp").value = lamp;
  drawLamp();
}

// MARK: The result

/** States in sentences what the calibration is good for. */
function advice(camera) {
  const shots = camera.shots ?? [];
  if (camera.unchecked) return texts.unchecked(shots.length ? nameOfShot(shots[0]) : lampName(camera.unchecked));
  const good = [];
  const less = [];
  for (const { class: kind, error } of camera.accuracy ?? []) {
    if (kind === "other") continue;
    (error < 0.02 ? good : less).push(texts.within(texts.under[kind], (100 * error).toFixed(error < 0.01 ? 1 : 0)));
  }
  const list = names => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${texts.and}${names.at(-1)}`;
  return [good.length && texts.goodFor(list(good)), less.length && texts.lessFor(list(less)), texts.next[camera.nextShot]]
    .filter(Boolean).join(" ");
}

let drawn = "";

function drawShots(camera) {
  const shots = camera.shots ?? [];
  const text = camera.profile || shots.length ? advice(camera) : "";
  const now = JSON.stringify([shots, text]);
  if (now === drawn) return;
  drawn = now;
  show($("result"), text !== "");
  show($("calibrate-intro"), text === "");
  put($("advice"), text);
  show($("finish").closest(".row"), shots.length > 0);
  $("finish").classList.toggle("primary", shots.length > 1);
  $("take-shot").classList.toggle("primary", shots.length < 2);
  put($("switch-on"), shots.length ? texts.switchOnAnother : texts.switchOn);
  $("shots").replaceChildren(...shots.map((shot, index) => {
    const { red, green = 1, blue } = shot.gains ?? {};
    const gains = Number.isFinite(red) ? texts.gains((red / green).toFixed(3), (blue / green).toFixed(3)) : "";
    const name = nameOfShot(shot);
    return make("li", {},
      make("span", {}, make("b", { text: name }), ` ${gains}`,
        ...(shot.remark ? [make("span", { class: "remark", text: shot.remark })] : [])),
      make("button", { type: "button", class: "small", text: texts.remove, "aria-label": texts.removeOf(name),
        onclick: async () => {
          if (await act("calibrate/remove", { shot: index }, "shot")) say(texts.removed(name));
        } }));
  }));
}

async function finish(replace = null) {
  const output = $("profile-name").value.trim();
  if (!output) return $("profile-name").focus();
  const result = $("finish-result");
  result.textContent = texts.computing;
  let question = "";
  const answer = await act("calibrate/finish", { output, replace }, "finish", refusal => {
    if (refusal.error === "exists") question = sentences(refusal.reasons).join(" ");
    return question !== "";
  });
  result.replaceChildren();
  if (question) {
    result.append(`${question} `, make("button", { type: "button", class: "small", text: texts.replace(output),
      onclick: () => finish(true) }));
  }
  if (!answer) return;
  result.append(texts.used(answer.profile ?? output, answer.shots), " ");
  if (answer.report) {
    result.append(make("a", { href: `api/1/file?name=${encodeURIComponent(answer.report)}`, target: "_blank", rel: "noopener",
      text: texts.report }));
  }
}

// MARK: Start

export function start() {
  $("lamp").append(make("option", { value: "", text: texts.noLamp }),
    ...Object.entries(texts.lamps).map(([value, text]) => make("option", { value, text })));
  $("package").append(...Object.entries(texts.temperatures).map(([value, text]) => make("option", { value, text })));
  $("lamp").onchange = drawLamp;
  drawLamp();
  fillClasses($("shot-class"));
  $("take-shot").onclick = takeShot;
  $("shot-light").onkeydown = event => { if (event.key === "Enter") takeShot(); };
  $("finish").onclick = () => finish();
  on("camera", drawShots);
  on("reading", drawChecks);
}
