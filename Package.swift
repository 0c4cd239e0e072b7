// swift-tools-version: 6.2
import PackageDescription

/// Set only by `make test`: dependents must not see unsafe flags. Whole modules at once build in
/// two thirds of the time, and optimized computations save minutes of testing.
let isForTests = Context.environment["WBCAL_OPTIMIZED"] != nil
/// Set by `make test-color` and others: targets of tests, with blanks between them, beside which
/// there is nothing but what they need.
let wanted = Context.environment["WBCAL_TESTS_OF"]
let strict: [SwiftSetting] =
  [
    .strictMemorySafety(), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (isForTests
    ? [
      .unsafeFlags([
        "-disable-batch-mode", "-wmo", "-num-threads", "2",
        // A larger expression takes the type checker a second and more.
        "-Xfrontend", "-solver-scope-threshold=50000",
      ])
    ] : [])
let optimized: [SwiftSetting] = isForTests ? [.unsafeFlags(["-O"])] : []
let optimizedC: [CSetting] = isForTests ? [.unsafeFlags(["-O2"])] : []
let libm: [LinkerSetting] = [.linkedLibrary("m", .when(platforms: [.linux, .android]))]

/// A Swift module of this package. Tests run the code of some so much that it is optimized for
/// them.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
  isOptimized: Bool = false, settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path,
    swiftSettings: strict + settings + (isOptimized ? optimized : []),
    linkerSettings: libm)
}

/// The tests of a module.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  isOptimized: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude,
    swiftSettings: strict + (isOptimized ? optimized : []))
}

