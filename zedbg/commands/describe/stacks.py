"""Where every stopped thread is, as rows."""

from __future__ import annotations

import contextlib

from zedbg.commands.describe.places import short_file
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.stack_rows import LaneVariablesRow, StackFrameRow, StackGroupRow
from zedbg.engine.sessions.session import Session
from zedbg.engine.sessions.stack_groups import StackGroup, stack_groups
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.values.expressions.api import variables
from zedbg.values.formats.formatting import format_value


def stack_rows(session: Session) -> list[Row]:
    """The groups of stopped threads, the largest first, then the variables of the focused lane.
    Raises ProgramRunsError."""
    rows: list[Row] = [_group(each) for each in stack_groups(session)]
    with contextlib.suppress(UserError):  # a lane that cannot be looked at is left out
        row = _focused_lane(session)
        if row is not None:
            rows.append(row)
    return rows


def _group(group: StackGroup) -> StackGroupRow:
    return StackGroupRow(
        kernel=group.frames[-1].kernel,
        frames=tuple(
            StackFrameRow(
                level=level,
                function=each.function,
                file=short_file(each.file),
                line=each.line,
                pc=each.pc,
            )
            for level, each in enumerate(group.frames)
        ),
        incomplete=group.incomplete,
        threads=tuple(thread.id for thread in group.threads),
        lanes=group.active_lanes,
        workgroups=group.workgroups,
    )


def _focused_lane(session: Session) -> LaneVariablesRow | None:
    """The variables of the lane that the session looks at; None when it looks at none."""
    focus = session.focus
    if focus is None:
        return None
    thread, lane = focus.thread, focus.lane
    found: dict[str, str] = {}
    for each in variables(thread, [lane]):
        try:
            found[each.variable.name] = format_value(each.values.first)
        except LevelZeroError as error:
            found[each.variable.name] = str(Missing(str(error)))
    ids = thread.global_ids()
    return LaneVariablesRow(
        thread=thread.id,
        lane=lane,
        global_id=ids if isinstance(ids, Missing) else ids[lane],
        variables=found,
    )
