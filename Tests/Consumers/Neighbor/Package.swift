// swift-tools-version: 6.2
import PackageDescription

// An unrelated package, whose targets have the plain names that the internal targets of this
// package must not use: a package graph may contain each name only once.
let names = [
  "ArgumentParser", "Reports", "ImageFiles", "CTIFF", "CLibRaw", "CSPNG", "CTurboJPEG",
  "CLittleCMS", "CVideo4Linux", "CFrameKernels", "CMeasuredSpectra", "camera-probe",
  "calibration-study",
]

let package = Package(
  name: "neighbor", products: [.library(name: "Neighbor", targets: names)],
  targets: names.map { .target(name: $0) })
