import Foundation
import ProfileFiles
import Testing
import WhiteBalance

/// The shading in tuning files: sizes, places and units of its tables are libcamera's (`alsc.cpp`
/// of its Raspberry Pi modules, `lsc.cpp` of rkisp1).
struct TuningShadingTests {
  /// Green and blue have a gain of 1 + x, red has (1 + x)(1 + y).
  private static let tuning: LibcameraTuning = {
    var tuning = LibcameraTuning(
      camera: try! CurveCameraModel(points: [
        .init(kelvin: 2500, red: 0.8, blue: 0.4), .init(kelvin: 8000, red: 0.4, blue: 0.8),
      ]))
    tuning.shading = GainMesh(
      columns: 2, rows: 2, red: [1, 2, 2, 4], green: [1, 2, 1, 2], blue: [1, 2, 1, 2])
    return tuning
  }()

  private struct File: Decodable {
    struct Algorithm: Decodable {
      struct Shading: Decodable {
        struct Table: Decodable { var ct: Double, table: [Double] }
        var calibrations_Cr, calibrations_Cb: [Table]
        var luminance_lut: [Double]
        var luminance_strength: Double
      }
      struct Balance: Decodable { var ct_curve: [Double] }
      var shading: Shading?
      var balance: Balance?
      enum CodingKeys: String, CodingKey {
        case shading = "rpi.alsc"
        case balance = "rpi.awb"
      }
    }
    var algorithms: [Algorithm]
    var curve: [Double] { algorithms.lazy.compactMap(\.balance?.ct_curve).first ?? [] }
    var shading: Algorithm.Shading? { algorithms.lazy.compactMap(\.shading).first }
  }

  @Test(arguments: [("bcm2835", 16, 12), ("pisp", 32, 32)])
  func raspberryPi(target: String, columns: Int, rows: Int) throws {
    let new = try Self.tuning.json(target: target)
    let old = """
      {"target": "\(target)", "algorithms": [ {"rpi.alsc": {"omega": 1.3, "corner_strength": 2}},
        {"rpi.awb": {"ct_curve": [2000, 1, 0.5, 7000, 0.5, 1]}} ]}
      """
    let replaced = try Self.tuning.json(replacingIn: Data(old.utf8))
    for file in [new, replaced] {
      let shading = try #require(try JSONDecoder().decode(File.self, from: file).shading)
      #expect(shading.luminance_strength == 1)
      let red = try #require(shading.calibrations_Cr.first)
      let blue = try #require(shading.calibrations_Cb.first)
      #expect(shading.calibrations_Cr.count == 1 && shading.calibrations_Cb.count == 1)
      #expect(red.table.count == columns * rows && red.ct == blue.ct)
      #expect(blue.table == Array(repeating: 1, count: columns * rows))
      #expect(shading.luminance_lut.count == columns * rows)
      for (row, column) in [(0, 0), (0, columns - 1), (rows - 1, 0), (rows / 2, 3)] {
        func share(_ index: Int, _ count: Int) -> Double {
          (1 + (Double(index) + 0.5) / Double(count)) / (1 + 0.5 / Double(count))
        }
        let cell = row * columns + column
        #expect(abs(red.table[cell] - share(row, rows)) < 1e-4)
        #expect(abs(shading.luminance_lut[cell] - share(column, columns)) < 1e-4)
      }
    }
    // A file without the algorithm does without it, and so does a tuning without shading.
    let without = #"{"algorithms": [{"rpi.awb": {"ct_curve": [2000, 1, 0.5, 7000, 0.5, 1]}}]}"#
    let kept = try Self.tuning.json(replacingIn: Data(without.utf8))
    #expect(try JSONDecoder().decode(File.self, from: kept).shading == nil)
    var bare = Self.tuning
    bare.shading = nil
    #expect(try JSONDecoder().decode(File.self, from: try bare.json()).shading == nil)
    let same = try bare.json(replacingIn: Data(old.utf8))
    #expect(String(decoding: same, as: UTF8.self).contains("corner_strength"))
  }

