"""Prints, as JSON, PESQ-WB, ESTOI and DNSMOS of each sound against clean speech: raw floats at 48 kHz, one pair of paths a line."""

import json
import sys

import numpy as np
from pesq import pesq
from pystoi import stoi
from scipy.signal import resample_poly
from speechmos import dnsmos

RATE_HZ = 16_000

# What DNSMOS hears at a time; it would take six times as long to hear all of 15 s.
HEARD = int(9.01 * RATE_HZ)


def sound(path):
    return resample_poly(np.fromfile(path, dtype="<f4"), 1, 3)


figures = []
for line in sys.stdin.read().splitlines():
    clean, heard = map(sound, line.split("\t"))
    figures.append(
        [
            pesq(RATE_HZ, clean, heard, "wb"),
            float(stoi(clean, heard, RATE_HZ, extended=True)),
            float(dnsmos.run(np.clip(heard[:HEARD], -1, 1), sr=RATE_HZ)["ovrl_mos"]),
        ]
    )
print(json.dumps(figures))
