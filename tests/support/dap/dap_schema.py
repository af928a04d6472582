"""Checks messages of the Debug Adapter Protocol with what others say that they are.

Two independent statements of the protocol come with packages: its JSON schema inside debugpy, and
dap-types, which is generated from a newer edition and knows every member.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dap_types
import jsonschema
from pydantic import BaseModel

_SCHEMA = "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"
# Zedbg's own, as docs/editors.md has them.
OWN_REQUESTS = {"zedbg/focus", "zedbg/lanes", "zedbg/threads"}
OWN_EVENTS = {"zedbg/focusChanged"}
# Members beside those of the protocol, where it allows them: the columns of modules, and what
# editions after that of dap-types have.
OWN_MEMBERS = {"kernels", "device"}


@cache
def schema() -> dict[str, Any]:
    """The protocol's JSON schema."""
    spec = find_spec("debugpy")
    assert spec is not None and spec.origin is not None
    return json.loads((Path(spec.origin).parent / _SCHEMA).read_text())


@cache
def _validator(definition: str) -> jsonschema.Draft4Validator:
    whole = {**schema(), "$ref": f"#/definitions/{definition}"}
    return jsonschema.Draft4Validator(whole)


def definition_of(message: dict[str, Any]) -> str:
    """The name of what ``message`` has to be."""
    match message["type"]:
        case "request":
            name, suffix = message["command"], "Request"
        case "event":
            name, suffix = message["event"], "Event"
        case _ if not message["success"]:
            return "ErrorResponse" if "body" in message else "Response"
        case _:
            name, suffix = message["command"], "Response"
    return name[0].upper() + name[1:] + suffix


def is_own(message: dict[str, Any]) -> bool:
    """Whether it is one of zedbg's own, which no schema knows."""
    return message.get("command") in OWN_REQUESTS or message.get("event") in OWN_EVENTS


def check(message: dict[str, Any]) -> None:
    """Fails for a message that is not of the protocol, or has members that it does not know."""
    if is_own(message):
        _validator("ProtocolMessage").validate(message)
        return
    name = definition_of(message)
    _validator(name).validate(message)
    model = getattr(dap_types, name)
    if name in ("LaunchRequest", "AttachRequest", "RestartRequest"):
        return  # their arguments are the adapter's own
    parsed = model.model_validate(message)
    _refuse_unknown(parsed, name)


def _refuse_unknown(value: object, path: str) -> None:
    if isinstance(value, list):
        for each in value:
            _refuse_unknown(each, path)
    if isinstance(value, BaseModel):
        extra = set(value.model_extra or {}) - OWN_MEMBERS
        assert not extra, f"{path} has no {extra}"
        for name in type(value).model_fields:
            _refuse_unknown(getattr(value, name), f"{path}.{name}")
