// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "wbcal", path: "..")],
  targets: [
    .systemLibrary(
      name: "CLittleCMSPeer", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .executableTarget(
      name: "benchmark",
      dependencies: ["CLittleCMSPeer", "Pairs", .product(name: "ColorScience", package: "wbcal")]),
    .executableTarget(
      name: "frame-benchmark",
      dependencies: [
        "Pairs", .product(name: "ColorScience", package: "wbcal"),
        .product(name: "WhiteBalance", package: "wbcal"),
      ]),
    .executableTarget(
      name: "stream-benchmark",
      dependencies: [
        .product(name: "ColorScience", package: "wbcal"),
        .product(name: "WhiteBalance", package: "wbcal"),
      ]),
    .target(name: "Pairs"),
    .executableTarget(name: "libraw-peer", linkerSettings: [.linkedLibrary("raw_r")]),
    .executableTarget(name: "files-benchmark"),
  ],
  swiftLanguageModes: [.v6]
)
