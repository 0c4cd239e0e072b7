import ColorScience
import Foundation
import ProfileFiles
import Testing

private let exifTool = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { "\($0)/exiftool" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// Compares profiles with the output of ExifTool, an independent reader.
@Suite(.enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"))
struct ExifToolTests {
  /// Returns ExifTool's output for files with the profiles.
  private static func output(
    _ arguments: [String], _ profiles: [DNGProfile]
  ) throws -> String {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "ExifToolTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = profiles.indices.map { directory.appending(path: "\($0).dcp") }
    for (profile, file) in zip(profiles, files) { try Data(profile.encoded()).write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: try #require(exifTool))
    process.arguments = arguments + files.map { $0.path() }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try #require(try pipe.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Every fraction is equal, to the last bit.
  @Test func sameFractions() throws {
    let profile = DNGProfileTests.full
    let lines = try Self.output(["-v4"], [profile]).split(separator: "\n")
    func numbers(_ field: String) throws -> [Double] {
      let line = try #require(lines.first { $0.contains(" \(field) = ") })
      let fractions = try #require(line.split(separator: "(").last).dropLast().split(separator: " ")
      return try fractions.map {
        let parts = $0.split(separator: "/")
        return try #require(Double(parts[0])) / #require(Double(parts[1]))
      }
    }
    func flat(_ matrix: Matrix3x3) -> [Double] { matrix.rows.flatMap { [$0.x, $0.y, $0.z] } }
    for (index, calibration) in profile.calibrations.enumerated() {
      #expect(try numbers("ColorMatrix\(index + 1)") == flat(calibration.colorMatrix))
    }
    let calibration = try #require(profile.calibrations[1].cameraCalibration)
    #expect(try numbers("CameraCalibration2") == flat(calibration))
    #expect(try numbers("AnalogBalance") == [1, 1.25, 0.5])
    #expect(try numbers("AsShotNeutral") == [0.5, 1, 1024.0 / 1463])
    // ExifTool's warnings begin with this word.
    #expect(!lines.contains { $0.contains("Warning") })
  }

  @Test func sameTextAndLights() throws {
    let json = try Self.output(["-j"], [DNGProfileTests.full])
    let all = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    let values = try #require(all.first)
    #expect(values["FileType"] as? String == "DCP")
    #expect(values["UniqueCameraModel"] as? String == "Canon EOS 5D Mark II")
    #expect(values["ProfileName"] as? String == "Étalon")
    #expect(values["ProfileCopyright"] as? String == "none")
    #expect(values["CalibrationIlluminant1"] as? String == "Standard Light A")
    #expect(values["CalibrationIlluminant2"] as? String == "D65")
    #expect(values["CalibrationIlluminant3"] as? String == "Other")
  }

  /// Each illuminant has Exif's number, for which ExifTool has its own names.
  @Test func namesOfLights() throws {
    let profiles = LightSource.allCases.map {
      DNGProfile(
        uniqueCameraModel: nil,
        calibrations: [.init(illuminant: .lightSource($0), colorMatrix: DNGProfileTests.underA)])
    }
    let names = try Self.output(["-s3", "-q", "-CalibrationIlluminant1"], profiles)
      .split(separator: "\n").filter { !$0.hasPrefix("=") }
    try #require(names.count == profiles.count)
    for (name, source) in zip(names, LightSource.allCases) {
      let short = name.lowercased().filter { $0.isLetter || $0.isNumber }
      let ours = "\(source)".lowercased()
      #expect(short.hasPrefix(ours) || ours.hasPrefix(short))
    }
  }
}
