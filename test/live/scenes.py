"""What the scripted agent does after each prompt, and after each message of its team."""

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from agentscope.message import Msg


@dataclass
class Think:
    """A thinking block, word by word."""

    text: str


@dataclass
class Say:
    """A text block, word by word."""

    text: str


@dataclass
class Call:
    """A tool call; its arguments come in small pieces."""

    tool: str
    arguments: dict[str, Any]


@dataclass
class Together:
    """Tool calls whose arguments arrive interleaved."""

    calls: list[Call]


@dataclass
class Speak:
    """Sound next to an open text, as a voice model sends it."""

    text: str


@dataclass
class Gate:
    """Wait here until the gate of this prompt is opened."""


@dataclass
class Boom:
    """The provider fails."""


Step = Think | Say | Call | Together | Speak | Gate | Boom


@dataclass
class Scene:
    """What the agent does after one prompt: a list of rounds, a model call each."""

    prompt: str
    rounds: list[list[Step]] = field(default_factory=list)


TIDES = (
    "Tides follow the moon.\n\n- **High water** comes about every 12 h 25 min.\n"
    "- 月亮和太阳一起决定大潮。\n\n```js\nconst period = 12.42\n```\n"
)

SCENES = [
    Scene(
        "Why are there tides?",
        [[Think("The person asks about tides. Moon first, then sun."), Say(TIDES)]],
    ),
    Scene(
        "Compare the weather in Oslo and Rome.",
        [
            [
                Think("Two cities, two calls."),
                Say("I look both up."),
                Together([Call("weather", {"city": "Oslo"}), Call("weather", {"city": "Rome"})]),
            ],
            [Say("Oslo has snow at -3 °C, Rome has sun at 14 °C.")],
        ],
    ),
    Scene(
        "Move 500 to savings.",
        [
            [Say("I move it once you agree."), Call("transfer", {"to": "savings", "amount": 500})],
            [Say("That settles it.")],
        ],
    ),
    Scene(
        "Pay the rent and the power bill.",
        [
            [
                Together(
                    [
                        Call("transfer", {"to": "rent", "amount": 900}),
                        Call("remove", {"file": "power-bill.pdf"}),
                    ]
                )
            ],
            [Say("Both are settled.")],
        ],
    ),
    Scene(
        "Where am I?",
        [
            [Say("Your browser knows."), Call("locate", {"accuracy": "city"})],
            [Say("You are in Bergen.")],
        ],
    ),
    Scene(
        "What time is it?",
        [[Say("I ask your browser."), Call("get_local_time", {})], [Say("That is your time.")]],
    ),
    Scene(
        "Move 20 to savings and tell me where I am.",
        [
            [
                Together(
                    [
                        Call("transfer", {"to": "savings", "amount": 20}),
                        Call("locate", {"accuracy": "street"}),
                    ]
                )
            ],
            [Say("Done, and you are in Bergen.")],
        ],
    ),
    Scene("Count to a hundred.", [[Think("Slowly."), Say("1 2 3 4 5"), Gate(), Say("6 7 8")]]),
    Scene(
        "Wait for the parcel.",
        [[Say("I wait."), Call("wait", {"gate": "$gate"})], [Say("It is here.")]],
    ),
    Scene("Break down.", [[Think("This will not go well."), Say("Half an answer "), Boom()], []]),
    Scene("Break down at once.", [[Boom()]]),
    Scene(
        "Tell me a long story.",
        [
            [
                Think("Long it shall be."),
                Say("Once upon a time "),
                Gate(),
                Say("there was a stream that broke. "),
            ]
        ],
    ),
    Scene("Draw the chart.", [[Call("chart", {"kind": "bar"})], [Say("There it is.")]]),
    Scene("Read me the news.", [[Speak("Good evening. Nothing happened.")]]),
    Scene("Use the broken tool.", [[Call("broken", {})], [Say("It does not work.")]]),
    Scene(
        "Help me choose a colour.",
        [
            [
                Call(
                    "AskUser",
                    {
                        "questions": [
                            {
                                "question": "Which colour do you want?",
                                "header": "Colour",
                                "multi_select": False,
                                "options": [
                                    {"label": "Red", "description": "Warm"},
                                    {"label": "Blue", "description": "Calm"},
                                ],
                            }
                        ]
                    },
                )
            ],
            [Say("A good choice.")],
        ],
    ),
    Scene(
        "Write a book.",
        [[Say(" ".join(f"Word {n} ." for n in range(800))), Gate(), Say(" The end.")]],
    ),
    Scene(
        "Tell a saga.",
        [
            [
                Think("Vikings, 龙 and a storm."),
                Say(" ".join(f"Oar {n} – 桨." for n in range(150))),
                Together([Call("weather", {"city": "Oslo"}), Call("weather", {"city": "Nuuk"})]),
            ],
            [Say(" ".join(f"Wave {n} – 浪 🌊." for n in range(150)))],
        ],
    ),
    Scene(
        "Plan the garden with a helper.",
        [
            [
                Say("I set up a small team."),
                Call("TeamCreate", {"name": "Garden", "description": "Plans a raised bed."}),
            ],
            [
                Call(
                    "AgentCreate",
                    {
                        "name": "researcher",
                        "description": "Looks things up.",
                        "prompt": "Buy some mulch.",
                    },
                )
            ],
            [Say("The researcher is at work.")],
        ],
    ),
    Scene(
        "Buy some mulch.",
        [
            [Call("transfer", {"to": "mulch", "amount": 12})],
            [Call("TeamSay", {"content": "Straw is on its way.", "to": None})],
            [Say("Reported.")],
        ],
    ),
    Scene("Straw is on its way.", [[Say("The researcher bought **straw**.")]]),
    Scene("Never stop.", [[Call("weather", {"city": f"Town {n}"})] for n in range(60)]),
]

GATES: dict[str, asyncio.Event] = defaultdict(asyncio.Event)


TEAM_MESSAGE = re.compile(r"<team-message from=.*?>\n(.*)\n</team-message>", re.DOTALL)


def find_scene(messages: list[Msg]) -> tuple[list[Step], str]:
    """The round to play now, and the name of the prompt's gate."""
    results = 0
    for message in reversed(messages):
        for block in reversed(message.content):
            if block.type == "tool_result":
                results += 1
            said = said_in(message, block)
            if said is None:
                continue
            prompt, _, gate = said.partition("#")
            for scene in SCENES:
                if scene.prompt == prompt.strip():
                    return round_after(scene, results), gate.strip()
            if message.role == "user":
                break
    return [Say("I have no lines for that.")], ""


def said_in(message: Msg, block: Any) -> str | None:
    """What a person or somebody of the team says in this block."""
    if block.type == "text" and message.role == "user":
        return block.text
    if block.type == "hint" and isinstance(block.hint, str):
        found = TEAM_MESSAGE.search(block.hint)
        return found.group(1) if found else None
    return None


def round_after(scene: Scene, results: int) -> list[Step]:
    """The first round whose calls are not all answered yet."""
    for steps in scene.rounds:
        if results == 0:
            return steps
        results -= sum(
            len(step.calls) if isinstance(step, Together) else isinstance(step, Call)
            for step in steps
        )
    return [Say("That was all.")]
