// The communication of the page with the server: events in, actions out.

/** This page's name: unchanged by a reload, so that the page keeps control; a copy of the tab has another one. */
export const page = (() => {
  const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
  const bytes = [...crypto.getRandomValues(new Uint8Array(12))];
  const name = (again && sessionStorage.getItem("page")) || bytes.map(byte => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("page", name);
  return name;
})();

/** The current state: the last object of each kind of event, and whether the server is connected. */
export const state = { camera: null, reading: null, control: null, task: null, connected: false };

const bus = new EventTarget();

/** Calls `act` with the object of every event of this name: an event of the server, or "connection". */
export function on(name, act) {
  bus.addEventListener(name, event => act(event.detail));
}

function tell(name, detail) {
  bus.dispatchEvent(new CustomEvent(name, { detail }));
}

const silence = 12_000;
let source = null;
let heard = 0;
let wait = 500;

function connect() {
  source?.close();
  heard = Date.now();
  source = new EventSource(`api/1/events?page=${page}`);
  const alive = () => {
    heard = Date.now();
    wait = 500;
    if (!state.connected) {
      state.connected = true;
      tell("connection", true);
    }
  };
  source.onopen = alive;
  for (const name of ["reading", "camera", "task", "log", "control", "ping"]) {
    source.addEventListener(name, event => {
      alive();
      const detail = JSON.parse(event.data || "{}");
      if (name in state) state[name] = detail;
      tell(name, detail);
    });
  }
  source.onerror = lost;
}

function lost() {
  source.close();
  if (state.connected) {
    state.connected = false;
    tell("connection", false);
  }
  heard = Date.now() + wait; // The wait does not count as silence.
  setTimeout(connect, wait);
  wait = Math.min(wait * 2, 5000);
}

export function start() {
  connect();
  setInterval(() => { if (Date.now() - heard > silence) lost(); }, 1000);
}

/** Gets JSON, or null if there is none. */
export async function get(path) {
  try {
    const answer = await fetch(`api/1/${path}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

const noServer = "The studio does not answer. If it has ended, start wbcal studio again.";
const noToken = "The studio does not know this browser. Open the address that wbcal studio printed.";

/**
 * Sends an action. Returns its object, or null if it failed: then the reasons are shown in the element
 * `data-errors=place`, until an action of this place succeeds. `answers(object)` returns true if it handles a refusal.
 */
export async function act(action, body = {}, place = "studio", answers = () => false) {
  let reasons;
  try {
    const answer = await fetch(`api/1/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Wbcal-Page": page },
      body: JSON.stringify(body),
    });
    const object = await answer.json().catch(() => null);
    // Some refusals come with the whole record, and "cancelled" was requested.
    if ((answer.ok && !object?.error) || object?.error === "cancelled") {
      tell("reasons", { place, reasons: [] });
      return answer.ok ? object ?? {} : null;
    }
    if (object?.error && answers(object)) {
      tell("reasons", { place, reasons: [] });
      return null;
    }
    reasons = object?.reasons?.length ? object.reasons
      : [answer.status === 403 ? noToken : `The studio answered ${answer.status} to ${action}.`];
  } catch {
    reasons = [noServer];
  }
  tell("reasons", { place, reasons });
  return null;
}

/** A sender with one request in flight, after which the latest is sent: `send(body)`; `pending` is the latest request. */
export function latest(action, place, done = () => {}) {
  let flying = false;
  let next = null;
  const sender = { pending: null, send };
  async function send(body) {
    sender.pending = body;
    next = body;
    if (flying) return;
    flying = true;
    while (next) {
      const sent = next;
      next = null;
      const answer = await act(action, sent, place);
      if (!next) sender.pending = null;
      done(answer, sent);
    }
    flying = false;
  }
  return sender;
}
