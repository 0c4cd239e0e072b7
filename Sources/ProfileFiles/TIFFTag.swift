/// The tags of a group of TIFF fields, which have names.
protocol TIFFTag: RawRepresentable<UInt16> {}

extension TIFFTag {
  /// The field's name in DNG.
  var name: String {
    let name = "\(self)"
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
