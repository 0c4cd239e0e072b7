// Fuzzes the values of arguments: lights, cameras, shots, regions, formats, curves.

import ColorScience
import Foundation
import WhiteBalance

@testable import wbcal

let seeds: [[UInt8]] = [
  "A", "FL11", "LED-B3", "xy:0.3127,0.3290", "2856K", "D5600K", "4012K/+0.0031", "center:0.5",
  "796,908,36,36", "1920x1080:NV12", "bt709:full", "gamma:2.2", "simulated:size=96x64,light=5000K",
  "/dev/video0,format=YUYV,fps=30", "rgb:0.8,1,0.4@D65", "card.dng@A", "1.4,1,1.9", "shades:6",
].map { Array($0.utf8) }

/// Checks that a named light is physically possible, and is read back as it was written.
func test(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let light = try? Light(named: text) {
    guard light.chromaticity.isFinite, light.chromaticity.y > 0 else {
      fatalError("a light that is not real")
    }
    _ = light.impliedClass
    guard let written = try? JSONEncoder().encode(light),
      (try? JSONDecoder().decode(Light.self, from: written)) == light
    else { fatalError("a light is not read back as it was written") }
  }
  // A shot may name a file of a spectrum; these files have their own fuzzer.
  if !text.contains("spd:") { _ = try? RequestedShot(argument: text) }
  _ = try? DeviceSpecification(argument: text)
  _ = try? DeviceSpecification.lamp(named: text)
  _ = try? GrayCardEstimator.Region(argument: text)
  _ = try? RawGeometry(argument: text)
  _ = try? LumaChromaEncoding(argument: text)
  _ = try? TransferFunction(argument: text)
  _ = try? EstimateMethod(argument: text)
  _ = try? parseGains(text)
}
