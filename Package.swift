// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let libm: [LinkerSetting] = [.linkedLibrary("m", .when(platforms: [.linux, .android]))]

let package = Package(
  name: "wbcal",
  products: [
    .library(name: "ColorScience", targets: ["ColorScience"]),
    .library(name: "WhiteBalance", targets: ["WhiteBalance"]),
  ],
  targets: [
    .target(name: "ColorScience", swiftSettings: strict, linkerSettings: libm),
    .target(name: "WhiteBalance", dependencies: ["ColorScience"], swiftSettings: strict),
    .target(name: "ArgumentParser", swiftSettings: strict),
    .testTarget(
      name: "ArgumentParserTests", dependencies: ["ArgumentParser"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
