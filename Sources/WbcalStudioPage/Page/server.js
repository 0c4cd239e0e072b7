// The communication of the page with the server: events in, actions out. Every request is short, so that any number
// of windows share the few connections that a browser allows.

import { words } from "./words.js";

/** This page's name: unchanged by a reload, so that the page keeps control; a copy of the tab has another one. */
export const page = (() => {
  const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
  const bytes = [...crypto.getRandomValues(new Uint8Array(12))];
  const name = (again && sessionStorage.getItem("page")) || bytes.map(byte => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("page", name);
  return name;
})();

/** The current state: the last object of each kind of event, and whether the server is connected or has ended. */
export const state = { camera: null, reading: null, control: null, task: null, connected: false, ended: false };

const bus = new EventTarget();

/** Calls `act` with the object of every event of this name: an event of the server, or "connection". */
export function on(name, act) {
  bus.addEventListener(name, event => act(event.detail));
}

function emit(name, detail) {
  bus.dispatchEvent(new CustomEvent(name, { detail }));
}

// MARK: Time

const clock = new Worker("clock.js");
const waiting = new Map();
let waits = 0;
clock.onmessage = ({ data }) => {
  waiting.get(data)?.();
  waiting.delete(data);
};

/** Waits for some milliseconds, also while the page is not visible. */
export function pause(time) {
  return new Promise(done => {
    waits += 1;
    waiting.set(waits, done);
    clock.postMessage({ id: waits, time });
  });
}

/** Fetches something of the server, which must answer within some milliseconds. */
export function ask(path, time = 10_000, settings = {}) {
  return fetch(`api/1/${path}`, { cache: "no-store", signal: AbortSignal.timeout(time), ...settings });
}

/** Gets JSON, or null if there is none. */
export async function get(path) {
  try {
    const answer = await ask(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

// MARK: Events

/** After this time without an answer the studio counts as ended. */
const patience = 2500;

function connected(is, ended = false) {
  if (state.connected === is && state.ended === ended) return;
  [state.connected, state.ended] = [is, ended];
  emit("connection", is);
}

export async function start() {
  let last = 0;
  let heard = Date.now();
  for (;;) {
    try {
      const answer = await ask(`news?page=${page}&after=${last}`);
      if (!answer.ok) throw answer.status;
      const news = await answer.json();
      heard = Date.now();
      connected(true);
      last = news.last;
      for (const { name, data } of news.events) {
        if (name in state) state[name] = data;
        emit(name, data);
      }
      if (document.hidden) await pause(1000);
    } catch (problem) {
      // A studio that was started again does not know this page.
      if (problem === 403 || Date.now() - heard > patience) {
        last = 0;
        connected(false, true);
      }
      await pause(500);
    }
  }
}

addEventListener("pagehide", () => {
  fetch("api/1/leave", { method: "POST", keepalive: true, headers: headers(), body: "{}" }).catch(() => {});
});

// MARK: Actions

const headers = () => ({ "Content-Type": "application/json", "X-Wbcal-Page": page });
/** The longest action is a series of shots on a slow camera. */
const longest = 600_000;

/**
 * Sends an action. Returns its object, or null if it failed: then the reasons are shown in the element
 * `data-errors=place` with what helps, until an action of this place succeeds. `answers(object)` returns true if it
 * handles a refusal, or the sentence to show in place of the reasons.
 */
export async function act(action, body = {}, place = "studio", answers = () => false) {
  let reasons;
  let error;
  try {
    const answer = await ask(action, longest, { method: "POST", headers: headers(), body: JSON.stringify(body) });
    const object = await answer.json().catch(() => null);
    // Some refusals come with the whole record, and "cancelled" was requested.
    if ((answer.ok && !object?.error) || object?.error === "cancelled") {
      emit("reasons", { place, reasons: [] });
      return answer.ok ? object ?? {} : null;
    }
    // A folder that cannot be written has another word.
    error = answer.status === 403 && object?.error === "refused" ? "forbidden" : object?.error;
    const own = error && (words.errors.refused[error] ?? answers(object));
    reasons = own ? [own].filter(text => text !== true) : object?.reasons?.length ? object.reasons
      : [words.errors.status(answer.status)];
  } catch (problem) {
    reasons = [problem?.name === "TimeoutError" ? words.errors.late : words.errors.noServer];
  }
  emit("reasons", { place, reasons, action, error });
  return null;
}

/** Waits for a reading of the state after an answer: the first one may have been under way before it. */
async function reread() {
  const before = readings;
  for (let times = 0; times < 20 && readings < before + 2; times += 1) await pause(50);
}
let readings = 0;
on("reading", () => { readings += 1; });

/**
 * A sender with one request in flight, after which the latest is sent, so that the newest value wins: `send(body)`
 * sends it to be verified, `slide(body)` while a slider moves. `pending` is the latest request,
 * until a reading shows what it set.
 */
export function latest(action, place, done = () => {}, sliding = null) {
  let flying = false;
  let next = null;
  const settle = async body => {
    await reread();
    if (sender.pending === body) sender.pending = null;
  };
  const sender = { pending: null, send: body => add({ action, body }), slide: body => sliding && add({ action: sliding, body }) };
  async function add(request) {
    sender.pending = request.body;
    next = request;
    if (flying) return;
    flying = true;
    while (next) {
      const sent = next;
      next = null;
      const unknown = object => sent.action === sliding && object.error === "not-measured";
      const answer = await act(sent.action, sent.body, place, unknown);
      if (!next && sent.action === action) {
        if (answer) settle(sent.body);
        else sender.pending = null;
      }
      if (sent.action === action) done(answer, sent.body);
    }
    flying = false;
  }
  return sender;
}
