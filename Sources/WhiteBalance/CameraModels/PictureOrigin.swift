public import ColorScience

/// The camera that took pictures, and the encoding of their values, as far as the files state them.
///
/// ```swift
/// let photographs = PictureOrigin(make: "Canon", model: "Canon EOS 550D", encoding: .raw)
/// let other = PictureOrigin(uniqueModel: "Nikon D850", encoding: .raw)
/// print(photographs.difference(from: other)!)  // the camera is a Nikon D850 and not …
/// ```
public struct PictureOrigin: Hashable, Sendable, Codable {
  /// The meaning of the values of a picture.
  public enum Encoding: Hashable, Sendable {
    /// Values of the sensor.
    case raw
    /// Values of a developed picture, stored through a transfer function.
    case developed(TransferFunction)
  }

  /// The maker, as in Exif.
  public var make: String?
  /// The model, as in Exif.
  public var model: String?
  /// DNG's unique name of the model, which distinguishes the cameras of one phone.
  public var uniqueModel: String?
  /// The serial number of the unit.
  public var serial: String?
  /// The meaning of the values.
  public var encoding: Encoding?
  /// `true` if the values were multiplied by the file's gain map, which corrects the shading. This
  /// property is not stored.
  package var hasGainMap = false
  /// Other origins whose pictures were accepted as this camera's.
  public var others: [String]?

  private enum CodingKeys: CodingKey { case make, model, uniqueModel, serial, encoding, others }

  /// Creates an origin from what is known of it.
  public init(
    make: String? = nil, model: String? = nil, uniqueModel: String? = nil, serial: String? = nil,
    encoding: Encoding? = nil
  ) {
    self.make = make
    self.model = model
    self.uniqueModel = uniqueModel
    self.serial = serial
    self.encoding = encoding
  }

  /// The camera's name: DNG's, or otherwise maker and model; `nil` if the files name none.
  public var name: String? { uniqueModel ?? exifName }

  /// The maker and model; most makers repeat their name in the model's.
  private var exifName: String? {
    guard let model else { return nil }
    guard let maker = make?.split(separator: " ").first,
      !model.lowercased().hasPrefix(maker.lowercased())
    else { return model }
    return "\(maker) \(model)"
  }

  /// Describes, as the end of a sentence, the first difference that shows another camera, another
  /// unit or another encoding. `nil` if the picture may have this origin, as far as is known.
  public func difference(from picture: PictureOrigin) -> String? {
    if let name, let other = picture.name {
      if !isSameModel(as: picture) { return "the camera is a \(other) and not a \(name)" }
      if let serial, let number = picture.serial, serial != number {
        return "the camera is the \(other) with serial number \(number) and not \(serial)"
      }
    }
    if let encoding, let other = picture.encoding, other != encoding {
      return "the pixel values are \(other) and not \(encoding)"
    }
    return nil
  }

  private func isSameModel(as other: PictureOrigin) -> Bool {
    if let uniqueModel, let its = other.uniqueModel { return uniqueModel == its }
    return [uniqueModel, exifName].contains { own in
      [other.uniqueModel, other.exifName].contains { its in
        guard let own, let its else { return false }
        return Self.isSame(own, its)
      }
    }
  }

  /// Returns whether two names differ only in spelling, or in that one omits its beginning, the
  /// maker.
  static func isSame(_ first: String, _ second: String) -> Bool {
    let (a, b) = (letters(of: first), letters(of: second))
    return a.hasSuffix(b) || b.hasSuffix(a)
  }

  package static func letters(of name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns this origin, with its missing values taken from another one.
  public func completed(by other: PictureOrigin) -> PictureOrigin {
    var all = self
    all.make = make ?? other.make
    all.model = model ?? other.model
    all.uniqueModel = uniqueModel ?? other.uniqueModel
    all.serial = serial ?? other.serial
    all.encoding = encoding ?? other.encoding
    all.others = others ?? other.others
    all.hasGainMap = hasGainMap || other.hasGainMap
    return all
  }
}

extension PictureOrigin.Encoding: Codable, CustomStringConvertible {
  /// `raw`, or the name of the transfer function.
  public var description: String {
    switch self {
    case .raw: "raw"
    case .developed(let transfer): transfer.name
    }
  }

  /// Decodes a name that `description` returns.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self = name == "raw" ? .raw : .developed(try TransferFunction(from: decoder))
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}
