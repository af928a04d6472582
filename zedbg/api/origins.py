"""Where a value came from, as objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.commands.rows.origin_rows import InstantRow, OriginRow
from zedbg.commands.rows.row import JsonValue


@dataclass(frozen=True)
class Origin:
    """A value and where it came from, by :meth:`zedbg.Session.origin`.

    ``name``: the expression, or the place of an operand. ``value``: a number. ``role``: whether it
    is part of what it was used for (``value``), said where that went (``address``), or whether
    (``condition``). ``instants``: the instructions that it went through, the latest first, each
    with ``time``, ``line``, ``file``, ``work_item`` and ``does`` (``computed`` or ``copied``).
    ``beginning``: what it was at first, in words, where no instruction computed it: an argument, an
    id, the contents of a buffer. ``sources``: what it was made from, as far as was asked.

    >>> origin = session.origin("i", depth=2)
    >>> origin.name, origin.value, origin.instants[-1].does, len(origin.sources)
    ('i', 0, 'computed', 2)
    """

    name: str
    value: JsonValue
    role: str
    instants: tuple[InstantRow, ...]
    beginning: str | None
    sources: tuple[Origin, ...]
    doubtful: str | None = None

    @property
    def written_by(self) -> InstantRow | None:
        """The last instruction that wrote the value where it was found; None: there was none.

        >>> origin = session.origin("i")
        >>> origin.written_by.line, origin.written_by.work_item
        (10, (0, 0, 0))
        """
        return self.instants[0] if self.instants else None

    @property
    def lines(self) -> list[tuple[str, int]]:
        """File and line of each instruction in this tree, without repetition, in its order.

        >>> session.origin("i").lines
        [('blur.cl', 10)]
        """
        found = [
            (each.file, each.line)
            for node in self.walk()
            for each in node.instants
            if each.file is not None and each.line is not None
        ]
        return list(dict.fromkeys(found))

    def walk(self) -> Iterator[Origin]:
        """This value, and all that it was made from.

        >>> [each.role for each in session.origin("i").walk()]
        ['value', 'value', 'condition']
        """
        yield self
        for each in self.sources:
            yield from each.walk()


def tree_of(rows: Sequence[OriginRow]) -> Origin:
    """The tree that the rows of ``origin`` are of."""
    by_number = {row.number: row for row in rows}
    children: dict[int, list[OriginRow]] = {}
    for row in rows:
        if row.parent is not None:
            children.setdefault(row.parent, []).append(row)

    def made(row: OriginRow) -> Origin:
        said = row if row.same_as is None else by_number[row.same_as]
        return Origin(
            *(row.name, row.value, row.role, said.instants, said.beginning),
            tuple(made(each) for each in children.get(row.number, ())),
            row.doubtful,
        )

    return made(rows[0])
