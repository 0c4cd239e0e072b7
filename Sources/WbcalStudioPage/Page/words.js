// All texts of the page, in one place so that they can be translated. A function makes a sentence from values.

export const words = {
  skip: "Skip to the controls",
  title: camera => `${camera} – wbcal studio`,
  unknown: "–",

  units: {
    kelvin: value => `${value}\u202fK`,
    percent: value => `${value}\u202f%`,
    seconds: value => `${value}\u202fs`,
    stops: value => `${value} stops`,
    times: value => `${value} times`,
    tint: (temperature, tint) => `${temperature}, tint ${tint}`,
  },

  camera: {
    choose: "Camera",
    demo: "Demo camera",
    demoOf: text => `Demo camera (${text.replace(/^simulated:/, "")})`,
    unusable: name => `${name} – cannot be used`,
    rate: value => `${value} pictures/s`,
  },
  states: {
    connecting: "Connecting", open: "Live", opening: "Opening", vanished: "Disconnected", missing: "Not found",
    busy: "In use", failed: "Not usable", ended: "Ended",
  },
  veil: {
    ended: "The studio has ended. Start it again and open the new address.",
    opening: "The camera is being opened.",
    vanished: "The camera is disconnected. Connect it again, and the picture goes on, or choose another one at the top.",
    missing: "This camera is not connected. Connect it, or choose another one at the top.",
    busy: "Another program uses the camera. Close it, and the picture comes.",
    failed: "The camera cannot be used.",
  },
  notices: {
    name: "News",
    watching: "Another page controls this camera. This page only shows it.",
    takeOver: "Take over",
    reverts: "Your camera goes back to its old setting when you close this page.",
    keep: "Keep it",
    keeps: "Your camera keeps this setting when you close this page.",
    giveBack: "Do not keep it",
    lightChanged: "The light has changed. Hold the card in the box, and balance again.",
    balanceAgain: "Balance again",
  },

  guide: {
    name: "Three steps to a neutral picture",
    hold: "Hold a gray card or white paper in the light.",
    drag: "Drag the box onto it.",
    gray: "Make this gray",
    neutral: "Neutral.",
    noDifference: "No visible difference from gray.",
    near: difference => "This camera cannot come nearer to gray: "
      + `a ${difference < 3 ? "slight" : difference < 10 ? "visible" : "strong"} tint is left.`,
    clipped: "The picture is too bright to show it: the card was measured with less light.",
    dark: "The picture is too dark to show it: the card was measured with more light.",
    changed: "It was neutral when it was measured; the light or the card has changed since.",
    exposure: "Put the brightness right",
    light: text => `The light is ${text}.`,
    keep: "Keep this setting",
    kept: "Kept",
    undo: "Undo",
    compare: "Compare",
    again: "Make it gray again",
  },
  card: {
    uneven: "The box must lie on one evenly lit card. Drag it inside the card, or let the card be found.",
    clipped: "The card is too bright to be measured. Lower the exposure, or move the lamp away.",
    dark: "The card is too dark to be measured. Raise the exposure, or move the lamp closer.",
  },
  undo: {
    none: "Undo",
    of: { set: "Undo white balance", gray: "Undo “Make this gray”", exposure: "Undo exposure", focus: "Undo focus" },
    done: { set: "The white balance is as before.", gray: "The white balance is as before.",
      exposure: "The exposure is as before.", focus: "The focus is as before." },
  },

  picture: {
    name: "Picture",
    live: "Live picture of the camera",
    beforePicture: "Picture before your changes",
    box: "Box on the gray card", boxRole: "movable box", boxTag: "Gray card",
    boxKeys: "Arrow keys move it, with Shift they change its size, and with Control they move it by one pixel.",
    boxAt: (x, y, w, h) => `Box at ${x}, ${y}, ${w} wide and ${h} high.`,
    split: "Line between before and now", before: "Before", now: "Now",
    splitAt: share => `${share} % of the width shows the picture before`,
    tools: "Picture tools",
    findCard: "Find the card", findChart: "Find a color chart", zebra: "Bright and dark spots",
    peaking: "Sharp edges", loupe: "Loupe", record: "Record", recordEnd: "Stop recording", recorded: "studio.webm",
    compare: "Before and now", keepBefore: "Take “before” now", more: "More tools",
    clippedKey: "Too bright", darkKey: "Too dark",
    zebraOff: "Bright and dark spots: off",
    zebraOf: (clipped, dark) => `${clipped} % of the picture is too bright, ${dark} % is too dark.`,
    exposureMeter: "Brightness of the card", exposure: "Brightness", focusMeter: "Sharpness, relative to the best seen",
    focus: "Sharpness", notKnown: "not known", tooBright: "too bright",
    below: text => `${text} stops below too bright`, ofBest: share => `${share} % of the best seen`,
  },
  find: {
    name: "Proposals", which: "Which one is it?", one: "Is it this one?", none: "None of these",
    card: index => `Card ${index}`, chart: index => `Chart ${index}`, take: name => `Take ${name.toLowerCase()}`,
    sure: text => `${text} sure`, used: (name, box) => `${name} is used. ${box}`,
    nothing: { card: "No card was found. Hold it closer to the camera, or drag the box onto it.",
      chart: "No chart was found. Hold it closer to the camera, flat and evenly lit." },
    single: "One proposal. Take it below the picture.",
    several: count => `${count} proposals. Choose one below the picture.`,
  },
  task: {
    working: { set: "Setting the white balance", gray: "Making the card gray", exposure: "Setting the exposure",
      focus: "Focusing", find: "Looking", bracket: "Taking pictures", "calibrate/shot": "Measuring the card",
      undo: "Undoing" },
    other: "Working", cancel: "Cancel", cancelled: "Cancelled. The camera is as before.",
  },

  tabs: { name: "Controls", balance: "White balance", exposure: "Exposure", focus: "Focus", calibrate: "Calibrate" },

  balance: {
    modes: "Mode of the white balance",
    mode: { locked: "Fixed", automatic: "Auto once", continuousAutomatic: "Automatic" },
    temperature: "Temperature", temperatureUnit: "K", tint: "Tint", red: "Red", blue: "Blue",
    cooler: "bluer", warmer: "warmer", greener: "greener", pinker: "pinker",
    towards: { green: "towards green", magenta: "towards magenta" },
    presets: "Presets", more: "More", morePresets: "More lights and numbers",
    preset: {
      tungsten: "Tungsten", fluorescent: "Fluorescent", daylight: "Daylight", cloudy: "Cloudy", shade: "Shade",
      candle: "Candle", "studio-tungsten": "Studio lamp", "warm-white-fluorescent": "Warm white tube",
      "white-fluorescent": "White tube", "cool-white-fluorescent": "Cool white tube",
      "day-white-fluorescent": "Day white tube", "daylight-fluorescent": "Daylight tube", flash: "Flash",
    },
    light: "Light", lightClass: "Kind", set: "Set", byName: "By name",
    gainRed: "Red gain", gainGreen: "Green gain", gainBlue: "Blue gain", setGains: "Set the gains",
    needsCalibration: "Temperatures need a two-lamp calibration (2 minutes).",
    ownScale: "This is the camera's own scale. Temperatures of the light need a two-lamp calibration (2 minutes).",
    otherCamera: name => `The profile belongs to another camera, ${name}, so the light is not known. Calibrate this one.`,
    unchecked: light => `The profile has a single lamp, ${light}, which nothing checks: if it was another one, all `
      + "temperatures are wrong. A second lamp checks it.",
    calibrate: "Calibrate",
    noControl: "This camera has no setting for its white balance.",
  },
  trace: {
    wanted: "Wanted", set: "Set", confirmed: "Picture", waiting: "Waiting", setting: "Setting …",
    seen: "Confirmed in the picture", reported: "The camera reports it",
  },
  range: (least, most) => `The value must be from ${least} to ${most}.`,
  reach: { known: "The camera can be set within the thick part.", unknown: "The range of this camera is not known yet." },

  classes: { thermal: "Bulb", daylight: "Daylight", led: "LED", fluorescent: "Fluorescent tube", other: "Other" },

  exposure: {
    modes: "Mode of the exposure",
    mode: { locked: "Fixed", automatic: "Auto once", continuousAutomatic: "Automatic" },
    time: "Exposure time", timeUnit: "s", gain: "Gain", gainUnit: "×", compensation: "Brightness", stopsUnit: "stops",
    gainText: value => `gain ${value}`,
    bracket: "Pictures of different brightness", count: "Pictures", steps: "Stops", stepsTitle: "Stops between one picture and the next",
    file: "File", take: "Take them", replace: "Replace them",
    taken: count => `${count} pictures were taken.`,
    picture: (stops, file) => [stops, file].filter(Boolean).join(", "), uncounted: "not verified",
  },
  focus: {
    none: "The lens of this camera cannot be moved.",
    modes: "Mode of the focus",
    mode: { locked: "Fixed", automatic: "Autofocus", continuousAutomatic: "Automatic" },
    position: "Focus", near: "near", far: "far", sweep: "Find the sharpest position",
    swept: "The lens is where the box is sharpest.",
    hint: "The bar “Sharpness” in the picture compares the box with the best so far. Turn the lens until it is longest.",
  },

  calibrate: {
    intro: "Teach wbcal this camera: show it the card under two lamps. Then temperatures are those of the light.",
    switchOn: "Switch on a lamp", switchOnAnother: "Switch on another lamp", lamp: "Lamp", noLamp: "Which one is it?",
    package: "On its package", lightName: "Name of the light", kind: "Kind",
    lamps: { bulb: "Light bulb or halogen", daylight: "Daylight", led: "White LED", tube: "Fluorescent tube", other: "Other…" },
    temperatures: { 2700: "2700 K, warm white", 3000: "3000 K, warm white", 4000: "4000 K, neutral white",
      5000: "5000 K, cool white", 6500: "6500 K, daylight" },
    placeholder: "D65, 2856K, LED-B3",
    check: "Check the card",
    checks: {
      none: "There is no picture of the card yet.",
      even: share => `The light on the card is even (${share}).`,
      uneven: share => `The light on the card is very uneven (${share}). Turn the card, or move the lamp.`,
      notClipped: "The card is not overexposed.",
      clipped: share => `${share} of the card is overexposed. Shorten the exposure.`,
      dark: "The card is too dark. Lengthen the exposure.",
      bright: "The card is bright enough.",
      changing: "The picture still changes.", steady: "The picture is steady.",
      automatic: "The automatic white balance is switched off for the picture.",
      good: "Good: ", bad: "To do: ", wait: "Wait: ",
    },
    take: "Take the picture of the card", nameLamp: "Name the light first.", chooseLamp: "Choose the lamp first.",
    contradicts: lamp => `The card under “${lamp}” does not fit the other lamps. Choose the lamp that is on, make sure that no other `
      + "light falls on the card, and take the picture again; or remove the wrong lamp below.",
    taking: lamp => `The card under “${lamp}” is being measured.`,
    taken: lamp => `The card under “${lamp}” is measured.`,
    shots: "Lamps so far", gains: (red, blue) => `red × ${red}, blue × ${blue}`,
    remove: "Remove", removeOf: lamp => `Remove ${lamp}`, removed: lamp => `${lamp} is removed.`,
    goodFor: list => `Good for ${list}.`, lessFor: list => `Less for ${list}.`,
    within: (name, error) => `${name} (±${error}\u202f%)`, and: " and ",
    under: { thermal: "bulbs", daylight: "daylight", led: "LEDs", fluorescent: "fluorescent tubes", other: "other lamps" },
    next: { thermal: "A light bulb would help most now.", daylight: "Daylight would help most now.",
      led: "A white LED would help most now.", fluorescent: "A fluorescent tube would help most now.",
      other: "Another kind of lamp would help most now." },
    unchecked: lamp => `One lamp cannot be checked: if it was not “${lamp}”, all temperatures are wrong. A second lamp checks it.`,
    use: "Use it now", file: "Profile", computing: "The profile is being computed.",
    replace: file => `Replace ${file}`,
    used: (file, count) => `In use: ${file}, with ${count === 1 ? "one lamp" : `${count} lamps`}.`,
    report: "Open the report in a new tab",
  },

  details: {
    name: "Details", diagram: "Color of the light", now: "now", target: "wanted", reach: "possible",
    whole: "All colors", wholeName: "Show all colors", none: "Diagram of the light's color: nothing yet",
    histogram: "Histogram", histogramNote: "stops below white", noHistogram: "Histogram: nothing yet",
    medians: (red, green, blue) => `Histogram in stops below white. The median of red is ${red}, of green ${green}, of blue ${blue}.`,
    middleGray: "Middle gray, 18 %",
    numbers: "Light on the card", temperature: "Temperature", tint: "Tint", xy: "x, y", device: "Camera is set for",
    gains: "Red and blue", even: "Evenness", clipped: "Overexposed",
    varies: text => `varies by ${text}`, ofCard: text => `${text} of the card`,
    said: (light, target, reach) => ["Diagram of the light's color.", light, target, reach].filter(Boolean).join(" "),
    saidNow: text => `The light now: ${text}.`, saidTarget: text => `Wanted: ${text}.`,
    saidReach: "The range of the camera is drawn.", saidNoReach: "The range of the camera is not known yet.",
  },

  log: {
    name: "For the terminal", note: "These commands do the same in a terminal.", lines: "Commands", copy: "Copy", copied: "Copied",
    copyOf: text => `Copy ${text}`, selected: "The command is selected; copy it with the keyboard.", empty: "Nothing yet.",
  },

  help: {
    button: "Keys and help", title: "Keys", single: "Use single keys", note: "Without them, use Tab to reach everything.", close: "Close",
    keys: {
      "1": "White balance", "2": "Exposure", "3": "Focus", "4": "Calibrate", b: "Go to the box on the card", g: "Make this gray",
      f: "Find the card", z: "Bright and dark spots", p: "Sharp edges", c: "Before and now", d: "Details", u: "Undo", l: "For the terminal",
      "?": "This help",
    },
    others: {
      "Arrow keys": "Move the box, a slider or the line between before and now",
      "Shift and arrows": "Change the size of the box",
      "Control and arrows": "Move the box by one pixel",
      "Escape": "Cancel a choice",
    },
  },

  errors: {
    noServer: "The studio does not answer. If it has ended, start it again.",
    late: "The studio takes too long to answer. Try it again.",
    status: number => `The studio answered with an error (${number}).`,
    /** What is refused whatever the action is. */
    refused: { forbidden: "The studio has ended or does not know this browser. Open the address that it printed.",
      busy: "Something else is under way. Wait until it is done, or cancel it.",
      watching: "Another page controls this camera. This page only shows it." },
  },
};

/** Returns the text at a path such as "guide.hold". */
export const at = path => path.split(".").reduce((place, key) => place[key], words);

/** Fills the texts that elements of the page name by their paths. */
export function fillPage() {
  for (const element of document.querySelectorAll("[data-words]")) element.append(at(element.dataset.words));
  for (const [data, attribute] of [["label", "aria-label"], ["title", "title"], ["placeholder", "placeholder"], ["role", "aria-roledescription"]]) {
    for (const element of document.querySelectorAll(`[data-${data}]`)) element.setAttribute(attribute, at(element.dataset[data]));
  }
}
