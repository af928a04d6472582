"""Values as pretty-printers show them, in GDB's shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from zedbg.missing import Missing
from zedbg.values.formats.text import format_text
from zedbg.values.typed.value import Value


class DisplayHint(Enum):
    """What the children of a value are (GDB, "Pretty Printing API")."""

    NONE = ""
    STRING = "string"
    ARRAY = "array"
    MAP = "map"


Child = Value | Missing | str
"""A part of a value: one of the program's, or a text that stands as it is."""


@dataclass(frozen=True)
class Printed:
    """What a pretty-printer says of one value.

    ``text``: the value as a whole, None when its children are all there is. ``children``: its parts
    with their names; in a map, keys and values take turns. ``is_cut``: there are more of them.
    """

    text: Value | Missing | str | None = None
    children: tuple[tuple[str, Child], ...] = ()
    hint: DisplayHint = DisplayHint.NONE
    is_cut: bool = False


def printed_text(
    printed: Printed, format_part: Callable[[Value], str], element_limit: int, repeat_threshold: int
) -> str:
    """``printed`` as GDB shows it; ``format_part`` shows the values that it consists of."""
    text = printed.text
    if isinstance(text, str) and printed.hint is DisplayHint.STRING:
        # The zero that would end it in C is the one that is left out.
        text = format_text(text.encode() + b"\0", element_limit, repeat_threshold)
    elif isinstance(text, Missing):
        text = str(text)
    elif isinstance(text, Value):
        text = format_part(text)
    if not printed.children:
        return "{...}" if text is None else text
    head = "" if text is None else f"{text} = "
    parts = list(_parts(printed, format_part))
    return f"{head}{{{', '.join(parts)}{'...' if printed.is_cut else ''}}}"


def _parts(printed: Printed, format_part: Callable[[Value], str]) -> list[str]:
    shown = [
        (name, format_part(child) if isinstance(child, Value) else str(child))
        for name, child in printed.children
    ]
    if printed.hint is DisplayHint.MAP:
        texts = [text for _, text in shown]
        keys, values = texts[::2], [*texts[1::2], ""]
        return [f"[{key}] = {value}" for key, value in zip(keys, values, strict=False)]
    if printed.hint is DisplayHint.ARRAY:
        return [text for _, text in shown]
    return [f"{name} = {text}" for name, text in shown]
