// The histogram and the numbers.

import { $, describe, draw, put } from "./elements.js";
import { Steady, fixed, percent, sentences, signed } from "./numbers.js";
import { on } from "./server.js";
import { words } from "./words.js";

// MARK: Histogram

const channels = ["red", "green", "blue"];
const figure = $("histogram");
const size = { width: 0, height: 0, left: 8, right: 8, top: 6, bottom: 18 };
let curves = null;
let most = 1;

function axes(from, to) {
  const at = stop => size.left + (stop - from) / (to - from) * (size.width - size.left - size.right);
  const floor = size.height - size.bottom;
  figure.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  figure.replaceChildren();
  for (let stop = Math.ceil(from / 2) * 2; stop <= to; stop += 2) {
    figure.append(
      draw("line", { class: stop === 0 ? "axis" : "grid", x1: at(stop), x2: at(stop), y1: size.top, y2: floor }),
      draw("text", { x: at(stop), y: size.height - 5, text: fixed(stop),
        "text-anchor": stop === from ? "start" : stop === to ? "end" : "middle" }));
  }
  figure.append(
    draw("line", { class: "middle", x1: at(-2.474), x2: at(-2.474), y1: size.top, y2: floor },
      draw("title", { text: words.details.middleGray })),
    draw("line", { class: "axis", x1: at(from), x2: at(to), y1: floor, y2: floor }));
  curves = Object.fromEntries(channels.map(name => {
    const path = draw("path", { class: `curve ${name}` });
    figure.append(path);
    return [name, path];
  }));
  curves.range = `${from} ${to}`;
}

function drawHistogram(histogram) {
  if (!histogram) return;
  const { from, to } = histogram;
  const [width, height] = [figure.clientWidth, figure.clientHeight];
  if (!width) return;
  if (curves?.range !== `${from} ${to}` || width !== size.width || height !== size.height) {
    Object.assign(size, { width, height });
    axes(from, to);
  }
  // The square root shows small heights; the scale follows slowly, so that it does not flicker.
  const peak = Math.max(1, ...channels.flatMap(name => histogram[name])) ** 0.5;
  most = peak > most || most > 1.5 * peak ? peak * 1.1 : most;
  const floor = size.height - size.bottom;
  const wide = (size.width - size.left - size.right) / histogram.red.length;
  for (const name of channels) {
    const steps = histogram[name].map((count, index) => {
      const x = size.left + index * wide;
      const y = (floor - Math.sqrt(count) / most * (floor - size.top)).toFixed(1);
      return `V${y}H${(x + wide).toFixed(1)}`;
    });
    curves[name].setAttribute("d", `M${size.left} ${floor}${steps.join("")}V${floor}Z`);
  }
  const middle = name => {
    const counts = histogram[name];
    const half = counts.reduce((sum, count) => sum + count, 0) / 2;
    let sum = 0;
    const index = counts.findIndex(count => (sum += count) >= half);
    return fixed(from + (index + 0.5) / counts.length * (to - from), 1);
  };
  describe(figure, words.details.medians(...channels.map(middle)));
}

// MARK: Numbers

const steady = {
  temperature: new Steady(1), tint: new Steady(0.1), x: new Steady(0.0005), y: new Steady(0.0005),
  device: new Steady(10), deviceTint: new Steady(1), red: new Steady(0.005), blue: new Steady(0.005),
  even: new Steady(0.01), clipped: new Steady(0.001),
};
const unit = text => text === "–" ? text : words.units.kelvin(text);

function drawNumbers(reading) {
  const card = reading.region ?? {};
  put($("n-temperature"), unit(steady.temperature.text(card.temperature, card.temperatureError)));
  put($("n-tint"), steady.tint.text(card.tint, card.tintError, signed));
  const [x, y] = card.xy ?? [];
  put($("n-xy"), card.xy ? `${steady.x.text(x)}, ${steady.y.text(y)}` : "–");
  const device = reading.device ?? {};
  put($("n-device"), Number.isFinite(device.temperature)
    ? Number.isFinite(device.tint)
      ? words.units.tint(unit(steady.device.text(device.temperature)), steady.deviceTint.text(device.tint, null, signed))
      : unit(steady.device.text(device.temperature)) : "–");
  const gains = card.gains;
  put($("n-gains"), gains ? `${steady.red.text(gains.red / gains.green)}, ${steady.blue.text(gains.blue / gains.green)}` : "–");
  const share = (name, value) => Number.isFinite(value) ? steady[name].text(value, null, percent) : "–";
  put($("n-even"), Number.isFinite(card.nonuniformity) ? words.details.varies(share("even", card.nonuniformity)) : "–");
  const pixels = card.pixels;
  put($("n-clipped"), pixels?.total ? words.details.ofCard(share("clipped", pixels.clipped / pixels.total)) : "–");
  put($("n-reasons"), sentences(card.reasons).join(" "));
}

export function start() {
  on("reading", reading => {
    if (!$("details").open) return;
    drawHistogram(reading.histogram);
    drawNumbers(reading);
  });
}
