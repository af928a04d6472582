"""Breakpoints as the command lines that make them."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.engine.breakpoints.breakpoint import Breakpoint, Disposition
from zedbg.engine.breakpoints.lane_logs import DynamicPrintf, Logpoint


def script_lines(breakpoint_: Breakpoint) -> Iterator[str]:
    """The lines that make ``breakpoint_`` anew, with its commands; not for a watchpoint."""
    temporary = breakpoint_.disposition is Disposition.DELETE
    words = [breakpoint_.text]
    if isinstance(breakpoint_.log, DynamicPrintf):
        yield f"dprintf {breakpoint_.text},{breakpoint_.log.text}"
    elif breakpoint_.is_catchpoint:
        yield f"{'tcatch' if temporary else 'catch'} {breakpoint_.text}"
    else:
        if breakpoint_.thread is not None:
            lane = "" if breakpoint_.lane is None else f":{breakpoint_.lane}"
            words.append("thread {}.{}".format(*breakpoint_.thread) + lane)
        for word, ids in (
            ("workitem", breakpoint_.work_item),
            ("workgroup", breakpoint_.workgroup),
        ):
            if ids is not None:
                words.append(f"{word} " + ",".join(map(str, ids)))
        if breakpoint_.condition is not None:
            words.append(f"if {breakpoint_.condition.text}")
        if isinstance(breakpoint_.log, Logpoint):
            words.append(f'log "{breakpoint_.log.text}"')
        yield f"{'tbreak' if temporary else 'break'} {' '.join(words)}"
    if breakpoint_.is_catchpoint and breakpoint_.condition is not None:
        yield f"condition $bpnum {breakpoint_.condition.text}"
    if breakpoint_.ignore_count:
        yield f"ignore $bpnum {breakpoint_.ignore_count}"
    if not breakpoint_.enabled:
        yield "disable $bpnum"
    if breakpoint_.commands:
        yield from ("commands", *(f"  {line}" for line in breakpoint_.commands), "end")
