import ColorScience
import Foundation
import ProfileFiles
import Testing
import WhiteBalance

private let exifTool = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { "\($0)/exiftool" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// Compares profiles and pictures with the output of ExifTool, an independent reader.
@Suite(.enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"))
struct ExifToolTests {
  /// Returns ExifTool's output for files with the profiles.
  private static func output(
    _ arguments: [String], _ profiles: [DNGProfile]
  ) throws -> String {
    try output(arguments, profiles.map { try $0.encoded() }, extension: "dcp")
  }

  /// Returns ExifTool's output for files with the bytes.
  private static func output(
    _ arguments: [String], _ contents: [[UInt8]], extension ending: String
  ) throws -> String {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "ExifToolTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = contents.indices.map { directory.appending(path: "\($0).\(ending)") }
    for (bytes, file) in zip(contents, files) { try Data(bytes).write(to: file) }
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

  @Test func picturesAreValid() throws {
    var other = try DNGPictureTests.full(.bayer(.rggb, bits: 8), width: 31, height: 23)
    (other.noise, other.camera.name) = (Array(repeating: other.noise[0], count: 3), "Étalon")
    other.camera.asShotWhite = .chromaticity(Chromaticity(x: 0.3457, y: 0.3585))
    let plain = DNGPicture(
      other.frame, camera: DNGProfile(uniqueCameraModel: "Desk camera", calibrations: []))
    let pictures =
      try [.bayer(.gbrg, bits: 12), .rgb16].map { try DNGPictureTests.full($0) } + [other, plain]
    let output = try Self.output(
      ["-validate", "-warning", "-error", "-a", "-s3", "-q", "-q"],
      pictures.map { try $0.encoded() }, extension: "dng")
    #expect(output.split(separator: "\n") == ["OK", "OK", "OK", "OK"], "\(output)")
  }

  @Test func fieldsOfPictures() throws {
    func values(
      _ format: PixelFormat, _ change: (inout DNGPicture) -> Void = { _ in }
    ) throws -> [String: Any] {
      var picture = try DNGPictureTests.full(format)
      change(&picture)
      let json = try Self.output(["-j", "-n", "-G1"], [picture.encoded()], extension: "dng")
      let all = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
      return try #require(all?.first)
    }
    let bayer = try values(.bayer(.gbrg, bits: 12))
    for (field, expected) in [
      "File:FileType": "DNG", "IFD0:Make": "Maker", "IFD0:Model": "Desk",
      "IFD0:UniqueCameraModel": "Desk camera", "IFD0:CameraSerialNumber": "S-1",
      "IFD0:ProfileName": "desk.json", "IFD0:DNGVersion": "1 4 0 0",
      "IFD0:AsShotNeutral": "0.5 1 0.75", "IFD0:AnalogBalance": "1 1.25 1",
      "IFD0:ColorMatrix1": "0.5309 -0.0229 -0.0336 -0.6241 1.3265 0.3337 -0.0817 0.1215 0.6664",
      "IFD0:ColorMatrix2": "0.4716 0.0603 -0.083 -0.7798 1.5474 0.248 -0.1496 0.1937 0.6651",
      "IFD0:ForwardMatrix1": "0.8 0.15 0.0142 0.3 0.8 -0.1 0.01 -0.1 0.9149",
      "SubIFD:CFARepeatPatternDim": "2 2", "SubIFD:CFAPattern2": "1 2 0 1",
      "SubIFD:NoiseProfile": "0.0002 1e-07", "ExifIFD:DateTimeOriginal": "2026:03:21 12:00:00",
    ] {
      #expect(bayer[field] as? String == expected, "\(field): \(bayer[field] ?? "missing")")
    }
    for (field, expected) in [
      "IFD0:Orientation": 6, "IFD0:ImageWidth": 16, "IFD0:SubfileType": 1,
      "IFD0:CalibrationIlluminant1": 17, "IFD0:CalibrationIlluminant2": 21,
      "ExifIFD:ExposureTime": 0.02, "ExifIFD:ISO": 200, "SubIFD:ImageWidth": 32,
      "SubIFD:ImageHeight": 24, "SubIFD:SubfileType": 0, "SubIFD:BitsPerSample": 16,
      "SubIFD:BlackLevel": 17, "SubIFD:WhiteLevel": 4092, "SubIFD:Compression": 1,
      "SubIFD:PhotometricInterpretation": 32_803,
    ] {
      #expect(bayer[field] as? Double == expected, "\(field): \(bayer[field] ?? "missing")")
    }
    let linear = try values(.rgb16)
    #expect(linear["SubIFD:PhotometricInterpretation"] as? Double == 34_892)
    #expect(linear["SubIFD:BlackLevel"] as? String == "17 17 17")
    #expect(linear["SubIFD:WhiteLevel"] as? String == "65532 65532 65532")
    let newer = try values(.rgb16) {
      $0.camera.calibrations[1].illuminant = .chromaticity(Chromaticity(x: 0.37, y: 0.37))
    }
    #expect(newer["IFD0:DNGVersion"] as? String == "1 6 0 0")
  }
}
