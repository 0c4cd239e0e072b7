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
    .systemLibrary(name: "CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // Its pkg-config file asks for -fopenmp, which draws a warning; the module map names the library.
    .systemLibrary(name: "CLibRaw", providers: [.apt(["libraw-dev"])]),
    .target(
      name: "ImageFiles",
      dependencies: [
        "WhiteBalance", "ColorScience", "CSPNG", "CTIFF", "CTurboJPEG", "CLibRaw",
      ], swiftSettings: strict),
    .testTarget(
      name: "ImageFilesTests", dependencies: ["ImageFiles", "WhiteBalance", "ColorScience"],
      exclude: ["Fixtures"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
