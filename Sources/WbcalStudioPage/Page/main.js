// The studio's page: its status, tabs and keys, and the start of all parts.

import { $, make, press, put, say, show } from "./elements.js";
import * as calibrate from "./calibrate.js";
import * as controls from "./controls.js";
import * as diagram from "./diagram.js";
import * as instruments from "./instruments.js";
import * as picture from "./picture.js";
import * as region from "./region.js";
import { Steady, sentences } from "./numbers.js";
import { act, on, start, state } from "./server.js";

// MARK: Status

const rate = new Steady(1);
const latency = new Steady(1);

function status() {
  const { camera, control, connected } = state;
  const kind = !connected ? "bad" : { open: "good", opening: "wait", vanished: "bad", busy: "wait" }[camera?.state] ?? "wait";
  const text = !connected ? "Connection lost" : { open: "Live", opening: "Opening", vanished: "Disconnected", busy: "Busy" }[camera?.state]
    ?? "Connecting";
  put($("state"), text);
  $("state").dataset.kind = kind;
  if (camera) {
    const name = camera.identity?.name ?? camera.device ?? "No camera";
    const { profile } = camera;
    const colors = !profile ? "no profile" : `profile ${profile.name}${profile.calibrated ? "" : ", not calibrated"}`;
    put($("device"), `${name}, ${colors}`);
    $("device").title = `${camera.device ?? ""}${camera.identity?.id ? ` (${camera.identity.id})` : ""}`;
    document.title = `${name} – wbcal studio`;
    if (!$("keep").asking) $("keep").checked = camera.keep === true;
  }
  const watching = connected && control !== null && !control.here;
  const notice = camera?.state === "busy" && connected ? sentences([camera.reason ?? "The camera is busy"])[0]
    : watching ? "Another page controls this camera. This page only shows it." : "";
  put($("notice").querySelector("span"), notice);
  const news = picture.veil() || notice;
  if (news !== "" && news !== status.said) say(news);
  status.said = news;
  show($("notice"), notice !== "");
  show($("take-over"), watching);
  const able = connected && control?.here === true && camera?.state === "open";
  for (const set of document.querySelectorAll("fieldset.controls")) set.disabled = !able;
  for (const one of document.querySelectorAll("button.needs-control, input.needs-control")) one.disabled = !able;
  $("region").toggleAttribute("aria-disabled", !able);
  document.body.classList.toggle("watching", !able);
}

function speed(reading) {
  const parts = [];
  if (Number.isFinite(reading.rate)) parts.push(`${rate.text(reading.rate)} frames/s`);
  if (Number.isFinite(reading.latency)) parts.push(`latency ${latency.text(reading.latency)} frames`);
  put($("rate"), parts.join(", "));
}

function drawTask(task) {
  const runs = task.state === "running";
  show($("task"), runs);
  put($("task-text"), task.text || `Working: ${task.action}`);
  if (Number.isFinite(task.fraction)) $("task-progress").value = task.fraction;
  else $("task-progress").removeAttribute("value");
  if (task.state === "cancelled") say("The task was cancelled. The camera's settings were restored.");
}

/** Shows the reasons at the control that caused them, and announces them. */
function reasons({ place, reasons: list }) {
  const element = document.querySelector(`[data-errors="${place}"]`) ?? document.querySelector('[data-errors="studio"]');
  element.textContent = sentences(list).join(" ");
  show(element, list.length > 0);
  $("live-errors").textContent = element.textContent;
}

// MARK: Log

