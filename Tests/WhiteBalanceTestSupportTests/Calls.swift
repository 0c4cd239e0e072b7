import ColorScience
import Synchronization
import WhiteBalance
import WhiteBalanceTestSupport

/// A counter of the calls of an implementation until the simplest counterexample is found; the
/// number is the same on every machine.
final class Calls: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }

  private func counted<Input, Output>(
    _ function: @escaping @Sendable (Input) -> Output
  ) -> @Sendable (Input) -> Output {
    { input in
      self.number.withLock { $0 += 1 }
      return function(input)
    }
  }

  func counted(_ conversion: TemperatureTintConversion) -> TemperatureTintConversion {
    var conversion = conversion
    conversion.reading = counted(conversion.reading)
    conversion.chromaticity = counted(conversion.chromaticity)
    return conversion
  }

  func counted(_ conversion: GainConversion) -> GainConversion {
    var conversion = conversion
    conversion.gains = counted(conversion.gains)
    conversion.chromaticity = counted(conversion.chromaticity)
    return conversion
  }

  func counted(_ reading: CardReading) -> CardReading {
    CardReading(formats: reading.formats, response: counted(reading.response))
  }
}
