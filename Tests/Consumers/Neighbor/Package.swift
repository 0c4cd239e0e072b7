// swift-tools-version: 6.2
import PackageDescription

// Someone's package that has nothing to do with ours, with targets of the plain names that the
// internal targets of ours must leave to others: a graph of packages holds each name once.
let names = [
  "ArgumentParser", "Reports", "ImageFiles", "CTIFF", "CLibRaw", "CSPNG", "CTurboJPEG",
  "CLittleCMS", "CVideo4Linux", "CFrameKernels", "CMeasuredSpectra", "camera-probe",
  "calibration-study",
]

let package = Package(
  name: "neighbor", products: [.library(name: "Neighbor", targets: names)],
  targets: names.map { .target(name: $0) })
