"""A model that answers `ok` to everything on 127.0.0.1, and remembers what it was told.

It speaks the four languages that the clients use: Anthropic's messages, OpenAI's responses and chat
completions, and Google's content generation.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final


class Stub(ThreadingHTTPServer):
    """The endpoint; `heard` are the bodies of all requests that came in."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def list_texts(self) -> list[str]:
        """Give every text that the model was told, in order; of equal ones the first."""
        return list(dict.fromkeys(text for body in self.heard for text in _iter_texts(body)))


@contextmanager
def stub() -> Iterator[Stub]:
    """Give an endpoint that listens until the context ends."""
    with Stub() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _iter_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _iter_texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _iter_texts(one)


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._send(b'{"data": [], "models": []}', "application/json")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        wish = json.loads(body or b"{}")
        assert isinstance(self.server, Stub)
        self.server.heard.append(wish)
        self._send(*_answer(self.path, is_stream=wish.get("stream") is True))

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _answer(path: str, *, is_stream: bool) -> tuple[bytes, str]:
    if "count_tokens" in path or "countTokens" in path:
        return b'{"input_tokens": 10, "totalTokens": 10}', "application/json"
    if "enerateContent" in path:
        return _data(_GOOGLE) if "stream" in path else _plain(_GOOGLE)
    if "/responses" in path:
        return _events(_RESPONSES) if is_stream else _plain(_RESPONSES[-1]["response"])
    if "/chat/completions" in path:
        return _data(_CHUNK, _CHUNK_END) if is_stream else _plain(_COMPLETION)
    return _events(_MESSAGES) if is_stream else _plain(_MESSAGE)


def _plain(value: object) -> tuple[bytes, str]:
    return json.dumps(value).encode(), "application/json"


def _data(*values: object) -> tuple[bytes, str]:
    lines = [f"data: {json.dumps(value)}\n\n" for value in values]
    return "".join([*lines, "data: [DONE]\n\n"] if len(values) > 1 else lines).encode(), _STREAM


def _events(values: list[dict[str, Any]]) -> tuple[bytes, str]:
    text = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in values)
    return text.encode(), _STREAM


_STREAM: Final = "text/event-stream"
_USAGE: Final = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}

_MESSAGE: Final[dict[str, Any]] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "stub",
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
_MESSAGES: Final[list[dict[str, Any]]] = [
    {"type": "message_start", "message": {**_MESSAGE, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 1},
    },
    {"type": "message_stop"},
]

_ITEM: Final = {
    "type": "message",
    "id": "item_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "ok", "annotations": []}],
}
_RESPONSES: Final[list[dict[str, Any]]] = [
    {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress"}},
    {"type": "response.output_item.done", "output_index": 0, "item": _ITEM},
    {
        "type": "response.completed",
        "response": {
            "id": "resp_1",
            "object": "response",
            "status": "completed",
            "output": [_ITEM],
            "usage": {**_USAGE, "input_tokens_details": None, "output_tokens_details": None},
        },
    },
]

_COMPLETION: Final = {
    "id": "chat_1",
    "object": "chat.completion",
    "created": 1,
    "model": "stub",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "ok"},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
_CHUNK: Final = {
    "id": "chat_1",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "stub",
    "choices": [
        {"index": 0, "delta": {"role": "assistant", "content": "ok"}, "finish_reason": None}
    ],
}
_CHUNK_END: Final = {
    **_CHUNK,
    "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}

_GOOGLE: Final = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"text": "ok"}]},
            "finishReason": "STOP",
            "index": 0,
        }
    ],
    "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
}
