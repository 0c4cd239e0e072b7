// Numbers as text.

import { words } from "./words.js";

/** A number with its sign and a real minus. */
export function signed(value, digits = 0) {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value < 0 ? "−" : "+") + text;
}

export function fixed(value, digits = 0) {
  return value.toFixed(digits).replace("-", "−");
}

export function kelvin(value) {
  return words.units.kelvin(Math.round(value));
}

export function percent(share) {
  const value = share * 100;
  return words.units.percent(value > 0 && value < 0.95 ? value.toFixed(1) : Math.round(value));
}

/** An exposure time: 1/50 s below a third of a second. */
export function seconds(value) {
  return words.units.seconds(fraction(value));
}

/** The same without the unit. */
export function fraction(value) {
  if (value >= 0.3) return value.toPrecision(2);
  return `1/${value < 0.001 ? Math.round(1 / value / 10) * 10 : Math.round(1 / value)}`;
}

export function light(temperature, tint) {
  return Number.isFinite(tint) ? words.units.tint(kelvin(temperature), signed(tint)) : kelvin(temperature);
}

/** Returns the server's reasons as sentences. */
export function sentences(reasons) {
  // A name at the start stays as it is.
  const start = one => /^[a-z]+[ ,;]/.test(one) ? one[0].toUpperCase() + one.slice(1) : one;
  return (reasons ?? []).filter(Boolean).map(one => start(one) + (/[.!?)]$/.test(one) ? "" : "."));
}

/** Returns the first value that is a number. */
export function first(...values) {
  return values.find(value => Number.isFinite(value));
}

/**
 * A number that does not jitter: rounded to the digit that its standard error determines, and changed only when it has
 * left that digit by three quarters and a third of the error. The error itself changes when it differs by a third.
 */
export class Steady {
  #shown = null;
  #error = null;
  #least;

  /** Nothing is shown finer than `least`. */
  constructor(least) {
    this.#least = least;
  }

  /** The text, with ± where an error is known. */
  text(value, error, format = fixed) {
    if (!Number.isFinite(value)) {
      this.#shown = this.#error = null;
      return "–";
    }
    const known = Number.isFinite(error) && error > 0;
    if (known && (this.#error === null || Math.abs(Math.log(error / this.#error)) > 0.3)) {
      this.#error = error;
      this.#shown = null;
    }
    const scale = known ? 10 ** Math.floor(Math.log10(this.#error) + 1e-9) : this.#least;
    const step = Math.max(scale, this.#least);
    if (this.#shown === null || Math.abs(value - this.#shown) > Math.max(0.75 * step, known ? error / 3 : 0)) {
      this.#shown = Math.round(value / step) * step;
    }
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const text = format(this.#shown, digits);
    return known ? `${text} ± ${Math.max(step, Math.round(this.#error / step) * step).toFixed(digits)}` : text;
  }
}
