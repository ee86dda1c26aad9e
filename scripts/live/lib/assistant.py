"""An assistant's part of a conversation with `baton mcp`, spoken by the official MCP client for Python.

usage: assistant.py BATON HOME DOCUMENTS

Lists the tools, starts research over a folder, answers the question about its plan, waits for the end and reads the
report. Prints one JSON value with what each of these gave. Run with an interpreter that has the package `mcp`.
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters

QUESTION = "How many buildings are connected to the network?"


async def call(client, tool, **arguments):
    """What a tool says, and whether it failed."""
    result = await client.call_tool(tool, arguments)
    return "".join(block.text for block in result.content), bool(result.is_error)


async def until(client, run, ready):
    """The run as soon as it is as wanted; half a minute at most."""
    for _ in range(150):
        shown = json.loads((await call(client, "show_run", run=run))[0])
        if ready(shown):
            return shown
        await asyncio.sleep(0.2)
    raise TimeoutError(f"the run stands in {shown['state']}, {shown['status']}")


async def main(baton, home, documents):
    granted = ["--root", documents, "--answer", "research"]
    server = StdioServerParameters(
        command=baton, args=["mcp", "--home", home, *granted], env={"PATH": os.environ["PATH"]}
    )
    async with Client(server) as client:
        told = {"tools": sorted(tool.name for tool in (await client.list_tools()).tools)}
        started, _ = await call(client, "research", question=QUESTION, docs=[documents])
        run = json.loads(started)["run"]
        asked = await until(client, run, lambda shown: shown["questions"])
        told["question"] = asked["questions"][0]
        await call(client, "answer_question", run=run, answer="yes")
        ended = await until(client, run, lambda shown: shown["status"] == "finished")
        told["ended"] = {"run": run, "state": ended["state"], "why": ended["why"]}
        told["files"] = (await call(client, "read_file", run=run))[0]
        told["report"] = (await call(client, "read_file", run=run, path="report.md"))[0]
        told["forbidden"] = await refusal(client, "start_run", workflow="debate", input={})
        told["unknown"] = await refusal(client, "show_run", run="no-such-run")
    print(json.dumps(told, indent=2))


async def refusal(client, tool, **arguments):
    """How a call that must not work is refused."""
    try:
        words, failed = await call(client, tool, **arguments)
    except Exception as error:
        return str(error)
    return words if failed else None


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
