"""Reads XML documents with Python's parser, as JSON in and out: every element with its namespace."""

import json
import sys
from xml.etree import ElementTree


def elements(document):
    root = ElementTree.fromstring(document)
    return [[one.tag, dict(one.attrib), one.text or ""] for one in root.iter()]


# Not as text: a print in another encoding than UTF-8 would fail at the first emoji.
documents = json.loads(sys.stdin.buffer.read())
sys.stdout.buffer.write(json.dumps([elements(one) for one in documents]).encode())
