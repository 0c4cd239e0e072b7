import CWbcalVideo4Linux
import CameraControl
import Foundation
import Synchronization

@testable import Video4Linux

/// A driver that answers as a test prescribes, and records the requests.
final class ScriptedDriver: DeviceHandle {
  struct Control {
    var number: UInt32
    var type = V4L2_CTRL_TYPE_INTEGER
    var minimum: Int64 = 0
    var maximum: Int64 = 1023
    var step: UInt64 = 1
    var initial: Int64 = 0
    var flags: Int32 = 0
    var menu: [UInt32: String] = [:]
    /// The error of a request for the control's description.
    var error: CInt = 0
  }

  struct Buffer {
    var flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC
    var used: UInt32
    var sequence: UInt32
    /// The bytes of each plane and the offset of its samples, for a driver with several planes.
    var planes: [(used: UInt32, start: UInt32)] = []
  }

  /// The result of waiting for a frame.
  enum Step {
    case frame(Buffer)
    case nothing
    case poll(CInt)
    case dequeue(CInt)
  }

  @safe struct State {
    var driver = "scripted"
    var card = "Scripted Camera"
    var bus = "platform:scripted"
    var capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING
    var controls: [Control] = []
    var values: [UInt32: Int32] = [:]
    /// The transactions that wrote values.
    var writes: [[(number: UInt32, value: Int32)]] = []
    /// Returns the answer to a transaction: an error and its index.
    var refuse: @Sendable ([(number: UInt32, value: Int32)]) -> (CInt, Int) = { _ in (0, 0) }
    /// The index that a trial reports if writing did not report one.
    var tried: Int?
    /// Returns the value that the driver sets instead of the given one.
    var round: @Sendable (UInt32, Int32) -> Int32 = { $1 }
    var knowsTransactions = true
    var mixesClasses = true

    var formats: [String] = ["YUYV"]
    /// The sizes of each format, and the rates of each size, as seconds and frames; none if the
    /// driver does not list them.
    var sizes: [(width: UInt32, height: UInt32)] = []
    var intervals: [(UInt32, UInt32)] = []
    /// The range of sizes and intervals of a driver that lists none.
    var range: (sizes: v4l2_frmsize_stepwise, intervals: v4l2_frmival_stepwise)?
    var picture = v4l2_pix_format()
    /// The picture format of a driver with several planes.
    var planar = v4l2_pix_format_mplane()
    var steps: [Step] = []
    var errors: [UInt: CInt] = [:]
    var calls: [UInt] = []
    var queued: [UInt32] = []
    var mapped = 0
    /// All events that the driver has reported; see `ScriptedFile`.
    var events: [v4l2_event] = []

    /// The rate that the driver reports, frames and seconds.
    var rate: (UInt32, UInt32) = (0, 0)
    /// Changes a requested format to the one that an output accepts.
    var take: @Sendable (inout v4l2_pix_format) -> Void = { _ in }
    /// The first bytes and the sizes of the frames that were written to an output.
    var shown: [(bytes: [UInt8], count: Int)] = []
    var buffers = unsafe [UnsafeBufferPointer<UInt8>]()
    /// The graph of a media device, and the version of its kernel.
    var graph: MediaGraph?
    var mediaVersion: UInt32 = 6 << 16 | 1 << 8
    /// The sizes at the pads of a sub-device.
    var padSizes: [UInt32: (width: UInt32, height: UInt32)] = [:]
    /// The values of controls of 64 bits.
    var wideValues: [UInt32: Int64] = [:]
    /// Changes other controls after a value was written.
    var afterWriting: @Sendable (UInt32, Int32, inout State) -> Void = { _, _, _ in }
    /// Indicates that changed values are reported as events.
    var reportsChanges = false
    /// The bytes of the frames that come without end; `nil` if only `steps` come.
    var endless: UInt32?
    var nextSequence: UInt32 = 0
    /// The microseconds from one of these frames to the next; a frame for which nobody waited is
    /// lost. `nil` if they come as fast as they are read.
    var frameTime: Int?
    var firstTime: Int?

