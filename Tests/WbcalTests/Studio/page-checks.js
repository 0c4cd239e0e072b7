// Checks of the studio's page in its present state. The function runs in the page and returns a
// list of sentences, one for each problem. `pageChecks({ phone: true })` also requires targets of
// 24 pixels.

function pageChecks({ phone = innerWidth < 600 } = {}) {
  const problems = [];
  const name = element => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}`
    + `${typeof element.className === "string" && element.className ? `.${element.className.split(" ").join(".")}` : ""}`
    + ` “${(element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 30)}”`;
  const visible = element => element.checkVisibility({ opacityProperty: false, visibilityProperty: true })
    && element.getClientRects().length > 0 && !element.closest(".unseen, .skip");
  const all = selector => [...document.querySelectorAll(selector)].filter(visible);
  const interactive = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role=slider]";

  // Names and roles

  const named = element => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map(id => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    const label = element.getAttribute("aria-label") ?? [...(element.labels ?? [])].map(one => one.textContent).join(" ");
    return (label || element.getAttribute("alt") || (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ? "" : element.textContent)
      || element.getAttribute("title") || "").trim();
  };
  const nameable = `${interactive}, [role=img], [role=meter], [role=radiogroup], [role=group], [role=toolbar], [role=tablist],
    [role=tabpanel], progress, dialog[open], main section`;
  for (const element of all(nameable)) if (!named(element)) problems.push(`It has no name: ${name(element)}`);
  for (const image of all("img")) if (!image.hasAttribute("alt")) problems.push(`It has no alternative text: ${name(image)}`);
  for (const figure of all("svg, canvas")) {
    if (figure.parentElement.closest("svg, [aria-hidden=true]")) continue;
    if (figure.getAttribute("role") !== "img" && figure.getAttribute("aria-hidden") !== "true") {
      problems.push(`A figure is neither an image nor hidden: ${name(figure)}`);
    }
  }
  for (const element of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby]")) {
    for (const attribute of ["aria-controls", "aria-labelledby", "aria-describedby"]) {
      for (const id of (element.getAttribute(attribute) ?? "").split(" ").filter(Boolean)) {
        if (!document.getElementById(id)) problems.push(`${attribute} names nothing: ${id} of ${name(element)}`);
      }
    }
  }
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) problems.push(`Two have the id ${id}.`);
  if (document.querySelectorAll("h1").length !== 1) problems.push("There is not one h1.");
  if (!document.documentElement.lang) problems.push("The page has no language.");
  for (const tab of all("[role=tab]")) {
    if (!["true", "false"].includes(tab.getAttribute("aria-selected"))) problems.push(`A tab is neither selected nor not: ${name(tab)}`);
  }
  if (!document.querySelector("[aria-live], [role=status]") || !document.querySelector("[role=alert]")) {
    problems.push("Nothing says news and errors to who cannot see them.");
  }

  // Contrast: 4.5 for text; disabled elements are exempt.

  const color = text => {
    const parts = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const luminance = rgb => rgb.map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
  };
  const over = (top, below) => top.rgb.map((value, index) => value * top.alpha + below[index] * (1 - top.alpha));
  /** What may lie behind: over the picture both black and white. */
  const backgrounds = element => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const layer = color(getComputedStyle(one).backgroundColor);
      if (layer.alpha > 0) layers.push(layer);
      if (layer.alpha === 1) break;
      if (one.parentElement?.id === "frame" || one.parentElement?.id === "stage") {
        return [[0, 0, 0], [255, 255, 255]].map(under => layers.reduceRight((below, top) => over(top, below), under));
      }
    }
    return [layers.reduceRight((below, top) => over(top, below), [255, 255, 255])];
  };
  // What is behind an open dialog is inert.
  const texts = document.createTreeWalker(document.querySelector("dialog[open]") ?? document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  const words = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || seen.has(element) || !visible(element) || element.closest(":disabled, fieldset:disabled, option, title")) continue;
    seen.add(element);
    const place = document.createRange();
    place.selectNodeContents(node);
    words.push({ element, box: place.getBoundingClientRect() });
    const style = getComputedStyle(element);
    const ink = color(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
    for (const background of backgrounds(element)) {
      const value = ratio(over(ink, background), background);
      if (value < 4.5) problems.push(`The contrast is ${value.toFixed(2)}: ${name(element)}`);
    }
  }

  // Overlap, overflow, size

  const boxes = all(interactive).filter(element => !element.closest("#frame") && !(document.querySelector("dialog[open]") && !element.closest("dialog")))
    .map(element => ({ element, box: element.getBoundingClientRect() }));
  for (const [index, { element, box }] of words.entries()) {
    for (const { element: other, box: two } of words.slice(index + 1)) {
      if (element.contains(other) || other.contains(element) || element.closest("#stage") || other.closest("#stage")) continue;
      const across = Math.min(box.right, two.right) - Math.max(box.left, two.left);
      const down = Math.min(box.bottom, two.bottom) - Math.max(box.top, two.top);
      // A line of text is higher than its letters.
      if (across > 0 && down > 4 && clipped(element) && clipped(other)) problems.push(`The words overlap: ${name(element)} and ${name(other)}`);
    }
  }
  const sticky = element => element.closest("#stage");
  for (const [index, { element, box }] of boxes.entries()) {
    for (const { element: other, box: two } of boxes.slice(index + 1)) {
      if (element.contains(other) || other.contains(element) || sticky(element) || sticky(other)) continue;
      const across = Math.min(box.right, two.right) - Math.max(box.left, two.left);
      const down = Math.min(box.bottom, two.bottom) - Math.max(box.top, two.top);
      if (across > 1 && down > 1 && clipped(element) && clipped(other)) problems.push(`They overlap: ${name(element)} and ${name(other)}`);
    }
    if (phone && !element.closest("p, dd") && element.type !== "radio") {
      const label = element.closest("label")?.getBoundingClientRect();
      const [w, h] = [Math.max(box.width, label?.width ?? 0), Math.max(box.height, label?.height ?? 0)];
      if (w < 24 || h < 24) problems.push(`It is too small to tap, ${Math.round(w)} × ${Math.round(h)}: ${name(element)}`);
    }
  }
  /** Whether it is not scrolled out of the panel that it is in. */
  function clipped(element) {
    const panel = element.closest("[role=tabpanel], #log-lines, dialog")?.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return !panel || (box.bottom <= panel.bottom + 1 && box.top >= panel.top - 1);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) {
    problems.push(`The page is ${document.documentElement.scrollWidth} wide in a window of ${innerWidth}.`);
  }
  for (const element of all("body *")) {
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 1 && !element.closest("#frame, svg")) problems.push(`It reaches beyond the window: ${name(element)}`);
    const style = getComputedStyle(element);
    if (element.scrollWidth > element.clientWidth + 1 && ["visible", "hidden", "clip"].includes(style.overflowX) && element.clientWidth > 0
      && style.textOverflow !== "ellipsis" && style.display !== "inline" && !element.closest("svg, #frame, .marks, .segments, select")) {
      problems.push(`Its content is cut or spills: ${name(element)}`);
    }
  }
  return problems;
}
