// swift-tools-version: 6.2
// The color science and white balance with their tests and nothing else: what a mutation rebuilds. It is
// copied, with what it names, to a folder of its own.
import PackageDescription

let language: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let optimized = language + [.unsafeFlags(["-O", "-suppress-warnings"])]

let package = Package(
  name: "mutants",
  targets: [
    .target(name: "ColorScience", swiftSettings: optimized),
    .target(name: "CFrameKernels"),
    .target(
      name: "WhiteBalance", dependencies: ["CFrameKernels", "ColorScience"],
      swiftSettings: optimized),
    .target(
      name: "CameraControl", dependencies: ["ColorScience", "WhiteBalance"], swiftSettings: language
    ),
    .target(name: "CMeasuredSpectra"),
    .target(
      name: "SimulatedCamera",
      dependencies: ["CameraControl", "CMeasuredSpectra", "ColorScience", "WhiteBalance"],
      swiftSettings: optimized),
    .testTarget(
      name: "ColorScienceTests", dependencies: ["ColorScience"], swiftSettings: language),
    .testTarget(
      name: "WhiteBalanceTests",
      dependencies: ["CFrameKernels", "ColorScience", "SimulatedCamera", "WhiteBalance"],
      swiftSettings: language),
  ],
  swiftLanguageModes: [.v6]
)