    /// The result of locking; `isLocked` indicates whether the device is locked.
    var lockAnswer: CInt = 0
    var isLocked = false
  }

  let state: Guarded<State>
  static let bufferSize = 4096

  init(_ change: (inout State) -> Void = { _ in }) {
    var state = State()
    change(&state)
    for control in state.controls {
      state.values[control.number] = Int32(truncatingIfNeeded: control.initial)
    }
    self.state = Guarded(state)
  }

  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
    state.withLock { state in
      state.calls.append(number)
      if let error = state.errors[number] { return -error }
      return unsafe Self.answer(number, argument, &state)
    }
  }

  private static func answer(
    _ number: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State
  ) -> CInt {
    switch number {
    case CV4L_QUERYCAP:
      let capability = unsafe argument.assumingMemoryBound(to: v4l2_capability.self)
      unsafe copy(state.driver, to: &capability.pointee.driver)
      unsafe copy(state.card, to: &capability.pointee.card)
      unsafe copy(state.bus, to: &capability.pointee.bus_info)
      unsafe capability.pointee.capabilities =
        V4L2_CAP_DEVICE_CAPS | V4L2_CAP_VIDEO_CAPTURE.bits | V4L2_CAP_STREAMING.bits
      unsafe capability.pointee.device_caps = state.capabilities.bits
    case CV4L_QUERY_EXT_CTRL:
      return unsafe query(
        &argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self).pointee, state)
    case CV4L_QUERYMENU:
      let menu = unsafe argument.assumingMemoryBound(to: v4l2_querymenu.self)
      let id = unsafe menu.pointee.id
      let control = state.controls.first { $0.number == id }
      guard let name = unsafe control?.menu[menu.pointee.index] else { return -EINVAL }
      if control?.type == V4L2_CTRL_TYPE_INTEGER_MENU {
        unsafe menu.pointee.value = Int64(name) ?? 0
      } else {
        unsafe copy(name, to: &menu.pointee.name)
      }
    case CV4L_G_CTRL:
      let control = unsafe argument.assumingMemoryBound(to: v4l2_control.self)
      guard let value = unsafe state.values[control.pointee.id] else { return -EINVAL }
      unsafe control.pointee.value = value
    case CV4L_S_CTRL:
      let control = unsafe argument.assumingMemoryBound(to: v4l2_control.self)
      let write = unsafe (number: control.pointee.id, value: control.pointee.value)
      state.writes.append([write])
      let (error, _) = state.refuse([write])
      if error != 0 { return -error }
      unsafe control.pointee.value = state.round(write.number, write.value)
      state.keep(write.number, unsafe control.pointee.value)
    case CV4L_G_EXT_CTRLS:
      return unsafe read(&argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee, state)
    case CV4L_SUBDEV_G_FMT:
      let format = unsafe argument.assumingMemoryBound(to: v4l2_subdev_format.self)
      guard let size = state.padSizes[unsafe format.pointee.pad] else { return -EINVAL }
      unsafe (format.pointee.format.width, format.pointee.format.height) = size
    case CV4L_MEDIA_DEVICE_INFO:
      guard state.graph != nil else { return -ENOTTY }
      unsafe argument.assumingMemoryBound(to: media_device_info.self).pointee.media_version =
        state.mediaVersion
    case CV4L_MEDIA_G_TOPOLOGY:
      guard let graph = state.graph else { return -ENOTTY }
      return unsafe graph.answer(&argument.assumingMemoryBound(to: media_v2_topology.self).pointee)
    case CV4L_S_EXT_CTRLS, CV4L_TRY_EXT_CTRLS:
      return unsafe write(
        &argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee,
        tries: number == CV4L_TRY_EXT_CTRLS, &state)
    case CV4L_ENUM_FMT:
      let entry = unsafe argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
      let index = Int(unsafe entry.pointee.index)
      guard index < state.formats.count else { return -EINVAL }
      unsafe entry.pointee.pixelformat = code(fourCC: state.formats[index])
    case CV4L_ENUM_FRAMESIZES:
      return unsafe size(&argument.assumingMemoryBound(to: v4l2_frmsizeenum.self).pointee, state)
    case CV4L_ENUM_FRAMEINTERVALS:
      return unsafe interval(
        &argument.assumingMemoryBound(to: v4l2_frmivalenum.self).pointee, state)
    case CV4L_S_FMT:
      let format = unsafe argument.assumingMemoryBound(to: v4l2_format.self)
      if unsafe format.pointee.type == V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue {
        let take = state.take
        unsafe take(&format.pointee.fmt.pix)
        return 0
      }
      let asked = unsafe format.pointee.fmt.pix.pixelformat
      if unsafe format.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
        unsafe format.pointee.fmt.pix_mp = state.planar
        unsafe format.pointee.fmt.pix_mp.pixelformat = asked
      } else {
        unsafe format.pointee.fmt.pix = state.picture
        unsafe format.pointee.fmt.pix.pixelformat = asked
      }
    case CV4L_REQBUFS:
      let request = unsafe argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
      if unsafe request.pointee.count > 0 { unsafe request.pointee.count = 2 }
    case CV4L_QUERYBUF:
      let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
      if unsafe buffer.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
        for plane in 0..<Int(unsafe buffer.pointee.length) {
          unsafe buffer.pointee.m.planes[plane].length = UInt32(bufferSize)
        }
      } else {
        unsafe buffer.pointee.length = UInt32(bufferSize)
      }
    case CV4L_QBUF:
      let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
      let index = unsafe buffer.pointee.index
      state.queued.append(index)
      if unsafe buffer.pointee.type == V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue {
        let count = Int(unsafe buffer.pointee.bytesused)
        unsafe state.shown.append((Array(state.buffers[Int(index)][..<min(count, 8)]), count))
      }
    case CV4L_DQBUF:
      return unsafe dequeue(&argument.assumingMemoryBound(to: v4l2_buffer.self).pointee, &state)
    case CV4L_G_PARM:
      let parameters = unsafe argument.assumingMemoryBound(to: v4l2_streamparm.self)
      unsafe parameters.pointee.parm.capture.timeperframe = v4l2_fract(
        numerator: state.rate.1, denominator: state.rate.0)
    case CV4L_STREAMON, CV4L_STREAMOFF, CV4L_S_PARM, CV4L_SUBSCRIBE_EVENT: break
    default: return -ENOTTY
    }
    return 0
  }

  private static func size(_ entry: inout v4l2_frmsizeenum, _ state: State) -> CInt {
    if let range = state.range {
      entry.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
      entry.stepwise = range.sizes
      return 0
    }
    guard entry.index < state.sizes.count else { return -EINVAL }
    let size = state.sizes[Int(entry.index)]
    entry.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
    entry.discrete = v4l2_frmsize_discrete(width: size.width, height: size.height)
    return 0
  }

  private static func interval(_ entry: inout v4l2_frmivalenum, _ state: State) -> CInt {
    if let range = state.range {
      entry.type = V4L2_FRMIVAL_TYPE_STEPWISE.rawValue
      entry.stepwise = range.intervals
      return 0
    }
    guard entry.index < state.intervals.count else { return -EINVAL }
    let interval = state.intervals[Int(entry.index)]
    entry.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
    entry.discrete = v4l2_fract(numerator: interval.0, denominator: interval.1)
    return 0
  }

  private static func query(_ query: inout v4l2_query_ext_ctrl, _ state: State) -> CInt {
    let next = V4L2_CTRL_FLAG_NEXT_CTRL.bits | V4L2_CTRL_FLAG_NEXT_COMPOUND.bits
    let number = query.id & ~next
    let found = state.controls.sorted { $0.number < $1.number }
      .first { query.id & next == 0 ? $0.number == number : $0.number > number }
    guard let found else { return -EINVAL }
    if found.error != 0 { return -found.error }
    query = v4l2_query_ext_ctrl()
    query.id = found.number
    query.type = found.type.rawValue
    query.minimum = found.minimum
    query.maximum = found.maximum
    query.step = found.step
    query.default_value = found.initial
    query.flags = found.flags.bits
    query.elems = 1
    return 0
  }

  private static func write(
    _ block: inout v4l2_ext_controls, tries: Bool, _ state: inout State
  ) -> CInt {
    guard state.knowsTransactions else { return -ENOTTY }
    let controls = unsafe UnsafeMutableBufferPointer(start: block.controls, count: Int(block.count))
    let writes = unsafe controls.map { unsafe (number: $0.id, value: $0.value) }
    if tries {
      unsafe block.error_idx = UInt32(state.tried ?? writes.count)
      return state.tried == nil ? 0 : -EACCES
    }
    state.writes.append(writes)
    if !state.mixesClasses, Set(writes.map { $0.number >> 16 }).count > 1 {
      unsafe block.error_idx = block.count
      return -EINVAL
    }
    let (error, index) = state.refuse(writes)
    for (offset, write) in writes.enumerated()
    where error == 0 || offset < index && index < writes.count {
      let value = state.round(write.number, write.value)
      unsafe controls[offset].value = value
      state.keep(write.number, value)
    }
    unsafe block.error_idx = UInt32(index)
    return -error
  }

  private static func read(_ block: inout v4l2_ext_controls, _ state: State) -> CInt {
    for index in 0..<Int(unsafe block.count) {
      let number = unsafe block.controls[index].id
      if let value = state.wideValues[number] {
        unsafe block.controls[index].value64 = value
      } else if let value = state.values[number] {
        unsafe block.controls[index].value = value
      } else {
        return -EINVAL
      }
    }
    return 0
  }

  private static func dequeue(_ buffer: inout v4l2_buffer, _ state: inout State) -> CInt {
    if let bytes = state.endless {
      guard !state.queued.isEmpty else { return -EAGAIN }
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      if let frameTime = state.frameTime {
        let now = time.tv_sec * 1_000_000 + time.tv_nsec / 1000
        let first = state.firstTime ?? now
        state.firstTime = first
        let number = UInt32((now - first) / frameTime)
        guard number >= state.nextSequence else { return -EAGAIN }
        state.nextSequence = number
      }
      unsafe buffer.index = state.queued.removeFirst()
      unsafe buffer.flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC.bits
      unsafe buffer.bytesused = bytes
      unsafe buffer.sequence = state.nextSequence
      state.nextSequence += 1
      unsafe buffer.timestamp = timeval(tv_sec: time.tv_sec, tv_usec: time.tv_nsec / 1000)
      return 0
    }
    guard let step = state.steps.first else { return -EAGAIN }
    state.steps.removeFirst()
    switch step {
    case .frame(let frame):
      guard !state.queued.isEmpty else { return -EAGAIN }
      unsafe buffer.index = state.queued.removeFirst()
      unsafe buffer.flags = frame.flags.bits
      unsafe buffer.bytesused = frame.used
      for (index, plane) in frame.planes.enumerated() {
        unsafe buffer.m.planes[index].bytesused = plane.used
        unsafe buffer.m.planes[index].data_offset = plane.start
      }
      unsafe buffer.sequence = frame.sequence
      unsafe buffer.timestamp = timeval(tv_sec: 7, tv_usec: 500_000)
      return 0
    case .dequeue(let error): return -error
    case .nothing, .poll: return -EAGAIN
    }
  }

  func lock() -> CInt {
    state.withLock {
      $0.isLocked = $0.lockAnswer == 0
      return $0.lockAnswer
    }
  }

  func unlock() { state.withLock { $0.isLocked = false } }

  func wait(for events: CInt, milliseconds: CInt) -> CInt {
    if events == POLLIN, state.withLock({ $0.endless != nil }) {
      // A frame takes 2 ms.
      usleep(2000)
      return state.withLock { $0.queued.isEmpty ? 0 : events }
    }
    return state.withLock { state in
      switch state.steps.first {
      case .frame, .dequeue: return events
      case .poll(let result):
        state.steps.removeFirst()
        return result
      case .nothing:
        state.steps.removeFirst()
        return 0
      case nil:
        // Real time passes, so that a wait without a frame ends.
        usleep(1000)
        return 0
      }
    }
  }

  func map(
    offset: Int, count: Int, writable: Bool, to buffer: inout UnsafeBufferPointer<UInt8>
  ) -> CInt {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    unsafe bytes.initialize(repeating: 0x80)
    // The bytes differ, so that the start of a plane can be recognized.
    for index in 0..<min(64, count) { unsafe bytes[index] = UInt8(index) }
    unsafe buffer = UnsafeBufferPointer(bytes)
    let mapped = unsafe buffer
    state.withLock {
      $0.mapped += 1
      unsafe $0.buffers.append(mapped)
    }
    return 0
  }

  func unmap(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe buffer.deallocate()
    state.withLock { $0.mapped -= 1 }
  }
}

