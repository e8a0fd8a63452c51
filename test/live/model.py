"""A chat model that plays the scenes, and the credential that leads to it."""

import asyncio
import base64
import json
import struct
import uuid
from collections.abc import AsyncGenerator
from typing import Any, Literal, Type

from pydantic import BaseModel

from agentscope.credential import CredentialBase
from agentscope.formatter import OpenAIChatFormatter
from agentscope.message import Base64Source, DataBlock, Msg, TextBlock, ThinkingBlock, ToolCallBlock
from agentscope.model import ChatModelBase, ChatResponse, ChatUsage, StructuredResponse

from scenes import GATES, Boom, Call, Gate, Say, Speak, Step, Think, Together, find_scene


def pieces(text: str, size: int) -> list[str]:
    """The text in pieces of `size` characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


class ProviderDown(Exception):
    """What a provider's client raises when the provider is gone."""


class FakeModel(ChatModelBase):
    """Plays scenes."""

    type: Literal["fake_chat"] = "fake_chat"

    class Parameters(BaseModel):
        """A scripted model has none."""

    def __init__(
        self,
        credential: CredentialBase,
        model: str,
        parameters: BaseModel | None = None,
        stream: bool = True,
        **_: Any,
    ) -> None:
        super().__init__(
            credential, model, parameters or self.Parameters(), stream, context_size=200_000
        )
        self.formatter = OpenAIChatFormatter()

    async def _call_api(
        self,
        model_name: str,
        messages: list[Msg],
        tools: list[dict] | None = None,
        tool_choice: Any = None,
        **kwargs: Any,
    ) -> AsyncGenerator[ChatResponse, None]:
        steps, gate = find_scene(messages)
        return self._play(steps, gate)

    async def generate_structured_output(self, *_: Any, **__: Any) -> StructuredResponse:
        """The service asks for a title of a session that has no name."""
        return StructuredResponse(content={"title": "A scripted talk"})

    async def _play(self, steps: list[Step], gate: str) -> AsyncGenerator[ChatResponse, None]:
        tokens = 0
        for number, step in enumerate(steps):
            async for blocks in self._blocks(step, f"block-{number}", gate):
                tokens += 1
                yield ChatResponse(content=blocks, is_last=False)
                await asyncio.sleep(0.004)
        yield ChatResponse(
            content=[],
            is_last=False,
            usage=ChatUsage(input_tokens=40, output_tokens=tokens, time=0.1),
        )

    async def _blocks(self, step: Step, name: str, gate: str) -> AsyncGenerator[list[Any], None]:
        match step:
            case Think(text):
                for piece in pieces(text, 9):
                    yield [ThinkingBlock(id=name, thinking=piece)]
            case Say(text):
                for piece in pieces(text, 7):
                    yield [TextBlock(id=name, text=piece)]
            case Speak(text):
                for number, piece in enumerate(pieces(text, 12)):
                    sound = struct.pack("<4h", number, -number, number * 3, 7)
                    source = Base64Source(
                        data=base64.b64encode(sound).decode(), media_type="audio/pcm;rate=24000"
                    )
                    yield [TextBlock(id=name, text=piece)]
                    yield [DataBlock(id=f"{name}-sound", source=source)]
            case Call():
                async for blocks in self._calls([step], gate):
                    yield blocks
            case Together(calls):
                async for blocks in self._calls(calls, gate):
                    yield blocks
            case Gate():
                await GATES[gate].wait()
            case Boom():
                raise ProviderDown("The provider is not there.")

    async def _calls(self, calls: list[Call], gate: str) -> AsyncGenerator[list[Any], None]:
        streams = []
        for call in calls:
            arguments = {
                key: gate if value == "$gate" else value for key, value in call.arguments.items()
            }
            streams.append(
                (f"call_{uuid.uuid4().hex[:12]}", call.tool, pieces(json.dumps(arguments), 6))
            )
        for turn in range(max(len(parts) for _, _, parts in streams)):
            # Each open call stands in each chunk: one that is missing counts as ended.
            yield [
                ToolCallBlock(id=call_id, name=tool, input=parts[turn])
                for call_id, tool, parts in streams
                if turn < len(parts)
            ]


class FakeCredential(CredentialBase):
    """A credential that opens nothing."""

    type: Literal["fake_credential"] = "fake_credential"

    @classmethod
    def get_chat_model_class(cls) -> Type[ChatModelBase]:
        return FakeModel
