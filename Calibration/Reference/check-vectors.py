#!/usr/bin/env python3
"""Computes locus.csv, inverse.csv, crazy.csv and illuminants.csv anew, from the observer and spectra alone, and fails
where a figure is not the exact one rounded to twenty digits."""
import csv
import json
import math
import pathlib
import sys
from decimal import Decimal, getcontext
from operator import mul

here = pathlib.Path(__file__).resolve().parent
CODATA, ITS90 = Decimal("1.438776877e7"), Decimal("1.4388e7")  # nm·K
COLD, HOT = Decimal(500), Decimal(10**6)
getcontext().prec = 60
failed = False


def read(name):
    return csv.reader((here / name).read_text().splitlines())


cmf = {int(row[0]): [Decimal(v) for v in row[1:]] for row in read("CIE_xyz_1931_2deg.csv")}
nm = [Decimal(v) for v in cmf]
# Of 4X, 6Y and X + 15Y + 3Z, with what Planck's law has without a temperature.
weights = [[sum(map(mul, factors, row)) / Decimal(v)**5 for v, row in cmf.items()]
           for factors in ((4, 0, 0), (0, 6, 0), (1, 15, 3))]
outline = [(float(x / (x + y + z)), float(y / (x + y + z))) for x, y, z in cmf.values()]


def locus(b):
    """u, v and their first and second derivatives at b = c2/T."""
    if b:
        power = [1 / ((b / v).exp() - 1) for v in nm]
        slope = [-w * (1 + w) / v for w, v in zip(power, nm)]
        orders = power, slope, [-s * (1 + 2 * w) / v for s, w, v in zip(slope, power, nm)]
    else:  # of b times the power
        orders = nm, [Decimal("-0.5")] * len(nm), [1 / (6 * v) for v in nm]
    (*n, d), (*n1, d1), (*n2, d2) = [[sum(map(mul, order, weight)) for weight in weights] for order in orders]
    p = [n / d for n in n]
    t = [(n - p * d1) / d for n, p in zip(n1, p)]
    return p, t, [(n - 2 * t * d1 - p * d2) / d for n, t, p in zip(n2, t, p)]


samples = [[float(v) for v in locus(CODATA * (1 + i * Decimal("4.9975")) / HOT)[0]] for i in range(401)]


def uv(x, y):
    return 4 * x / (3 - 2 * x + 12 * y), 6 * y / (3 - 2 * x + 12 * y)


def xy(u, v):
    return 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def green(t):
    """The unit normal towards green; t is the tangent towards low temperatures."""
    return -t[1] / dot(t, t).sqrt(), t[0] / dot(t, t).sqrt()


def inside(x, y):
    edges = zip(outline, outline[1:] + outline[:1])
    return sum((b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a) for (a, b), (c, d) in edges) % 2


def foot(point, text, hot=HOT):
    """Temperature, Duv and kind of the foot to which a step of Newton's leads from the printed temperature, or of the
    end of the locus, and how many samples of the locus are nearer than their neighbors."""
    kelvin, kind = Decimal(text), "interior"
    b = CODATA / kelvin
    p, t, bend = locus(b)
    away = point[0] - p[0], point[1] - p[1]
    along, duv = dot(away, t), dot(away, green(t))
    if kelvin in (COLD, hot):
        kind = "Tmin_end" if kelvin == COLD and along > 0 else "Tmax_end" if kelvin == hot and along < 0 else "no end"
        duv = dot(away, away).sqrt().copy_sign(duv)
    else:
        kelvin = CODATA / (b + along / (dot(t, t) - dot(away, bend)))
    far = [math.inf, *(math.dist(map(float, point), sample) for sample in samples), math.inf]
    minima = sum(a > b < c for a, b, c in zip(far, far[1:], far[2:]))
    return kelvin, duv, kind if min(far) > abs(duv) - Decimal("1e-6") else "not nearest", minima


def table(name):
    """The rows of a file, each with what compares figures with it."""
    figures, worst = 0, Decimal(0)

    def check(**columns):
        nonlocal figures, worst
        global failed
        for column, value in columns.items():
            text, off = row[column], Decimal(0)
            if not isinstance(value, Decimal):
                value = str(value)
                off = Decimal(text != value)
            elif value != Decimal(text):
                off = abs(value - Decimal(text)).scaleb(19 - Decimal(text).adjusted())
            figures, worst = figures + 1, max(worst, off)
            if off > Decimal("0.5"):
                failed = True
                print(f"{name}, row {number}, {column}: {text}, but it is {value:.25}")

    header, *rows = read(name)
    for number, row in enumerate((dict(zip(header, row)) for row in rows), 1):
        yield row, check
    print(f"{name}: {number} rows, {figures} figures, off by at most {worst:.4f} of their twentieth digit")


