internal import Synchronization
package import WhiteBalance

/// A recorder of a camera's events.
public final class CameraRecorder: Sendable {
  private let kept = Mutex<Kept?>(nil)

  /// The recording, and the values of the camera's controls that it contains so far.
  private struct Kept {
    var recording: CameraRecording
    var known: [ControlID: Int]
  }

  /// Creates an empty recorder.
  public init() {}

  /// The recording up to now; `nil` before a camera has begun one.
  public var recording: CameraRecording? { kept.withLock { $0?.recording } }

  /// Adds an event; has no effect before a camera has begun the recording.
  public func add(_ event: CameraRecording.Event) {
    kept.withLock { kept in
      kept?.recording.events.append(event)
      if case .set(let values) = event { kept?.known.merge(values.byControl) { $1 } }
    }
  }

  /// Adds a value that the camera reported, if it is not known already.
  package func noteReading(_ value: ControlValue) {
    kept.withLock { kept in
      guard let known = kept?.known[value.id], known != value.value else { return }
      kept?.known[value.id] = value.value
      kept?.recording.events.append(.read(value))
    }
  }

  package func begin(_ camera: CameraRecording.Header) {
    kept.withLock {
      $0 = Kept(
        recording: CameraRecording(camera: camera), known: camera.settings.byControl)
    }
  }
}

extension CameraRecording.Frame {
  /// Creates the record of a frame's region; `nil` if the frame's layout or the region is invalid.
  package init?(_ info: FrameInfo, _ bytes: Span<UInt8>, region: GrayCardEstimator.Region) {
    func thousandths(_ codes: [Double]) -> [Double] { codes.map { (1000 * $0).rounded() / 1000 } }
    do throws(FrameError) {
      let rectangle = GrayCardEstimator(region: region).rectangle(in: info.layout)
      let all = try CodeMean(bytes, layout: info.layout, region: rectangle)
      self.init(
        sequence: info.sequence, seconds: info.timestamp / .seconds(1),
        format: info.layout.format.fourCC ?? "", codes: thousandths(all.codes),
        deviations: thousandths(all.deviations),
        clipped: all.clipped.map { (10_000 * $0).rounded() / 10_000 }, pixels: all.pixels,
        picture: try Self.squares(bytes, info.layout, rectangle, all))
    } catch { return nil }
  }

  /// Returns the mean codes of the picture's squares, as whole numbers.
  private static func squares(
    _ bytes: Span<UInt8>, _ layout: FrameLayout, _ region: PixelRectangle, _ all: CodeMean
  ) throws(FrameError) -> [Int] {
    func whole(_ mean: CodeMean) -> [Int] { mean.codes.map { Int($0.rounded()) } }
    // A cell of a color filter is two pixels wide; a region smaller than the squares has one color.
    if region.width < 2 * pictureColumns || region.height < 2 * pictureRows {
      return Array(repeating: whole(all), count: pictureColumns * pictureRows).flatMap(\.self)
    }
    return try FrameStatistics.zones(
      bytes, layout: CodeMean.layoutOfCodes(layout), region: region, columns: pictureColumns,
      rows: pictureRows
    ).flatMap { whole(CodeMean($0)) }
  }
}
