#if GenICam
import ColorScience
import Testing

/// A fault of a camera or its network, and the tool's answer.
struct Fault: Sendable, CustomTestStringConvertible {
  /// The state of the camera after the command.
  enum Afterwards: String {
    /// All controls have their values from before.
    case asBefore = "as before"
    /// As before, or a message states that the settings could not be restored.
    case stated = "as before, or a message states that it is not"
    /// The command succeeds: the card is neutral.
    case neutral = "the card is neutral"
    /// The camera keeps the best setting that it has.
    case closest = "as near to neutral as its bounds allow"
    /// There is no camera.
    case none = "there is none"
    /// The camera cannot be asked.
    case unknown = "does not answer"
  }

  /// The fault in a few words.
  var name: String
  /// The peer's options; `nil` for no camera.
  var peer: [String]?
  var lamp = "D65"
  var command = ["gray", "--device", "genicam:127.0.0.1"]
  var status: Int32
  /// The last clause of the message; numbers may differ.
  var message: String
  /// The longest time in seconds.
  var seconds: Double
  var afterwards = Afterwards.asBefore
  /// `true` if another program controls the camera.
  var isHeld = false

  var testDescription: String { name }

  /// Returns a text with the same sign for every number.
  static func withoutNumbers(_ text: String) -> String {
    var result = ""
    for character in text {
      if !character.isNumber && character != "." || character == "." && result.last != "#" {
        result.append(character)
      } else if result.last != "#" {
        result.append("#")
      }
    }
    return result
  }

  /// The rows of the table.
  static var table: [String] {
    ["| fault | exit code | message | at most | the camera afterwards |", "|---|---|---|---|---|"]
      + all.map {
        "| \($0.name) | \($0.status) | \($0.message) | \(fixed($0.seconds, decimals: 0)) s | "
          + "\($0.afterwards.rawValue) |"
      }
  }

  private static let refused = "red_balance could not be set to 11400: "
  private static let notKept =
    "red_balance was set to 11400, but the camera reports 11250; another program may be changing "
    + "it, or the camera rounds or ignores it"

