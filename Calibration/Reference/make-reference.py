#!/usr/bin/env python3
"""Writes the tables of this folder that come from colour-science 0.4.7 (pip install colour-science)."""
import csv
import pathlib

import colour

here = pathlib.Path(__file__).resolve().parent
assert colour.__version__ == "0.4.7"


def write(name, rows):
    with open(here / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


observer = colour.MSDS_CMFS["CIE 1964 10 Degree Standard Observer"]
write(
    "CIE_xyz_1964_10deg.csv",
    [[int(nm), *(f"{v:.12f}".rstrip("0").rstrip(".") for v in row)]
     for nm, row in zip(observer.wavelengths, observer.values)])
