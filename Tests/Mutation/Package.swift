// swift-tools-version: 6.2
// The modules that are mutated, with their tests and nothing else: what a mutation rebuilds. It is
// copied, with what it names, to a folder of its own.
import PackageDescription

let language: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-suppress-warnings"]),
]
let optimized = language + [.unsafeFlags(["-O"])]

let package = Package(
  name: "mutants",
  targets: [
    .target(name: "ColorScience", swiftSettings: optimized),
    .target(name: "CWbcalFrameKernels"),
    .target(
      name: "WhiteBalance", dependencies: ["CWbcalFrameKernels", "ColorScience"],
      swiftSettings: optimized),
    .target(
      name: "CalibrationTargets", dependencies: ["ColorScience", "WhiteBalance"],
      swiftSettings: optimized),
    .target(name: "WbcalFoundation", swiftSettings: language),
    .target(name: "CWbcalMeasuredSpectra"),
    .target(
      name: "SimulatedScenes",
      dependencies: ["CWbcalMeasuredSpectra", "ColorScience", "WbcalFoundation", "WhiteBalance"],
      swiftSettings: optimized),
    .target(
      name: "WhiteBalanceTestSupport", dependencies: ["ColorScience", "WhiteBalance"],
      swiftSettings: language),
    .testTarget(
      name: "ColorScienceTests", dependencies: ["ColorScience", "WhiteBalanceTestSupport"],
      swiftSettings: language),
    .testTarget(
      name: "WhiteBalanceTests",
      dependencies: [
        "CWbcalFrameKernels", "ColorScience", "SimulatedScenes", "WhiteBalance",
        "WhiteBalanceTestSupport",
      ],
      swiftSettings: language),
    .testTarget(
      name: "CalibrationTargetsTests",
      dependencies: [
        "CalibrationTargets", "ColorScience", "SimulatedScenes", "WhiteBalance",
        "WhiteBalanceTestSupport",
      ],
      swiftSettings: optimized),
  ],
  swiftLanguageModes: [.v6]
)
