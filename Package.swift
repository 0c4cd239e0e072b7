// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let libm: [LinkerSetting] = [.linkedLibrary("m", .when(platforms: [.linux, .android]))]

/// A Swift module of this package.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: libm)
}

/// The tests of a module.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "wbcal",
  products: [
    .library(name: "ColorScience", targets: ["ColorScience"]),
    .library(name: "WhiteBalance", targets: ["WhiteBalance"]),
    .library(name: "CameraControl", targets: ["CameraControl"]),
    .library(name: "SimulatedCamera", targets: ["SimulatedCamera"]),
    .library(name: "ICCProfiles", targets: ["ICCProfiles"]),
    .executable(name: "wbcal", targets: ["wbcal"]),
  ],
  targets: [
    module("ColorScience"),
    module("WhiteBalance", ["ColorScience"]),
    module("CameraControl", ["WhiteBalance"]),
    .target(name: "CMeasuredSpectra"),
    module("SimulatedCamera", ["CameraControl", "CMeasuredSpectra"]),

    .systemLibrary(name: "CLittleCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    module("ICCProfiles", ["ColorScience", "CLittleCMS"]),

    .systemLibrary(name: "CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // Its pkg-config file asks for -fopenmp, which draws a warning; the module map names the library.
    .systemLibrary(name: "CLibRaw", providers: [.apt(["libraw-dev"])]),
    module("ImageFiles", ["WhiteBalance", "CSPNG", "CTIFF", "CTurboJPEG", "CLibRaw"]),

    module("Reports", ["WhiteBalance"]),
    module("ArgumentParser"),
    .executableTarget(
      name: "wbcal",
      dependencies: ["ArgumentParser", "SimulatedCamera", "ICCProfiles", "ImageFiles", "Reports"],
      swiftSettings: strict),
    .executableTarget(
      name: "calibration-study", dependencies: ["SimulatedCamera"], path: "Calibration/Study",
      swiftSettings: strict),

    tests("ColorScienceTests", ["ColorScience"]),
    tests("WhiteBalanceTests", ["WhiteBalance", "SimulatedCamera"]),
    tests("CameraControlTests", ["SimulatedCamera"]),
    tests("SimulatedCameraTests", ["SimulatedCamera"]),
    tests("ICCProfilesTests", ["ICCProfiles"]),
    tests("ImageFilesTests", ["ImageFiles"], exclude: ["Fixtures"]),
    tests("ReportsTests", ["Reports"]),
    tests("WbcalTests", ["wbcal"]),
    tests("ArgumentParserTests", ["ArgumentParser"]),
  ],
  swiftLanguageModes: [.v6]
)
