#!/usr/bin/env python3
"""Writes StandardObserver1931.swift, StandardObserver1964.swift and DaylightComponents.swift of
Sources/ColorScience/Data from the tables of this folder."""
import pathlib
from decimal import Decimal

here = pathlib.Path(__file__).resolve().parent
sources = here.parents[1] / "Sources/ColorScience/Data"


def exact(text, decimals):
    whole = Decimal(text) * 10**decimals
    assert whole == int(whole) and abs(whole) < 2**53
    return str(int(whole))


def write_observer(year, degrees, source):
    table = here / f"CIE_xyz_{year}_{degrees}deg.csv"
    rows = [line.split(",") for line in table.read_text().split()]
    assert [int(row[0]) for row in rows] == list(range(360, 831))
    lines = "".join("    (%s),\n" % ", ".join(exact(v, 15) for v in row[1:]) for row in rows)
    (sources / f"StandardObserver{year}.swift").write_text(
        f"""// Figures of the CIE {year} standard colorimetric observer, {degrees}°, 1 nm: {source}.
// Written by Calibration/Reference/make-tables.py; a test compares every figure with the file.

/// The CIE {year} {degrees}° color-matching functions, 360…830 nm at 1 nm.
enum StandardObserver{year} {{
  static let functions: [(x: Double, y: Double, z: Double)] = femtounits.map {{
    (Double($0.0) / 1e15, Double($0.1) / 1e15, Double($0.2) / 1e15)
  }}

  // Whole numbers of 10⁻¹⁵: on x86-64 a decimal literal is rounded twice, by way of 80 bits, and
  // may be off in its last bit.
  // swift-format-ignore
  private static let femtounits: [(Int64, Int64, Int64)] = [
{lines}  ]
}}
""")


write_observer(1931, 2, "CIE, 2018,\n// DOI 10.25039/CIE.DS.xvudnb9b, licensed CC BY-SA 4.0")
write_observer(1964, 10, "from\n// colour-science 0.4.7, BSD-3-Clause")

rows = [line.split(",") for line in (here / "daylight-components.csv").read_text().split()[1:]]
assert [int(row[0]) for row in rows] == list(range(300, 831, 10))
lines = "".join("    (%s),\n" % ", ".join(exact(v, 2) for v in row[1:]) for row in rows)
(sources / "DaylightComponents.swift").write_text(
    f"""// The components of CIE daylight: CIE 15:2004, table T.2, by way of colour-science 0.4.7,
// BSD-3-Clause. Written by Calibration/Reference/make-tables.py; a test compares every figure with
// the file.

/// The mean S₀ of measured daylight spectra and the first two directions S₁, S₂ in which they vary,
/// 300…830 nm at 10 nm.
enum DaylightComponents {{
  static let hundredths: [(s0: Int32, s1: Int32, s2: Int32)] = [
{lines}  ]
}}
""")
