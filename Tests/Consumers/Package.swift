// swift-tools-version: 6.2
import PackageDescription

// Someone else's package with one program for each library product, which it depends on alone: see
// `make test-consumers`. The package is the one around it, or that of a URL with a version.
let wbcal: Package.Dependency =
  Context.environment["WBCAL_URL"].map { .package(url: $0, from: "0.1.0") }
  ?? .package(name: "wbcal", path: "../..")

func program(_ product: String) -> Target {
  .executableTarget(
    name: "use-\(product)", dependencies: [.product(name: product, package: "wbcal")],
    path: "Sources/\(product)")
}

let package = Package(
  name: "consumers", dependencies: [wbcal],
  targets: [
    program("ColorScience"), program("WhiteBalance"), program("CalibrationTargets"),
    program("CameraControl"), program("SimulatedCamera"), program("Video4Linux"),
    program("ICCProfiles"), program("ProfileFiles"), program("WhiteBalanceTestSupport"),
    .testTarget(
      name: "WrongConversionTests",
      dependencies: [.product(name: "WhiteBalanceTestSupport", package: "wbcal")], path: "Tests"),
  ]
)
