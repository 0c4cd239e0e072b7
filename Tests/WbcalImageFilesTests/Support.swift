import Foundation
import Testing
import WbcalImageFiles
import WhiteBalance

let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
let samples = fixtures.appending(path: "../../../Calibration/Samples").standardized

func read(path: String) throws(ImageFileError) -> Frame {
  var reader = ImageFileReader()
  return try reader.picture(path: path).frame
}

func read(_ name: String) throws(ImageFileError) -> Frame {
  try read(path: fixtures.appending(path: name).path)
}

/// Reads bytes from a file of a given name in a new directory.
func read(_ bytes: some DataProtocol, as name: String) throws -> Frame {
  try readPicture(bytes, as: name).frame
}

/// Reads a picture with everything that is needed to write it again.
func readPicture(_ bytes: some DataProtocol, as name: String) throws -> Picture {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: directory) }
  let file = directory.appending(path: name)
  try Data(bytes).write(to: file)
  var reader = ImageFileReader()
  return try reader.picture(path: file.path)
}

func contents(_ name: String) throws -> Data {
  try Data(contentsOf: fixtures.appending(path: name))
}

/// Returns the problem of a file that cannot be read.
func problem(_ body: () throws -> Frame) -> ImageFileProblem? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? ImageFileError)?.problem
  }
}

extension Frame {
  /// All samples in their stored order.
  var samples: [Int] {
    layout.format.bytesPerSample == 1
      ? bytes.map(Int.init)
      : stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
  }
}

/// Returns the pixels that `make.py` writes.
func expected(channels: Int, _ value: (_ channel: Int, _ x: Int, _ y: Int) -> Int) -> [Int] {
  (0..<3).flatMap { y in (0..<5).flatMap { x in (0..<channels).map { value($0, x, y) } } }
}

func shallow(_ channel: Int, _ x: Int, _ y: Int) -> Int {
  (73 * channel + 31 * x + 17 * y) % 256
}

func deep(_ channel: Int, _ x: Int, _ y: Int) -> Int {
  (31337 * channel + 7919 * x + 10473 * y) % 65536
}

func mosaic(_ x: Int, _ y: Int) -> Int { 1000 + 37 * x + 211 * y }

let exifTool = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { "\($0)/exiftool" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// Returns the standard output of ExifTool, an independent reader and writer of metadata.
func output(ofExifTool arguments: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(filePath: try #require(exifTool))
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  defer { process.waitUntilExit() }
  return try pipe.fileHandleForReading.readToEnd() ?? Data()
}
