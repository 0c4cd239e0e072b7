import ColorScience
import Testing

/// Tests of values that stop a program instead of giving a wrong number.
struct PreconditionTests {
  @Test func radiationConstants() async {
    #expect(RadiationConstant(meterKelvin: 1e-9).meterKelvin == 1e-9)
    await #expect(processExitsWith: .failure) { _ = RadiationConstant(meterKelvin: 0) }
    await #expect(processExitsWith: .failure) { _ = RadiationConstant(meterKelvin: .infinity) }
  }

  @Test func spectra() async {
    await #expect(processExitsWith: .failure) {
      _ = SpectralDistribution(first: 400, step: 0, values: [])
    }
    await #expect(processExitsWith: .failure) {
      _ = SpectralDistribution(first: 400, step: .infinity, values: [])
    }
    await #expect(processExitsWith: .failure) {
      _ = SpectralDistribution(first: .nan, step: 1, values: [])
    }
    await #expect(processExitsWith: .failure) {
      let table = SpectralDistribution(first: 400, step: 1, values: [])
      _ = table.interpolatedBySprague(parts: 0)
    }
  }

  @Test func batchesOfUnequalLengths() async {
    await #expect(processExitsWith: .failure) {
      let (mired, duv) = ([200.0, 300], [0.0, 0])
      var x = [0.0, 0]
      var y = [0.0]
      var a = x.mutableSpan
      var b = y.mutableSpan
      PlanckianLocus().chromaticities(mired: mired.span, duv: duv.span, x: &a, y: &b)
    }
    await #expect(processExitsWith: .failure) {
      let (mired, duv) = ([200.0, 300], [0.0])
      var x = [0.0, 0]
      var y = x
      var a = x.mutableSpan
      var b = y.mutableSpan
      PlanckianLocus().chromaticities(mired: mired.span, duv: duv.span, x: &a, y: &b)
    }
    await #expect(processExitsWith: .failure) {
      let (x, y) = ([0.3, 0.4], [0.3, 0.4])
      var mired = [0.0]
      var duv = x
      var a = mired.mutableSpan
      var b = duv.mutableSpan
      PlanckianLocus().correlatedColorTemperatures(x: x.span, y: y.span, mired: &a, duv: &b)
    }
    await #expect(processExitsWith: .failure) {
      let (x, y) = ([0.3, 0.4], [0.3, 0.4])
      var mired = x
      var duv = [0.0]
      var a = mired.mutableSpan
      var b = duv.mutableSpan
      PlanckianLocus().correlatedColorTemperatures(x: x.span, y: y.span, mired: &a, duv: &b)
    }
  }
}
