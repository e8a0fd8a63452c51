"""The real AgentScope agent service on loopback, with a model and tools that follow a script.

Everything but the model and the tools is AgentScope's own: storage, bus, agent loop, permissions,
HTTP. The model looks for the last thing the user said, finds the scene with that prompt and plays
its next round. A scene may stop at a gate; ``POST /live/gates/NAME`` opens it. The gate's name
stands in the prompt after a ``#``, so two sessions never wait at the same gate.

Run: ``python server.py FOLDER [PORT]``. FOLDER holds the database and the workspaces. The first line on
stdout is ``{"port": N}``. The server stops on SIGTERM and when its stdin closes.
"""

import json
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.middleware import Middleware
from fastapi.middleware.cors import CORSMiddleware
from pydantic import TypeAdapter

from agentscope import event as events
from agentscope.app import create_app
from agentscope.app.message_bus import InMemoryMessageBus
from agentscope.app.storage import AsyncSQLAlchemyStorage
from agentscope.app.workspace_manager import LocalWorkspaceManager
from agentscope.message import ContentBlock, Msg

from model import FakeCredential
from scenes import GATES
from tools import scripted_tools


def schemas() -> dict[str, Any]:
    """JSON schemas of every event, every block and a message, by name."""
    found: dict[str, Any] = {}
    for model in events.AgentEvent.__args__:
        found[model.model_fields["type"].default] = model.model_json_schema(mode="serialization")
    for model in ContentBlock.__args__:
        found[model.model_fields["type"].default] = model.model_json_schema(mode="serialization")
    found["Msg"] = TypeAdapter(Msg).json_schema(mode="serialization")
    return found


def fold_frames(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages that AgentScope itself makes of a stream's frames."""
    parse = TypeAdapter(events.AgentEvent).validate_python
    messages: dict[str, Msg] = {}
    seen: set[str] = set()
    for frame in frames:
        if frame["type"] == "CUSTOM" or frame["id"] in seen:
            continue
        seen.add(frame["id"])
        event = parse(frame)
        if frame["type"] == "REPLY_START" and event.reply_id not in messages:
            messages[event.reply_id] = Msg(
                id=event.reply_id, name=event.name, role=event.role, content=[]
            )
        elif event.reply_id in messages:
            messages[event.reply_id].append_event(event)
    return [message.model_dump(mode="json") for message in messages.values()]


def build(folder: Path) -> FastAPI:
    app = create_app(
        storage=AsyncSQLAlchemyStorage(f"sqlite+aiosqlite:///{folder / 'service.db'}"),
        message_bus=InMemoryMessageBus(),
        workspace_manager=LocalWorkspaceManager(basedir=str(folder / "workspaces")),
        extra_credentials=[FakeCredential],
        extra_agent_tools=scripted_tools,
        extra_middlewares=[
            Middleware(
                CORSMiddleware, allow_origins=["*"], allow_headers=["*"], allow_methods=["*"]
            )
        ],
    )

    @app.post("/live/gates/{name}")
    async def open_gate(name: str) -> dict[str, str]:
        GATES[name].set()
        return {"open": name}

    @app.post("/live/fold")
    async def fold(frames: list[dict[str, Any]]) -> dict[str, Any]:
        return {"messages": fold_frames(frames)}

    @app.get("/live/schemas")
    async def list_schemas() -> dict[str, Any]:
        return schemas()

    return app


def main() -> None:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0))
    config = uvicorn.Config(
        build(Path(sys.argv[1])),
        log_level="warning",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    def stop_with_parent() -> None:
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=stop_with_parent, daemon=True).start()
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
