"""A model server without a model, for coding agents: it does what the prompt orders and nothing else.

usage: coder.py PORT_FILE

Writes its port into PORT_FILE and serves until it is ended. Somewhere in a prompt stands an order such as
[[write notes/hello.txt | some text]]; the first answer to it is one call of a tool that the agent offers, which writes that
file below the working folder, and the answer to that tool's result is the word DONE. [[slow]] in a prompt holds its
answers back for twenty seconds. A request without tools (a title, a label) gets the word ok.
Speaks chat completions and responses of OpenAI's shape, and messages of Anthropic's.
"""

import http.server
import json
import os
import re
import sys
import time

ORDER = re.compile(r"\[\[write\s+([^|\]\s]+)\s*\|([^\]]*)\]\]")
FOLDER = re.compile(r"(?:Working directory|cwd|working directory)[^/\n]*(/[^\s\"<,`]+)")


def texts(value):
    """Every piece of text in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def asked(messages):
    """The order, and whether a tool has answered since."""
    order, done = None, False
    for message in messages:
        whole = "\n".join(texts(message))
        result = message.get("role") == "tool" or message.get("type") == "function_call_output" or '"tool_result"' in json.dumps(message)
        found = ORDER.findall(whole)
        if found and not result and message.get("role") != "assistant":
            order, done = found[-1], False
        elif result and order:
            done = True
    return order, done


def call(offered, order):
    """The call of a tool that is offered, which writes the file of an order."""
    path, text = order[0], order[1].strip() + "\n"
    quoted = "'" + text.replace("'", "'\\''") + "'"
    shell = f"mkdir -p \"$(dirname {path})\" && printf %s {quoted} > {path}"
    for name, arguments in [
        ("Write", {"file_path": os.path.join(FOLDER_OF_CALL[0], path), "content": text}),
        ("write", {"path": path, "content": text, "file_text": text}),
        ("write_file", {"path": path, "file_path": path, "content": text}),
        ("exec_command", {"cmd": shell}),
        ("shell", {"command": ["sh", "-c", shell]}),
        ("Bash", {"command": shell, "description": "write a file"}),
    ]:
        for tool in offered:
            if tool == name or tool.endswith("__" + name):
                return tool, arguments
    raise LookupError(f"none of these tools writes a file: {offered}")


FOLDER_OF_CALL = ["."]


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.reply(200, "text/plain", b"")

    def do_GET(self):
        self.reply(200, "application/json", json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).encode())

    def reply(self, status, kind, body):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, events, named):
        lines = []
        for event in events:
            if named:
                lines.append(f"event: {event['type']}\n")
            lines.append(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
        self.reply(200, "text/event-stream", "".join(lines).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            return self.reply(200, "application/json", b'{"input_tokens": 10}')
        asking = json.loads(body or b"{}")
        found = FOLDER.findall("\n".join(texts(asking)))
        FOLDER_OF_CALL[0] = found[0] if found else "."
        if "[[slow]]" in body.decode("utf-8", "replace"):
            time.sleep(20)
        messages = asking.get("messages") or asking.get("input") or []
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        offered = [tool.get("name") or tool.get("function", {}).get("name", "") for tool in asking.get("tools") or []]
        order, done = asked(messages)
        used = None if not offered or done or not order else call(offered, order)
        words = "DONE" if done else "ok"
        if path.endswith("/messages"):
            self.as_messages(used, words, asking.get("stream"))
        elif path.endswith("/responses"):
            self.as_responses(used, words)
        else:
            self.as_chat(used, words, asking.get("stream"))

    def as_messages(self, used, words, streams):
        block = {"type": "text", "text": words}
        if used:
            block = {"type": "tool_use", "id": "toolu_1", "name": used[0], "input": used[1]}
        stop = "tool_use" if used else "end_turn"
        usage = {"input_tokens": 10, "output_tokens": 5}
        whole = {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        if not streams:
            whole.update(content=[block], stop_reason=stop)
            return self.reply(200, "application/json", json.dumps(whole).encode())
        if used:
            start = dict(block, input={})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(used[1])}
        else:
            start = dict(block, text="")
            delta = {"type": "text_delta", "text": words}
        self.stream(
            [
                {"type": "message_start", "message": whole},
                {"type": "content_block_start", "index": 0, "content_block": start},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
                {"type": "message_stop"},
            ],
            True,
        )

    def as_responses(self, used, words):
        item = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": words, "annotations": []}]}
        if used:
            item = {"type": "function_call", "id": "f", "call_id": "call_1", "name": used[0], "arguments": json.dumps(used[1])}
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        self.stream(
            [
                {"type": "response.created", "response": {"id": "r"}},
                {"type": "response.output_item.done", "item": item},
                {"type": "response.completed", "response": {"id": "r", "usage": usage}},
            ],
            True,
        )

    def as_chat(self, used, words, streams):
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        message = {"role": "assistant", "content": words}
        if used:
            function = {"name": used[0], "arguments": json.dumps(used[1])}
            message = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}
        stop = "tool_calls" if used else "stop"
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
        if not streams:
            whole = dict(chunk, object="chat.completion", choices=[{"index": 0, "message": message, "finish_reason": stop}], usage=usage)
            return self.reply(200, "application/json", json.dumps(whole).encode())
        self.stream(
            [
                dict(chunk, choices=[{"index": 0, "delta": message, "finish_reason": None}]),
                dict(chunk, choices=[{"index": 0, "delta": {}, "finish_reason": stop}]),
                dict(chunk, choices=[], usage=usage),
                "[DONE]",
            ],
            False,
        )


def main(port_file):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    with open(port_file + ".new", "w") as file:
        file.write(str(server.server_port))
    os.rename(port_file + ".new", port_file)
    server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