/// A short program that shows a flow of an app with manual camera controls.
func example(_ name: String) -> Target {
  .executableTarget(
    name: "wbcal-example-\(name.lowercased())",
    dependencies: [
      "CameraControl", "CameraProfiles", "ColorScience", "WbcalExampleCamera", "WhiteBalance",
    ],
    path: "Examples/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "wbcal",
  // What `Mutex` and typed throws of asynchronous sequences ask for. Linux is what is tested.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ColorScience", targets: ["ColorScience"]),
    .library(name: "WhiteBalance", targets: ["WhiteBalance"]),
    .library(name: "CalibrationTargets", targets: ["CalibrationTargets"]),
    .library(name: "CameraProfiles", targets: ["CameraProfiles"]),
    .library(name: "CameraControl", targets: ["CameraControl"]),
    .library(name: "SimulatedScenes", targets: ["SimulatedScenes"]),
    .library(name: "SimulatedCamera", targets: ["SimulatedCamera"]),
    .library(name: "Video4Linux", targets: ["Video4Linux"]),
    .library(name: "GenICam", targets: ["GenICam"]),
    .library(name: "ICCProfiles", targets: ["ICCProfiles"]),
    .library(name: "ProfileFiles", targets: ["ProfileFiles"]),
    .library(name: "WhiteBalanceTestSupport", targets: ["WhiteBalanceTestSupport"]),
    .library(name: "CameraTestSupport", targets: ["CameraTestSupport"]),
    .executable(name: "wbcal", targets: ["wbcal"]),
  ],
  traits: [
    .trait(name: "RawPhotographs", description: "Read raw photographs, through LibRaw."),
    .trait(
      name: "GenICam", description: "Use GigE Vision and USB3 Vision cameras, through Aravis."),
    .trait(name: "ICC", description: "Read and write ICC profiles, through Little CMS."),
    .default(enabledTraits: ["ICC", "RawPhotographs"]),
  ],
  // Every module that is imported is named, even if another one brings it along: the build waits
  // only for the modules that are named.
  targets: [
    module("ColorScience", isOptimized: true),
    .target(name: "CWbcalFrameKernels", cSettings: optimizedC),
    module("WhiteBalance", ["CWbcalFrameKernels", "ColorScience"], isOptimized: true),
    module("CalibrationTargets", ["ColorScience", "WhiteBalance"], isOptimized: true),
    module("CameraProfiles", ["ColorScience", "WhiteBalance"], isOptimized: true),
    module(
      "CameraControl", ["CameraProfiles", "ColorScience", "WhiteBalance"], isOptimized: true,
      // What an app passes to an operation stays on the app's actor.
      settings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .target(name: "CWbcalMeasuredSpectra", cSettings: optimizedC),
    module(
      "SimulatedScenes",
      ["CWbcalMeasuredSpectra", "ColorScience", "WbcalFoundation", "WhiteBalance"],
      isOptimized: true),
    module(
      "SimulatedCamera",
      ["CameraControl", "CameraProfiles", "ColorScience", "SimulatedScenes", "WhiteBalance"],
      isOptimized: true),

    module("WhiteBalanceTestSupport", ["ColorScience", "WhiteBalance"]),
    module("CameraTestSupport", ["CameraControl", "CameraProfiles", "WhiteBalance"]),

    module("WbcalSystem"),
    module("WbcalFoundation"),
    .systemLibrary(name: "CWbcalVideo4Linux"),
    module(
      "Video4Linux",
      [
        "CWbcalVideo4Linux", "CameraControl", "CameraProfiles", "ColorScience", "WbcalSystem",
        "WhiteBalance",
      ]),

    // Its pkg-config file, which names the folders of headers, also asks for -pthread: that draws a
    // warning where the trait is enabled.
    .systemLibrary(
      name: "CWbcalAravis", pkgConfig: "aravis-0.8",
      providers: [.apt(["libaravis-dev", "libusb-1.0-0-dev"]), .brew(["aravis"])]),
    module(
      "GenICam",
      [
        .target(name: "CWbcalAravis", condition: .when(traits: ["GenICam"])), "CameraControl",
        "CameraProfiles", "ColorScience", "WbcalSystem", "WhiteBalance",
      ]),

    .systemLibrary(
      name: "CWbcalLittleCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    module(
      "ICCProfiles",
      [.target(name: "CWbcalLittleCMS", condition: .when(traits: ["ICC"])), "ColorScience"]),

    .systemLibrary(
      name: "CWbcalSPNG", pkgConfig: "spng",
      providers: [.apt(["libspng-dev"]), .brew(["libspng"])]),
    .systemLibrary(
      name: "CWbcalTIFF", pkgConfig: "libtiff-4",
      providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]),
    .systemLibrary(
      name: "CWbcalTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    // Its pkg-config file asks for -fopenmp, which draws a warning; the module map names the
    // library instead.
    .systemLibrary(
      name: "CWbcalLibRaw", providers: [.apt(["libraw-dev"]), .brew(["libraw"])]),
    module(
      "WbcalImageFiles",
      [
        .target(name: "CWbcalLibRaw", condition: .when(traits: ["RawPhotographs"])), "CWbcalSPNG",
        "CWbcalTIFF", "CWbcalTurboJPEG", "ColorScience", "WbcalSystem",
        "WhiteBalance",
      ]),

    module("ProfileFiles", ["ColorScience", "WbcalFoundation", "WhiteBalance"]),
    module(
      "WbcalReports",
      ["CameraProfiles", "ColorScience", "WbcalStudioPage", "WbcalSystem", "WhiteBalance"]),
    module("WbcalArguments", ["WbcalSystem"]),
    .systemLibrary(
      name: "CWbcalMicroHTTP", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    module("WbcalWebServer", ["CWbcalMicroHTTP", "WbcalSystem"]),
    .target(name: "WbcalStudioPage", exclude: ["Page"]),
    .executableTarget(
      name: "wbcal",
      dependencies: [
        "CalibrationTargets", "CameraControl", "CameraProfiles", "ColorScience", "ICCProfiles",
        "ProfileFiles",
        "SimulatedCamera", "SimulatedScenes", "WbcalArguments", "WbcalFoundation",
        "WbcalImageFiles", "WbcalReports", "WbcalSystem", "WbcalWebServer",
        "WhiteBalance",
        .target(name: "GenICam", condition: .when(traits: ["GenICam"])),
        .target(name: "Video4Linux", condition: .when(platforms: [.linux])),
      ], swiftSettings: strict),
    .executableTarget(
      name: "wbcal-camera-probe",
      dependencies: [
        "CameraControl", "CameraProfiles", "CameraTestSupport", "ColorScience", "Video4Linux",
        "WhiteBalance",
      ],
      path: "Tests/CameraLab/Probe", swiftSettings: strict),
    .executableTarget(
      name: "wbcal-chain-benchmark",
      dependencies: [
        "CameraControl", "CameraProfiles", "ColorScience", "SimulatedCamera", "SimulatedScenes",
        "WhiteBalance",
      ],
      path: "Benchmarks/Chains", swiftSettings: strict),
    .executableTarget(
      name: "wbcal-calibration-study",
      dependencies: ["ColorScience", "SimulatedScenes", "WhiteBalance"],
      path: "Calibration/Study", swiftSettings: strict),

    .target(
      name: "WbcalExampleCamera",
      dependencies: [
        "CameraControl", "CameraProfiles", "SimulatedCamera", "SimulatedScenes",
        .target(name: "GenICam", condition: .when(traits: ["GenICam"])),
        .target(name: "Video4Linux", condition: .when(platforms: [.linux])),
      ], path: "Examples/ExampleCamera", swiftSettings: strict),
    example("Focus"), example("Exposure"), example("WhiteBalance"), example("Bracket"),

    tests("ColorScienceTests", ["ColorScience", "WhiteBalanceTestSupport"]),
    module(
      "SimulatedRooms", ["ColorScience", "SimulatedScenes", "WhiteBalance"],
      path: "Tests/SimulatedRooms", isOptimized: true),
    tests(
      "WhiteBalanceTests",
      [
        "CWbcalFrameKernels", "ColorScience", "SimulatedRooms", "SimulatedScenes", "WhiteBalance",
        "WhiteBalanceTestSupport",
      ]),
    tests(
      "CalibrationTargetsTests",
      [
        "CalibrationTargets", "ColorScience", "SimulatedScenes", "WhiteBalance",
        "WhiteBalanceTestSupport",
      ],
      // It renders hundreds of scenes.
      isOptimized: true),
    tests(
      "CameraProfilesTests", ["CameraProfiles", "ColorScience", "WhiteBalance"],
      exclude: ["Fixtures"],
      // It fits models of dozens of cameras.
      isOptimized: true),
    tests(
      "CameraControlTests",
      [
        "CameraControl", "CameraProfiles", "ColorScience", "SimulatedCamera", "SimulatedScenes",
        "WhiteBalance",
        "WhiteBalanceTestSupport",
      ]),
    tests(
      "Video4LinuxTests",
      [
        "CWbcalVideo4Linux", "CameraControl", "CameraProfiles", "CameraTestSupport", "ColorScience",
        "Video4Linux", "WhiteBalance",
      ]),
    tests(
      "GenICamTests",
      [
        .target(name: "GenICam", condition: .when(traits: ["GenICam"])), "CameraControl",
        "CameraProfiles", "CameraTestSupport", "ColorScience", "SimulatedScenes", "WbcalArguments",
        "WbcalSystem", "WhiteBalance", "wbcal",
      ]),
    tests("SimulatedScenesTests", ["ColorScience", "SimulatedScenes", "WhiteBalance"]),
    tests(
      "SimulatedCameraTests",
      [
        "CameraControl", "CameraProfiles", "ColorScience", "SimulatedCamera", "SimulatedScenes",
        "WhiteBalance",
      ]),
    tests(
      "ICCProfilesTests",
      ["CWbcalLittleCMS", "ColorScience", "ICCProfiles", "WhiteBalanceTestSupport"]),
    tests(
      "WbcalImageFilesTests",
      [
        "CWbcalTurboJPEG", "CalibrationTargets", "ColorScience", "WbcalImageFiles",
        "WhiteBalance",
        "WhiteBalanceTestSupport",
      ],
      exclude: ["Fixtures"]),
    tests(
      "ProfileFilesTests",
      [
        .target(name: "CWbcalLibRaw", condition: .when(traits: ["RawPhotographs"])), "ColorScience",
        "ProfileFiles", "SimulatedScenes", "WbcalImageFiles", "WhiteBalance",
      ]),
    tests(
      "WbcalReportsTests",
      ["CameraProfiles", "ColorScience", "SimulatedScenes", "WbcalReports", "WhiteBalance"]),
    tests(
      "CalibrationStudyTests",
      ["ColorScience", "SimulatedScenes", "WhiteBalance", "wbcal-calibration-study"]),
    tests(
      "WbcalTests",
      [
        .target(name: "CWbcalLibRaw", condition: .when(traits: ["RawPhotographs"])),
        "CameraControl", "CameraProfiles", "ColorScience", "ProfileFiles", "SimulatedCamera",
        "SimulatedScenes",
        "WbcalArguments", "WbcalImageFiles", "WbcalSystem", "WhiteBalance",
        "WhiteBalanceTestSupport", "wbcal",
      ], exclude: ["Studio"]),
    tests(
      "WhiteBalanceTestSupportTests", ["ColorScience", "WhiteBalance", "WhiteBalanceTestSupport"]),
    tests(
      "CameraTestSupportTests",
      [
        "CameraControl", "CameraProfiles", "CameraTestSupport", "ColorScience", "SimulatedCamera",
        "SimulatedScenes", "WhiteBalance", "WhiteBalanceTestSupport",
      ]),
    tests("WbcalArgumentsTests", ["WbcalArguments"]),
    tests("WbcalWebServerTests", ["WbcalWebServer"]),
  ],
  swiftLanguageModes: [.v6]
)

if let wanted {
  var rest = wanted.split(separator: " ").map(String.init)
  var kept: Set<String> = []
  while let name = rest.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): rest.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}
