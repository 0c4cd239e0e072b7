#!/usr/bin/env python3
"""Writes Sources/ColorScience/Data/StandardIlluminantSpectra.swift from illuminants.json."""
import json
import pathlib
import textwrap
from decimal import Decimal

here = pathlib.Path(__file__).resolve().parent
lights = json.loads((here / "illuminants.json").read_text(), parse_float=Decimal)["lights"]
cases = []
for light in lights:
    wavelengths = light["wavelengths"]
    assert wavelengths["step"] == 5
    decimals = max(-v.normalize().as_tuple().exponent for v in light["power"])
    decimals = max(decimals, 0)
    figures = ", ".join(str(int(v * 10**decimals)) for v in light["power"])
    lines = textwrap.wrap(figures, 92, initial_indent=" " * 8, subsequent_indent=" " * 8)
    cases.append(
        f'    case "{light["name"]}":\n'
        f"      ({int(wavelengths['first'])}, {10**decimals}, [\n" + "\n".join(lines) + "\n      ])\n")
(here.parents[1] / "Sources/ColorScience/Data/StandardIlluminantSpectra.swift").write_text(
    f"""// Figures of CIE's illuminants as colour-science 0.4.7 gives them, BSD-3-Clause. Written by
// Calibration/Illuminants/make-spectra.py; a test compares every figure with illuminants.json.

/// The published spectra of the standard illuminants, at 5 nm.
enum StandardIlluminantSpectra {{
  /// Whole numbers that, divided by the scale, are an illuminant's power at `first`, `first` + 5
  /// nm, …; none for a name that is not in the table.
  // swift-format-ignore
  static func table(_ name: String) -> (first: Int, scale: Int, figures: [Int32]) {{
    switch name {{
{"".join(cases)}    default: (0, 1, [])
    }}
  }}
}}
""")
