"""What is known of the program on the processor, for commands."""

from __future__ import annotations

from zedbg.commands.framework.allocation_names import AllocationNames
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.saved_rows import NOT_NOTED
from zedbg.engine.memory.argument_values import buffer_address, typed_argument
from zedbg.engine.threads.thread import HardwareThread
from zedbg.host.host_calls import HostCall, HostCalls
from zedbg.host.noted_launches import launches_of_kernel, was_passed
from zedbg.host.program import HostProgram
from zedbg.host.unwinding import HostFrame, HostStack
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.zebin.arguments import ArgumentKind, KernelArgument, kernel_arguments

_POINTER_BYTES = 8
# Libraries between a program and its driver: how they call each other says little.
_RUNTIMES = ("libze_", "libur_", "libpi_", "libsycl", "libOpenCL", "libigdrcl", "ld-linux")


class HostView:
    """The host side of the process under debug, read anew after the program has run."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context
        self._state: object = None
        self._program: HostProgram | None = None

    @property
    def program(self) -> HostProgram | None:
        """The process that uses the device: it may be a child of the one that was started."""
        session = self._context.session
        process = session.process
        if process is None or not process.can_run:
            return None
        pids = [device.debug.pid for device in session.devices]
        pid = pids[0] if pids else process.pid
        state = pid, id(session.stop), session.modules_loaded, self._context.resumptions
        if state != self._state or self._program is None:
            self._state, self._program = state, HostProgram(pid)
        return self._program


def require_program(context: CommandContext) -> HostProgram:
    """The host side; CommandError where there is no process that could be asked."""
    program = context.kept(HostView).program
    if program is None:
        raise CommandError("A core file has nothing of the host program itself.")
    return program


def require_calls(context: CommandContext) -> HostCalls:
    """The calls that were noted; CommandError where none are."""
    calls = require_program(context).calls
    if calls is None:
        raise CommandError(NOT_NOTED)
    return calls


def launches_of(calls: HostCalls, thread: HardwareThread) -> list[HostCall]:
    """The noted launches that the kernel of ``thread`` may come from, the newest first: those with
    as many work-groups, and of these those with its arguments, where there are any."""
    kernel = thread.kernel
    if kernel is None:
        return []
    try:
        own = thread.workgroup
    except (LevelZeroError, ValueError):
        own = (0, 0, 0)
    newest = reversed(calls.launches)
    found = launches_of_kernel(newest, kernel.name, thread.work.group_count, own)
    if len(found) < 2:
        return found
    passed = _passed(thread)
    # Lists whose launches are changed later, for one, have other arguments than were noted.
    return [call for call in found if was_passed(call, passed)] or found


def _passed(thread: HardwareThread) -> dict[int, bytes]:
    """The arguments that the kernel of ``thread`` has, by index: numbers, and where they are known
    addresses."""
    info = None if thread.kernel is None else thread.kernel.info
    found: dict[int, bytes] = {}
    for each in () if info is None else kernel_arguments(info):
        if each.kind is ArgumentKind.VALUE:
            try:
                data = thread.work.argument_bytes(each)
            except LevelZeroError:
                continue
            if isinstance(data, bytes):
                found[each.index] = data
        elif each.kind is ArgumentKind.BUFFER:
            address = buffer_address(thread, each)
            if address is not None:
                found[each.index] = address.to_bytes(_POINTER_BYTES, "little")
    return found


def argument_texts(context: CommandContext, call: HostCall) -> tuple[str, ...]:
    """The arguments of a noted launch, ``n=64``: by the names and types that its kernel gives them,
    while that is loaded."""
    kernels = (
        kernel
        for device in context.session.devices
        for module in device.modules
        for kernel in module.kernels
        if kernel.name == call.name and kernel.info is not None
    )
    kernel = next(kernels, None)
    info = None if kernel is None else kernel.info
    known = {} if info is None else {each.index: each for each in kernel_arguments(info)}
    texts = []
    for index, data in sorted(call.arguments.items()):
        argument = known.get(index)
        if index in call.longer:
            data = data[: 0 if argument is None else _size(argument)]
        if data:
            name = None if argument is None else argument.name
            texts.append(f"{name or index}={_argument_text(data, argument)}")
    return tuple(texts)


def _size(argument: KernelArgument) -> int:
    """How many bytes a caller passes; 0 where they are none, or the module does not say."""
    match argument.kind:
        case ArgumentKind.VALUE:
            return sum(each.size for each in argument.pieces)
        case ArgumentKind.LOCAL | ArgumentKind.REMOVED:
            return 0
        case _:
            return _POINTER_BYTES


def _argument_text(data: bytes, argument: KernelArgument | None) -> str:
    if argument is None or argument.kind is not ArgumentKind.VALUE:
        return f"{int.from_bytes(data, 'little'):#x}"
    value = typed_argument(data, argument)
    return f"{{{value.hex(' ')}}}" if isinstance(value, bytes) else f"{value}"


def own_frame(stack: HostStack) -> HostFrame | None:
    """The innermost frame of the program's own code, as far as that can be told."""
    outside = [frame for frame in stack.frames if not _is_runtime(frame)]
    with_lines = (frame for frame in outside if frame.file is not None)
    return next(with_lines, outside[0] if outside else None)


def _is_runtime(frame: HostFrame) -> bool:
    name = (frame.library or "").rpartition("/")[2]
    return name.startswith(_RUNTIMES)


def host_name(context: CommandContext, address: int) -> str | None:
    """``<main+4> in /program`` for code of the program, ``shared USM allocation 3 + 16`` for memory
    that it allocated; None for others."""
    allocation = context.kept(AllocationNames).at(address)
    if allocation is not None:
        offset = address - allocation.address
        return f"{allocation.name}{f' + {offset}' if offset else ''}"
    program = context.kept(HostView).program
    known = None if program is None else program.name_at(address)
    image = None if program is None else program.image_at(address)
    return f"{known} in {image.name}" if known and image is not None else None
