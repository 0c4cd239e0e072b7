#!/usr/bin/env python3
"""Writes Sources/CameraProfiles/CameraModel/MixingPrior.swift's table from libcamera-ct-curves.json:
mean and covariance of the elements beside the diagonal of published color matrices."""
import json
import pathlib
import re

here = pathlib.Path(__file__).resolve().parent
target = here.parents[1] / "Sources/CameraProfiles/CameraModel/MixingPrior.swift"
curves = json.loads((here / "libcamera-ct-curves.json").read_text())["curves"]
beside = [1, 2, 3, 5, 6, 7]

sensors = {}
for entry in curves:
    name = entry["tuning"].split("_")[0]
    for row in entry["colorMatrices"]:
        matrix = row[1:]
        sums = [sum(matrix[i : i + 3]) for i in (0, 3, 6)]
        if name == "uncalibrated" or max(abs(x - 1) for x in sums) > 0.03:
            continue
        elements = tuple(round(matrix[i] / sums[i // 3], 4) for i in beside)
        sensors.setdefault(name, {})[elements] = True

# Every second sensor's; the others' are those of the simulated cameras in tests. Cameras mix less
# than their sensors ask for, or not at all: each matrix counts at a tenth … the whole of it.
rows = [
    [x * strength / 10 for x in elements]
    for name in sorted(sensors)[0::2] for elements in sensors[name] for strength in range(1, 11)]
count = len(rows)
mean = [sum(row[i] for row in rows) / count for i in range(6)]
covariance = [
    sum((row[i] - mean[i]) * (row[j] - mean[j]) for row in rows) / (count - 1)
    for i in range(6) for j in range(i + 1)]


def text(numbers):
    return ", ".join(f"{x:.5f}" for x in numbers)


lines = [f"    {text(covariance[i * (i + 1) // 2 : (i + 1) * (i + 2) // 2])}," for i in range(6)]
table = f"""  // Written by Calibration/Profiles/make-mixing-prior.py.
  static let mean = [
    {text(mean[:3])},
    {text(mean[3:])},
  ]
  /// The lower triangle, row by row.
  static let covariance = [
""" + "\n".join(lines) + "\n  ]\n  // The table ends.\n"
source = target.read_text()
target.write_text(re.sub(r"  // Written by .*?  // The table ends\.\n", lambda _: table, source, flags=re.S))
