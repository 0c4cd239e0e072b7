#if GenICam
import Testing
import WhiteBalance

@testable import GenICam

struct FrameNumberTests {
  private func numbers(_ frames: [UInt64], from first: Int = 0) -> [Int] {
    var sequence = FrameSequence(first: first)
    return frames.map { sequence.number(of: $0) }
  }

  @Test func lostFramesCount() { #expect(numbers([7, 8, 11], from: 100) == [100, 101, 104]) }

  @Test func numbersOf16BitsGoOn() {
    #expect(numbers([65534, 65535, 1, 2]) == [0, 1, 2, 3])
    #expect(numbers([65535, 3]) == [0, 3])
  }

  @Test func numbersOf64BitsGoOn() {
    #expect(numbers([65535, 65536, 65537]) == [0, 1, 2])
    #expect(numbers([0, 1]) == [0, 1])
  }

  @Test func repeatedNumbersStillRise() { #expect(numbers([5, 5, 5]) == [0, 1, 2]) }
}

struct SampleUnpackingTests {
  private func unpacked(_ name: String, _ bytes: [UInt8], samples: Int) throws -> [Int] {
    let format = try #require(NamedPixelFormat(named: name))
    var frame = [UInt8](repeating: 0, count: 2 * samples)
    var span = frame.mutableSpan
    format.storage.unpack(bytes.span, bytesPerRow: bytes.count, samples: samples, into: &span)
    return (0..<samples).map { Int(frame[2 * $0]) | Int(frame[2 * $0 + 1]) << 8 }
  }

  @Test func theNamingConventionsPackedSamples() throws {
    // 0xABC, 0x123: the lowest bits first.
    #expect(try unpacked("BayerRG12p", [0xBC, 0x3A, 0x12], samples: 2) == [0xABC, 0x123])
    // 1, 2, 3, 1023 in 10 bits each.
    #expect(
      try unpacked("BayerRG10p", [0x01, 0x08, 0x30, 0xC0, 0xFF], samples: 4) == [1, 2, 3, 1023])
  }

  @Test func samplesOfGigEVision() throws {
    #expect(try unpacked("BayerRG12Packed", [0xAB, 0x3C, 0x12], samples: 2) == [0xABC, 0x123])
    #expect(try unpacked("Mono10Packed", [0xFF, 0x13, 0x00], samples: 2) == [1023, 1])
  }

  @Test func namesOfFormatsAreDifferent() {
    let names = NamedPixelFormat.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.contains("BayerGB16") && names.contains("YUV422_8"))
  }
}
#endif
