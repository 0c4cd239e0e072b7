import ColorScience
import Foundation
import SimulatedScenes
import WhiteBalance

/// Mistakes in a chart or in its description.
enum ChartMistake: String, CaseIterable {
  case none = "correct"
  case glare = "correct, with glare"
  case swapped = "two patches swapped"
  case clipped = "patches clipped"
  case dirty = "a dirty patch"
  case turned = "chart out of order"
  case misnamed = "light wrongly named"
}

/// A chart shot with a mistake, and what was made of it.
struct JudgedChart {
  var mistake: ChartMistake
  var isDoubted: Bool
  /// `true` if a warning names the patch, the order or the light that is wrong.
  var isNamed: Bool
}

/// Charts under random lamps, one of each mistake, with 1 % noise and light uneven by 3 %, for
/// every public camera left out of its prior.
func judgedCharts(_ mistakes: [ChartMistake], each count: Int, seed: UInt64 = 14) throws
  -> [JudgedChart]
{
  var random = SplitMix64(state: seed)
  let chart = ColorChart.classicFrom2014
  func below(_ count: Int) -> Int { Int(random.uniform() * Double(count)) }
  return try MeasuredSensor.all.indices.flatMap { camera in
    try (0..<count).flatMap { _ in
      try mistakes.map { mistake in
        let lamp = publicLamps[below(publicLamps.count)]
        var light = try Light(name: lamp.name, spectrum: lamp.spectrum)
        var responses = chartResponses(
          MeasuredSensor.all[camera], lamp.spectrum, noise: SpectralShots.uneven.noise,
          glare: mistake == .glare ? 1 : 0, &random)
        var wrong: Set<String> = []
        switch mistake {
        case .none, .glare: break
        case .swapped:
          let first = below(24)
          let second = (first + 1 + below(23)) % 24
          responses.swapAt(first, second)
          wrong = [chart.patches[first].name, chart.patches[second].name]
        case .clipped:
          // Some channel of some patch at 50…85 % of the largest.
          let largest = responses.map { $0.vector.max() }.max() ?? 0
          let limit = largest * (0.5 + 0.35 * random.uniform())
          for index in responses.indices where responses[index].vector.max() > limit {
            wrong.insert(chart.patches[index].name)
            responses[index] = LinearRGB(
              pointwiseMin(responses[index].vector, SIMD3(repeating: limit)))
          }
        case .dirty:
          // Dirt takes up to 30 %, not the same of each channel.
          let index = below(24)
          wrong = [chart.patches[index].name]
          let left = SIMD3(random.uniform(), random.uniform(), random.uniform()) * -0.21
          responses[index] = LinearRGB(responses[index].vector * (left + 0.91))
        case .turned:
          let order = ShotWarning.Order.allCases[below(3)]
          wrong = [order.rawValue]
          responses = (0..<24).map { place in
            let (row, column) = (place / 6, place % 6)
            return switch order {
            case .turned: responses[23 - place]
            case .mirrored: responses[row * 6 + 5 - column]
            case .flipped: responses[(3 - row) * 6 + column]
            }
          }
        case .misnamed:
          // A lamp of another kind, of which a photographer would notice that it is not the same.
          var other = lamp
          while other.technology == lamp.technology {
            other = publicLamps[below(publicLamps.count)]
          }
          light = try Light(name: other.name, spectrum: other.spectrum)
          wrong = [other.name]
        }
        let doubts = try SensitivityEstimate(
          charts: [ChartShot(light: light, responses: responses, chart: chart)],
          prior: leaveOneOutSensitivities[camera]
        ).warnings()
        let names = doubts.map { doubt in
          switch doubt {
          case .patch(_, let patch, _): patch
          case .order(_, let order): order.rawValue
          case .light(let name, _): name
          }
        }
        return JudgedChart(
          mistake: mistake, isDoubted: !doubts.isEmpty, isNamed: !wrong.isDisjoint(with: names))
      }
    }
  }
}

/// Prints how often honest and wrong charts are doubted.
func printWrongCharts() throws {
  print(
    """

    ## Wrong charts

    One chart of each camera under random lamps, 1 % noise, light uneven by 3 %. In percent: those doubted, and those in
    which a doubt names the mistake.

    """)
  printHead(["chart", "shots", "doubted", "named"])
  let found = try judgedCharts(ChartMistake.allCases, each: 4)
  for mistake in ChartMistake.allCases {
    let found = found.filter { $0.mistake == mistake }
    func share(_ holds: (JudgedChart) -> Bool) -> String {
      fixed(100 * Double(found.count(where: holds)) / Double(found.count), decimals: 1)
    }
    printRow([
      mistake.rawValue, "\(found.count)", share(\.isDoubted),
      [.none, .glare].contains(mistake) ? "" : share(\.isNamed),
    ])
  }
}