function addLog({ command, remark, at }) {
  if (!command) {
    $("log-lines").append(make("li", {}, make("time", { text: at }), make("span", { text: remark })));
    return;
  }
  const lines = $("log-lines");
  const copy = make("button", { type: "button", class: "small", text: "Copy", "aria-label": `Copy ${command}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    } catch {
      getSelection().selectAllChildren(copy.parentElement.querySelector("code"));
      say("The command is selected; copy it with the keyboard.");
    }
  } });
  const stays = lines.scrollHeight - lines.scrollTop - lines.clientHeight > 40;
  lines.append(make("li", {}, make("time", { text: at }), make("code", { text: command }), copy));
  while (lines.children.length > 200) lines.firstElementChild.remove();
  if (!stays) lines.scrollTop = lines.scrollHeight;
  put($("log-last"), command);
}

// MARK: Tabs

const tabs = [...document.querySelectorAll('[role="tab"]')];

function choose(tab, focuses = true) {
  for (const one of tabs) {
    one.setAttribute("aria-selected", one === tab);
    one.tabIndex = one === tab ? 0 : -1;
    show($(one.getAttribute("aria-controls")), one === tab);
  }
  if (focuses) tab.focus();
}

function startTabs() {
  for (const [index, tab] of tabs.entries()) {
    tab.onclick = () => choose(tab);
    tab.onkeydown = event => {
      const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(tabs.at(to % tabs.length));
    };
  }
}

// MARK: Keys

const toggle = id => { $(id).open = !$(id).open; };
const shortcuts = {
  "1": ["White balance", () => choose(tabs[0])],
  "2": ["Exposure", () => choose(tabs[1])],
  "3": ["Focus", () => choose(tabs[2])],
  "4": ["Calibrate", () => choose(tabs[3])],
  r: ["Go to the card's region", () => $("region").focus()],
  g: ["This is gray", () => $("gray").click()],
  c: ["Find the card", () => $("find-card").click()],
  h: ["Find the chart", () => $("find-chart").click()],
  z: ["Zebra", picture.toggleZebra],
  b: ["Before and after", picture.toggleCompare],
  d: ["Whole diagram", diagram.toggleWhole],
  t: ["Take the calibration's shot", () => { choose(tabs[3], false); calibrate.takeShot(); }],
  u: ["Undo the last setting", controls.undoLast],
  l: ["Log", () => toggle("log")],
  "?": ["This help", () => $("help").showModal()],
};
const others = {
  "Arrow keys": "Move the region, a slider or the line between before and after",
  "Shift and arrows": "Change the region's size",
  "Control and arrows": "Move the region by one pixel",
  "Enter": "Use the region as gray, while “This is gray” waits",
  "Escape": "Cancel a choice",
};

function startKeys() {
  $("keys").append(...[...Object.entries(shortcuts).map(([key, [text]]) => [key.toUpperCase(), text]), ...Object.entries(others)]
    .map(([key, text]) => make("div", {}, make("dt", {}, make("kbd", { text: key })), make("dd", { text }))));
  $("help-button").onclick = () => $("help").showModal();
  const single = $("single-keys");
  single.checked = localStorage.getItem("single-keys") !== "off";
  single.onchange = () => localStorage.setItem("single-keys", single.checked ? "on" : "off");
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") return region.escape();
    if (!single.checked || event.ctrlKey || event.metaKey || event.altKey || event.repeat || $("help").open) return;
    const field = event.target.closest("input, select, textarea");
    if (field && !["range", "checkbox", "radio"].includes(field.type)) return;
    const shortcut = shortcuts[event.key.toLowerCase()];
    if (!shortcut) return;
    event.preventDefault();
    shortcut[1]();
  });
}

// MARK: Start

startTabs();
startKeys();
for (const part of [picture, region, instruments, controls, calibrate, diagram]) part.start();
for (const name of ["camera", "control", "connection"]) on(name, status);
on("reading", speed);
on("task", drawTask);
on("log", addLog);
// The server sends the last lines again.
on("connection", connected => { if (connected) $("log-lines").replaceChildren(); });
on("reasons", reasons);
$("take-over").onclick = () => act("control", { takeOver: true });
$("cancel").onclick = () => act("cancel");
$("keep").onchange = async () => {
  $("keep").asking = true;
  await act("keep", { keep: $("keep").checked });
  $("keep").asking = false;
  status();
};
status();
start();