  static let all: [Fault] = [
    Fault(
      name: "no camera is connected", peer: nil, command: ["devices"], status: 0,
      message: "No machine-vision camera answered at USB or in the network; one in another subnet "
        + "is opened as genicam:ADDRESS. Simulated cameras need none:",
      seconds: 10, afterwards: .none),
    Fault(
      name: "nothing answers at the address", peer: nil, status: 69,
      message: "there is no camera '127.0.0.1'; 'wbcal devices' lists those that can be used",
      seconds: 10, afterwards: .none),
    Fault(
      name: "no camera has the serial number", peer: [],
      command: ["gray", "--device", "genicam:4711"], status: 69,
      message: "there is no camera '4711'; 'wbcal devices' lists those that can be used",
      seconds: 10),
    Fault(
      name: "two cameras have one serial number", peer: ["--twin"],
      command: ["gray", "--device", "genicam:PEER1"], status: 69,
      message: "several cameras are called 'PEER1'; name one of genicam:wbcal-Peer-PEER1, "
        + "genicam:wbcal-Twin-PEER1",
      seconds: 10),
    Fault(
      name: "another program controls the camera", peer: [], status: 75,
      message: "another program is using 127.0.0.1; close it and run the command again",
      seconds: 15, isHeld: true),
    Fault(
      name: "the camera gives up control", peer: ["--lose-control", "30"], status: 74,
      message: "keeping control of 127.0.0.1 failed: the camera has ended it, as it does "
        + "when heartbeats get lost",
      seconds: 20),
    Fault(
      name: "heartbeats get lost", peer: ["--miss-heartbeats", "30"], status: 74,
      message: "keeping control of 127.0.0.1 failed: the camera has ended it, as it does "
        + "when heartbeats get lost",
      seconds: 30, afterwards: .stated),
    Fault(
      name: "a few packets get lost", peer: ["--loss", "0.003"], status: 0, message: "locked at",
      seconds: 30, afterwards: .neutral),
    Fault(
      name: "no frame is complete", peer: ["--loss", "0.5"], status: 74,
      message: "127.0.0.1 has sent no complete picture for 3.0 s, only 250 damaged ones (packets "
        + "were lost; of all packets, 3000 are missing and 3000 came later); replug it, or close "
        + "other programs that use its bus",
      seconds: 20),
    Fault(
      name: "no more frames come", peer: ["--stall", "30"], status: 74,
      message: "127.0.0.1 has sent no picture for 3.0 s; replug it, or close other programs that "
        + "use its bus",
      seconds: 20),
    Fault(
      name: "the camera is unplugged", peer: ["--vanish", "30"], status: 69,
      message: "127.0.0.1 went away; plug it in and run the command again", seconds: 25,
      afterwards: .none),
    Fault(
      name: "no answer after two settings", peer: ["--deaf", "2"], status: 69,
      message: "127.0.0.1 went away; plug it in and run the command again", seconds: 40,
      afterwards: .unknown),
    Fault(
      name: "each hundredth answer gets lost", peer: ["--lose-answers", "100"], status: 0,
      message: "locked at", seconds: 60, afterwards: .neutral),
    Fault(
      name: "another control moves the bounds", peer: ["--moving-bounds", "--gain", "24"],
      lamp: "A", status: 65,
      message: "the card is CIEDE2000 5.90 from neutral, above the limit of 1.000, and red_balance "
        + "and blue_balance cannot reduce it; the camera keeps this setting. Apply the gains "
        + "1.0000,1.0367,1.2409 to its pictures, use another lamp, or correct the tint with a filter",
      seconds: 30, afterwards: .closest),
    Fault(
      name: "increments are coarse", peer: ["--increments"], status: 0, message: "locked at",
      seconds: 30, afterwards: .neutral),
    Fault(
      name: "the camera rounds values by up to 6 %", peer: ["--ratio-steps", "8"], status: 75,
      message: notKept, seconds: 20),
    Fault(
      name: "a value is refused as invalid", peer: ["--refuse", "invalid"], status: 74,
      message: refused + "the camera reports that it is out of range", seconds: 20),
    Fault(
      name: "a control is protected", peer: ["--refuse", "protected"], status: 74,
      message: refused + "the driver does not allow it", seconds: 20),
    Fault(
      name: "a setting is denied at present", peer: ["--refuse", "denied"], status: 75,
      message: refused + "the camera is not ready, or another program is using it", seconds: 20),
    Fault(
      name: "the camera is not ready for a setting", peer: ["--refuse", "busy"], status: 75,
      message: refused + "the camera is not ready, or another program is using it", seconds: 20),
    Fault(
      name: "a control is locked during a stream", peer: ["--locked"], status: 0,
      message: "locked at", seconds: 90, afterwards: .neutral),
    Fault(
      name: "a setting is confirmed, but reads as before", peer: ["--ignore"], status: 75,
      message: notKept, seconds: 20),
    Fault(
      name: "settings have no effect", peer: ["--no-effect"], status: 69,
      message: "red_balance cannot be used: the picture does not change with it", seconds: 30),
    Fault(
      name: "the requested pixel format is unknown", peer: [],
      command: ["gray", "--device", "genicam:127.0.0.1,format=BayerRG9"], status: 69,
      message: "127.0.0.1 does not deliver BayerRG9, only BayerRG8, BayerRG10, BayerRG12",
      seconds: 10),
    Fault(
      name: "the camera has no format that can be read", peer: ["--unknown-format"], status: 69,
      message: "127.0.0.1 does not deliver a supported format, only Coord3D_C16", seconds: 10),
    Fault(
      name: "the camera delivers a test pattern", peer: ["--test-pattern"], status: 65,
      message: "wbcal Peer delivers the test pattern 'GreyHorizontalRamp' instead of pictures; "
        + "test_pattern 0 turns it off", seconds: 10),
    Fault(
      name: "gains are out of range", peer: [],
      command: ["set", "--device", "genicam:127.0.0.1", "--gains", "20,1,1"], status: 65,
      message: "the gains are out of the camera's range: red gain 20.00 is 400.1 % above the "
        + "largest, 4.000; no gains with this color are in range",
      seconds: 20),
  ]
}
#endif
