#!/usr/bin/env python3
"""Makes lies mechanically out of honest pairs, so that a rule can be loosened and what it lets in be seen at once.

usage: mutate.py SEED FILE... > mutated.jsonl      (files of pairs; lies among them are passed over)

Then `baton-bench-claims --pairs mutated.jsonl` prints the share let through for each kind of change. A change made without
understanding now and then leaves a sentence true, so a few in a hundred is noise.
"""
import json
import pathlib
import random
import re
import sys

THESAURUS = pathlib.Path(__file__).resolve().parents[2] / "crates/agents/src/rules/thesaurus.txt"
HELPERS = r"\b(is|are|was|were|can|may|must|will|should|has|have|could|might|shall)\b"
TURNED = [
    ("more", "less"), ("at least", "at most"), ("before", "after"), ("above", "below"), ("larger", "smaller"), ("from", "to"),
    ("over", "under"), ("with", "without"), ("increase", "decrease"), ("higher", "lower"), ("first", "last"), ("up to", "at least"),
    ("maximum", "minimum"), ("inside", "outside"), ("longer", "shorter"), ("faster", "slower"), ("rose", "fell"), ("enabled", "disabled"),
    ("enable", "disable"), ("always", "never"), ("allow", "forbid"), ("allowed", "forbidden"), ("best", "worst"), ("more than", "fewer than"),
]
UNITS = [("seconds", "minutes"), ("minutes", "hours"), ("hours", "days"), ("days", "weeks"), ("weeks", "months"), ("months", "years"),
         ("percent", "percentage points"), ("kilometres", "metres"), ("bytes", "kilobytes"), ("GB", "MB"), ("euros", "dollars"), ("bits", "bytes"),
         ("degrees", "kelvins"), ("tonnes", "kilograms"), ("characters", "words"), ("lines", "pages")]
HEDGES = [(r"\bmay be\b", "is"), (r"\bcan be\b", "is"), (r"\bmay\b", "will"), (r"\bmight\b", "will"), (r"\bcould\b", "did"), (r"\bshould\b", "must"),
          (r"\busually |\boften |\bnormally |\bgenerally |\btypically |\bsometimes |\bprobably ", ""), (r"\b(?:about|roughly|approximately|around) (?=\d)", ""),
          (r"\b(?:up to|at most|at least|as much as) (?=\w+)", "exactly "), (r"\bplanned\b|\bexpected\b", "certain"), (r"\balmost |\bnearly ", "")]
WIDENED = [(r"\b[Ss]ome\b|\b[Ss]everal\b|\b[Mm]any\b|\b[Mm]ost\b|\b[Aa] few\b", "all"), (r"\boften\b|\busually\b|\bsometimes\b|\bnormally\b", "always"),
           (r"\b[Oo]ne of the\b", "all of the"), (r"\bpartly\b|\bpartially\b", "entirely")]
REASONS = ["because the earlier design had failed", "because it is insecure", "to save money", "since customers complained", "as a result of the new law"]
JUDGED = ["dangerous", "excellent", "badly designed", "outdated", "popular", "controversial", "unreliable"]


def opposites():
    table = {}
    for line in THESAURUS.read_text(encoding="utf8").splitlines():
        if "!" in line and not line.startswith("#") and "=" not in line and "~" not in line:
            word, others = line.split("!", 1)
            table[word] = others.split(",")
    return table


def once(pattern, instead, text, at=0):
    """The text with one hit replaced, or None."""
    hits = list(re.finditer(pattern, text))
    if not hits:
        return None
    hit = hits[at % len(hits)]
    return text[: hit.start()] + hit.expand(instead) + text[hit.end():]


def nouns(text):
    return [hit for hit in re.finditer(r"\b(?:[Tt]he|an?|its|this|each|every) ([a-z]{4,})\b(?! [a-z]+ly\b)", text)]


def names(text):
    return [hit for hit in re.finditer(r"(?<=[a-z,] )([A-Z][A-Za-z0-9-]+)\b", text)]


def verbs(text):
    return [hit for hit in re.finditer(r"\b(?:(?:is|are|was|were|be|been) |[a-z]{4,} (?=[a-z]+(?:ed|es)\b))([a-z]{3,}(?:ed|es))\b", text)]


