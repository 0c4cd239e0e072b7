/// The formats of picture files that can be read; all except raw photographs can also be written.
package enum ImageFormat: String, CaseIterable, Hashable, Sendable {
  case png = "PNG"
  /// JPEG, in any file that starts with the JPEG marker.
  case jpeg = "JPEG"
  /// TIFF and BigTIFF that are not raw photographs.
  case tiff = "TIFF"
  /// The portable bitmap, graymap and pixmap of Netpbm.
  case pnm = "PNM"
  /// The samples that a camera's sensor recorded: DNG and the makers' own formats.
  case raw = "raw photograph"

  /// The file-name extensions that promise this format, in lower case; the most common one first.
  package var extensions: [String] {
    switch self {
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .tiff: ["tif", "tiff"]
    case .pnm: ["ppm", "pnm", "pgm", "pbm"]
    case .raw:
      [
        "dng", "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "iiq", "kdc", "mef", "mos",
        "mrw", "nef", "nrw", "orf", "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
      ]
    }
  }

  package init?(promisedBy path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    let match = Self.allCases.first { $0.extensions.contains(ending) }
    guard let match else { return nil }
    self = match
  }

  /// Determines the format from the first bytes of a file; a raw photograph in a TIFF file counts
  /// as TIFF.
  init?(signatureOf bytes: [UInt8]) {
    let match = Self.signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    guard let match else { return nil }
    self = match.format
  }

  private struct Signature {
    let format: ImageFormat
    let offset: Int
    let bytes: [UInt8]

    init(_ format: ImageFormat, _ text: String, at offset: Int = 0) {
      self.format = format
      self.offset = offset
      bytes = text.unicodeScalars.map { UInt8($0.value) }
    }
  }

  private static let signatures =
    [
      Signature(.png, "\u{89}PNG\r\n\u{1A}\n"),
      Signature(.jpeg, "\u{FF}\u{D8}\u{FF}"),
      Signature(.tiff, "II*\0"), Signature(.tiff, "MM\0*"),
      Signature(.tiff, "II+\0"), Signature(.tiff, "MM\0+"),
      Signature(.raw, "FUJIFILMCCD-RAW"),
      Signature(.raw, "ftypcrx ", at: 4), Signature(.raw, "HEAPCCDR", at: 6),  // Canon CR3, CRW
      Signature(.raw, "IIU\0"),  // Panasonic
      Signature(.raw, "IIRO"), Signature(.raw, "IIRS"), Signature(.raw, "MMOR"),  // Olympus
      Signature(.raw, "FOVb"), Signature(.raw, "\0MRM"),  // Sigma, Minolta
      Signature(.raw, "IIII"), Signature(.raw, "MMMM"),  // Phase One
    ] + (1...6).map { Signature(.pnm, "P\($0)") }
}
