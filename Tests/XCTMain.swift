import Foundation
import Testing

/// The start of all tests. With it the build need not search all tests for those of XCTest, for
/// which it would index them: a quarter of the time that tests take to compile. SwiftPM then does
/// not use Swift Testing unless it is asked to.
@main
enum TestRun {
  static func main() async {
    if CommandLine.arguments.contains("--dump-tests-json") {
      FileHandle.standardError.write(
        Data("select tests by 'swift test --disable-xctest --enable-swift-testing'\n".utf8))
      exit(64)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
