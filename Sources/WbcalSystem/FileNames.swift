/// File names are bytes, and need not be text. A `String` represents a byte that is not valid UTF-8
/// as a scalar of a private plane, 0x10FF00 plus the byte, so that the name is restored unchanged.
extension String {
  /// Creates a name from the bytes that the system gives.
  package init(systemName bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.systemByte != nil })
    {
      self = text
      return
    }
    var scalars = String.UnicodeScalarView()
    var place = 0
    while place < bytes.count {
      let length = (1...4).first { length in
        place + length <= bytes.count
          && String(validating: bytes[place..<place + length], as: UTF8.self) != nil
      }
      let text = length.flatMap {
        String(validating: bytes[place..<place + $0], as: UTF8.self)?.unicodeScalars.first
      }
      if let text, let length, text.systemByte == nil {
        scalars.append(text)
        place += length
      } else {
        scalars.append(Unicode.Scalar(0x10FF00 + UInt32(bytes[place]))!)
        place += 1
      }
    }
    self.init(scalars)
  }

  /// The name under which the process finds a file: a relative name has the command's folder in
  /// front.
  package var located: String {
    guard let folder = Surroundings.current.folder, !isEmpty, !hasPrefix("/") else { return self }
    return folder + "/" + self
  }

  /// The bytes that name a file to the system, ended by a zero.
  package var systemName: [CChar] {
    let name = located
    guard name.utf8.contains(0xF4) else { return Array(name.utf8CString) }
    return name.unicodeScalars.flatMap { scalar -> [CChar] in
      scalar.systemByte.map { [CChar(bitPattern: $0)] }
        ?? UTF8.encode(scalar)!.map { CChar(bitPattern: $0) }
    } + [0]
  }
}

extension Unicode.Scalar {
  /// The byte that the scalar represents in a file name; `nil` if it represents text.
  package var systemByte: UInt8? { 0x10FF80...0x10FFFF ~= value ? UInt8(value & 0xFF) : nil }
}

/// Returns the arguments of the process without its name, as the system gives them.
package func processArguments() -> [String] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: argument, count: strlen(argument))
    return unsafe String(systemName: bytes.map { UInt8(bitPattern: $0) })
  }
}
