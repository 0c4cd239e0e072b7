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
    .library(name: "CameraControl", targets: ["CameraControl"]),
    .library(name: "SimulatedCamera", targets: ["SimulatedCamera"]),
  ],
  targets: [
    .target(name: "ColorScience", swiftSettings: strict, linkerSettings: libm),
    .testTarget(
      name: "ColorScienceTests", dependencies: ["ColorScience"], swiftSettings: strict),
    .target(
      name: "WhiteBalance", dependencies: ["ColorScience"], swiftSettings: strict,
      linkerSettings: libm),
    .testTarget(
      name: "WhiteBalanceTests", dependencies: ["WhiteBalance", "SimulatedCamera"],
      swiftSettings: strict),
    .target(name: "CameraControl", dependencies: ["WhiteBalance"], swiftSettings: strict),
    .target(name: "CMeasuredSpectra"),
    .target(
      name: "SimulatedCamera", dependencies: ["CameraControl", "CMeasuredSpectra"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulatedCameraTests", dependencies: ["SimulatedCamera"], swiftSettings: strict),
    .target(
      name: "Reports", dependencies: ["WhiteBalance", "ColorScience"], swiftSettings: strict,
      linkerSettings: libm),
    .testTarget(name: "ReportsTests", dependencies: ["Reports"], swiftSettings: strict),
    .executableTarget(
      name: "calibration-study", dependencies: ["SimulatedCamera"], path: "Calibration/Study",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
