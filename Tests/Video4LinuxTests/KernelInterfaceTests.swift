import CWbcalVideo4Linux
import Testing

@testable import Video4Linux

/// Compares the sizes of the kernel's structures in Swift with those that a C compiler gave for
/// x86-64; the sizes are part of the requests' numbers.
struct KernelInterfaceTests {
  @Test func structuresHaveTheKernelsSizes() {
    #expect(unsafe MemoryLayout<v4l2_ext_control>.stride == 20)
    #expect(unsafe MemoryLayout<v4l2_ext_controls>.size == 32)
    #expect(MemoryLayout<v4l2_query_ext_ctrl>.size == 232)
    #expect(MemoryLayout<v4l2_query_ext_ctrl>.offset(of: \.minimum) == 40)
    #expect(MemoryLayout<v4l2_event>.size == 136)
    #expect(MemoryLayout<v4l2_event>.offset(of: \.timestamp) == 80)
    #expect(unsafe MemoryLayout<v4l2_buffer>.size == 88)
    #expect(MemoryLayout<v4l2_capability>.size == 104)
    #expect(MemoryLayout<v4l2_control>.size == 8)
  }

  @Test func valuesOfPackedControlsLieAtTwelve() {
    var control = unsafe v4l2_ext_control()
    unsafe control.value = 0x0102_0304
    unsafe withUnsafeBytes(of: control) { bytes in
      #expect(unsafe bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == 0x0102_0304)
    }
  }

  @Test func requestsHaveTheKernelsNumbers() {
    #expect(CV4L_G_PARM == 0xC0CC_5615)
    #expect(CV4L_S_EXT_CTRLS == 0xC020_5648)
    #expect(CV4L_TRY_EXT_CTRLS == 0xC020_5649)
    #expect(CV4L_QUERY_EXT_CTRL == 0xC0E8_5667)
    #expect(CV4L_S_CTRL == 0xC008_561C)
    #expect(CV4L_SUBSCRIBE_EVENT == 0x4020_565A)
    #expect(CV4L_DQEVENT == 0x8088_5659)
  }

  @Test func codesOfFormatsAreFourCharacters() {
    #expect(code(fourCC: "YUYV") == 0x5659_5559)
    #expect(fourCC(0x5659_5559) == "YUYV")
    #expect(fourCC(0x5659_5559 | 1 << 31) == "YUYV-BE")
  }
}
