"""Text that keeps to the width of a terminal: lines that are broken, cells that are shortened.

Sequences that style text take no room, stay where they are, and are ended at the end of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zedbg.frontends.text.appearance import padded, visible_width

_SEQUENCE = re.compile(r"(\x1b\[[0-9;]*m)")
_RESET = "\x1b[0m"
_INDENT = 4  # of what goes on in another line, as in GDB
_LEAST = 10  # characters that a shortened cell keeps
_LONGEST_NUMBER = 24  # an address, or ids of a work-item
_NUMBERS = re.compile(r"[-+*.,:()\[\]\s0-9a-fx]*")  # nothing of these can be left out


def broken(line: str, columns: int) -> Iterator[str]:
    """``line`` as lines of at most ``columns`` characters, broken at blanks; all if that is 0.

    What goes on is indented, below the text of a line that begins with a name and blanks. A word
    that is longer than a line is left to the terminal.
    """
    spread = without_tabs(line) if columns else line
    if not columns or visible_width(spread) <= columns:
        yield line
        return
    line = spread
    indent = _hanging_indent(_SEQUENCE.sub("", line), columns)
    shown, width, blanks, style = "", 0, "", ""
    for part in re.split(r"(\s+|\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            style = "" if part == _RESET else part
            shown += blanks + part
            width, blanks = width + len(blanks), ""
        elif part.isspace():
            blanks += part
        elif part:
            is_long = indent + len(part) > columns  # in a line of its own, too
            if width + len(blanks) + len(part) > columns and width > (0 if is_long else indent):
                yield shown.rstrip() + (_RESET if style else "")
                shown, width, blanks = " " * indent + style, indent, ""
            shown += blanks + part
            width, blanks = width + len(blanks) + len(part), ""
    yield shown


def without_tabs(line: str) -> str:
    """``line`` with the blanks that a terminal shows for its tabs."""
    if "\x1b" not in line or "\t" not in line:
        return line.expandtabs()
    shown, width = "", 0
    for part in _SEQUENCE.split(line):
        if part.startswith("\x1b"):
            shown += part
        else:
            spread = (" " * width + part).expandtabs()[width:]
            shown, width = shown + spread, width + len(spread)
    return shown


def _hanging_indent(line: str, columns: int) -> int:
    """Where a line that goes on begins: below what follows a name, below the beginning in prose,
    else four blanks further."""
    begins = len(line) - len(line.lstrip())
    label = re.match(r"\s*\S.{0,40}?(\s{2,}|:\s+)(?=\S)", line[: columns // 2])
    if label is not None:
        return label.end()
    is_prose = not begins and re.search(r"[a-z)][.:] [A-Z]", line) is not None
    return 0 if is_prose else min(begins + _INDENT, columns // 2)


def fitted(cells: Sequence[Sequence[str]], columns: int) -> list[str]:
    """The lines of a table, of which the first is the header, two blanks between its columns.

    Where they do not fit into ``columns`` (0: any number does), one blank, and the longest texts
    lose what is in their middle. Numbers and short texts stay.
    """
    widths = [max(map(visible_width, column)) for column in zip(*cells, strict=True)]
    if not columns or sum(widths) + 2 * (len(widths) - 1) <= columns:
        return _joined(cells, widths, "  ")
    least = [
        max(_LEAST, visible_width(column[0])) if _may_shorten(column[1:]) else width
        for column, width in zip(zip(*cells, strict=True), widths, strict=True)
    ]
    surplus = sum(widths) + len(widths) - 1 - columns
    while surplus > 0:
        longest = max(range(len(widths)), key=lambda each: widths[each] - least[each])
        if widths[longest] <= least[longest]:
            break
        widths[longest] -= 1
        surplus -= 1
    fitting = [
        [shortened_cell(cell, width) for cell, width in zip(line, widths, strict=True)]
        for line in cells
    ]
    return _joined(fitting, widths, " ")


def _may_shorten(cells: Sequence[str]) -> bool:
    """Whether cells of a column make sense without their middle: texts, and lists of numbers."""
    texts = [_SEQUENCE.sub("", cell) for cell in cells]
    return any(len(text) > _LONGEST_NUMBER or not _NUMBERS.fullmatch(text) for text in texts)


def _joined(cells: Sequence[Sequence[str]], widths: Sequence[int], between: str) -> list[str]:
    return [
        between.join(padded(*each) for each in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]


def shortened_cell(text: str, width: int) -> str:
    """``text`` of at most ``width`` visible characters, without some of its middle."""
    left_out = visible_width(text) - width
    if left_out <= 0:
        return text
    head = (width - len("...")) // 2
    tail = head + left_out + len("...")
    shown, position = [], 0
    for part in _SEQUENCE.split(text):
        if part.startswith("\x1b"):
            shown.append(part)
            continue
        for character in part:
            if position == head:
                shown.append("...")
            if not head <= position < tail:
                shown.append(character)
            position += 1
    return "".join(shown)
