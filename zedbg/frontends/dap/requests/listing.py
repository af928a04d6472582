"""What there is: threads, their frames, modules, sources."""

from __future__ import annotations

from zedbg.dwarf import DebugInfoError
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.protocol.arguments import (
    ModulesArguments,
    NoArguments,
    SourceArguments,
    StackTraceArguments,
)
from zedbg.frontends.dap.protocol.bodies import (
    LoadedSourcesBody,
    ModulesBody,
    SourceBody,
    StackTraceBody,
    ThreadsBody,
)
from zedbg.frontends.dap.protocol.types import ColumnDescriptor, StackFrame, Thread
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.frames import FrameReference
from zedbg.frontends.dap.session.registry import Answer, Needs, request
from zedbg.frontends.dap.session.shown_modules import shown_module
from zedbg.frontends.dap.session.source_places import first_line
from zedbg.frontends.dap.session.stopped_threads import threads_in_order
from zedbg.frontends.dap.session.thread_numbers import PROGRAM, REST, name_of, number_of
from zedbg.sycl.kernel_names import demangled

_FRAMES = 1000


@request("threads", Needs.SESSION)
def threads(adapter: Adapter, arguments: NoArguments) -> Answer:
    """The stopped threads, that of the stop first, and those that stopped with it; as many as the
    client wants to see, and one entry for the rest. While none is stopped, the program itself."""
    session = adapter.session
    if not adapter.is_stopped:
        return ThreadsBody(threads=[_program(adapter)])
    with session.condition:
        if session.state is not SessionState.STOPPED:
            return ThreadsBody(threads=[_program(adapter)])
        every = threads_in_order(session)
        limit = adapter.start.thread_limit if adapter.start is not None else 0
        shown = every[:limit] if limit > 0 else every
        found = [Thread(id=number_of(each), name=name_of(each)) for each in shown]
    rest = len(every) - len(shown)
    if rest:
        found.append(Thread(id=REST, name=f"{rest} more stopped threads (see threadLimit)"))
    return ThreadsBody(threads=found or [_program(adapter)])


def _program(adapter: Adapter) -> Thread:
    process = adapter.session.process
    if process is None:
        return Thread(id=PROGRAM, name="no program")
    return Thread(id=PROGRAM, name=f"process {process.pid}: no thread of a device is stopped")


@request("stackTrace", supports_delayed_stack_trace_loading=True)
def stack_trace(adapter: Adapter, arguments: StackTraceArguments) -> Answer:
    """The frames of a thread, inlined calls too, a page of them when asked so; of what stands for
    no thread of a device none."""
    if arguments.thread_id in (PROGRAM, REST):
        return StackTraceBody(stack_frames=[], total_frames=0)
    thread = adapter.thread(arguments.thread_id)
    start = max(arguments.start_frame, 0)
    limit = start + arguments.levels if arguments.levels > 0 else _FRAMES
    # One more than asked for tells whether there are more.
    found = backtrace(thread, limit + 1).frames
    shown = [_frame(adapter, thread, frame) for frame in found[start:limit]]
    return StackTraceBody(stack_frames=shown, total_frames=len(found))


def _frame(adapter: Adapter, thread: HardwareThread, frame: Frame) -> StackFrame:
    location = frame.location
    source, line, column = adapter.sources.of_code(thread.device, location)
    module = thread.device.module_at(location.pc)
    name = location.function or location.kernel
    inlined = frame.unwound is not None and frame.unwound.is_inlined
    reference = FrameReference(thread, frame, adapter.lane_of(thread))
    offset = 1 - first_line(adapter)
    return StackFrame(
        id=adapter.references.add(reference),
        name=f"{demangled(name) if name else f'{location.pc:#x}'}{' (inlined)' if inlined else ''}",
        source=source,
        line=line - offset if line else 0,
        column=column if line else 0,
        instruction_pointer_reference=f"{frame.pc:#x}",
        module_id=None if module is None else module.number,
    )


@request(
    "modules",
    Needs.SESSION,
    supports_modules_request=True,
    additional_module_columns=[
        ColumnDescriptor(attribute_name="kernels", label="Kernels", type="string"),
        ColumnDescriptor(attribute_name="device", label="Device", type="string"),
    ],
)
def modules(adapter: Adapter, arguments: ModulesArguments) -> Answer:
    """What is loaded on the devices."""
    with adapter.session.condition:
        every = [module for device in adapter.session.devices for module in device.modules]
        start = max(arguments.start_module, 0)
        end = start + arguments.module_count if arguments.module_count > 0 else len(every)
        shown = [shown_module(adapter, each) for each in every[start:end]]
    return ModulesBody(modules=shown, total_modules=len(every))


@request("loadedSources", Needs.SESSION, supports_loaded_sources_request=True)
def loaded_sources(adapter: Adapter, arguments: NoArguments) -> Answer:
    """The files that loaded code was made of; the disassembly of code that names none."""
    found = {}
    with adapter.session.condition:
        for device in adapter.session.devices:
            for module in device.modules:
                info = module.debug_info
                try:
                    files = [] if info is None else info.lines.files
                except DebugInfoError:
                    files = []
                for file in files:
                    source = adapter.sources.of_file(file.path)
                    found[source.path or source.source_reference] = source
                for kernel in module.kernels if not files else []:
                    listing = adapter.sources.listings.around(device, kernel.entry)
                    if listing is not None:
                        source = adapter.sources.of_listing(listing)
                        found[source.source_reference] = source
    return LoadedSourcesBody(sources=list(found.values()))


@request("source", Needs.SESSION)
def source(adapter: Adapter, arguments: SourceArguments) -> Answer:
    """The text of a source that is no file."""
    with adapter.session.condition:
        text = adapter.sources.text(arguments.source_reference)
        is_code = adapter.sources.listing(arguments.source_reference) is not None
    return SourceBody(content=text, mime_type="text/x-asm" if is_code else None)
