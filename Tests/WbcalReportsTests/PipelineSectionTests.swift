import CameraProfiles
import ColorScience
import Testing
import WhiteBalance

@testable import WbcalReports

/// Tests the page's section on the processing between the sensor and the picture.
struct PipelineSectionTests {
  private func law(_ id: ControlID, gain: (Int) -> Double) throws -> ControlLaw {
    let values = [64, 128, 256, 300, 512, 700, 1023]
    return try #require(
      ControlLaw(
        control: ControlDescription(id: id, minimum: 64, maximum: 1023, defaultValue: 256),
        reference: 256, points: values.map { .init(value: $0, gain: gain($0)) },
        testedBy: [300, 700]))
  }

  private func page(
    _ laws: ControlLaws?, _ transfer: TransferFunction? = nil, _ exposure: ExposureLaws? = nil
  ) throws -> ParsedPage {
    try ParsedPage(
      CalibrationReport(
        Sample.calibration(Sample.a, Sample.d65), heading: Sample.heading, laws: laws,
        exposure: exposure, transfer: transfer
      ).html)
  }

  @Test func drawsWhatWasFound() throws {
    let matrix = Matrix3x3(
      SIMD3(1.7, -0.5, -0.2), SIMD3(-0.3, 1.6, -0.3), SIMD3(-0.1, -0.6, 1.7))
    let curve = try #require(
      ToneCurve([
        .init(stored: 0.03, linear: 0), .init(stored: 0.4, linear: 0.15),
        .init(stored: 1, linear: 1),
      ]))
    let laws = ControlLaws(
      .channels(
        red: try law(.redBalance) { Double($0) / 256 * ($0 == 700 ? 1.01 : 1) }, green: nil,
        blue: try law(.blueBalance) { (Double($0) + 100) / 356 }),
      mixing: ChannelMixing(
        matrix, scaleError: 0.02, saturation: Saturation(factor: 1.2, transfer: .curve(curve))))
    let exposure = ExposureLaws(
      time: try law(.exposureTime) { Double($0) / 256 }, gain: nil, latency: 2)
    let page = try page(laws, .curve(curve), exposure)
    let labels = page.elements.compactMap { $0.attributes["aria-label"] }
    #expect(labels.contains("The gain for the values of the controls"))
    #expect(labels.contains("The composition of each channel of the picture"))
    #expect(labels.contains("The tone curve of the camera's pictures"))
    #expect(labels.contains("The light for the values of the controls"))
    // There are seven gains for each control, in the upper and the lower chart.
    for name in ["measured red", "measured blue", "measured neutral"] {
      #expect(page.elements.filter { $0.attributes["class"] == name }.count >= 14, "\(name)")
    }
    let shares = page.elements.filter { $0.attributes["class"] == "inside" }.map(\.text)
    #expect(shares.contains("1.70") && shares.contains("−0.50"))
    let text = page.texts("p").joined(separator: " ")
    #expect(text.contains("The light for the values of exposure_time_absolute"))
    #expect(text.contains("Saturation after the tone curve: 1.20."))
    #expect(text.contains("known to 2.0\u{A0}%"))
    #expect(text.contains("Settings that the laws were not fitted to are off by 0."))
  }

  @Test func saysNothingOfWhatIsUnknown() throws {
    let labels = try page(nil).elements.compactMap { $0.attributes["aria-label"] }
    #expect(!labels.contains { $0.contains("controls") })
    let path = try #require(
      GainCurve(
        control: ControlDescription(
          id: .whiteBalanceTemperature, minimum: 2000, maximum: 7000, defaultValue: 4000),
        reference: 4000,
        points: [2000, 3000, 4000, 5000, 7000].map { (kelvin: Int) in
          let share = Double(kelvin) / 4000
          return GainCurve.Point(value: kelvin, red: share, blue: 1 / share)
        }))
    let drawn = try page(ControlLaws(.path(path)))
    let classes = drawn.elements.compactMap { $0.attributes["class"] }
    #expect(classes.filter { $0 == "measured red" }.count >= 5)
    #expect(!drawn.elements.contains { $0.text == "difference from the law, %" })
  }
}
