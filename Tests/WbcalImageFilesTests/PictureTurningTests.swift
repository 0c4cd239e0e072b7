import Testing
import WbcalImageFiles
import WhiteBalance

/// Tests a picture of an F as cameras in other orientations store it, after the drawings of the
/// Exif standard.
struct PictureTurningTests {
  private static let upright = ["###", "#..", "##.", "#..", "#.."]

  @Test(arguments: [
    (1, ["###", "#..", "##.", "#..", "#.."]), (2, ["###", "..#", ".##", "..#", "..#"]),
    (3, ["..#", "..#", ".##", "..#", "###"]), (4, ["#..", "#..", "##.", "#..", "###"]),
    (5, ["#####", "#.#..", "#...."]), (6, ["#....", "#.#..", "#####"]),
    (7, ["....#", "..#.#", "#####"]), (8, ["#####", "..#.#", "....#"]),
  ])
  func allEight(orientation: Int, stored: [String]) throws {
    let layout = try FrameLayout(
      width: stored[0].utf8.count, height: stored.count, format: .rgb8)
    let bytes = stored.joined().utf8.flatMap { [$0, $0, $0] }
    let turned = try Frame(layout: layout, bytes: bytes).upright(orientation: orientation)
    #expect(turned.layout.width == 3 && turned.layout.height == 5)
    let seen = stride(from: 0, to: turned.bytes.count, by: 3).map { turned.bytes[$0] }
    #expect(String(decoding: seen, as: UTF8.self) == Self.upright.joined())
  }
}
