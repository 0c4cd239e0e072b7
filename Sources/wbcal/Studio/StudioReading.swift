import ColorScience
import WbcalFoundation
import WhiteBalance

/// A page's data about a frame, in addition to those of `wbcal watch --json`.
struct StudioReading: JSONRecord {
  var region: Region?
  var exposure: Exposure?
  var focus: Focus?
  /// The sharpness relative to the largest one so far.
  var sharpness: Double?
  var histogram: Histogram
  var zebra: Zebra
  var set: Setting?
  /// The x and y of the light that was asked, or else of the one that the camera is set for.
  var wanted: [Double]?
  var latency: Int?
  var rate: Double?

  struct Region: JSONRecord {
    /// X, Y, width and height in pixels.
    var rectangle: [Int]
    var rgb: [Double]
    var gains: Gains?
    var standardError: EstimateRecord.StandardError?
    var xy: [Double]?
    /// The outline of the region in which the light lies with a probability of 95 %.
    var ellipse: [[Double]]?
    var temperature, tint, temperatureError, tintError: Double?
    var nonuniformity: Double?
    var pixels: EstimateRecord.Pixels
    var accepted: Bool
    var reasons: [String]
  }

  struct Exposure: JSONRecord {
    /// The level of the region's brightest channel, in stops relative to clipping.
    var stops: Double?
    var duration, gain: Double?
    var mode: String?
  }

  struct Focus: JSONRecord {
    /// 0 is the nearest, 1 the farthest.
    var position: Double?
    var mode: String?
  }

  struct Histogram: JSONRecord {
    var from = -FrameOverview.stops
    var to = 0
    var red, green, blue: [Int]
  }

  struct Zebra: JSONRecord {
    var columns = FrameOverview.columns
    var rows = FrameOverview.rows
    /// A bit for each cell, row by row, the first the highest of its byte.
    var clipped, dark: String
  }

  struct Setting: JSONRecord, Sendable {
    struct Light: JSONRecord, Sendable {
      var temperature: Double
      var tint: Double?
    }
    struct Seen: JSONRecord, Sendable { var frame: Int }

    var asked, applied: Light?
    var seen: Seen?
  }
}

extension StudioReading.Setting.Light {
  init?(_ light: TemperatureAndTint?) {
    guard let light, light.temperature.isFinite, light.tint.isFinite else { return nil }
    (temperature, tint) = (light.temperature, light.tint)
  }

  init?(_ reading: LightReading?) {
    self.init(reading?.light)
    tint = reading?.tint
  }
}

extension StudioReading.Histogram {
  init(_ histogram: FrameOverview.Histogram) {
    (red, green, blue) = (histogram.red, histogram.green, histogram.blue)
  }
}

extension StudioReading.Zebra {
  init(_ overview: FrameOverview) {
    clipped = Self.bits(overview.clipped)
    dark = Self.bits(overview.dark)
  }

  private static func bits(_ cells: [Bool]) -> String {
    var bytes = Data(count: (cells.count + 7) / 8)
    for index in cells.indices where cells[index] {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes.base64EncodedString()
  }
}
