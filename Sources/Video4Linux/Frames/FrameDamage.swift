/// Why a buffer holds no whole frame.
struct FrameDamage: Error {
  /// What is wrong, in a few words.
  var reason: String
}
