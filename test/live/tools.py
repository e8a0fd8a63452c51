"""Tools that run at once, ask first, run on the client, wait, draw or fail."""

import base64
import struct
import zlib
from collections.abc import AsyncGenerator
from typing import Any

from agentscope.message import Base64Source, DataBlock, TextBlock, ToolResultState, URLSource
from agentscope.permission import (
    PermissionBehavior,
    PermissionContext,
    PermissionDecision,
    PermissionRule,
)
from agentscope.tool import AskUser, ToolBase, ToolChunk

from scenes import GATES


def schema(**properties: str) -> dict[str, Any]:
    """An input schema in which every property is required."""
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }


class ScriptedTool(ToolBase):
    """A tool that may run at once."""

    is_concurrency_safe = True
    is_read_only = True
    behavior = PermissionBehavior.ALLOW

    async def check_permissions(
        self,
        tool_input: dict[str, Any],
        context: PermissionContext,
    ) -> PermissionDecision:
        return PermissionDecision(behavior=self.behavior, message="As scripted.")


class Weather(ScriptedTool):
    """Streams two pieces of text."""

    name = "weather"
    description = "Weather of a city."
    input_schema = schema(city="string")

    async def call(self, city: str) -> AsyncGenerator[ToolChunk, None]:
        text = TextBlock(text=f"{city}: ")
        yield ToolChunk(content=[text], is_last=False)
        yield ToolChunk(
            content=[TextBlock(id=text.id, text="dry, 9 °C")], state=ToolResultState.SUCCESS
        )


class Transfer(ScriptedTool):
    """Asks first and suggests a rule."""

    name = "transfer"
    description = "Move money."
    input_schema = schema(to="string", amount="number")
    is_read_only = False

    async def check_permissions(
        self,
        tool_input: dict[str, Any],
        context: PermissionContext,
    ) -> PermissionDecision:
        rule = PermissionRule(
            tool_name=self.name,
            rule_content=None,
            behavior=PermissionBehavior.ALLOW,
            source="suggested",
        )
        return PermissionDecision(
            behavior=PermissionBehavior.PASSTHROUGH,
            message="Money moves only with consent.",
            suggested_rules=[rule],
        )

    async def call(self, to: str, amount: float) -> ToolChunk:
        return ToolChunk(
            content=[TextBlock(text=f"Moved {amount} to {to}.")],
            state=ToolResultState.SUCCESS,
            metadata={"balance": 1000 - amount},
        )


class Remove(ScriptedTool):
    """Asks first; the rule that is suggested is the engine's own."""

    name = "remove"
    description = "Delete a file."
    input_schema = schema(file="string")
    is_read_only = False
    behavior = PermissionBehavior.ASK

    async def call(self, file: str) -> ToolChunk:
        return ToolChunk(
            content=[TextBlock(text=f"{file} is gone.")], state=ToolResultState.SUCCESS
        )


class Locate(ScriptedTool):
    """The client runs it."""

    name = "locate"
    description = "Where the person is."
    input_schema = schema(accuracy="string")
    is_external_tool = True


class LocalTime(ScriptedTool):
    """The demo page runs it by itself."""

    name = "get_local_time"
    description = "The time where the person is."
    input_schema = schema()
    is_external_tool = True


class Wait(ScriptedTool):
    """Runs until its gate opens."""

    name = "wait"
    description = "Wait for something."
    input_schema = schema(gate="string")

    async def call(self, gate: str) -> AsyncGenerator[ToolChunk, None]:
        text = TextBlock(text="Waiting. ")
        yield ToolChunk(content=[text], is_last=False)
        await GATES[gate].wait()
        yield ToolChunk(
            content=[TextBlock(id=text.id, text="Arrived.")], state=ToolResultState.SUCCESS
        )


def picture() -> str:
    """A red square, four by four, as base64 PNG."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    rows = zlib.compress((b"\0" + b"\xcc\x22\x22" * 4) * 4)
    header = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()


class Chart(ScriptedTool):
    """Gives words, a picture in two chunks under one id, and an address."""

    name = "chart"
    description = "Draw a chart."
    input_schema = schema(kind="string")

    async def call(self, kind: str) -> AsyncGenerator[ToolChunk, None]:
        yield ToolChunk(content=[TextBlock(text=f"A {kind} chart.")], is_last=False)
        whole = base64.b64decode(picture())
        for part in (whole[:40], whole[40:]):
            source = Base64Source(data=base64.b64encode(part).decode(), media_type="image/png")
            yield ToolChunk(content=[DataBlock(id="chart-png", source=source)], is_last=False)
        link = URLSource(url="https://example.com/chart.png", media_type="image/png")
        yield ToolChunk(
            content=[DataBlock(id="chart-url", source=link)], state=ToolResultState.SUCCESS
        )


class Broken(ScriptedTool):
    """Raises."""

    name = "broken"
    description = "Does not work."
    input_schema = schema()

    async def call(self) -> ToolChunk:
        raise RuntimeError("The tool fell apart.")


async def scripted_tools(user_id: str, agent_id: str, session_id: str) -> list[ToolBase]:
    tools: list[type[ToolBase]] = [
        Weather,
        Transfer,
        Remove,
        Locate,
        LocalTime,
        Wait,
        Chart,
        Broken,
        AskUser,
    ]
    return [tool() for tool in tools]
