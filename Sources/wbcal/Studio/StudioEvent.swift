/// An event that is sent to pages.
struct StudioEvent: Sendable {
  var name: String
  /// One JSON object, in a line.
  var data: String
  /// `true` if only the newest event of its name is needed.
  var isState = false
}
