import WhiteBalance

extension Sidecar {
  /// Returns the white balance for darktable; everything else has darktable's defaults.
  ///
  /// The history has two entries. The white balance multiplies the sensor's values. Color
  /// calibration, which darktable otherwise turns on and which expects a white balance for
  /// daylight, is off. The defaults are used because the file states that they have not been
  /// applied yet. Parameters are the bytes of the modules' structures in hexadecimal; darktable
  /// reads those of older versions.
  static func darktable(_ gains: Gains) -> Sidecar {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="wbcal">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/"
          darktable:xmp_version="5" darktable:raw_params="0" darktable:auto_presets_applied="0"
          darktable:history_end="2">
         <darktable:history>
          <rdf:Seq>
           <rdf:li darktable:num="0" darktable:operation="temperature" darktable:enabled="1"
            darktable:modversion="3" darktable:multi_name="" darktable:multi_priority="0"
            darktable:params="
      """
    let tail = """
      "/>
           <rdf:li darktable:num="1" darktable:operation="channelmixerrgb" darktable:enabled="0"
            darktable:modversion="3" darktable:multi_name="" darktable:multi_priority="0"
            darktable:params="\(hexadecimal(neutralColorCalibration))"/>
          </rdf:Seq>
         </darktable:history>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>

      """
    // The multipliers are relative to green, as darktable's; the fourth is for four-color sensors.
    let multipliers = [gains.red / gains.green, 1, gains.blue / gains.green, .nan]
    return Sidecar(
      reader: "darktable", ending: ".xmp", head: head, tail: tail,
      figures: hexadecimal(multipliers.map { Float($0).bitPattern }))
  }

  /// A color calibration without effect, for a user who turns it on.
  private static let neutralColorCalibration: [UInt32] = {
    let mixes: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] + [Float](repeating: 0, count: 12)
    let normalizations = [UInt32](repeating: 0, count: 6)
    // The illuminant is that of the pipeline, D50; then a lamp and an LED, unused; CAT16.
    let illuminant: [UInt32] = [0, 2, 4, 1]
    // The illuminant's x, y and kelvin, and the gamut compression.
    let chromaticity: [Float] = [0.34567, 0.35850, 5003, 1]
    // Negative colors are clipped; the third version of the saturation algorithm.
    let choices: [UInt32] = [1, 2]
    return mixes.map(\.bitPattern) + normalizations + illuminant + chromaticity.map(\.bitPattern)
      + choices
  }()

  /// Returns the bytes of words, the least significant first.
  private static func hexadecimal(_ words: [UInt32]) -> String {
    words.map { word in
      let digits = String(word.byteSwapped, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}
