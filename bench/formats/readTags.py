"""Reads the tags and chapters of an MP3 or M4A file with mutagen, as JSON out."""

import json
import sys

from mutagen import File

file = File(sys.argv[1])


def of_mp3(tags):
    def text(key):
        return str(tags[key].text[0]) if key in tags else ""

    chapters = [[one.start_time, str(one.sub_frames["TIT2"].text[0])] for one in tags.getall("CHAP")]
    return {
        "title": text("TIT2"),
        "author": text("TPE1"),
        "show": text("TALB"),
        "description": text("TDES"),
        "episodeNumber": text("TRCK"),
        "season": text("TPOS"),
        "date": text("TDRC"),
        "coverBytes": len(tags["APIC:"].data),
        "chapters": sorted(chapters),
    }


def of_mp4(tags):
    def text(key):
        return tags[key][0] if key in tags else ""

    return {
        "title": text("\xa9nam"),
        "author": text("\xa9ART"),
        "show": text("\xa9alb"),
        "description": text("desc"),
        "episodeNumber": str(tags["trkn"][0][0]),
        "season": str(tags["disk"][0][0]),
        "date": text("\xa9day"),
        "coverBytes": len(tags["covr"][0]),
        "chapters": [[round(one.start * 1000), one.title] for one in file.chapters or []],
    }


read = of_mp3(file.tags) if sys.argv[1].endswith(".mp3") else of_mp4(file.tags)
sys.stdout.buffer.write(json.dumps(read).encode())
