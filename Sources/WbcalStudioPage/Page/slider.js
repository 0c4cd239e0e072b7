// A slider with a number field and the reachable part marked. It shows no value before one is known.

import { $, make } from "./elements.js";
import { words } from "./words.js";

/**
 * Fills the element `id`. `to` and `from` map a value to the slider's even steps and back; `step` and `unit` are the
 * field's, and `parse` reads texts other than numbers. `asks(value)` is called when the user has chosen a value, and
 * `slides(value)` while the slider moves.
 */
export class Slider {
  #id;
  #settings;
  #held = false;
  #asked = 0;

  constructor(id, settings) {
    this.#id = id;
    this.#settings = { to: value => value, from: value => value, round: value => value, ...settings };
    const { label, unit, ends, step } = this.#settings;
    this.range = make("input", { type: "range", id: `${id}-range`, "aria-label": label });
    this.field = make("input", {
      type: this.#settings.parse ? "text" : "number", id: `${id}-number`, step: step ?? "any", autocomplete: "off",
      "aria-label": unit ? `${label}, ${unit}` : label,
    });
    this.marks = make("div", { class: "marks", "aria-hidden": "true" });
    $(id).append(
      make("span", { class: "label", text: label, "aria-hidden": "true" }),
      make("span", { class: "field" }, this.field, make("span", { class: "unit", text: unit ?? "", "aria-hidden": "true" })),
      make("div", { class: "track" }, this.range, this.marks),
      ...(ends ? [make("span", { class: "ends", "aria-hidden": "true" }, ...ends.map(text => make("span", { text })))] : []));
    this.#forget();
    this.range.addEventListener("input", () => this.#move(this.#settings.slides));
    this.range.addEventListener("change", () => this.#move(this.#settings.asks));
    this.range.addEventListener("pointerdown", () => { this.#held = true; });
    for (const end of ["pointerup", "pointercancel"]) this.range.addEventListener(end, () => { this.#held = false; });
    this.field.addEventListener("change", () => {
      const value = (this.#settings.parse ?? Number)(this.field.value);
      const fits = this.field.value !== "" && value >= this.field.min && value <= this.field.max;
      const [least, most] = [this.field.min, this.field.max].map(limit => this.#settings.text(Number(limit)));
      this.field.setCustomValidity(fits ? "" : words.range(least, most));
      if (this.field.reportValidity()) {
        this.#show(value, true);
        this.#asked = Date.now();
        this.#settings.asks(value);
      }
    });
  }

  #move(send) {
    const { from, round, snap } = this.#settings;
    const rounded = round(from(Number(this.range.value)));
    this.#show(snap?.(rounded) ?? rounded);
    this.#asked = Date.now();
    send?.(this.value);
  }

  #show(value, fieldStays = false) {
    const { to, text, shown } = this.#settings;
    this.value = value;
    $(this.#id).classList.remove("unknown");
    this.range.value = to(value);
    this.range.setAttribute("aria-valuetext", text(value));
    if (fieldStays) return;
    this.field.value = shown ? shown(value) : `${value}`;
    this.field.setCustomValidity("");
  }

  #forget() {
    this.value = undefined;
    $(this.#id).classList.add("unknown");
    this.range.setAttribute("aria-valuetext", words.picture.notKnown);
    this.field.value = "";
    this.field.setCustomValidity("");
  }

  /** Indicates whether the user may be typing. */
  get #isTypedIn() { return document.activeElement === this.field; }

  /** Sets the whole range, the part that is reachable (by default all), and the values that have a mark. */
  limits([least, most], reach = null, marks = []) {
    const key = JSON.stringify([least, most, reach, marks]);
    if (this.key === key) return;
    this.key = key;
    const { to, text, steps = 500 } = this.#settings;
    const [low, high] = [to(least), to(most)];
    this.range.min = low;
    this.range.max = high;
    this.range.step = this.#settings.even ?? (high - low) / steps;
    // Steps count from the least value and must include whole numbers.
    const step = this.#settings.step ?? 0;
    const end = Math.min(least, most);
    this.field.min = step > 0 ? Math.floor(end / step) * step : end;
    this.field.max = Math.max(least, most);
    const share = value => Math.min(1, Math.max(0, (to(value) - low) / (high - low)));
    const [from, until] = reach ? reach.map(share).sort((a, b) => a - b) : [0, 1];
    const box = $(this.#id);
    box.style.setProperty("--from", from);
    box.style.setProperty("--until", until);
    this.marks.replaceChildren(...marks.map(value => {
      const mark = make("span", { text: this.#settings.mark?.(value) ?? text(value) });
      mark.style.setProperty("--at", share(value));
      return mark;
    }));
    if (this.value !== undefined) this.#show(this.value, this.#isTypedIn);
  }

  /** Follows a value that was set elsewhere, or is not known, unless the user is changing it. */
  follow(value, waits = false) {
    // The first reading after a setting can be older than it.
    if (this.#held || waits || this.#isTypedIn || Date.now() - this.#asked < 300) return;
    if (Number.isFinite(value)) {
      if (value !== this.value) this.#show(value);
    } else if (this.value !== undefined) {
      this.#forget();
    }
  }

  /** Shows the true value again, after the camera has refused another one. */
  revert() {
    this.#asked = 0;
    if (this.#isTypedIn) this.field.blur();
  }
}
