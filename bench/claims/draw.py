#!/usr/bin/env python3
"""Draws short sentences by seed from documents, for writing pairs to them.

usage: draw.py SEED COUNT FILE...     (text, HTML, DocBook or man pages, also gzipped)

The middle pairs were written over sentences drawn with seed 2027, the late ones with 4711. Which documents: see `doc` in pairs.jsonl.
"""
import gzip
import html
import random
import re
import sys


def text_of(path):
    opened = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
    raw = opened.read().decode("utf8", "replace")
    if re.search(r"\.\d\w*(\.gz)?$", path) and "man" in path:
        raw = re.sub(r"(?m)^[.'].*$", "\n\n", raw)
        raw = re.sub(r"\\f.|\\&", "", raw).replace("\\-", "-")
    if path.endswith((".html", ".docbook", ".xml", ".htm")):
        raw = re.sub(r"(?s)<(script|style|pre|table).*?</\1>", " ", raw)
        raw = re.sub(r"<(p|li|dd|h\d|para|td|title)\b[^>]*>", "\n\n", raw)
        raw = html.unescape(re.sub(r"<[^>]+>", "", raw))
    return raw


def sentences(text):
    for paragraph in re.split(r"\n\s*\n", text):
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split())):
            short = 8 <= len(sentence.split()) <= 28
            plain = not re.search(r"[{}<>=\\|*#_@]|https?:|\be\.g|---", sentence)
            if short and plain and sentence[0].isupper() and sentence.endswith("."):
                yield sentence


random.seed(int(sys.argv[1]))
for path in sys.argv[3:]:
    found = list(sentences(text_of(path)))
    random.shuffle(found)
    print("##", path)
    print("\n".join(found[: int(sys.argv[2])]))
