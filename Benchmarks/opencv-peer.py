"""Runs OpenCV on one core: for each name of a work on standard input, the nanoseconds that it took, run a second time."""
import sys
import time

import cv2
import numpy

cv2.setNumThreads(1)
path, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
bgra = numpy.fromfile(path, numpy.uint8).reshape(height, width, 4)
bgr = bgra[..., :3].copy()
gray_world = cv2.xphoto.createGrayworldWB()
works = {
    "mean": lambda: cv2.mean(bgra),
    "masked": lambda: cv2.mean(bgra, cv2.inRange(bgra, (4, 4, 4, 0), (254, 254, 254, 255))),
    "grayworld": lambda: gray_world.balanceWhite(bgr),
}
print(cv2.__version__, flush=True)
for line in sys.stdin:
    work = works[line.strip()]
    work()
    start = time.perf_counter_ns()
    work()
    print(time.perf_counter_ns() - start, flush=True)
