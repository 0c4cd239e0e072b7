#!/usr/bin/env python3
"""Writes the tables of this folder that come from colour-science 0.4.7 (pip install colour-science)."""
import csv
import pathlib
import re

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

components = colour.colorimetry.datasets.SDS_BASIS_FUNCTIONS_CIE_ILLUMINANT_D_SERIES
write(
    "daylight-components.csv",
    [["wavelength", "S0", "S1", "S2"]]
    + [[nm, *(f"{round(components[s][nm], 2) + 0:g}" for s in ("S0", "S1", "S2"))] for nm in range(300, 831, 10)])

# colour-science keeps these two as the standards of RGB spaces round them; these are CIE 15's figures.
CIE15 = {("D50", 1931): ("0.34567", "0.35851"), ("D65", 1931): ("0.31272", "0.32903")}


def source(name, year):
    """Who printed the figures, and to how many decimals; None where they are sums that nobody printed."""
    if name == "E":
        return "definition", 16
    if name in ("D60", "ID50", "ID65"):
        return ("colour-science 0.4.7, from the spectrum", 8) if year == 1931 else None
    if (name, year) == ("D65", 1964):
        return "colour-science 0.4.7; CIE 15:2004, table T.3, prints 0.31381, 0.33098", 5
    if name in ("A", "C", "D50", "D55", "D65", "D75"):
        return "CIE 15:2004, table T.3", 5
    if name == "B":
        return "colour-science 0.4.7", 5 if year == 1931 else 4
    if year == 1931:
        return "CIE 15:2004, tables T.8 and T.9" if name[:2] in ("FL", "HP") else "CIE 015:2018", 4
    return ("colour-science 0.4.7, not by CIE", 5) if re.fullmatch(r"FL\d+", name) else None


rows = [["name", "observer", "x", "y", "source"]]
for year, published in ((1931, "cie_2_1931"), (1964, "cie_10_1964")):
    for name, xy in colour.CCS_ILLUMINANTS[published].items():
        if name in colour.SDS_ILLUMINANTS and not name.startswith("ISO") and source(name, year):
            origin, digits = source(name, year)
            rows.append(
                [name, year, *CIE15.get((name, year), (f"{v:.{digits}f}" for v in xy)), origin])
write("illuminant-chromaticities.csv", rows)
