#!/usr/bin/env python3
"""Writes Sources/ColorScience/Data/ColorCheckerReflectances.swift from the tables beside it.

The edition before November 2014 is the average as measured. That from November 2014 has the
spectra of one chart, each multiplied by the smooth factor, nearest to a constant, with which the
patch has the color that the maker publishes.
"""
import csv
import json
import math
import pathlib
import textwrap

here = pathlib.Path(__file__).resolve().parent
grid = range(380, 781, 10)


def read(name):
    return json.loads((here / name).read_text())


def line(table, first, step):
    """A function that is linear between the values of a table and constant beyond them."""
    def value(wavelength):
        place = min(max((wavelength - first) / step, 0), len(table) - 1)
        i = min(int(place), len(table) - 2)
        return table[i] + (place - i) * (table[i + 1] - table[i])
    return value


observer = {
    int(row[0]): [float(v) for v in row[1:]]
    for row in csv.reader(open(here.parent / "Reference/CIE_xyz_1931_2deg.csv"))}
lights = json.loads((here.parent / "Illuminants/illuminants.json").read_text())["lights"]
d50 = next(light for light in lights if light["name"] == "D50")
power = line(d50["power"], d50["wavelengths"]["first"], d50["wavelengths"]["step"])
# The weight of each value of a reflectance in X, Y and Z under D50; the white has Y = 1.
weights = [[0.0] * 3 for _ in grid]
for wavelength in range(380, 781):
    place = (wavelength - 380) / 10
    i = min(int(place), len(grid) - 2)
    for k, part in ((i, 1 - place + i), (i + 1, place - i)):
        for c in range(3):
            weights[k][c] += part * power(wavelength) * observer[wavelength][c]
total = sum(w[1] for w in weights)
weights = [[v / total for v in w] for w in weights]
white = [sum(w[c] for w in weights) for c in range(3)]


def published(lab):
    y = (lab[0] + 16) / 116
    def back(f):
        return f**3 if f > 6 / 29 else (116 * f - 16) * 27 / 24389
    return [w * back(f) for w, f in zip(white, (y + lab[1] / 500, y, y - lab[2] / 200))]


def solve(a, b):
    """Gauss's elimination with pivots."""
    n = len(b)
    rows = [list(r) + [v] for r, v in zip(a, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                f = rows[r][i] / rows[i][i]
                rows[r] = [x - f * y for x, y in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


# Logarithms of factors: a free constant, and a part that is alike over 80 nm.
def kernel(a, b):
    return 100 + math.exp(-((a - b) / 80) ** 2 / 2)


def corrected(measured, target):
    log = [0.0] * len(grid)
    for _ in range(20):
        now = [r * math.exp(l) for r, l in zip(measured, log)]
        xyz = [sum(w[c] * r for w, r in zip(weights, now)) for c in range(3)]
        slopes = [[w[c] * r for w, r in zip(weights, now)] for c in range(3)]
        spread = [
            [sum(kernel(a, b) * s for b, s in zip(grid, row)) for a in grid] for row in slopes]
        matrix = [[sum(x * y for x, y in zip(p, s)) for s in spread] for p in slopes]
        wanted = [
            t - x + sum(s * l for s, l in zip(row, log))
            for t, x, row in zip(target, xyz, slopes)]
        pull = solve(matrix, wanted)
        log = [sum(p * s[i] for p, s in zip(pull, spread)) for i in range(len(grid))]
    return [r * math.exp(l) for r, l in zip(measured, log)]


before = read("babelcolor-average.json")
assert before["wavelengths"] == {"first": 380, "step": 10}
editions = {"before": [], "from": []}
for patch in before["patches"]:
    table = line(patch["reflectance"], 380, 10)
    editions["before"].append((patch["name"], [table(w) for w in grid]))
colors = {patch["name"]: patch["lab"] for patch in read("published-2014.json")["patches"]}
for patch in read("august-2016.json")["patches"]:
    editions["from"].append(
        (patch["name"], corrected(patch["reflectance"], published(colors[patch["name"]]))))
assert [n for n, _ in editions["before"]] == [n for n, _ in editions["from"]]


def rows(edition):
    text = ""
    for name, values in editions[edition]:
        figures = ", ".join(str(round(v * 1e4)) for v in values)
        text += f'    ("{name}",\n     [\n' + "\n".join(
            textwrap.wrap(figures, 92, initial_indent=" " * 6, subsequent_indent=" " * 6)) + "\n     ]),\n"
    return text


(here.parents[1] / "Sources/ColorScience/Data/ColorCheckerReflectances.swift").write_text(
    f"""// Written by Calibration/Reflectances/make-charts.py: see there for the sources and their licenses.

/// Reflectances of the patches of the ColorChecker Classic, row by row from dark skin, in
/// ten-thousandths, at 380, 390 … 780 nm.
enum ColorCheckerReflectances {{
  typealias Patches = [(name: String, figures: [Int16])]

  /// Until November 2014: the average of 30 charts.
  // swift-format-ignore
  static let before: Patches = [
{rows("before")}  ]

  /// From November 2014: the spectra of one chart, with the colors that the maker publishes.
  // swift-format-ignore
  static let from: Patches = [
{rows("from")}  ]
}}
""")
