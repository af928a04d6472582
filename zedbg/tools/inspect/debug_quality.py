"""What ``--debug-quality`` shows: how many variables have values, and what would help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from zedbg.commands.rows.module_rows import KindRow
from zedbg.frontends.text.rendering import renders, table
from zedbg.values.source.debug_quality import DebugQuality, debug_quality
from zedbg.zebin import Module
from zedbg.zebin.file_errors import NotInFileError

_NAMED = 4  # variables in a line of text


@dataclass(frozen=True)
class LostVariableRow(KindRow):
    """A variable that has neither a place nor a value at so many of its kernel's lines."""

    kind = "lost variable"

    name: str
    lines: int


@dataclass(frozen=True)
class DebugQualityRow(KindRow):
    """Of the pairs of a line and a variable in scope: see :class:`DebugQuality`."""

    kind = "debug quality"

    kernel: str
    pairs: int
    placed: int
    checked: int
    recomputable: int
    unchecked: int
    lost: int
    lost_variables: tuple[LostVariableRow, ...]
    advice: str


@renders(DebugQualityRow)
def _qualities(rows: list[DebugQualityRow]) -> Iterator[str]:
    yield from table(
        ("Kernel", "Pairs", "Placed", "Checked", "Recomputable", "Unchecked", "Lost"),
        (
            (
                row.kernel,
                str(row.pairs),
                *(
                    f"{100 * each / (row.pairs or 1):.1f} %"
                    for each in (
                        row.placed,
                        row.checked,
                        row.recomputable,
                        row.unchecked,
                        row.lost,
                    )
                ),
            )
            for row in rows
        ),
    )
    for row in rows:
        if row.lost_variables:
            some = ", ".join(f"{each.name} ({each.lines})" for each in row.lost_variables[:_NAMED])
            more = " and others" if len(row.lost_variables) > _NAMED else ""
            yield f"{row.kernel}: lost at so many lines: {some}{more}"
    for advice in dict.fromkeys(row.advice for row in rows if row.advice):
        yield f"{', '.join(row.kernel for row in rows if row.advice == advice)}: {advice}"


def debug_quality_rows(module: Module, pattern: str | None) -> list[DebugQualityRow]:
    """Those of the kernels whose name matches ``pattern`` (None: of all).

    Raises NotInFileError where there is no debug information or no such kernel, DebugInfoError for
    damaged debug information.
    """
    from zedbg.dwarf import DebugInfo  # other pages have no use for it

    info = DebugInfo.of(module)
    if info is None:
        raise NotInFileError(module.name, f"no debug information: {module.debug_info_advice}")
    try:
        kernels = [each for each in info.functions if each.is_kernel]
        chosen = [each for each in kernels if pattern is None or fnmatchcase(each.name, pattern)]
        if not chosen:
            known = ", ".join(each.name for each in kernels) or "none"
            raise NotInFileError(
                module.name, f"no kernel with debug information matches: there are {known}"
            )
        return [_row(debug_quality(info, each)) for each in chosen]
    finally:
        info.close()


def _row(found: DebugQuality) -> DebugQualityRow:
    return DebugQualityRow(
        kernel=found.kernel,
        pairs=found.pairs,
        placed=found.placed,
        checked=found.checked,
        recomputable=found.recomputable,
        unchecked=found.unchecked,
        lost=found.lost,
        lost_variables=tuple(LostVariableRow(*each) for each in found.lost_variables),
        advice=_advice(found),
    )


def _advice(found: DebugQuality) -> str:
    if not found.unchecked and not found.lost:
        return ""
    if not found.has_spirv:
        return "there is no SPIR-V of it to check with: compile the source with -g, in one step"
    if found.is_unoptimised:
        return ""
    return "with -cl-opt-disable every variable lies in memory"
