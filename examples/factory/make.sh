#!/bin/sh
# Makes a small Python project in a new folder, for `baton build examples/factory/plan.toml --repo FOLDER`.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER" >&2
    exit 2
fi
if [ -e "$1" ] && [ -n "$(ls -A "$1")" ]; then
    echo "$1 is not empty; name a new folder" >&2
    exit 2
fi
mkdir -p "$1"
cd "$1"
mkdir ledger tests tools

cat > README.md <<'END'
# ledger

Keeps accounts in whole cents.
END

cat > CHANGES.md <<'END'
# Changes

END

cat > ledger/__init__.py <<'END'
"""Accounts in whole cents."""
END

cat > ledger/money.py <<'END'
"""Amounts of money, in whole cents."""


def parse(text):
    """Reads an amount such as 12.34 as cents."""
    whole, _, cents = text.partition(".")
    sign = -1 if whole.startswith("-") else 1
    return int(whole) * 100 + sign * int((cents + "00")[:2])


def show(cents):
    """Writes cents as an amount."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"
END

cat > tests/__init__.py <<'END'
END

cat > tests/test_money.py <<'END'
import unittest

from ledger import money


class Money(unittest.TestCase):
    def test_there_and_back(self):
        for text in ["0.00", "12.34", "-7.50", "1000.00"]:
            self.assertEqual(money.show(money.parse(text)), text)

    def test_cents(self):
        self.assertEqual(money.parse("3.5"), 350)


if __name__ == "__main__":
    unittest.main()
END

cat > tools/make_rates.py <<'END'
"""Writes tables of exchange rates for some years, one module each, with a test."""

from pathlib import Path

YEARS = [2021, 2022, 2023, 2024]

for year in YEARS:
    lines = [f'"""Exchange rates of {year}, in thousandths."""', "", "RATES = {"]
    for day in range(1, 251):
        lines.append(f'    "{year}-{day:03}": {1000 + (year * 7 + day * 13) % 211},')
    lines.append("}")
    folder = Path("ledger/rates")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text('"""Exchange rates by year."""\n')
    (folder / f"year{year}.py").write_text("\n".join(lines) + "\n")
    Path(f"tests/test_year{year}.py").write_text(
        "import unittest\n\n"
        f"from ledger.rates import year{year}\n\n\n"
        f"class Rates{year}(unittest.TestCase):\n"
        "    def test_every_day_has_a_rate(self):\n"
        f"        self.assertEqual(len(year{year}.RATES), 250)\n"
    )
END

git init --quiet --initial-branch=main .
git config user.name "The ledger's author"
git config user.email "author@example.org"
git add --all
git commit --quiet --message "A ledger that knows money"
echo "$(pwd) is ready: $(git rev-list --count HEAD) commit, $(git ls-files | wc -l | tr -d ' ') files"