/// An opened device file of a scripted driver: one of several listeners, each of which gets the
/// events that are reported after it has subscribed.
final class ScriptedFile: DeviceHandle {
  private let driver: ScriptedDriver
  /// The number of the driver's events before the next one to return; `nil` without a subscription.
  private let position = Mutex<Int?>(nil)

  init(_ driver: ScriptedDriver) { self.driver = driver }

  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
    if number == CV4L_DQEVENT {
      guard let event = nextEvent() else { return -ENOENT }
      unsafe argument.assumingMemoryBound(to: v4l2_event.self).pointee = event
      return 0
    }
    let result = unsafe driver.request(number, argument)
    if number == CV4L_SUBSCRIBE_EVENT, result >= 0 {
      let count = driver.state.withLock { $0.events.count }
      position.withLock { $0 = $0 ?? count }
    }
    return result
  }

  private func nextEvent() -> v4l2_event? {
    position.withLock { position in
      guard let next = position,
        let event = driver.state.withLock({ $0.events.dropFirst(next).first })
      else { return nil }
      position = next + 1
      return event
    }
  }

  private var hasEvent: Bool {
    let count = driver.state.withLock { $0.events.count }
    return position.withLock { $0.map { $0 < count } ?? false }
  }

  func wait(for events: CInt, milliseconds: CInt) -> CInt {
    if events == POLLPRI, hasEvent { return POLLPRI }
    return driver.wait(for: events, milliseconds: milliseconds)
  }

  func map(
    offset: Int, count: Int, writable: Bool, to buffer: inout UnsafeBufferPointer<UInt8>
  ) -> CInt {
    unsafe driver.map(offset: offset, count: count, writable: writable, to: &buffer)
  }

  func unmap(_ buffer: UnsafeBufferPointer<UInt8>) { unsafe driver.unmap(buffer) }
  func lock() -> CInt { driver.lock() }
  func unlock() { driver.unlock() }
}

