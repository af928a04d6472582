"""Characters and strings as GDB prints them."""

from __future__ import annotations

_NAMED = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 27: "\\033"}


def _escaped(code: int, quote: str) -> str:
    if code in _NAMED:
        return _NAMED[code]
    if 32 <= code < 127:
        text = chr(code)
        return f"\\{text}" if text in ("\\", quote) else text
    return f"\\{code:03o}"


def character(code: int) -> str:
    """One character between single quotes: ``'a'``, ``'\\n'``, ``'\\310'``."""
    return f"'{_escaped(code, chr(39))}'"


def format_text(data: bytes, limit: int, repeat_threshold: int) -> str:
    """An array of characters; runs longer than ``repeat_threshold`` are counted.

    One terminating zero is left out, as in C's literals; text of more than ``limit`` bytes ends in
    dots.
    """
    truncated = len(data) > limit
    if not truncated and data.endswith(b"\0"):
        data = data[:-1]
    if not data:
        return '""'
    segments: list[str] = []
    run_text = ""
    index = shown = 0
    while index < len(data) and shown < limit:
        end = index
        while end < len(data) and data[end] == data[index]:
            end += 1
        if end - index > repeat_threshold:
            if run_text:
                segments.append(f'"{run_text}"')
                run_text = ""
            segments.append(f"{character(data[index])} <repeats {end - index} times>")
            index = end
            shown += repeat_threshold
        else:
            run_text += _escaped(data[index], '"')
            index += 1
            shown += 1
    if run_text:
        segments.append(f'"{run_text}"')
    return ", ".join(segments) + ("..." if index < len(data) else "")
