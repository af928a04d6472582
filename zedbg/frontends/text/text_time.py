"""Rows about time as text."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows.time_rows import CheckpointRow, RecordedLaunchRow, RecordingRow, TimeRow
from zedbg.frontends.text.rendering import renders, table
from zedbg.frontends.text.text_modules import size_text

_STATES = {
    "off": "records no launches",
    "records": "records",
    "past": "shows the past",
    "finished": "no launch runs",
}


@renders(TimeRow, one_by_one=True)
def _time(rows: list[TimeRow]) -> Iterator[str]:
    for row in rows:
        where = "in the past" if row.in_past else "the present"
        yield (
            f"Time {row.time} of launch {row.launch} ({row.kernel}), {where}: "
            f"recorded from {row.first} to {row.end}."
        )


@renders(RecordingRow, one_by_one=True)
def _recording(rows: list[RecordingRow]) -> Iterator[str]:
    for row in rows:
        if row.state not in _STATES:
            yield f"Device {row.device} does not record launch {row.launch}: {row.kernel}."
            continue
        yield f"Device {row.device} {_STATES[row.state]}."
        if row.state == "off" or not row.launch:
            continue
        yield (
            f"Launch {row.launch} ({row.kernel}): time {row.first} to {row.end}, "
            f"{row.keyframes} keyframe{'s' if row.keyframes != 1 else ''}."
        )
        count = max(row.launches - row.oldest + 1, 0)
        yield (
            f"{count} launch{'es' if count != 1 else ''} can be visited, in "
            f"{size_text(row.bytes)} of at most {size_text(row.budget)}."
        )
        if row.host_writes is not None:
            yield (
                "The host wrote memory between time {} and {}: what was read there may differ."
            ).format(*row.host_writes)


@renders(RecordedLaunchRow)
def _launches(rows: list[RecordedLaunchRow]) -> Iterator[str]:
    yield from table(
        ("", "Launch", "Kernel", "State", "First", "End"),
        (
            (
                "*" if row.shown else "",
                str(row.launch),
                row.kernel,
                row.state,
                str(row.first),
                str(row.end),
            )
            for row in rows
        ),
    )


@renders(CheckpointRow)
def _checkpoints(rows: list[CheckpointRow]) -> Iterator[str]:
    for row in rows:
        made = f"Checkpoint {row.number}: " if row.made else f"{row.number:<3} "
        place = f", {row.place}" if row.place else ""
        yield f"{made}time {row.time} of launch {row.launch}{place}"
