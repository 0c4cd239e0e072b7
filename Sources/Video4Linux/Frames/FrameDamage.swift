/// An error that states why a buffer holds no whole frame.
struct FrameDamage: Error {
  /// The defect, in a few words.
  var reason: String
}