def mutations(pair, others, chance):
    """Kinds and false sentences."""
    own, quote = pair["sentence"], " ".join(pair["quotes"])
    for hit in re.finditer(r"(?<![\w.])\d[\d,.]*\d|\b\d\b", own):
        digits = [n for n in re.findall(r"(?<![\w.])\d[\d,.]*\d|\b\d\b", quote) if n != hit.group()]
        if digits:
            yield "number swapped", own[: hit.start()] + chance.choice(digits) + own[hit.end():]
        last = str((int(hit.group()[-1]) + 3) % 10)
        yield "number changed", own[: hit.end() - 1] + last + own[hit.end():]
    yield "negation added", once(HELPERS, r"\1 not", own)
    yield "negation removed", once(r"\b(?:not|never) |n't\b", "", own)
    for pattern, instead in HEDGES:
        yield "hedge removed", once(pattern, instead, own)
    for pattern, instead in WIDENED:
        yield "widened", once(pattern, instead, own)
    yield "must added", once(r"\b(?:can|may|should|might)\b", "must", own)
    yield "only added", once(HELPERS, r"\1 only", own)
    for one, other in TURNED:
        yield "turned", once(rf"\b{one}\b", other, own)
        yield "turned", once(rf"\b{other}\b", one, own)
    for one, other in UNITS:
        yield "unit", once(rf"\b{one}\b", other, own)
    words = [hit for hit in re.finditer(r"\b[a-z]{3,}\b", own) if OPPOSITES.get(hit.group())]
    for hit in words[:4]:
        yield "antonym", own[: hit.start()] + chance.choice(OPPOSITES[hit.group()]) + own[hit.end():]
    here, there = nouns(own), [hit.group(1) for hit in nouns(quote) if hit.group(1) not in own]
    for hit in here[:3]:
        if there:
            yield "noun of the quote", own[: hit.start(1)] + chance.choice(there) + own[hit.end(1):]
        foreign = [other.group(1) for other in nouns(" ".join(chance.choice(others)["quotes"])) if other.group(1) not in quote]
        if foreign:
            yield "noun of another", own[: hit.start(1)] + chance.choice(foreign) + own[hit.end(1):]
    if len(here) > 1 and here[0].group(1) != here[-1].group(1):
        one, two = here[0], here[-1]
        yield "nouns swapped", own[: one.start(1)] + two.group(1) + own[one.end(1): two.start(1)] + one.group(1) + own[two.end(1):]
    named = names(own)
    if len(named) > 1 and named[0].end() + 1 < named[-1].start() and named[0].group() != named[-1].group():
        one, two = named[0], named[-1]
        yield "names swapped", own[: one.start()] + two.group() + own[one.end(): two.start()] + one.group() + own[two.end():]
    for hit in named[:2]:
        foreign = [other.group() for other in names(" ".join(chance.choice(others)["quotes"])) if other.group() not in quote]
        if foreign:
            yield "name of another", own[: hit.start()] + chance.choice(foreign) + own[hit.end():]
    for hit in verbs(own)[:2]:
        ending = hit.group(1)[-2:]
        foreign = [other.group(1) for other in verbs(" ".join(chance.choice(others)["quotes"])) if other.group(1).endswith(ending)]
        foreign = [word for word in foreign if word not in quote]
        if foreign:
            yield "verb of another", own[: hit.start(1)] + chance.choice(foreign) + own[hit.end(1):]
    yield "condition dropped", once(r"(?:,? (?:if|when|unless|until|once|provided) [^,]+(?=\.$))|(?:^(?:If|When|Unless|Once|Until) [^,]+, )", "", own)
    yield "cause added", own.rstrip(".") + " " + chance.choice(REASONS) + "."
    if here:
        hit = here[-1]
        yield "judgement added", own[: hit.start(1)] + chance.choice(JUDGED) + " " + own[hit.start(1):]
        yield "rank added", once(r"\b(?:an?) (?=[a-z])", "the first ", own)
    parts = re.split(HELPERS, own, maxsplit=1)
    other = chance.choice(others)
    theirs = re.split(HELPERS, other["sentence"], maxsplit=1)
    if len(parts) == 3 and len(theirs) == 3 and 1 < len(parts[0].split()) < 8 and theirs[0].split()[0] not in ("If", "When"):
        pooled = dict(quotes=pair["quotes"] + other["quotes"], sentence=parts[0] + theirs[1] + theirs[2])
        yield "pooled", pooled


OPPOSITES = opposites()


def main():
    chance = random.Random(int(sys.argv[1]))
    pairs = [json.loads(line) for name in sys.argv[2:] for line in open(name, encoding="utf8") if line.strip()]
    honest = [pair for pair in pairs if pair["carried"]]
    said = {pair["sentence"] for pair in honest}
    for pair in honest:
        others = [other for other in chance.sample(honest, min(12, len(honest))) if other["doc"] != pair["doc"]] or honest
        for kind, made in mutations(pair, others, chance):
            made = made if isinstance(made, dict) else dict(quotes=pair["quotes"], sentence=made)
            sentence = made["sentence"]
            if sentence and sentence not in said and sentence[:1] and sentence not in made["quotes"]:
                made["sentence"] = sentence[0].upper() + sentence[1:]
                print(json.dumps(dict(made, carried=False, kind=kind, doc=pair["doc"], set="mutated"), ensure_ascii=False))


main()
