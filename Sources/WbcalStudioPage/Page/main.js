// The studio's page: its status, cameras, tabs and keys, and the start of all parts.

import { $, make, put, say, show } from "./elements.js";
import * as calibrate from "./calibrate.js";
import * as controls from "./controls.js";
import * as diagram from "./diagram.js";
import * as instruments from "./instruments.js";
import * as picture from "./picture.js";
import * as region from "./region.js";
import { Steady, sentences } from "./numbers.js";
import { act, get, on, pause, start, state } from "./server.js";
import { at, fillPage, words } from "./words.js";

// MARK: Status

const rate = new Steady(1);

function status() {
  const { camera, control, connected, ended } = state;
  const kind = ended ? "bad" : { open: "good", opening: "wait", vanished: "bad", missing: "bad", failed: "bad" }[camera?.state] ?? "wait";
  if (!connected || camera?.state !== "open") put($("rate"), "");
  put($("state"), words.states[ended ? "ended" : camera?.state ?? "connecting"]);
  $("state").dataset.kind = kind;
  const watching = connected && control !== null && !control.here;
  const notice = watching ? words.notices.watching : "";
  put($("notice").querySelector("span"), notice);
  const news = picture.veil() || notice;
  if (news !== "" && news !== status.said) say(news);
  status.said = news;
  show($("notice"), notice !== "");
  show($("take-over"), watching);
  const able = connected && control?.here === true && camera?.state === "open";
  for (const set of document.querySelectorAll("fieldset.controls")) set.disabled = !able;
  for (const one of document.querySelectorAll("button.needs-control")) one.disabled = !able;
  $("region").toggleAttribute("aria-disabled", !able);
  document.body.classList.toggle("watching", !able);
  $("picker").disabled = !(connected && control?.here === true);
  drawUndo(camera, able);
  drawKeep(camera, connected);
  if (camera) document.title = words.title(nameOf(camera));
}

const nameOf = camera => camera.device?.startsWith("simulated") ? words.camera.demo : camera.identity?.name ?? camera.device;

/** A change of the light stays on the page until the white balance is set again. */
function drawLight() {
  const { camera, reading, connected } = state;
  const changed = Boolean(connected && camera?.state === "open" && reading?.lightChange);
  if (changed && $("light-bar").hidden) say(words.notices.lightChanged);
  // Whoever uses the keyboard goes on with what was balanced.
  if (!changed && document.activeElement === $("balance-again")) $(camera?.neutral ? "done" : "gray").focus({ preventScroll: true });
  show($("light-bar"), changed);
}

function drawUndo(camera, able) {
  put($("undo"), words.undo.of[camera?.undoes] ?? words.undo.none);
  $("undo").disabled = !able || !camera.undoes;
}

/** The camera's settings are lost at the end unless they are kept: that must be known after the first change. */
function drawKeep(camera, connected) {
  const keeps = camera?.keep === true;
  show($("keep-bar"), connected && Boolean(camera?.undo || keeps));
  put($("keep-bar").querySelector("span"), keeps ? words.notices.keeps : words.notices.reverts);
  put($("keep"), keeps ? words.notices.giveBack : words.notices.keep);
  $("keep-bar").dataset.kind = keeps ? "good" : "warn";
}

export const keep = keeps => act("keep", { keep: keeps });

function speed(reading) {
  put($("rate"), Number.isFinite(reading.rate) ? words.camera.rate(rate.text(reading.rate)) : "");
}

function drawTask(task) {
  const runs = task.state === "running";
  show($("task"), runs);
  put($("task-text"), words.task.working[task.action] ?? words.task.other);
  $("task-text").title = task.text ?? "";
  if (Number.isFinite(task.fraction)) $("task-progress").value = task.fraction;
  else $("task-progress").removeAttribute("value");
  if (task.state === "cancelled") say(words.task.cancelled);
  if (!runs) for (const one of document.querySelectorAll("[data-errors][data-busy]")) show(one, false);
}

/** Shows the reasons at the control that caused them, with what helps, and announces them. */
function reasons({ place, reasons: list, ...refusal }) {
  const element = document.querySelector(`[data-errors="${place}"]`) ?? document.querySelector('[data-errors="studio"]');
  element.textContent = sentences(list).join(" ");
  element.toggleAttribute("data-busy", refusal.error === "busy");
  show(element, list.length > 0);
  $("live-errors").textContent = element.textContent;
  const [text, remedy] = list.length && region.help(refusal) || [];
  if (remedy) {
    element.append(" ", make("button", { type: "button", id: `help-${place}`, class: "primary", text, onclick: () => {
      show(element, false);
      remedy();
    } }));
  }
  // What has to be done first is the button that stands out.
  if (place === "picture") $("gray").classList.toggle("primary", !remedy);
  if (list.length) element.scrollIntoView({ block: "nearest" });
}

// MARK: Cameras

async function drawCameras() {
  const answer = await get("cameras");
  if (!answer) return;
  const demos = answer.cameras.filter(one => one.demo).length;
  const options = answer.cameras.map(({ device, name, demo, problem }) => {
    const shown = demo ? (demos > 1 && device !== "simulated" ? words.camera.demoOf(device) : words.camera.demo) : name;
    return { value: device, text: problem ? words.camera.unusable(shown) : shown, disabled: problem ? "" : null };
  });
  const key = JSON.stringify(options);
  if ($("picker").key !== key) {
    $("picker").key = key;
    $("picker").replaceChildren(...options.map(one => make("option", one)));
  }
  followCamera();
}

