"""Reads timelines with other people's readers: `readBack.py <file>...` prints for each its clips, in seconds.

OpenTimelineIO and its adapters for CMX 3600 and the XML of Final Cut Pro 7 and X; the package rpp for REAPER. The
adapter for Final Cut Pro X cuts times off to whole frames of a rounded rate, so its fractions are read from the XML.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import opentimelineio
import rpp


def with_otio(path, rate):
    options = {}
    scale = 1
    if path.suffix == ".edl":
        # Time codes count frames of a whole rate.
        options = {"rate": round(rate)}
        scale = round(rate) / rate
    if path.suffix == ".xml":
        options = {"adapter_name": "fcp_xml"}
    timeline = opentimelineio.adapters.read_from_file(str(path), **options)
    for track in timeline.tracks:
        yield [
            [
                clip.range_in_parent().start_time.to_seconds() * scale,
                clip.source_range.start_time.to_seconds() * scale,
                clip.source_range.duration.to_seconds() * scale,
            ]
            for clip in track.find_clips()
        ]


def with_fractions(path):
    # The adapter must read it, too.
    opentimelineio.adapters.read_from_file(str(path), adapter_name="fcpx_xml")

    def seconds(clip, name):
        return float(Fraction(clip.get(name).removesuffix("s")))

    spine = ElementTree.parse(path).find(".//spine")
    yield [[seconds(clip, "offset"), seconds(clip, "start"), seconds(clip, "duration")] for clip in spine]


def with_rpp(path):
    project = rpp.loads(path.read_text())
    for track in project.findall("TRACK"):
        items = track.findall("ITEM")
        yield [[float(item.find(name)[1]) for name in ("POSITION", "SOFFS", "LENGTH")] for item in items]


def tracks_of(path, rate):
    if path.suffix == ".rpp":
        return list(with_rpp(path))
    return list(with_fractions(path) if path.suffix == ".fcpxml" else with_otio(path, rate))


print(json.dumps([tracks_of(Path(path), float(rate)) for path, rate in json.loads(sys.stdin.read())]))
