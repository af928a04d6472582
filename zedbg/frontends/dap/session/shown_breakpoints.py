"""Breakpoints as clients see them: where they really are, and why they are not in place."""

from __future__ import annotations

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.frontends.dap.protocol import types
from zedbg.frontends.dap.session import adapter as adapters
from zedbg.user_error import UserError


def shown_breakpoint(
    adapter: adapters.Adapter, breakpoint_: Breakpoint | UserError
) -> types.Breakpoint:
    """``breakpoint_`` as it is; or why there is none."""
    if isinstance(breakpoint_, UserError):
        return types.Breakpoint(verified=False, message=breakpoint_.line, reason="failed")
    number = breakpoint_.number
    if not breakpoint_.has_places:
        return types.Breakpoint(verified=True, id=number, message=breakpoint_.note or None)
    enabled = [each for each in breakpoint_.locations if each not in breakpoint_.disabled]
    if not enabled:
        why = adapter.session.breakpoints.why_pending(breakpoint_) or "its places are disabled."
        message = why[0].upper() + why[1:]
        return types.Breakpoint(verified=False, id=number, message=message, reason="pending")
    in_place = [each for each in enabled if each.device.code.has_breakpoint(each.address)]
    place = (in_place or enabled)[0]
    refused = "The device did not take the breakpoint; the console says why."
    source, line, column = adapter.sources.of_code(place.device, place.code)
    return types.Breakpoint(
        verified=bool(in_place),
        id=number,
        message=(breakpoint_.note or None) if in_place else refused,
        source=source,
        line=line or None,
        column=column or None,
        instruction_reference=f"{place.address:#x}",
        reason=None if in_place else "failed",
    )


def keep_to_file(adapter: adapters.Adapter, breakpoint_: Breakpoint) -> None:
    """The session looks for a client's file by its last name, since compilers record paths of
    their own. Where one of the files that it found is the client's, the others are left out."""
    kind = adapter.breakpoints.kind_of(breakpoint_)
    if not isinstance(kind, tuple):
        return
    files = [each.code.file for each in breakpoint_.locations if each.code.file is not None]
    same = adapter.sources.among(files, kind[1])
    for place in breakpoint_.locations:
        if kind[0] == "source" and place.code.file not in same:
            adapter.session.breakpoints.set_location_enabled(breakpoint_, place, False)
