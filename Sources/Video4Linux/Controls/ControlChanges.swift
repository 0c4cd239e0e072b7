import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Dispatch
import Glibc
import Synchronization

/// Watches a device's controls on a separate handle, for a stream of their changes.
///
/// The kernel reports to a handle no changes that were made through it, so this one sets nothing.
/// It does not report controls that the camera itself moves either: those are read twice a second,
/// as are all controls of a device that reports no events.
final class ControlChanges: Sendable {
  private let access: ControlAccess
  /// Indicates whether the device reports the changes of at least one control.
  private let hasEvents: Bool
  private let isEnded: End

  /// Indicates whether the stream has ended, for all devices of a camera.
  private final class End: Sendable { let isReached = Mutex(false) }

  /// The time in milliseconds within which the end of the stream is noticed.
  private static let slice: CInt = 250
  private static let period = Duration.milliseconds(500)

  /// Subscribes to the changes of all controls: VIDIOC_SUBSCRIBE_EVENT.
  private init(_ access: ControlAccess, until end: End) {
    self.access = access
    isEnded = end
    var count = 0
    for control in access.table.controls {
      var subscription = v4l2_event_subscription()
      subscription.type = V4L2_EVENT_CTRL.bits
      subscription.id = control.number
      // Changes of a control that cannot be subscribed to are not reported.
      if access.handle.perform(CV4L_SUBSCRIBE_EVENT, on: &subscription) >= 0 { count += 1 }
    }
    hasEvents = count > 0
  }

  /// Returns the changes of controls, until the first device vanishes or the stream's consumer ends
  /// it.
  static func stream(_ devices: [ControlAccess]) -> AsyncStream<ControlValue> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ControlValue.self, bufferingPolicy: .bufferingNewest(64))
    let end = End()
    continuation.onTermination = { _ in end.isReached.withLock { $0 = true } }
    for (index, device) in devices.enumerated() where index == 0 || !device.table.controls.isEmpty {
      let changes = ControlChanges(device, until: end)
      DispatchQueue(label: "Video4Linux.changes").async {
        changes.run(continuation)
        if index == 0 { continuation.finish() }
      }
    }
    return stream
  }

  private func run(_ continuation: AsyncStream<ControlValue>.Continuation) {
    var isVolatile = Set(
      access.table.controls.map(\.description.id).filter {
        !hasEvents || (try? access.flags(of: $0))?.contains(.volatile) == true
      })
    var values: [ControlID: Int] = [:]
    var nextReading = ContinuousClock.now
    while !isEnded.isReached.withLock({ $0 }) {
      let events = waitForEvents()
      if events < 0 || events & (POLLERR | POLLHUP) != 0 { return }
      while events != 0, let event = nextEvent() {
        guard let control = access.table[event.id] else { continue }
        let id = control.description.id
        let change = unsafe event.u.ctrl
        let flags = ControlFlags(driver: change.flags)
        if flags.contains(.volatile) { isVolatile.insert(id) } else { isVolatile.remove(id) }
        guard change.changes & V4L2_EVENT_CTRL_CH_VALUE.bits != 0 else { continue }
        let value = control.value(change.value)
        values[id] = value
        continuation.yield(ControlValue(id, value))
      }
      guard !isVolatile.isEmpty, ContinuousClock.now >= nextReading else { continue }
      nextReading = .now + Self.period
      for id in isVolatile {
        guard let value = try? access.value(of: id) else { continue }
        if let old = values.updateValue(value, forKey: id), old != value {
          continuation.yield(ControlValue(id, value))
        }
      }
    }
  }

  /// Waits for events as long as the end of the stream may go unnoticed.
  private func waitForEvents() -> CInt {
    if hasEvents || access.table.controls.isEmpty {
      return access.handle.wait(for: POLLPRI, milliseconds: Self.slice)
    }
    usleep(UInt32(Self.slice) * 1000)
    return 0
  }

  private func nextEvent() -> v4l2_event? {
    var event = v4l2_event()
    return access.handle.perform(CV4L_DQEVENT, on: &event) >= 0 ? event : nil
  }
}
