import Testing

/// The start of all tests. With it the build need not search all tests for those of XCTest, for
/// which it would index them: a quarter of the time that tests take to compile.
@main
enum TestRun {
  static func main() async {
    // SwiftPM starts this for XCTest, too.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
