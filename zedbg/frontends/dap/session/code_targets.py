"""Where a step may go into, and where a thread may go on instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.session.code_listing import CodeListing
from zedbg.sycl.kernel_names import demangled


@dataclass(frozen=True)
class CallTarget:
    """The first instruction of a function that the current line calls, or has inlined."""

    address: int
    name: str


@dataclass(frozen=True)
class JumpTarget:
    """An instruction where a thread may go on."""

    address: int


def call_targets(thread: HardwareThread, listing: CodeListing) -> Iterator[CallTarget]:
    """The calls that the line at the pc of ``thread`` makes, each function once.

    Indirect calls are left out: where they go is not known before.
    """
    module, info = thread.module, thread.debug_info
    if module is None or info is None:
        return
    bounds = info.lines.line_range_at(thread.pc)
    function = info.function_at(thread.pc)
    row = info.lines.row_at(thread.pc)
    if bounds is None or function is None or row is None:
        return
    seen: set[str] = set()
    around = tuple(info.inlined_calls_at(thread.pc))
    for call in function.inlined_calls():
        is_here = call.call_line == row.line and call.call_file == row.file
        if (
            is_here
            and call not in around
            and call.name not in seen
            and _parent(call) in (None, *around)
        ):
            seen.add(call.name)
            yield CallTarget(call.low, demangled(call.name))
    first, end = bounds
    for position in range(listing.position(max(first, listing.first)), len(listing.addresses)):
        if listing.addresses[position] >= end:
            break
        instruction = listing.instruction(position)
        if not instruction.is_call or not instruction.branch_targets:
            continue
        address = instruction.branch_targets[0]
        name = module.locate(address).function or f"{address:#x}"
        if name not in seen:
            seen.add(name)
            yield CallTarget(module.body_of_function_at(address) or address, name)


def _parent(call: InlinedCall) -> InlinedCall | None:
    """The inlined call that ``call`` is inside of."""
    scope = call.parent
    while scope is not None and not isinstance(scope, InlinedCall):
        scope = scope.parent
    return scope
