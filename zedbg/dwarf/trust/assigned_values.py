"""Whether a register has the value that the program gave a variable last.

Compilers lose track of values as they make code: of one that goes into a place which they do not
name, or that they compute ahead. The location list then goes on naming the place of another value
of the variable, and the code shows nothing of it. The module's SPIR-V still says which values the
variable has on each line (:mod:`zedbg.zebin.spirv_variables`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from zedbg.dwarf.lines.line_table import LineRow
from zedbg.dwarf.trust.location_check import Claim, RegisterForm
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.missing import Missing
from zedbg.zebin.spirv_variables import NO_VALUES, ValueLines, Values

_LINES_NAMED = 2  # of those that a value may come from


class AssignedValues:
    """Judges places in one function."""

    def __init__(
        self,
        flow: RegisterFlow,
        row_at: Callable[[int], LineRow | None],
        values_of: Callable[[str, int], ValueLines],
    ) -> None:
        """``row_at`` gives the row of the line table at an offset; ``values_of`` what the module's
        SPIR-V says of the variable of a name that is declared at a line."""
        self._flow = flow
        self._row_at = row_at
        self._values_of = values_of

    def contradicts(self, claim: Claim, form: RegisterForm, at: int) -> Missing | None:
        """Why the registers of ``form``, which ``claim`` says the variable to be in, have another
        value than it has at offset ``at``; None when nothing says so."""
        values = self._values_of(claim.variable.name, claim.variable.line)
        asked = self._values_at(values, at)
        if not asked:
            return None
        found = self._made_elsewhere(form, values, asked, at)
        found = found or self._named_for_others(claim, form, values, asked, at)
        return _lost(values.lines_of(asked), values.lines_of(found)) if found else None

    def _made_elsewhere(
        self, form: RegisterForm, values: ValueLines, asked: Values, at: int
    ) -> Values:
        """Values of the variable, none of ``asked``, that the registers have at ``at``: what put
        something into them belongs to the line that computes those."""
        for span in form.spans:
            for number in self._flow.definitions(span, at):
                if number is not None:
                    row = self._row_at(self._flow.steps[number].offset)
                    made = NO_VALUES if row is None else values.made_at(_file(row), row.line)
                    if made and made.isdisjoint(asked):
                        return made
        return NO_VALUES

    def _named_for_others(
        self, claim: Claim, form: RegisterForm, values: ValueLines, asked: Values, at: int
    ) -> Values:
        """The values that the variable has where the compiler begins to name the registers, if they
        are none of ``asked``, and nothing writes to the registers from there to ``at``."""
        low = claim.entry.low
        begun = self._values_at(values, low)
        if not begun.isdisjoint(asked):
            return NO_VALUES
        flow = self._flow
        stays = all(flow.definitions(s, low) == flow.definitions(s, at) for s in form.spans)
        return begun if stays else NO_VALUES

    def _values_at(self, values: ValueLines, offset: int) -> Values:
        """What the variable may be in the line of the instruction at ``offset``: before, and after
        what that line assigns."""
        row = self._row_at(offset)
        if row is None:
            return NO_VALUES
        return values.at(_file(row), row.line) | values.made_at(_file(row), row.line)


def _file(row: LineRow) -> str:
    return PurePosixPath(row.file.name).name


def _lost(asked: list[int], found: list[int]) -> Missing:
    """``asked`` and ``found``: lines whose values were looked for, and are there."""
    wanted = f"that {_named(asked)} gives it" if asked else "that it has here"
    other = f"that of {_named(found)}" if found else "another one"
    return Missing(
        f"the value {wanted} has no place in the debug information: its register has {other}"
    )


def _named(lines: list[int]) -> str:
    named = " or ".join(f"line {line}" for line in lines[:_LINES_NAMED])
    return f"{named} or another one" if len(lines) > _LINES_NAMED else named
