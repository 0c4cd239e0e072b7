import CameraProfiles
import WbcalFoundation

extension CameraRecording {
  /// Returns the recording as lines of JSON: the camera, then one line for each event.
  func lines() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text = try encoder.encode(camera)
    for event in events { text += try Data("\n".utf8) + encoder.encode(event) }
    return Array(text + Data("\n".utf8))
  }

  /// Reads the recording in a file.
  init(path: String) throws {
    let lines = try readFile(path).split(separator: UInt8(ascii: "\n"))
    let decoder = JSONDecoder()
    func decoded<Value: Decodable>(_ type: Value.Type, _ number: Int) throws -> Value {
      let line = Data(lines[number])
      do { return try decoder.decode(type, from: line) } catch let error as DecodingError {
        throw Failure.badData(
          "cannot use recording \(path): line \(number + 1): \(error.sentence(of: line))")
      }
    }
    guard !lines.isEmpty else {
      throw Failure.badData("cannot use recording \(path): it is empty")
    }
    let camera = try decoded(Header.self, 0)
    guard camera.version == 1 else {
      throw Failure.badData(
        "cannot use recording \(path): its version, \(camera.version), is that of a later wbcal"
      )
    }
    self.init(
      camera: camera, events: try (1..<lines.count).map { try decoded(Event.self, $0) })
  }
}