private func copy<Characters>(_ text: String, to characters: inout Characters) {
  unsafe withUnsafeMutableBytes(of: &characters) { unsafe $0.copyBytes(from: text.utf8) }
}

extension ScriptedDriver.State {
  /// Keeps a value that was written, and reports it if it changed.
  fileprivate mutating func keep(_ number: UInt32, _ value: Int32) {
    let old = values.updateValue(value, forKey: number)
    afterWriting(number, value, &self)
    guard reportsChanges, old != value else { return }
    var event = v4l2_event()
    event.type = V4L2_EVENT_CTRL.bits
    event.id = number
    unsafe event.u.ctrl.changes = V4L2_EVENT_CTRL_CH_VALUE.bits
    unsafe event.u.ctrl.value = value
    events.append(event)
  }
}

extension MediaGraph {
  /// Answers MEDIA_IOC_G_TOPOLOGY: with the lengths of the arrays, or with the arrays too.
  fileprivate func answer(_ topology: inout media_v2_topology) -> CInt {
    defer {
      topology.num_entities = UInt32(entities.count)
      topology.num_interfaces = UInt32(interfaces.count)
      topology.num_pads = UInt32(pads.count)
      topology.num_links = UInt32(links.count)
    }
    guard topology.ptr_entities != 0 else { return 0 }
    guard topology.num_entities >= entities.count, topology.num_links >= links.count else {
      return -ENOSPC
    }
    for (index, entity) in entities.enumerated() {
      var item = media_v2_entity()
      (item.id, item.function) = (entity.id, entity.function)
      copy(entity.name, to: &item.name)
      store(item, at: index, of: topology.ptr_entities)
    }
    for (index, interface) in interfaces.enumerated() {
      var item = media_v2_interface()
      (item.id, item.intf_type) = (interface.id, interface.type)
      item.devnode = media_v2_intf_devnode(
        major: interface.node.major, minor: interface.node.minor)
      store(item, at: index, of: topology.ptr_interfaces)
    }
    for (index, pad) in pads.enumerated() {
      var item = media_v2_pad()
      (item.id, item.entity_id, item.index) = (pad.id, pad.entity, pad.index ?? 0)
      store(item, at: index, of: topology.ptr_pads)
    }
    for (index, link) in links.enumerated() {
      var item = media_v2_link()
      (item.source_id, item.sink_id, item.flags) = (link.source, link.sink, link.flags)
      store(item, at: index, of: topology.ptr_links)
    }
    return 0
  }

