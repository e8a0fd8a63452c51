"""Folds streams with AgentScope's own ``Msg.append_event``: one JSON line in, one out.

In: ``{"init": Msg, "events": [...]}``. Out: ``{"init": Msg, "steps": [...]}``, where a step is the message after an event,
``null`` when the event left it as it was, or ``{"refused": reason}`` when the event is none or the fold raised. The reason
tells which: ``no event: ...`` or ``raised: ...``. The first line out names the versions.
"""

import json
import logging
import platform
import sys
import warnings
from typing import Any

import pydantic

import agentscope
from agentscope import event as events
from agentscope.message import Msg

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

MODELS = {
    model.model_fields["type"].default: model.model_validate
    for model in events.AgentEvent.__args__
}


def dump(message: Msg) -> dict[str, Any]:
    return message.model_dump(mode="json")


def step(message: Msg, event: Any) -> str | None:
    """Folds one event as it comes off the wire; the reason when that cannot be."""
    kind = event.get("type") if isinstance(event, dict) else None
    parse = MODELS.get(kind) if isinstance(kind, str) else None
    if parse is None:
        return "no event: unknown type"
    try:
        parsed = parse(event)
    except pydantic.ValidationError as error:
        problems = (f"{'.'.join(map(str, one['loc']))} {one['type']}" for one in error.errors())
        return f"no event: {', '.join(problems)}"
    try:
        message.append_event(parsed)
    except Exception as error:  # whatever it is: the fold raised
        return f"raised: {type(error).__name__}"
    return None


def fold(case: dict[str, Any]) -> dict[str, Any]:
    message = Msg.model_validate(case["init"])
    before = first = dump(message)
    steps: list[Any] = []
    for event in case["events"]:
        refused = step(message, event)
        after = dump(message)
        if refused is not None:
            steps.append({"refused": refused, **({} if after == before else {"message": after})})
        else:
            steps.append(None if after == before else {"message": after})
        before = after
    return {"init": first, "steps": steps}


def main() -> None:
    out = sys.stdout
    sys.stdout = sys.stderr
    versions = {
        "agentscope": agentscope.__version__,
        "pydantic": pydantic.VERSION,
        "python": platform.python_version(),
    }
    print(json.dumps(versions), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(fold(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