/** Selects the camera in use. It is the only choice until the others are found, which takes a second on a network. */
function followCamera() {
  const picker = $("picker");
  if (document.activeElement === picker || !state.camera) return;
  const { device, identity } = state.camera;
  if (picker.options.length === 0) {
    const name = device.startsWith("simulated") ? words.camera.demo : identity?.name ?? device;
    picker.append(make("option", { value: device, text: name }));
  }
  picker.value = device;
}

/** Cameras come and go while the page is open. */
async function watchCameras() {
  for (;;) {
    await pause(5000);
    if (!document.hidden && state.connected) await drawCameras();
  }
}

function startCameras() {
  $("picker").onfocus = drawCameras;
  $("picker").onchange = async () => {
    const answer = await act("use", { device: $("picker").value });
    $("picker").blur();
    if (!answer) followCamera();
  };
  on("camera", followCamera);
  on("connection", connected => { if (connected) drawCameras(); });
}

// MARK: Log

function addLog({ command, remark, at: time }) {
  const lines = $("log-lines");
  if (!command) {
    lines.append(make("li", {}, make("time", { text: time }), make("span", { text: sentences([remark]).join("") })));
    return;
  }
  const copy = make("button", { type: "button", class: "small", text: words.log.copy, "aria-label": words.log.copyOf(command), onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = words.log.copied;
      setTimeout(() => { copy.textContent = words.log.copy; }, 1500);
    } catch {
      getSelection().selectAllChildren(copy.parentElement.querySelector("code"));
      say(words.log.selected);
    }
  } });
  const stays = lines.scrollHeight - lines.scrollTop - lines.clientHeight > 40;
  lines.append(make("li", {}, make("time", { text: time }), make("code", { text: command }), copy));
  while (lines.children.length > 200) lines.firstElementChild.remove();
  if (!stays) lines.scrollTop = lines.scrollHeight;
}

// MARK: Tabs

const narrow = matchMedia("(max-width: 1000px)");
const tabs = [...document.querySelectorAll('[role="tab"]')];

export function choose(tab, focuses = true) {
  for (const one of tabs) {
    one.setAttribute("aria-selected", one === tab);
    one.tabIndex = one === tab ? 0 : -1;
    show($(one.getAttribute("aria-controls")), one === tab);
  }
  if (focuses) tab.focus({ preventScroll: true });
  // In a narrow window the controls are below the picture, which stays in sight.
  if (focuses && narrow.matches) $("panels").scrollIntoView();
}

function startTabs() {
  for (const [index, tab] of tabs.entries()) {
    tab.onclick = () => choose(tab);
    tab.onkeydown = event => {
      const right = getComputedStyle(tab).direction === "rtl" ? -1 : 1;
      const to = { ArrowRight: index + right, ArrowLeft: index - right, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(tabs.at(to % tabs.length));
    };
  }
  $("go-calibrate").onclick = () => choose($("tab-calibrate"));
}

// MARK: Keys

const toggle = id => { $(id).open = !$(id).open; };
const shortcuts = {
  1: () => choose(tabs[0]), 2: () => choose(tabs[1]), 3: () => choose(tabs[2]), 4: () => choose(tabs[3]),
  b: () => $("region").focus(), g: () => region.takeGray(), f: () => $("find-card").click(), z: picture.toggleZebra,
  p: picture.toggleEdges, c: picture.toggleCompare, d: () => toggle("details"), u: () => $("undo").click(), l: () => toggle("log"),
  "?": () => $("help").showModal(),
};

function startKeys() {
  const all = [...Object.entries(words.help.keys).map(([key, text]) => [key.toUpperCase(), text]), ...Object.entries(words.help.others)];
  $("keys").append(...all.map(([key, text]) => make("div", {}, make("dt", {}, make("kbd", { text: key })), make("dd", { text }))));
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
    shortcut();
  });
}

// MARK: Start

fillPage();
document.documentElement.style.setProperty("--empty-log", JSON.stringify(at("log.empty")));
// A small window has no room for both the picture and the instruments.
$("details").open = innerHeight >= 820 && innerWidth >= 1000;
startTabs();
startKeys();
startCameras();
for (const part of [picture, region, instruments, controls, calibrate, diagram]) part.start();
for (const name of ["camera", "control", "connection"]) on(name, status);
on("reading", speed);
for (const name of ["reading", "camera", "connection"]) on(name, drawLight);
on("task", drawTask);
on("log", addLog);
// The server sends the last lines again.
on("connection", connected => { if (connected) $("log-lines").replaceChildren(); });
on("reasons", reasons);
$("take-over").onclick = () => act("control", { takeOver: true });
$("cancel").onclick = () => act("cancel");
$("undo").onclick = controls.undoLast;
$("balance-again").onclick = region.takeGray;
$("keep").onclick = () => keep(state.camera?.keep !== true);
$("keep-gray").onclick = () => keep(true);
status();
start();
watchCameras();