  private func store<Item>(_ item: Item, at index: Int, of address: UInt64) {
    let start = unsafe UnsafeMutableRawPointer(bitPattern: UInt(address))
    unsafe start?.storeBytes(
      of: item, toByteOffset: index * MemoryLayout<Item>.stride, as: Item.self)
  }
}

extension ScriptedDriver {
  /// The controls of a webcam whose driver has no clusters.
  static let webcam: [Control] = [
    Control(number: V4L2_CID_BRIGHTNESS.bits, maximum: 255, initial: 128),
    Control(
      number: V4L2_CID_AUTO_WHITE_BALANCE.bits, type: V4L2_CTRL_TYPE_BOOLEAN, maximum: 1, initial: 1
    ),
    Control(number: V4L2_CID_RED_BALANCE.bits, initial: 256, flags: V4L2_CTRL_FLAG_INACTIVE),
    Control(number: V4L2_CID_BLUE_BALANCE.bits, initial: 256, flags: V4L2_CTRL_FLAG_INACTIVE),
    Control(
      number: V4L2_CID_EXPOSURE_AUTO.bits, type: V4L2_CTRL_TYPE_MENU, maximum: 3, initial: 3,
      menu: [1: "Manual Mode", 3: "Aperture Priority Mode"]),
    Control(number: V4L2_CID_EXPOSURE_ABSOLUTE.bits, minimum: 3, maximum: 2047, initial: 250),
  ]

  func access() throws(CameraError) -> CameraControls {
    try CameraControls(
      [ControlSource(path: "/dev/null", handle: self, kind: .videoNode)], camera: "cam")
  }

  /// The control numbers of every transaction, in the order of writing.
  var written: [[Int]] { state.withLock { $0.writes.map { $0.map { Int($0.number) } } } }
}

/// A value for one thread at a time; unlike that of `Mutex`, the thread sanitizer sees its lock.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
