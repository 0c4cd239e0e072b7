"""shading.py PLATFORM PROFILE PLAIN ANSWERS [crop]: whether white balance and shading together are
the gains of the profile at each point of the hardware's grid. ANSWERS are the judge's of the file
with the flat field, and PLAIN those without. The whole picture may be brighter.
"""
import json, statistics, sys

# The cells of libcamera's tables on a Raspberry Pi; those of others are the hardware's own.
CELLS = {"vc4": (16, 12), "pisp": (32, 32)}


class Mesh:
    """The gains of a profile's flat field over the sensor, with 1 in its middle."""

    def __init__(self, profile):
        self.map = json.load(open(profile))["flatFields"][0]["gains"]

    def at(self, x, y):
        columns, rows = self.map["columns"], self.map["rows"]
        x, y = x * (columns - 1), y * (rows - 1)
        left, above = min(int(x), columns - 2), min(int(y), rows - 2)
        x, y = x - left, y - above

        def gain(map):
            (a, b), (c, d) = (map[i * columns + left:][:2] for i in (above, above + 1))
            return (a * (1 - x) + b * x) * (1 - y) + (c * (1 - x) + d * x) * y

        return [gain(self.map[color]) for color in ("red", "green", "blue")]

    def bend(self, columns, rows):
        """The share by which lines between the middles of cells miss the gains at most. Between
        two points, a curve that bends one way differs from its chord by at most half of the larger
        second difference."""
        grid = [[self.at((i + 0.5) / columns, (j + 0.5) / rows) for i in range(columns)]
                for j in range(rows)]

        def most(lines):
            return max(abs(a[k] - 2 * b[k] + c[k]) / b[k] / 2 for line in lines
                       for a, b, c in zip(line, line[1:], line[2:]) for k in range(3))

        return most(grid) + most(list(zip(*grid)))


def numbers(answers):
    """Returns the gains of white balance, and the points of the grid."""
    lines = [line.split() for line in open(answers)]
    balance = next([float(x) for x in line[3:5]] for line in lines if "gains" in line)
    return balance, [[float(x) for x in line[1:]] for line in lines if line[0] == "shading"]


def step(platform, highest):
    """The largest error of a gain's code."""
    if platform != "pisp": return 1 / 2048
    # Codes of 10 bits in a range that fits the gains of a point, and libcamera rounds them twice.
    return 1 / 1024 if highest < 1.5 else 1 / 512 if highest < 2 else 1 / 256


def main(platform, profile, plain, answers, *crop):
    mesh = Mesh(profile)
    (red, blue), _ = numbers(plain)
    balance, points = numbers(answers)
    if not points: return print("no gains are set against shading") or 1
    cells = CELLS.get(platform)
    sides = [(min(p[k] for p in points), max(p[k] for p in points)) for k in (0, 1)]

    def inside(point, k):
        # libcamera repeats the gains of the outermost cells up to the edge.
        low, high = sides[k]
        half = (high - low) / cells[k] / 2 if cells else 0
        return min(max(point[k], low + half), high - half)

    def ratios(place):
        for point in points:
            r, g, h, b = point[2:]
            wanted = mesh.at(*place(point))
            yield (r * balance[0] / red / wanted[0], g / wanted[1], h / wanted[1],
                   b * balance[1] / blue / wanted[2])

    inner = list(ratios(lambda point: (inside(point, 0), inside(point, 1))))
    middle = [statistics.median(ratio[k] for ratio in inner) for k in range(4)]
    # In a part of the sensor, libcamera divides red and blue by their least gains there.
    scale = middle if crop else [statistics.median(middle[1:3])] * 4

    def off(ratios): return max(abs(a / b - 1) for ratio in ratios for a, b in zip(ratio, scale))

    gains = [gain for point in points for gain in point[2:]]
    code = step(platform, max(gains))
    # 0.0002: two tables and the gains of white balance have 4 and 5 digits.
    bound = code + 2e-4
    if cells: bound += mesh.bend(*cells)
    if crop and cells:  # whose cells libcamera interpolates between those of the sensor
        bound += mesh.bend(*(round(n / (high - low)) for n, (low, high) in zip(cells, sides)))
    found, color = off(inner), [middle[k] / middle[1] - 1 for k in (0, 3)]
    print(f"gains {min(gains):.3f}-{max(gains):.3f} at {len(points)} points within {found:.2%} of "
          f"{bound:.2%}, at the edges {off(ratios(lambda point: point[:2])):.2%}; all of red "
          f"{color[0]:+.2%}, of blue {color[1]:+.2%}")
    # A gain below 1 would leave no white where the sensor is full.
    return int(found > bound or min(gains) < 1 - code)


sys.exit(main(*sys.argv[1:]))
