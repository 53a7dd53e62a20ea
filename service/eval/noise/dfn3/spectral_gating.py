"""Reduces noise with noisereduce's own settings: from one file of raw floats at 48 kHz to another."""

import sys

import noisereduce
import numpy as np

source, target = sys.argv[1:]
samples = np.fromfile(source, dtype="<f4")
noisereduce.reduce_noise(y=samples, sr=48_000).astype("<f4").tofile(target)