for row, check in table("locus.csv"):
    kelvin = Decimal(row["T"])
    for c2, suffix in ((CODATA, "_codata"), (ITS90, "_its90")):
        (u, v), t, _ = locus(c2 / kelvin)
        found = u, v, *xy(u, v), *(-s * c2 / kelvin**2 for s in t)
        check(**dict(zip((name + suffix for name in ("u", "v", "x", "y", "dudT", "dvdT")), found)))

for row, check in table("inverse.csv"):
    for c2, suffix in ((CODATA, ""), (ITS90, "_its90")):
        p, t, _ = locus(c2 / Decimal(row["T_in"]))
        u, v = [a + Decimal(row["Duv_in"]) * n for a, n in zip(p, green(t))]
        x, y = xy(u, v)
        check(**{"fwd_x" + suffix: x, "fwd_y" + suffix: y})
        if c2 == CODATA:
            check(fwd_u=u, fwd_v=v, x=float(x), y=float(y))
    x, y = float(row["x"]), float(row["y"])
    u, v = uv(Decimal(x), Decimal(y))
    kelvin, duv, kind, minima = foot((u, v), row["CCT_codata"])
    check(u=u, v=v, CCT_codata=kelvin, CCT_its90=kelvin * ITS90 / CODATA, mired_codata=HOT / kelvin, Duv=duv,
          kind=kind, n_minima=minima, other_point_nearer=int(kind != "interior"), inside_spectral_locus=inside(x, y))

lights = json.loads((here.parent / "Illuminants/illuminants.json").read_text(), parse_float=Decimal)["lights"]
spectra = {light["name"]: dict(zip(range(int(light["wavelengths"]["first"]), 831, 5), light["power"]))
           for light in lights if light["wavelengths"]["step"] == 5}
# The powers of D60 above 100 are rounded there.
_, *rows = read("daylight-components.csv")
d60 = {int(v): sum(map(mul, (1, Decimal("-0.535"), Decimal("-0.521")), map(Decimal, s))) for v, *s in rows}
spectra["D60"] = {v: (d60[v // 10 * 10] + d60[(v + 5) // 10 * 10]) / 2 for v in range(300, 831, 5)}


def daylight(kelvin):
    terms = ("-4.6070e9", "2.9678e6", "99.11", "0.244063"), ("-2.0064e9", "1.9018e6", "247.48", "0.237040")
    x = sum(Decimal(a) / kelvin**n for a, n in zip(terms[kelvin > 7000], (3, 2, 1, 0)))
    return x, -3 * x * x + Decimal("2.870") * x - Decimal("0.275")


for row, check in table("illuminants.csv"):
    x, y = Decimal(row["x"]), Decimal(row["y"])
    if row["source"].startswith("CIE daylight"):
        x, y = daylight(Decimal(row["name"].split()[-1]))
    elif row["source"].startswith("SPD"):
        sums = [sum(spectra[row["name"]][v] * cmf[v][i] for v in range(380, 781, 5)) for i in range(3)]
        x, y = sums[0] / sum(sums), sums[1] / sum(sums)
    u, v = uv(x, y)
    kelvin, duv, kind, minima = foot((u, v), row["CCT_codata"])
    check(x=x, y=y, u=u, v=v, CCT_codata=kelvin, CCT_its90=kelvin * ITS90 / CODATA, Duv=duv,
          n_minima=minima if kind == "interior" else kind)

getcontext().prec = 120  # the second derivative at 1e23 K loses half of them
for row, check in table("crazy.csv"):
    x, y = Decimal(row["x"]), Decimal(row["y"])
    check(inside_spectral_locus=inside(float(x), float(y)))
    if 3 - 2 * x + 12 * y == 0:
        check(**{name: "undefined" for name in row if name in "uv" or name[:3] in ("CCT", "Duv", "dis")})
        continue
    u, v = uv(x, y)
    kelvin, duv, kind, minima = foot((u, v), row["CCT_codata_500_1e6"])
    its90 = kelvin if "end" in kind else min(max(kelvin * ITS90 / CODATA, COLD), HOT)
    check(u=u, v=v, CCT_codata_500_1e6=kelvin, CCT_its90_500_1e6=its90, Duv_500_1e6=duv, kind_500_1e6=kind,
          n_minima=minima)
    kelvin, duv, kind, _ = foot((u, v), row["CCT_500_inf"], Decimal("inf"))
    check(CCT_500_inf=kelvin, Duv_500_inf=duv, dist_500_inf=abs(duv), kind_500_inf=kind)
sys.exit(failed)
