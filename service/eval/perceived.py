"""Prints, as JSON, PESQ-WB, ESTOI and DNSMOS of each sound against clean speech: raw floats at 48 kHz, one pair of paths a line."""

import json
import sys

from pesq import pesq
from pystoi import stoi

from listener import RATE_HZ, rating, sound

figures = []
for line in sys.stdin.read().splitlines():
    clean, heard = map(sound, line.split("\t"))
    figures.append(
        [
            pesq(RATE_HZ, clean, heard, "wb"),
            float(stoi(clean, heard, RATE_HZ, extended=True)),
            rating(heard),
        ]
    )
print(json.dumps(figures))
