// Fuzzes the bodies that a page of the studio sends with actions, and the commands made from them.

import Foundation

@testable import wbcal

/// The actions, each with its body.
let seeds: [[UInt8]] = [
  "set\n{\"temperature\":5000,\"tint\":0,\"class\":\"thermal\"}", "set\n{\"gains\":[1.5,1,1.7]}",
  "set\n{\"xy\":[0.3457,0.3585]}", "set\n{\"light\":\"spd:lamp.csv\"}",
  "set\n{\"mode\":\"locked\"}", "set\n{\"controls\":{\"red_balance\":400,\"blue_balance\":3e2}}",
  "set\n{\"preset\":\"daylight\"}", "gray\n{\"region\":[100,70,120,100]}",
  "exposure\n{\"duration\":0.01,\"gain\":2}", "exposure\n{\"compensation\":-1e-3}",
  "focus\n{\"position\":0.5,\"region\":[0,0,9,9]}", "focus\n{\"sweep\":true}",
  "find\n{\"what\":\"chart\"}", "estimate\n{\"region\":null}",
  "bracket\n{\"count\":3,\"steps\":2,\"output\":\"card{ev}.png\"}",
  "bracket\n{\"output\":\"../a.png\"}",
  "set\n{\"a\":{\"b\":[[],\"\\u0000\",1e999,-0]}}",
].map { Array($0.utf8) }

private let context = StudioAction.Context(
  device: try! DeviceSpecification(argument: "simulated"), profile: nil, region: nil,
  folder: try! StudioFolder(FileManager.default.temporaryDirectory.path))

private let folder = context.folder.path(of: "")

/// Checks that no command names a file outside the studio's folder.
func test(_ bytes: [UInt8]) {
  guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
    let body = try? StudioBody(Array(bytes[(end + 1)...])),
    let action = try? StudioAction.named(
      String(decoding: bytes[..<end], as: UTF8.self), body, context)
  else { return }
  let words = action.command?.words ?? []
  for (option, value) in zip(words, words.dropFirst()) {
    if option == "--light", value.hasPrefix("spd:") { fatalError("a file of the computer is read") }
    if option == "--output", !value.hasPrefix(folder) || value.dropFirst(folder.count).contains("/")
    {
      fatalError("a picture is written outside the folder: \(value)")
    }
  }
}
