// The guided calibration: a light, the card, the shot, the profile.

import { $, make, put, say, show } from "./elements.js";
import { fillClasses } from "./controls.js";
import { percent, sentences } from "./numbers.js";
import { region } from "./region.js";
import { act, on, state } from "./server.js";

/** The largest variation for a good shot; the server's own limit is larger. */
const uneven = 0.2;
const clippedShare = 0.001;

/** Returns the checks before a shot: the kind and the text of each. */
function checks(reading) {
  const card = reading?.region;
  if (!card) return [["wait", "No reading of the card yet."]];
  const list = [];
  const { total = 0, clipped = 0, dark = 0 } = card.pixels ?? {};
  if (Number.isFinite(card.nonuniformity)) {
    const share = percent(Math.round(card.nonuniformity * 100) / 100);
    list.push(card.nonuniformity <= uneven ? ["good", `The card is evenly lit: it varies by ${share}.`]
      : ["bad", `The card is unevenly lit: it varies by ${share}. Turn it or move the light.`]);
  }
  if (total) {
    list.push(clipped / total <= clippedShare ? ["good", "None of the card is clipped."]
      : ["bad", `${percent(clipped / total)} of the card is clipped. Shorten the exposure.`]);
  }
  const stops = reading.exposure?.stops;
  if (Number.isFinite(stops)) {
    list.push(stops < -5 || dark > total / 100 ? ["bad", "The card is too dark. Lengthen the exposure."]
      : ["good", "The card is bright enough."]);
  }
  list.push(reading.adjusting ? ["wait", "The picture is still changing."] : ["good", "The picture is steady."]);
  // The server's own reasons are more precise.
  const reasons = sentences(card.reasons).map(reason => ["bad", reason]);
  return reasons.length ? [...reasons, ...list.filter(([kind]) => kind !== "bad")] : list;
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
  const names = { good: "Good: ", bad: "To do: ", wait: "Wait: " };
  $("checks").replaceChildren(...list.map(([kind, text]) => make("li", { class: kind },
    make("span", { "aria-hidden": "true", text: marks[kind] }), make("span", { class: "unseen", text: names[kind] }), text)));
}

let taking = false;

export async function takeShot() {
  const light = $("shot-light").value.trim();
  if (taking || !state.control?.here) return;
  if (!light) {
    $("shot-light").focus();
    return put($("shot-status"), "Name the light first.");
  }
  taking = true;
  $("take-shot").disabled = true;
  put($("shot-status"), `The shot under ${light} is being taken.`);
  const answer = await act("calibrate/shot", { light, class: $("shot-class").value || null, region }, "shot");
  taking = false;
  $("take-shot").disabled = false;
  put($("shot-status"), answer ? `The shot under ${light} is taken.` : "");
  if (answer) $("shot-light").value = "";
}

let drawn = "";

function drawShots(camera) {
  const shots = camera.shots ?? [];
  const now = JSON.stringify([shots, camera.advice]);
  if (now === drawn) return;
  drawn = now;
  $("finish").disabled = shots.length === 0;
  $("shots").replaceChildren(...shots.map((shot, index) => {
    const { red, green = 1, blue } = shot.gains ?? {};
    const gains = Number.isFinite(red) ? `gains ${(red / green).toFixed(3)} red, ${(blue / green).toFixed(3)} blue` : "";
    return make("li", {},
      make("span", {}, make("b", { text: shot.light }), ` ${[shot.class, gains].filter(Boolean).join(", ")}`,
        ...(shot.remark ? [make("span", { class: "remark", text: shot.remark })] : [])),
      make("button", { type: "button", class: "small", text: "Remove", "aria-label": `Remove the shot under ${shot.light}`,
        onclick: async () => {
          if (await act("calibrate/remove", { shot: index }, "shot")) say(`The shot under ${shot.light} is removed.`);
        } }));
  }));
  put($("advice"), (camera.advice ?? []).join(" "));
}

async function finish(replace = null) {
  const output = $("profile-name").value.trim();
  if (!output) return $("profile-name").focus();
  const result = $("finish-result");
  result.textContent = "The profile is being computed.";
  let question = "";
  const answer = await act("calibrate/finish", { output, replace }, "finish", refusal => {
    if (refusal.error === "exists") question = sentences(refusal.reasons).join(" ");
    return question !== "";
  });
  result.replaceChildren();
  if (question) {
    result.append(`${question} `, make("button", { type: "button", class: "small", text: `Replace ${output}`,
      onclick: () => finish(true) }));
  }
  if (!answer) return;
  result.append("Written: ", make("b", { text: answer.profile ?? output }));
  if (answer.shots > 1) result.append(`, with ${answer.shots} shots`);
  if (!answer.report) return;
  const link = name => make("a", { href: `api/1/file?name=${encodeURIComponent(name)}`, target: "_blank", rel: "noopener",
    text: "Open the report in a new tab" });
  result.append(", and ", make("b", { text: answer.report }), ". ", link(answer.report), ".");
}

export function start() {
  fillClasses($("shot-class"), "By name");
  $("take-shot").onclick = takeShot;
  $("shot-light").onkeydown = event => { if (event.key === "Enter") takeShot(); };
  $("finish").onclick = () => finish();
  $("finish").disabled = true;
  on("camera", drawShots);
  on("reading", drawChecks);
}
