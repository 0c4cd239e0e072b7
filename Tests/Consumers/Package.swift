// swift-tools-version: 6.2
import PackageDescription

// A foreign package with one program for each library product, which depends on that product only,
// and one that imports all of them together with another package: see `make test-consumers`. It
// depends on the package in the enclosing folder, or on that of a URL with a version.
let wbcal: Package.Dependency =
  Context.environment["WBCAL_URL"].map { .package(url: $0, from: "0.1.0") }
  ?? .package(name: "wbcal", path: "../..")
let products = [
  "ColorScience", "WhiteBalance", "CalibrationTargets", "CameraProfiles", "CameraControl",
  "SimulatedScenes",
  "SimulatedCamera", "Video4Linux", "GenICam", "ICCProfiles", "ProfileFiles",
  "WhiteBalanceTestSupport", "CameraTestSupport",
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "wbcal") }

let package = Package(
  name: "consumers", dependencies: [wbcal, .package(path: "Neighbor")],
  targets: products.map {
    .executableTarget(name: "use-\($0)", dependencies: [product($0)], path: "Sources/\($0)")
  } + [
    .executableTarget(
      name: "use-all",
      dependencies: products.map(product) + [.product(name: "Neighbor", package: "neighbor")],
      path: "Together"),
    .testTarget(
      name: "WrongConversionTests", dependencies: [product("WhiteBalanceTestSupport")],
      path: "Tests"),
  ]
)
