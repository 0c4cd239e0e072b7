#!/usr/bin/env python3
"""Writes Sources/ProfileFiles/ShippedCurves.swift from libcamera-ct-curves.json."""
import json
import pathlib
from decimal import Decimal

here = pathlib.Path(__file__).resolve().parent
curves = json.loads(
    (here / "libcamera-ct-curves.json").read_text(), parse_float=Decimal)["curves"]


def text(number):
    """The shortest decimal of a figure."""
    digits = f"{Decimal(number):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


rows = []
for entry in curves:
    figures = [entry[key] for key in (
        "transversePositive", "transverseNegative", "sensitivityRed", "sensitivityBlue")]
    figures += [number for point in entry["curve"] for number in point]
    colors = [number for matrix in entry["colorMatrices"] for number in matrix]
    rows.append(" ".join(
        [f"    {entry['platform']}/{entry['tuning']}"] + [text(number) for number in figures]
        + ["|"] + [text(number) for number in colors]))
(here.parents[1] / "Sources/ProfileFiles/ShippedCurves.swift").write_text(
    """// swift-format-ignore-file
// Curves and color matrices of libcamera's Raspberry Pi tuning files, © 2019-2020 Raspberry Pi Ltd,
// BSD-2-Clause; see Calibration/Profiles. Written by make-profiles.py there; a test compares every
// figure with the data.

/// The shipped tunings, one a line: name, transverse_pos, transverse_neg, sensitivity_r,
/// sensitivity_b, then kelvin, R/G and B/G of each point; behind a bar kelvin and the nine numbers
/// of each color matrix.
let shippedCurves = \"\"\"
""" + "\n".join(rows) + """
    \"\"\"
""")
