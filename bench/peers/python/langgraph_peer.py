"""LangGraph with SqliteSaver: a ring of ten nodes, a file the ring marks, a node that waits for a yes.

Every task prints one JSON object. The promise is one commit per transition that survives a power cut:
durability="sync" and synchronous=FULL, read back.
"""

import json
import operator
import os
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

NAMES = ["PLANNING", "SEARCHING", "READING", "SORTING", "DRAFTING",
         "CHECKING", "REVIEWING", "REVISING", "RENDERING", "DELIVERING"]


class Ring(TypedDict):
    moved: int
    wanted: int


class Learning(TypedDict):
    moved: int
    wanted: int
    lessons: Annotated[list, operator.add]


def saver(folder):
    connection = sqlite3.connect(os.path.join(folder, "langgraph.db"), check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA busy_timeout=30000")
    (sync,) = connection.execute("PRAGMA synchronous").fetchone()
    assert sync == 2, sync
    kept = SqliteSaver(connection)
    kept.setup()
    return kept


def ring(state, work):
    graph = StateGraph(state)
    for name in NAMES:
        graph.add_node(name, work)
    graph.add_edge(START, NAMES[0])
    for here, there in zip(NAMES, NAMES[1:]):
        graph.add_conditional_edges(here, lambda it, there=there: END if it["moved"] >= it["wanted"] else there,
                                    [END, there])
    graph.add_conditional_edges(NAMES[-1], lambda it: END if it["moved"] >= it["wanted"] else NAMES[0],
                                [END, NAMES[0]])
    return graph


def config(thread, steps):
    return {"configurable": {"thread_id": thread}, "recursion_limit": steps + 20}


def size(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)
               if name.startswith("langgraph.db") and not name.endswith("-shm"))


def settle(kept):
    kept.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def single(folder, steps):
    kept = saver(folder)
    app = ring(Ring, lambda it: {"moved": it["moved"] + 1}).compile(checkpointer=kept)
    begun = time.perf_counter()
    out = app.invoke({"moved": 0, "wanted": steps}, config("one", steps), durability="sync")
    seconds = time.perf_counter() - begun
    assert out["moved"] == steps, out
    settle(kept)
    return {"seconds": seconds, "bytes": size(folder)}


def many(folder, runs, steps):
    kept = saver(folder)
    app = ring(Ring, lambda it: {"moved": it["moved"] + 1}).compile(checkpointer=kept)
    begun = time.perf_counter()
    with ThreadPoolExecutor(runs) as pool:
        def one(number):
            return app.invoke({"moved": 0, "wanted": steps}, config(str(number), steps), durability="sync")
        done = list(pool.map(one, range(runs)))
    seconds = time.perf_counter() - begun
    assert all(out["moved"] == steps for out in done)
    return {"seconds": seconds}


def grow(folder, steps):
    kept = saver(folder)
    app = ring(Learning, lambda it: {"moved": it["moved"] + 1, "lessons": [f"{it['moved']:06} " + "x" * 193]})
    app = app.compile(checkpointer=kept)
    begun = time.perf_counter()
    out = app.invoke({"moved": 0, "wanted": steps, "lessons": []}, config("one", steps), durability="sync")
    seconds = time.perf_counter() - begun
    assert len(out["lessons"]) == steps
    settle(kept)
    return {"seconds": seconds, "bytes": size(folder)}


def mark(folder, steps, file, durability):
    def work(it):
        with open(file, "a") as marks:
            marks.write(f"{it['moved']}\n")
        return {"moved": it["moved"] + 1}
    app = ring(Ring, work).compile(checkpointer=saver(folder))
    known = app.get_state(config("one", steps))
    first = None if known.values else {"moved": 0, "wanted": steps}
    out = app.invoke(first, config("one", steps), durability=durability)
    assert out["moved"] == steps, out
    return {"done": True}


class Order(TypedDict):
    paid: int


def order(waiting, file):
    def ask(it):
        interrupt("Pay?")
        return {}

    def pay(it):
        time.sleep(0.3)
        with open(file, "a") as marks:
            marks.write("paid\n")
        return {"paid": it["paid"] + 1}
    graph = StateGraph(Order)
    graph.add_node(waiting, ask)
    graph.add_node("PAY", pay)
    graph.add_edge(START, waiting)
    graph.add_edge(waiting, "PAY")
    graph.add_edge("PAY", END)
    return graph


def wait(folder, file):
    app = order("WAIT", file).compile(checkpointer=saver(folder))
    app.invoke({"paid": 0}, config("one", 10), durability="sync")
    return {"waits": list(app.get_state(config("one", 10)).next)}


def answer(folder, file, waiting):
    app = order(waiting, file).compile(checkpointer=saver(folder))
    try:
        out = app.invoke(Command(resume=True), config("one", 10), durability="sync")
    except Exception as error:  # what a person would see
        return {"error": f"{type(error).__name__}: {error}"[:160]}
    return {"paid": out.get("paid"), "next": list(app.get_state(config("one", 10)).next)}


def main():
    task, folder, *rest = sys.argv[1:]
    done = {
        "single": lambda: single(folder, int(rest[0])),
        "many": lambda: many(folder, int(rest[0]), int(rest[1])),
        "grow": lambda: grow(folder, int(rest[0])),
        "mark": lambda: mark(folder, int(rest[0]), rest[1], "sync"),
        "mark-default": lambda: mark(folder, int(rest[0]), rest[1], "async"),
        "wait": lambda: wait(folder, rest[0]),
        "answer": lambda: answer(folder, rest[0], "WAIT"),
        "answer-renamed": lambda: answer(folder, rest[0], "AWAIT_APPROVAL"),
    }[task]()
    print(json.dumps(done))


main()
