"""Writes the documents of a folder as texts for a wiki: one file for each, named as its article.

usage: wiki.py DOCUMENTS TEXTS

Markdown headings and lists become those of a wiki. Other formats than Markdown and plain text are left out. Standard
library only.
"""

import pathlib
import re
import sys


def article(path):
    """The name of an article and its text."""
    text = path.read_text(encoding="utf-8")
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    keys = dict(line.split(": ", 1) for line in match[1].splitlines() if ": " in line) if match else {}
    text = text[match.end():] if match else text
    title = keys.get("title") or text.strip().splitlines()[0].strip("# ").capitalize()
    text = re.sub(r"^(#+) +(.*)$", lambda found: f"{'=' * len(found[1])} {found[2]} {'=' * len(found[1])}", text, flags=re.MULTILINE)
    return title.replace("/", "-"), re.sub(r"^- ", "* ", text, flags=re.MULTILINE)


def main(documents, texts):
    texts = pathlib.Path(texts)
    texts.mkdir(parents=True)
    sources = sorted(path for path in pathlib.Path(documents).iterdir() if path.suffix in (".md", ".txt"))
    for path in sources:
        title, text = article(path)
        (texts / f"{title}.txt").write_text(text, encoding="utf-8")
    print(len(sources))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
