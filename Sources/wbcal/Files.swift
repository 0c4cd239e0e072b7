import CameraControl
import Foundation
import WhiteBalance

/// Replaces a file whole, or leaves it as it was.
///
/// The bytes go to a temporary file beside it, to the disk, and then take its name. A symbolic link
/// stays one, its target is replaced.
func replaceFile(_ path: String, with data: Data) throws {
  let url = URL(filePath: path).resolvingSymlinksInPath()
  do {
    try data.write(to: url, options: .atomic)
  } catch {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let code = (underlying?.domain == NSPOSIXErrorDomain ? underlying?.code : nil).map { Int32($0) }
    var failure = Failure("write", path, errno: code ?? posixCode(of: error))
    failure.message += ". Nothing was saved."
    // A folder that is not there is no missing input.
    if failure.code == .noInput { failure.code = .inputOutput }
    throw failure
  }
}

private func posixCode(of error: any Error) -> Int32 {
  switch (error as? CocoaError)?.code {
  case .fileNoSuchFile?: ENOENT
  case .fileWriteNoPermission?: EACCES
  case .fileWriteOutOfSpace?: ENOSPC
  case .fileWriteVolumeReadOnly?: EROFS
  default: EIO
  }
}

/// The bytes of a file that holds text: a profile, shots, a spectrum.
func readFile(_ path: String) throws -> Data {
  // Foundation would say of most failures only that the file could not be opened.
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw Failure("read", path, errno: errno) }
  do {
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let limit = 64 << 20
    let data = try file.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else {
      throw Failure(message: "\(path) is larger than 64 MiB", code: .badData)
    }
    return data
  } catch let failure as Failure {
    throw failure
  } catch {
    throw Failure("read", path, errno: EISDIR)
  }
}

extension CameraProfile {
  /// Reads a profile file.
  init(path: String) throws {
    let data = try readFile(path)
    func bad(_ reason: String) -> Failure {
      Failure(message: "cannot use profile \(path): \(reason)", code: .badData)
    }
    do {
      self = try JSONDecoder().decode(CameraProfile.self, from: data)
    } catch let error as CameraProfileError {
      throw bad("\(error)")
    } catch let error as DecodingError {
      throw bad("\(error.sentence); calibrate again or take a copy that is whole")
    } catch {
      throw bad("\(error)")
    }
  }

  /// Writes a profile file whole.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try replaceFile(path, with: try encoder.encode(self) + Data("\n".utf8))
  }
}

extension DecodingError {
  /// Where and what, without the names of types.
  fileprivate var sentence: String {
    func place(_ context: Context) -> String {
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      return path.isEmpty ? "its top level" : "'" + path.joined(separator: ".") + "'"
    }
    switch self {
    case .keyNotFound(let key, let context):
      return "'\(key.stringValue)' is missing in \(place(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context)) is of the wrong type"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "it is not valid JSON"
    case .dataCorrupted(let context):
      return "\(place(context)) is damaged (\(context.debugDescription))"
    @unknown default: return "it is damaged"
    }
  }
}
