"""Prints, as JSON, the overall DNSMOS of sounds: raw floats at 48 kHz, one path a line."""

import json
import sys

import numpy as np
from scipy.signal import resample_poly
from speechmos import dnsmos

RATE_HZ = 16_000

# What DNSMOS hears at a time; it would take six times as long to hear all of 15 s.
HEARD = int(9.01 * RATE_HZ)


def sound(path):
    return resample_poly(np.fromfile(path, dtype="<f4"), 1, 3)


def rating(heard):
    return float(dnsmos.run(np.clip(heard[:HEARD], -1, 1), sr=RATE_HZ)["ovrl_mos"])


if __name__ == "__main__":
    print(json.dumps([rating(sound(path)) for path in sys.stdin.read().splitlines()]))
