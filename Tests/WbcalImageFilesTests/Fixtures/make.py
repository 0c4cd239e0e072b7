"""Writes the pictures beside this script with programs that share no code with the reader.

Needs Pillow, pypng, numpy and tifffile with imagecodecs. The pictures are 5x3 pixels of
shallow(c, x, y) or deep(c, x, y); the JPEG files two flat halves, 8x16 pixels each; the raw
photographs 36x30 sensor pixels of mosaic(x, y), of which an active area is visible.
"""

import pathlib

import numpy
import png
import tifffile
from PIL import Image, PngImagePlugin

here = pathlib.Path(__file__).parent


def shallow(channels):
    return grid(channels, lambda c, x, y: (73 * c + 31 * x + 17 * y) % 256, numpy.uint8)


def deep(channels):
    return grid(channels, lambda c, x, y: (31337 * c + 7919 * x + 10473 * y) % 65536, numpy.uint16)


def grid(channels, value, kind):
    return numpy.array(
        [[[value(c, x, y) for c in range(channels)] for x in range(5)] for y in range(3)], kind)


def save(name, pixels, **options):
    Image.fromarray(pixels).save(here / name, **options)


def save_deep_png(name, pixels, **options):
    height, width, channels = pixels.shape
    writer = png.Writer(width, height, bitdepth=16, greyscale=False, alpha=channels == 4, **options)
    with open(here / name, "wb") as file:
        writer.write(file, pixels.reshape(height, -1).tolist())


# PNG
save("rgb8.png", shallow(3))
save("rgba8.png", shallow(4))
save("gray8.png", shallow(3)[:, :, 0])
save("gray-alpha8.png", numpy.ascontiguousarray(shallow(4)[:, :, :2]))
colors = shallow(3).reshape(-1, 3)
palette = Image.new("P", (5, 3))
palette.putpalette(colors.flatten().tolist())
palette.putdata(list(range(15)))
palette.save(here / "palette.png", transparency=0)
flat = Image.new("P", (1500, 1500), 1)
flat.putpalette([1, 2, 3, 10, 20, 30])
flat.save(here / "flat-palette.png", bits=1, optimize=True)
save_deep_png("rgb16.png", deep(3))
save_deep_png("rgba16.png", deep(4), interlace=True)
save_deep_png("gamma-linear.png", deep(3), gamma=1.0)
for name, chunks in [("gamma.png", [(b"gAMA", 50000)]),
                     ("srgb.png", [(b"sRGB", None), (b"gAMA", 50000)])]:
    info = PngImagePlugin.PngInfo()
    for kind, value in chunks:
        info.add(kind, b"\0" if value is None else value.to_bytes(4, "big"))
    save(name, shallow(3), pnginfo=info)

# JPEG
halves = numpy.zeros((16, 16, 3), numpy.uint8)
halves[:, :8] = (200, 60, 40)
halves[:, 8:] = (30, 90, 180)
save("rgb.jpg", halves, quality=100, subsampling=0)
save("progressive.jpg", halves, quality=100, subsampling=0, progressive=True)
save("gray.jpg", halves[:, :, 0])
Image.fromarray(halves).convert("CMYK").save(here / "cmyk.jpg")

# TIFF
save("rgb8.tif", shallow(3))
save("rgba8.tif", shallow(4), compression="tiff_lzw")
save("gray8.tif", shallow(3)[:, :, 0])
palette.save(here / "palette.tif")


def save_tiff(name, pixels, **options):
    tifffile.imwrite(here / name, pixels, metadata=None, **{"photometric": "rgb", **options})


save_tiff("rgb16.tif", deep(3), rowsperstrip=2, compression="zlib", predictor=2)
save_tiff("rgba16.tif", deep(4), extrasamples=["unassalpha"], bigtiff=True)
save_tiff("big-endian.tif", deep(3), byteorder=">")
save_tiff("planar16.tif", numpy.moveaxis(deep(3), 2, 0), planarconfig="separate", rowsperstrip=2)
save_tiff("planar8-lzw.tif", numpy.moveaxis(shallow(4), 2, 0), planarconfig="separate",
          extrasamples=["unassalpha"], compression="lzw")
save_tiff("tiled.tif", shallow(3), tile=(16, 16))
save_tiff("float.tif", deep(3).astype(numpy.float32))
save_tiff("preview.tif", shallow(3), subfiletype=1)

# PNM
save("rgb8.ppm", shallow(3))
(here / "rgb16.ppm").write_bytes(b"P6\n# deep\n5 3\n65535\n" + deep(3).astype(">u2").tobytes())
(here / "rgb10.ppm").write_bytes(b"P6 5 3 1023\n" + (deep(3) // 64).astype(">u2").tobytes())
(here / "text8.ppm").write_text(
    "P3 # text\n5 3\n255\n" + "\n".join(" ".join(map(str, row)) for row in colors.tolist()) + "\n")
(here / "text16.ppm").write_text(
    "P3\n5\n3\n65535\n" + " ".join(map(str, deep(3).flatten().tolist())))
save("gray8.pgm", shallow(3)[:, :, 0])

# Raw photographs
mosaic = numpy.array(
    [[1000 + 37 * x + 211 * y for x in range(36)] for y in range(30)], numpy.uint16)


def save_raw(name, pixels=mosaic, cfa=(0, 1, 1, 2), black=(100,), photometric=32803, side=2,
             area=(4, 2, 30, 34), **options):
    tags = [
        (271, 2, 0, "Nobody", True), (272, 2, 0, "Synthetic", True),
        (50706, 1, 4, (1, 4, 0, 0), True), (50708, 2, 0, "Nobody Synthetic", True),
        (50717, 4, 1, 9000, True), (50829, 4, 4, area, True),
        (50721, 10, 9, (1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1), True),
    ]
    if photometric == 32803:
        tags += [(33421, 3, 2, (side, side), True), (33422, 1, len(cfa), cfa, True)]
    repeat = 2 if len(black) == 4 else 1
    tags += [(50713, 3, 2, (repeat, repeat), True), (50714, 4, len(black), black, True)]
    tifffile.imwrite(here / name, pixels, photometric=photometric, metadata=None, extratags=tags,
                     software=False, **options)


save_raw("rggb.dng")
save_raw("odd-origin.dng", area=(3, 1, 29, 33))
save_raw("gbrg-four-blacks.dng", cfa=(1, 2, 0, 1), black=(90, 100, 110, 95))
save_raw("odd-origin-four-blacks.dng", black=(90, 100, 110, 95), area=(3, 2, 29, 34))
save_raw("lossless-jpeg.dng", cfa=(2, 1, 1, 0), compression="jpeg",
         compressionargs={"lossless": True, "bitspersample": 16}, rowsperstrip=30)
save_raw("x-trans.dng", cfa=tuple(b"\1\0\1\1\2\1\2\1\2\0\1\0\1\0\1\1\2\1"
                                  b"\1\2\1\1\0\1\0\1\0\2\1\2\1\2\1\1\0\1"), side=6)
save_raw("linear.dng", numpy.stack([mosaic] * 3, 2), photometric=34892)
save_raw("float.dng", mosaic.astype(numpy.float32))
save_raw("cyan.dng", cfa=(3, 1, 1, 4))
