"""Machine code as text; in a terminal with breakpoints and with lines from branches to targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.commands.rows.session_rows import InstructionRow
from zedbg.frontends.text import appearance
from zedbg.frontends.text.appearance import Style, styled
from zedbg.frontends.text.rendering import address_text, renders
from zedbg.xe.coordinates import format_lanes, mask_of

# Lines of branches side by side: more of them are a thicket.
_MOST_COLUMNS = 6


@renders(InstructionRow)
def _instructions(rows: list[InstructionRow]) -> Iterator[str]:
    in_terminal = appearance.current.columns > 0
    lines = branch_lines(rows, appearance.current.draws) if in_terminal else [""] * len(rows)
    for row, branches in zip(rows, lines, strict=True):
        mark = "=> " if row.current else "   "
        if in_terminal:
            mark = f"{mark[:2]}{'*' if row.breakpoint else ' '}{branches}"
        where = f" <+{row.offset}>" if row.offset is not None else ""
        raw = f"{row.raw}\t" if row.raw else ""
        lanes = ""
        if row.lanes is not None and in_terminal:
            acts = format_lanes(mask_of(row.lanes)) if row.lanes else "no lane"
            lanes = styled(Style.FAINT, f"  // for {acts}")
        text = styled(Style.CURRENT, row.text) if row.current else row.text
        yield f"{mark}{address_text(row.address)}{where}:\t{raw}{text}{lanes}"


@dataclass(frozen=True)
class _Branch:
    """A branch from one line to another, by their positions."""

    source: int
    target: int

    @property
    def low(self) -> int:
        return min(self.source, self.target)

    @property
    def high(self) -> int:
        return max(self.source, self.target)


def branch_lines(rows: Sequence[InstructionRow], draws: bool) -> list[str]:
    """For each of ``rows`` what stands left of it: lines from branches to where they go, if that is
    among the rows. ``draws``: with lines of Unicode. Short branches are on the right; where there
    are too many beside each other, the longest are left out."""
    positions = {row.address: number for number, row in enumerate(rows)}
    branches = {
        _Branch(number, positions[target])
        for number, row in enumerate(rows)
        for target in row.targets[:1]
        if target in positions and abs(positions[target] - number) > 1
    }
    columns: list[list[_Branch]] = []
    for branch in sorted(branches, key=lambda each: (each.high - each.low, each.low)):
        for column in columns:
            if all(branch.low > each.high or branch.high < each.low for each in column):
                column.append(branch)
                break
        else:
            if len(columns) < _MOST_COLUMNS:
                columns.append([branch])
    if not columns:
        return [""] * len(rows)
    return [_left_of(number, columns, draws) for number in range(len(rows))]


def _left_of(number: int, columns: list[list[_Branch]], draws: bool) -> str:
    """The characters left of line ``number``: the outermost column first, then the arrow's tip."""
    down, up, along, across, tip = "╭╰│─>" if draws else "/\\|->"
    characters = []
    horizontal = ""
    for column in reversed(columns):
        branch = next((each for each in column if each.low <= number <= each.high), None)
        if branch is None:
            characters.append(horizontal or " ")
        elif number in (branch.low, branch.high):
            characters.append(down if number == branch.low else up)
            is_target = number == branch.target
            horizontal = across
            end = tip if is_target else across
        else:
            characters.append(horizontal or along)
    return "".join(characters) + (end if horizontal else " ") + " "
