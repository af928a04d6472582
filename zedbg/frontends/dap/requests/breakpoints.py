"""Breakpoints of every kind: each request replaces the list of its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.breakpoint_specs import (
    BreakpointSpec,
    LaunchSpec,
    ModuleChange,
    ModuleSpec,
)
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.modules.place_specs import AddressSpec, LineSpec, parse_spec
from zedbg.frontends.dap.protocol import types
from zedbg.frontends.dap.protocol.arguments import (
    BreakpointLocationsArguments,
    SetBreakpointsArguments,
    SetExceptionBreakpointsArguments,
    SetFunctionBreakpointsArguments,
    SetInstructionBreakpointsArguments,
    SourceBreakpoint,
)
from zedbg.frontends.dap.protocol.bodies import BreakpointLocationsBody, BreakpointsBody
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.breakpoint_lists import Wanted
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.memory_references import parse_reference
from zedbg.frontends.dap.session.registry import Answer, Needs, request
from zedbg.frontends.dap.session.shown_breakpoints import keep_to_file, shown_breakpoint
from zedbg.frontends.dap.session.source_places import first_line, instruction_of_line, path_of
from zedbg.user_error import UserError

_GLOB = "a kernel's name, or a glob as v*"
_FILTERS: dict[str, tuple[str, str, Callable[[str], BreakpointSpec]]] = {
    "launch": (
        "Kernel launches",
        "Stop in the first thread of each launch of a kernel",
        LaunchSpec,
    ),
    "load": (
        "Modules that are loaded",
        "Stop when a module is loaded, before its code can run",
        lambda pattern: ModuleSpec(ModuleChange.LOAD, pattern),
    ),
    "unload": (
        "Modules that are unloaded",
        "Stop when a module is unloaded",
        lambda pattern: ModuleSpec(ModuleChange.UNLOAD, pattern),
    ),
}


def _shown(adapter: Adapter, found: Sequence[Breakpoint | UserError]) -> list[types.Breakpoint]:
    for each in found:
        if isinstance(each, Breakpoint):
            keep_to_file(adapter, each)
    return [shown_breakpoint(adapter, each) for each in found]


@request(
    "setBreakpoints",
    Needs.SESSION,
    supports_conditional_breakpoints=True,
    supports_hit_conditional_breakpoints=True,
    supports_log_points=True,
)
def set_breakpoints(adapter: Adapter, arguments: SetBreakpointsArguments) -> Answer:
    """Breakpoints in one source: a file, or the disassembly of code that has none."""
    source = arguments.source
    if source.source_reference:
        return _in_disassembly(adapter, source.source_reference, arguments.breakpoints)
    path = path_of(source)
    adapter.sources.learn(path)
    name, offset = PurePath(path).name, 1 - first_line(adapter)
    wanted = [
        _wanted(f"{name}:{each.line + offset}", LineSpec(name, each.line + offset), each)
        for each in arguments.breakpoints
    ]
    with adapter.session.condition:
        found = adapter.breakpoints.replace(("source", path), wanted)
        return BreakpointsBody(breakpoints=_shown(adapter, found))


def _wanted(text: str, spec: BreakpointSpec, asked: SourceBreakpoint) -> Wanted:
    return Wanted(text, spec, asked.condition, asked.hit_condition, asked.log_message)


def _in_disassembly(adapter: Adapter, number: int, asked: list[SourceBreakpoint]) -> Answer:
    wanted = []
    for each in asked:
        address = instruction_of_line(adapter, number, each.line)
        wanted.append(_wanted(f"*{address:#x}", AddressSpec(address), each))
    with adapter.session.condition:
        found = adapter.breakpoints.replace(("disassembly", number), wanted)
        listing, source = adapter.sources.listing(number), None
        if listing is not None:
            source = adapter.sources.of_listing(listing)
        shown = _shown(adapter, found)
    lines = [each.line for each in asked]
    return BreakpointsBody(
        breakpoints=[
            types.Breakpoint(
                verified=each.verified,
                id=each.id,
                message=each.message,
                source=source,
                line=line,
                instruction_reference=each.instruction_reference,
                reason=each.reason,
            )
            for each, line in zip(shown, lines, strict=True)
        ]
    )


@request("setFunctionBreakpoints", Needs.SESSION, supports_function_breakpoints=True)
def set_function_breakpoints(
    adapter: Adapter, arguments: SetFunctionBreakpointsArguments
) -> Answer:
    """Breakpoints at kernels and functions; whatever ``break`` takes: ``kernel v*``, ``file:3``."""
    with adapter.session.condition:
        found = _replaced_one_by_one(
            adapter,
            "function",
            [(each.name, each.condition, each.hit_condition) for each in arguments.breakpoints],
        )
        return BreakpointsBody(breakpoints=_shown(adapter, found))


def _replaced_one_by_one(
    adapter: Adapter, kind: str, asked: list[tuple[str, str | None, str | None]]
) -> list[Breakpoint | UserError]:
    """As the lists' own ``replace``, for places as text, some of which may be none."""
    wanted: list[Wanted | UserError] = []
    for text, condition, hit_condition in asked:
        try:
            wanted.append(Wanted(text, parse_spec(text), condition, hit_condition))
        except BreakpointError as error:
            wanted.append(error)
    good = [each for each in wanted if isinstance(each, Wanted)]
    made = iter(adapter.breakpoints.replace(kind, good))
    return [next(made) if isinstance(each, Wanted) else each for each in wanted]


