"""Prints, as JSON, PESQ-WB and ESTOI of each sound against clean speech: raw floats at 48 kHz, one pair of paths a line."""

import json
import sys

import numpy as np
from pesq import pesq
from pystoi import stoi
from scipy.signal import resample_poly

RATE_HZ = 16_000


def sound(path):
    return resample_poly(np.fromfile(path, dtype="<f4"), 1, 3)


figures = []
for line in sys.stdin.read().splitlines():
    clean, heard = map(sound, line.split("\t"))
    figures.append([pesq(RATE_HZ, clean, heard, "wb"), float(stoi(clean, heard, RATE_HZ, extended=True))])
print(json.dumps(figures))
