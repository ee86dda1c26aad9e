#!/usr/bin/env python3
"""Writes the data of this example: three related tables, two years of days, with facts planted on purpose.

    python3 generate.py data

What is planted, and where (README.md says what the report makes of it):
- a trend break: orders grow until 28 February 2025 and fall from 1 March 2025 on;
- a season: Saturdays have the most orders of a week, Sundays the fewest;
- an outlier: the Harbour shop on 17 August 2024;
- a share that flips: the app overtakes the counter in 2025;
- the annual review (documents/) names a revenue of 2025 that the data does not have.

Chance comes from a generator of its own, so the files are the same on every machine.
"""

import datetime
import pathlib
import sys

FIRST = datetime.date(2024, 1, 1)
LAST = datetime.date(2025, 12, 31)
BREAK = datetime.date(2025, 3, 1)
FESTIVAL = datetime.date(2024, 8, 17)
#         Monday … Sunday
WEEK = (0.94, 0.96, 0.98, 1.00, 1.12, 1.42, 0.58)
#        id    name        town         seats opened         weight
SHOPS = (
    ("01", "Harbour", "Sandvik", 44, "2016-04-02", 0.34),
    ("02", "Station", "Sandvik", 28, "2018-09-15", 0.28),
    ("03", "Mill", "Orrefors", 36, "2019-05-11", 0.22),
    ("04", "Campus", "Orrefors", 52, "2022-10-01", 0.16),
)


class Chance:
    """A linear congruential generator: numbers between -1 and 1."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) / 2**30 - 1.0

    def noise(self, size):
        return 1.0 + size * (self.next() + self.next() + self.next()) / 3.0


def level(day):
    """Orders of an ordinary day, all shops together, before the week and chance."""
    grown = 640 + 0.55 * min((day - FIRST).days, (BREAK - FIRST).days)
    return grown - 0.62 * max((day - BREAK).days, 0)


def app_share(day):
    return 0.22 + 0.48 * (day - FIRST).days / (LAST - FIRST).days


def main(folder):
    chance = Chance(20240101)
    sales = ["date,shop_id,channel,orders,revenue_eur"]
    costs = ["date,shop_id,staff_hours,staff_cost_eur"]
    day = FIRST
    while day <= LAST:
        for shop, _, _, _, _, weight in SHOPS:
            orders = level(day) * WEEK[day.weekday()] * weight * chance.noise(0.09)
            if day == FESTIVAL and shop == "01":
                orders *= 3.1
            app = app_share(day) * chance.noise(0.05)
            for channel, share, ticket in (("counter", 1.0 - app, 4.7), ("app", app, 5.3)):
                count = round(orders * share)
                cents = round(100 * count * ticket * chance.noise(0.03))
                sales.append(f"{day},{shop},{channel},{count},{cents / 100:.2f}")
            hours = round(5 + 46 * weight * WEEK[day.weekday()] * chance.noise(0.04), 1)
            wage = 17.2 if day.year == 2024 else 18.4
            costs.append(f"{day},{shop},{hours},{hours * wage:.2f}")
        day += datetime.timedelta(days=1)
    shops = ["shop_id,name,town,seats,opened"]
    shops += [f"{shop},{name},{town},{seats},{opened}" for shop, name, town, seats, opened, _ in SHOPS]
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("sales.csv", sales), ("costs.csv", costs), ("shops.csv", shops)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "data"))
