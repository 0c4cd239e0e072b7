// swift-tools-version: 6.2
import PackageDescription

// Someone who wants the color science alone: see `make test-consumer`.
let package = Package(
  name: "consumer",
  dependencies: [.package(name: "wbcal", path: "../..")],
  targets: [
    .executableTarget(
      name: "consumer", dependencies: [.product(name: "ColorScience", package: "wbcal")])
  ]
)
