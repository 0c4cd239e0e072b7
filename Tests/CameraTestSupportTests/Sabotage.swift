/// The faults of a sabotaged port, one for each law. The raw value completes the sentence
/// "the port …".
enum Sabotage: String, CaseIterable, Sendable {
  // The identity and the list of controls.
  case hasNoDriver = "states no driver"
  case repeatsControl = "lists a control twice"
  case movesDefault = "lists another default each time"
  case hasOddDefault = "states a default between two steps"
  case repeatsItem = "lists a menu's item twice"
  case hasWideBoolean = "describes 0…100 as Boolean"
  case hasOneModeValue = "states one value for on and off"
  case hasNegativeUnit = "states a negative unit of time"
  // Readings.
  case failsToRead = "does not answer for a readable control"
  case readsButton = "returns a value for a button"
  case readsOutside = "reports a value below the minimum"
  case readsUnsteadily = "reports 3 and 4 in turn"
  case readsUnknown = "returns 0 for an unknown control"
  // Frames.
  case stallsAtOnce = "delivers no frame"
  case repeatsNumber = "gives two frames one number"
  case repeatsTime = "gives two frames one timestamp"
  case changesSize = "delivers one frame in another size"
  case cutsFrame = "cuts the last byte of a frame"
  case runsTwice = "runs the body twice"
  case overwritesFrame = "overwrites the frame while the body runs"
  case ignoresWish = "delivers unwanted frames"
  case sharesFrames = "passes one frame to two tasks"
  case hangsIfCancelled = "waits in a cancelled task"
  case restartsNumbers = "counts from 0 after the stream was stopped"
  case keepsFrames = "keeps all frames while nobody waits"
  case hasNoRate = "reports a rate of 0"
  case countsDown = "counts damaged frames downwards"
  // The reservation.
  case reservesOnce = "refuses a second reservation by the same port"
  case refusesHolder = "refuses settings of the port that has reserved it"
  case reservesForAll = "accepts reservations of two ports"
  case releasesAll = "gives two reservations back at once"
  case reservesForRefused = "reserves it for a port that it refused"
  // Settings.
  case clampsBelow = "clamps values below the minimum"
  case clampsAbove = "clamps values above the maximum"
  case rounds = "rounds values between steps"
  case choosesItem = "takes another item for a missing one"
  case losesMaximum = "sets another value than the maximum"
  case resetsOther = "changes another control if a value is the same"
  case resetsForNothing = "changes a control if the list is empty"
  case setsLastOnly = "sets the last of two values only"
  case setsUpToBad = "sets the values before one that is out of range"
  case setsUpToUnknown = "sets the values before an unknown control"
  case acceptsReadOnly = "accepts a value for a read-only control"
  case hidesWritten = "leaves out what was set before a refusal"
  case changesUnit = "changes the unit of time after a setting"
  // Automatic modes.
  case staysOff = "does not turn an automatic mode on"
  case staysLocked = "refuses a control after its automatic mode was turned off"
  case turnsOffInOrder = "turns a mode off in the order of the list"
  case turnsOnInOrder = "turns a mode on in the order of the list"
  // Changes.
  case reportsNothing = "reports no changes"
  case endsAllListeners = "ends all sequences of changes with the first"
  // The end.
  case refusesFirstValue = "refuses the value that a control had at first"
  case renamesItself = "has another identifier when it is opened again"
  case stallsAsFailure = "throws `system` for frames that do not come"
  case ignoresCancellation = "waits on after a cancellation"
  case vanishesAsStall = "throws `stalled` first when the camera is gone"
  case remembersValues = "returns a value of a camera that is gone"
  case reportsForever = "keeps the sequence of changes open"
  case hangsAtCleanup = "does not return from `stopStreaming` after the camera is gone"
  case losesControl = "lacks a control after the camera came back"

  /// The law that is broken on purpose.
  var law: String { Self.laws[self]?.first ?? "" }
  /// The other laws that cannot be kept then.
  var others: [String] { Self.laws[self].map { Array($0.dropFirst()) } ?? [] }

  private static let laws: [Sabotage: [String]] = [
    .hasNoDriver: ["identity"], .repeatsControl: ["unique controls"],
    .movesDefault: ["steady list"], .hasOddDefault: ["valid default"], .repeatsItem: ["menu"],
    .hasWideBoolean: ["boolean"], .hasOneModeValue: ["automatic values"],
    .hasNegativeUnit: ["unit of time"], .failsToRead: ["readable"], .readsButton: ["write-only"],
    .readsOutside: ["valid reading"], .readsUnsteadily: ["steady reading"],
    .readsUnknown: ["unknown control"], .stallsAtOnce: ["frames come"],
    .repeatsNumber: ["sequence"], .repeatsTime: ["timestamps"], .changesSize: ["one layout"],
    .cutsFrame: ["whole frames"], .runsTwice: ["one body"], .overwritesFrame: ["lent bytes"],
    .ignoresWish: ["unwanted frame"], .sharesFrames: ["two waiters"],
    .hangsIfCancelled: ["cancelled wait"], .restartsNumbers: ["stream restarts"],
    .keepsFrames: ["idle frames"], .hasNoRate: ["frame rate"], .countsDown: ["damaged frames"],
    .reservesOnce: ["reservation nests", "reservation ends last"],
    .refusesHolder: ["reserved settings"],
    .reservesForAll: ["reservation excludes", "reservation ends last"],
    .releasesAll: ["reservation ends last"], .reservesForRefused: ["reservation released"],
    .clampsBelow: ["below minimum"], .clampsAbove: ["above maximum"], .rounds: ["between steps"],
    .choosesItem: ["missing item"], .losesMaximum: ["kept value"], .resetsOther: ["same value"],
    .resetsForNothing: ["empty list"], .setsLastOnly: ["several values"],
    .setsUpToBad: ["one bad value"], .setsUpToUnknown: ["one unknown control"],
    .acceptsReadOnly: ["read-only"], .hidesWritten: ["named refusal"],
    .changesUnit: ["same controls"], .staysOff: ["mode off and on"],
    .staysLocked: ["free when off"], .turnsOffInOrder: ["off is first"],
    .turnsOnInOrder: ["on is last"], .reportsNothing: ["changes", "other listeners"],
    .endsAllListeners: ["other listeners"], .refusesFirstValue: ["settings put back"],
    .renamesItself: ["opens again", "returned"], .stallsAsFailure: ["stalled"],
    .ignoresCancellation: ["stalled wait cancelled"], .vanishesAsStall: ["vanished wait"],
    .remembersValues: ["vanished calls"], .reportsForever: ["vanished changes"],
    .hangsAtCleanup: ["vanished cleanup"], .losesControl: ["returned"],
  ]
}
