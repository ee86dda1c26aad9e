"""Makes a small web site of HTML pages out of a folder of documents, and a full-text database over it.

usage: site.py DOCUMENTS SITE DATABASE ADDRESS

Markdown and plain text become pages of their own, HTML pages are taken as they are, other formats are left out. The
database has one table, pages(title, body, url), in which a search server can find them. Standard library only.
"""

import html
import pathlib
import re
import sqlite3
import sys


def front_matter(text):
    """The keys between the first two lines of dashes, and the text after them."""
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if not match:
        return {}, text
    keys = dict(line.split(": ", 1) for line in match[1].splitlines() if ": " in line)
    return keys, text[match.end():]


def block(text):
    """One paragraph, heading, list or table as HTML."""
    lines = [line.strip() for line in text.strip().splitlines()]
    heading = re.match(r"(#+) +(.*)", lines[0])
    if heading:
        level = min(len(heading[1]), 6)
        rest = block("\n".join(lines[1:])) if lines[1:] else ""
        return f"<h{level}>{html.escape(heading[2])}</h{level}>\n{rest}"
    if all(line.startswith("|") for line in lines):
        rows = [line.strip("|").split("|") for line in lines if not re.fullmatch(r"[|:\- ]+", line)]
        cells = ("".join(f"<td>{html.escape(cell.strip())}</td>" for cell in row) for row in rows)
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    if all(re.match(r"[-*] |\d+\. ", line) for line in lines):
        return "<ul>" + "".join(f"<li>{html.escape(line.split(' ', 1)[1])}</li>" for line in lines) + "</ul>"
    return f"<p>{html.escape(' '.join(lines))}</p>"


def page(path):
    """The title of a document and its page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        found = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
        return html.unescape(found[1]).strip() if found else path.stem, text
    keys, body = front_matter(text)
    title = keys.get("title") or body.strip().splitlines()[0].lstrip("# ")
    date = f'<meta name="date" content="{html.escape(keys["date"])}">' if "date" in keys else ""
    blocks = "\n".join(block(part) for part in re.split(r"\n\s*\n", body) if part.strip())
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title>{date}'
    return title, f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{blocks}\n</main></body></html>\n'


def words(markup):
    """What a reader sees of a page."""
    seen = re.sub(r"<(script|style|head).*?</\1>", " ", markup, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", seen))).strip()


def main(documents, site, database, address):
    site = pathlib.Path(site)
    site.mkdir(parents=True)
    connection = sqlite3.connect(database)
    connection.execute("CREATE VIRTUAL TABLE pages USING fts5(title, body, url UNINDEXED, tokenize = 'porter unicode61')")
    sources = sorted(path for path in pathlib.Path(documents).iterdir() if path.suffix in (".md", ".txt", ".html"))
    for path in sources:
        title, markup = page(path)
        name = path.stem + ".html"
        (site / name).write_text(markup, encoding="utf-8")
        connection.execute("INSERT INTO pages VALUES (?, ?, ?)", (title, words(markup), f"{address}/{name}"))
    connection.commit()
    print(len(sources))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
