import CWbcalVideo4Linux
import CameraControl
import Testing

@testable import Video4Linux

struct MediaGraphTests {
  private let node = SensorSystem.videoNode

  @Test func theSensorComesFirstAndOthersFollow() {
    let found = MediaGraph.board.subdevices(upstreamOf: node)
    #expect(
      found == [
        .init(name: "imx219 10-0010", node: SensorSystem.sensorNode, pad: 0, isSensor: true),
        .init(name: "isp", node: SensorSystem.processorNode, pad: 2, isSensor: false),
      ])
  }

  @Test func aNodeOfAnotherDeviceIsNotFound() {
    #expect(MediaGraph.board.subdevices(upstreamOf: .init(major: 81, minor: 0)) == nil)
    // A sub-device is not a video node.
    #expect(MediaGraph.board.subdevices(upstreamOf: SensorSystem.sensorNode) == nil)
  }

  @Test func onlyLinksThatAreOnAreFollowed() {
    var graph = MediaGraph.board
    graph.add(
      5, "other sensor", MEDIA_INTF_T_V4L_SUBDEV, .init(major: 81, minor: 12),
      function: MEDIA_ENT_F_CAM_SENSOR)
    graph.connect(5, 0, to: 2, enabled: false)
    #expect(graph.subdevices(upstreamOf: node)?.map(\.name) == ["imx219 10-0010", "isp"])
    graph.connect(5, 0, to: 2)
    #expect(
      graph.subdevices(upstreamOf: node)?.map(\.name)
        == ["imx219 10-0010", "other sensor", "isp"])
  }

  @Test func aLensBelongsToItsSensor() {
    var graph = MediaGraph.board
    graph.add(6, "lens", MEDIA_INTF_T_V4L_SUBDEV, .init(major: 81, minor: 13))
    graph.links.append(.init(source: 1, sink: 6, flags: MEDIA_LNK_FL_ANCILLARY_LINK.bits))
    #expect(
      graph.subdevices(upstreamOf: node)?.map(\.name) == ["imx219 10-0010", "lens", "isp"])
  }

  /// Links may form a ring, for instance through memory.
  @Test func aRingIsPassedOnce() {
    var graph = MediaGraph.board
    graph.connect(3, 3, to: 2)
    #expect(graph.subdevices(upstreamOf: node)?.map(\.name) == ["imx219 10-0010", "isp"])
  }

  @Test func theGraphIsReadAsTheDriverStatesIt() throws {
    let driver = ScriptedDriver { $0.graph = .board }
    let graph = try MediaGraph(driver, path: "/dev/media0")
    #expect(
      graph.subdevices(upstreamOf: node) == MediaGraph.board.subdevices(upstreamOf: node))
    // Before Linux 4.19 the numbers of pads are not known.
    driver.state.withLock { $0.mediaVersion = 4 << 16 | 18 << 8 }
    let old = try MediaGraph(driver, path: "/dev/media0")
    #expect(old.subdevices(upstreamOf: node)?.map(\.pad) == [nil, nil])
  }

  @Test func whatIsNoMediaDeviceIsAnError() {
    #expect(throws: CameraError.self) {
      try MediaGraph(ScriptedDriver(), path: "/dev/media0")
    }
  }

  @Test func aLineTakesItsPixelsAndItsBlanking() {
    let timing = SensorTiming(
      width: 1640, height: 1232, horizontalBlanking: 1808, verticalBlanking: 535,
      pixelRate: 182_400_000)
    // 3448 pixels at 182.4 MHz.
    #expect(abs(timing.lineTime - 18.9035e-6) < 1e-10)
    #expect(timing.countsLines(to: 1763) && timing.countsLines(to: 1767))
    // Sixteenths of a line, as in ov8865 before Linux 5.17.
    #expect(!timing.countsLines(to: 1768) && !timing.countsLines(to: 1_048_575))
  }
}