  /// A gray under a light of the curve is neutral in each cell: the gains of white balance and
  /// those of the tables, whose least is 1, together are the curve's and the shading's.
  @Test(arguments: ["bcm2835", "pisp"]) func balanceBehindShading(target: String) throws {
    var tuning = Self.tuning
    tuning.shading = GainMesh(
      columns: 3, rows: 2, red: [1.3, 0.9, 1.5, 1.3, 0.9, 1.5], green: [1.2, 1, 1.3, 1.2, 1, 1.3],
      blue: [1, 1, 1.1, 1, 1, 1.1])
    let old = #"{"target": "\#(target)", "algorithms": [ {"rpi.alsc": {}}, "#
    let balance = #"{"rpi.awb": {"ct_curve": [2000, 1, 0.5, 7000, 0.5, 1]}}]}"#
    let mesh = try #require(tuning.shading)
    for data in [
      try tuning.json(target: target), try tuning.json(replacingIn: Data((old + balance).utf8)),
    ] {
      let file = try JSONDecoder().decode(File.self, from: data)
      let shading = try #require(file.shading)
      let columns = target == "pisp" ? 32 : 16
      for cell in [0, columns / 2, columns - 1, 5 * columns + 3] {
        let (x, y) = (Double(cell % columns) + 0.5, Double(cell / columns) + 0.5)
        let gains = mesh.gains(x: x / Double(columns), y: y / (target == "pisp" ? 32 : 12))
        for (index, point) in tuning.camera.points.enumerated() {
          let red = shading.calibrations_Cr[0].table[cell] / file.curve[3 * index + 1]
          let blue = shading.calibrations_Cb[0].table[cell] / file.curve[3 * index + 2]
          #expect(abs(red * point.red / (gains.red / gains.green) - 1) < 1e-4)
          #expect(abs(blue * point.blue / (gains.blue / gains.green) - 1) < 1e-4)
        }
      }
    }
    // Without the algorithm in the file, libcamera corrects no shading.
    let plain = try tuning.json(replacingIn: Data((#"{"algorithms": [ "# + balance).utf8))
    let curve = try JSONDecoder().decode(File.self, from: plain).curve
    #expect(curve == tuning.camera.points.flatMap { [$0.kelvin, $0.red, $0.blue] })
  }

  @Test func rkisp1() throws {
    let text = Self.tuning.yaml(for: .rkisp1)
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    let start = try #require(lines.firstIndex(of: "- LensShadingCorrection:"))
    let sizes = "[ 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625 ]"
    #expect(lines[start + 1] == "x-size: \(sizes)" && lines[start + 2] == "y-size: \(sizes)")
    func table(_ name: String) throws -> [Int] {
      let first = try #require(lines[start...].firstIndex(of: "\(name): ["))
      return lines[(first + 1)...].prefix { $0 != "]" }.joined().split(separator: ",").compactMap {
        Int($0.drop { $0 == " " })
      }
    }
    let (red, green, blue) = (try table("r"), try table("gr"), try table("b"))
    #expect(red.count == 17 * 17 && green.count == 17 * 17)
    #expect(try table("gb") == green && blue == green)
    // A gain of 1 is 1024, and the hardware takes no more than 4095.
    #expect(green[0] == 1024 && green[16] == 2048 && green[16 * 17] == 1024 && green[8] == 1536)
    #expect(red[0] == 1024 && red[16] == 2048 && red[16 * 17] == 2048 && red[17 * 17 - 1] == 4095)
    // It replaces an existing one, and the software ISP has none.
    let merged = try Self.tuning.yaml(for: .rkisp1, replacingIn: YAMLTuningTests.tuning)
    #expect(merged.contains("x-size: \(sizes)") && !merged.contains("[ 0.0625, 0.0625 ]"))
    #expect(merged.components(separatedBy: "LensShadingCorrection").count == 2)
    #expect(!Self.tuning.yaml(for: .softwareISP).contains("Shading"))
    #expect(try LibcameraTuning(reading: Data(text.utf8)).camera == Self.tuning.camera)
  }
}
