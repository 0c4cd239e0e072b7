import Foundation
import Testing

@testable import CameraProfiles

/// The prior of color matrices, compared with the files that it was computed from.
struct MixingPriorTests {
  private struct File: Decodable {
    var curves: [Tuning]
  }
  private struct Tuning: Decodable {
    var tuning: String
    var colorMatrices: [[Double]]
  }

  /// The matrices of each sensor, rounded like published ones, without duplicates.
  static func published() throws -> [String: [[Double]]] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Calibration/Profiles/libcamera-ct-curves.json")
    var found: [String: [[Double]]] = [:]
    for tuning in try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).curves {
      let name = tuning.tuning.split(separator: "_")[0]
      for row in tuning.colorMatrices where name != "uncalibrated" {
        let sums: [Double] = (0..<3).map { line in row[3 * line + 1...3 * line + 3].reduce(0, +) }
        guard sums.allSatisfy({ abs($0 - 1) <= 0.03 }) else { continue }
        let elements: [Double] = MixingPrior.places.map { line, column in
          let share: Double = row[1 + 3 * line + column] / sums[line]
          return (share * 10000).rounded() / 10000
        }
        if found[String(name)]?.contains(elements) != true {
          found[String(name), default: []].append(elements)
        }
      }
    }
    return found
  }

  @Test func figuresAreThoseOfTheData() throws {
    let sensors = try Self.published()
    let names = sensors.keys.sorted().enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    var rows: [[Double]] = []
    for elements in names.flatMap({ sensors[$0] ?? [] }) {
      for strength in 1...10 { rows.append(elements.map { $0 * Double(strength) / 10 }) }
    }
    #expect(rows.count > 1000)
    let count = Double(rows.count)
    let mean = (0..<6).map { place in rows.reduce(0.0) { $0 + $1[place] } / count }
    for i in 0..<6 {
      #expect(abs(mean[i] - MixingPrior.mean[i]) < 1e-5)
      for j in 0...i {
        let sum = rows.reduce(0.0) { $0 + ($1[i] - mean[i]) * ($1[j] - mean[j]) }
        let own = i == j ? MixingPrior.ownVariance : 0
        #expect(abs(sum / (count - 1) + own - MixingPrior.covariance(i, j)) < 1.1e-5)
      }
    }
  }
}