@request("setInstructionBreakpoints", Needs.SESSION, supports_instruction_breakpoints=True)
def set_instruction_breakpoints(
    adapter: Adapter, arguments: SetInstructionBreakpointsArguments
) -> Answer:
    """Breakpoints at addresses; offsets are bytes."""
    session = adapter.session
    asked = []
    for each in arguments.breakpoints:
        place = parse_reference(session, each.instruction_reference, each.offset)
        asked.append((f"*{place.address:#x}", each.condition, each.hit_condition))
    with session.condition:
        found = _replaced_one_by_one(adapter, "instruction", asked)
        return BreakpointsBody(breakpoints=_shown(adapter, found))


@request(
    "setExceptionBreakpoints",
    Needs.SESSION,
    supports_exception_filter_options=True,
    exception_breakpoint_filters=[
        types.ExceptionFilter(
            filter=name,
            label=label,
            description=description,
            supports_condition=True,
            condition_description=_GLOB,
        )
        for name, (label, description, _) in _FILTERS.items()
    ],
)
def set_exception_breakpoints(
    adapter: Adapter, arguments: SetExceptionBreakpointsArguments
) -> Answer:
    """Stops at launches and modules. Exceptions of threads stop in any case: none can go on.
    RequestError for a filter that there is not."""
    asked: list[tuple[str, str | None]] = [(name, None) for name in arguments.filters]
    asked += [(each.filter_id, each.condition) for each in arguments.filter_options]
    wanted = []
    for name, pattern in asked:
        if name not in _FILTERS:
            raise RequestError(f'No filter "{name}": there are {", ".join(_FILTERS)}.')
        spec = _FILTERS[name][2](pattern or "*")
        wanted.append(Wanted(f"{name} {pattern}" if pattern else name, spec))
    with adapter.session.condition:
        found = adapter.breakpoints.replace("exception", wanted)
        return BreakpointsBody(breakpoints=_shown(adapter, found))


@request("breakpointLocations", Needs.SESSION, supports_breakpoint_locations_request=True)
def breakpoint_locations(adapter: Adapter, arguments: BreakpointLocationsArguments) -> Answer:
    """The lines of a range at which a breakpoint can stop, as far as loaded modules tell."""
    last = arguments.end_line if arguments.end_line is not None else arguments.line
    reference = arguments.source.source_reference
    if reference:
        listing = adapter.sources.listing(reference)
        count = 0 if listing is None else len(listing.addresses)
        first = first_line(adapter)
        lines = set(range(max(arguments.line, first), min(last, count - 1 + first) + 1))
    else:
        lines = _lines_with_code(adapter, path_of(arguments.source))
    found = sorted(line for line in lines if arguments.line <= line <= last)
    return BreakpointLocationsBody(
        breakpoints=[types.BreakpointLocation(line=line) for line in found]
    )


def _lines_with_code(adapter: Adapter, path: str) -> set[int]:
    offset = first_line(adapter) - 1
    found: set[int] = set()
    with adapter.session.condition:
        for device in adapter.session.devices:
            for module in device.modules:
                info = module.debug_info
                if info is None:
                    continue
                files = {each.path: each for each in info.lines.files}
                for name in adapter.sources.among(files, path):
                    lines = info.lines.lines_with_code(files[name])
                    found.update(line + offset for line in lines)
    return found
