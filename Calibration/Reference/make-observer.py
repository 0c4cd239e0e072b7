#!/usr/bin/env python3
"""Writes Sources/ColorScience/StandardObserver1931.swift from CIE_xyz_1931_2deg.csv."""
import pathlib
from decimal import Decimal



def exact(text):
    whole = Decimal(text) * 10**15
    assert whole == int(whole) < 2**53
    return str(int(whole))


here = pathlib.Path(__file__).resolve().parent
rows = [line.split(",") for line in (here / "CIE_xyz_1931_2deg.csv").read_text().split()]
assert [int(row[0]) for row in rows] == list(range(360, 831))
lines = "".join("    (%s),\n" % ", ".join(exact(v) for v in row[1:]) for row in rows)
(here.parents[1] / "Sources/ColorScience/StandardObserver1931.swift").write_text(
    f"""// Figures of the CIE 1931 standard colorimetric observer, 2°, 1 nm: CIE, 2018,
// DOI 10.25039/CIE.DS.xvudnb9b, licensed CC BY-SA 4.0. Written by
// Calibration/Reference/make-observer.py; a test compares every figure with the file.

/// The CIE 1931 2° color-matching functions, 360…830 nm at 1 nm.
enum StandardObserver1931 {{
  static let firstWavelength = 360

  static let functions: [(x: Double, y: Double, z: Double)] = femtounits.map {{
    (Double($0.0) / 1e15, Double($0.1) / 1e15, Double($0.2) / 1e15)
  }}

  // Whole numbers of 10⁻¹⁵: on x86-64 a decimal literal is rounded twice, by way of 80 bits, and one
  // of these would be off in its last bit.
  // swift-format-ignore
  private static let femtounits: [(Int64, Int64, Int64)] = [
{lines}  ]
}}
""")
