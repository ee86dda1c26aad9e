"""DBOS on SQLite, as it comes: a workflow of steps, a file its steps mark, a workflow that waits."""

import json
import logging
import os
import sys
import time

from dbos import DBOS, SetWorkflowID

task, folder, *rest = sys.argv[1:]
DBOS(config={
    "name": "peer",
    "system_database_url": f"sqlite:///{os.path.join(folder, 'dbos.db')}",
    "run_admin_server": False,
    "log_level": "CRITICAL",
    # Without it another source is another version, and its runs are left alone.
    "application_version": "1",
})
logging.disable(logging.CRITICAL)
FILE = rest[-1] if task.startswith(("mark", "wait", "answer")) else None


@DBOS.step()
def move(number):
    return number + 1


@DBOS.workflow()
def ring(steps):
    moved = 0
    for _ in range(steps):
        moved = move(moved)
    return moved


@DBOS.step()
def mark(number):
    with open(FILE, "a") as marks:
        marks.write(f"{number}\n")
    return number + 1


@DBOS.workflow()
def marking(steps):
    moved = 0
    for _ in range(steps):
        moved = mark(moved)
    return moved


def prepare():
    return "ready"


# The step before the waiting has another name in the newer code.
prepare.__qualname__ = prepare.__name__ = "ready" if task == "answer-renamed" else "prepare"
prepare = DBOS.step()(prepare)


@DBOS.step()
def pay():
    time.sleep(0.3)
    with open(FILE, "a") as marks:
        marks.write("paid\n")


@DBOS.workflow()
def order():
    prepare()
    DBOS.sleep(3)
    pay()
    return 1


def size():
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)
               if name.startswith("dbos.db") and not name.endswith("-shm"))


def timed(workflow, steps):
    begun = time.perf_counter()
    with SetWorkflowID("one"):
        out = workflow(steps)
    seconds = time.perf_counter() - begun
    assert out == steps, out
    return {"seconds": seconds, "bytes": size()}


def go_on(workflow, *arguments):
    if DBOS.get_workflow_status("one") is None:
        with SetWorkflowID("one"):
            return workflow(*arguments)
    return DBOS.retrieve_workflow("one").get_result()


def wait():
    with SetWorkflowID("one"):
        DBOS.start_workflow(order)
    time.sleep(0.5)
    print(json.dumps({"waits": ["sleep"]}), flush=True)
    os._exit(0)  # it waits; the process is gone


def answer():
    try:
        out = DBOS.retrieve_workflow("one").get_result()
    except Exception as error:  # what a person would see
        return {"error": f"{type(error).__name__}: {error}"[:160]}
    return {"paid": out}


DBOS.launch()
done = {
    "single": lambda: timed(ring, int(rest[0])),
    "mark": lambda: {"done": go_on(marking, int(rest[0])) == int(rest[0])},
    "wait": wait,
    "answer": answer,
    "answer-renamed": answer,
}[task]()
print(json.dumps(done), flush=True)
os._exit(0)
