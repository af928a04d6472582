"""Kernels without a host program: compiled or loaded, launched, and looked at."""

from __future__ import annotations

import array
import hashlib
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from zedbg.api.origins import Origin
from zedbg.api.session import Session
from zedbg.api.stops import Stop
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.process.exited import Exited
from zedbg.levelzero.device_time import RecordingState
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.testing.buffers import Buffer, Size
from zedbg.testing.devices import Gpu
from zedbg.testing.programs import DebuggedPrograms
from zedbg.tools.kernel.arguments import Buffer as BufferArgument
from zedbg.tools.kernel.arguments import parse_argument
from zedbg.tools.kernel.compile import compile_module
from zedbg.tools.kernel.elements import ElementType
from zedbg.user_error import UserError
from zedbg.zebin import Kernel as ModuleKernel
from zedbg.zebin import Module
from zedbg.zebin.arguments import kernel_arguments

_PATIENCE_SECONDS = 20.0  # until a kernel has been launched
_POLL_SECONDS = 0.05  # how often is looked whether a kernel has ended
_DEFAULT_OPTIONS = "-g -cl-opt-disable"
_ELEMENTS = {each.label: each for each in ElementType}
_LABELS = {
    ("i", 1): "i8",
    ("i", 2): "i16",
    ("i", 4): "i32",
    ("i", 8): "i64",
    ("u", 1): "u8",
    ("u", 2): "u16",
    ("u", 4): "u32",
    ("u", 8): "u64",
    ("f", 2): "f16",
    ("f", 4): "f32",
    ("f", 8): "f64",
    ("b", 1): "u8",
}
_ARRAY_KINDS = {"b": "i", "h": "i", "i": "i", "l": "i", "q": "i", "f": "f", "d": "f"}


class KernelError(UserError):
    """A kernel cannot be launched, or did not come to its end."""


class Kernels:
    """What the fixture ``kernel`` gives: ``kernel("vadd.cl")`` compiles or loads one."""

    def __init__(
        self, programs: DebuggedPrograms, folder: Path, scratch: Callable[[], Path]
    ) -> None:
        """``folder``: where relative paths begin; ``scratch`` makes an empty folder."""
        self._programs = programs
        self._folder = folder
        self._scratch = scratch

    def __call__(
        self, source: str | Path, name: str | None = None, *, options: str = _DEFAULT_OPTIONS
    ) -> Kernel:
        """The kernel ``name`` (without it, the only one) of OpenCL C (``.cl``), SPIR-V (``.spv``),
        or a zebin. In a path, ``{gpu}`` stands for the device's name.

        Sources are compiled by ocloc with ``options``. Raises CompileError, and KernelError.
        """
        gpu = self._programs.gpu
        path = self._folder / str(source).replace("{gpu}", gpu.name)
        scratch = self._scratch()
        if path.suffix in (".cl", ".spv"):
            module = scratch / f"{path.stem}.zebin"
            module.write_bytes(_compiled(path, gpu, options))
        else:
            module = path
        return Kernel(self._programs, module, name, scratch)


_compiled_modules: dict[tuple[str, str, str], bytes] = {}


def _compiled(path: Path, gpu: Gpu, options: str) -> bytes:
    """The module; each source is compiled once in a test run."""
    try:
        key = hashlib.sha256(path.read_bytes()).hexdigest(), gpu.name, options
    except OSError as error:
        raise KernelError(f"{path}: {error.strerror}") from None
    if key not in _compiled_modules:
        _compiled_modules[key] = compile_module(path, gpu.name, options)
    return _compiled_modules[key]


class Kernel:
    """A kernel of a module. Arguments of a launch are

    - a NumPy array, an ``array.array``, ``bytes``: a buffer with that content,
    - an int or a float: a value of the type's size; a NumPy scalar keeps its type,
    - a text, as ``zedbg kernel`` takes it: ``"f32[64]=iota"``, ``"local[256]"``, ``"i32=7"``.
    """

    def __init__(
        self, programs: DebuggedPrograms, module: Path, name: str | None, scratch: Path
    ) -> None:
        self._programs = programs
        self._path = module
        self._scratch = scratch
        try:
            self.module = Module.open(module)
        except OSError as error:
            raise KernelError(f"{module}: {error.strerror}") from None
        self._kernel = self._named(name)
        self._launches = 0

    def _named(self, name: str | None) -> ModuleKernel:
        names = self.module.kernel_names
        if name is None and len(names) == 1:
            name = names[0]
        found = None if name is None else self.module.kernel(name)
        if found is None:
            asked = "Name one of them" if name is None else f"There is no kernel {name}"
            raise KernelError(f"{asked}: {self._path.name} has {', '.join(names)}.")
        return found

    @property
    def name(self) -> str:
        """Its name."""
        return self._kernel.name

    def run(
        self,
        *arguments: object,
        global_size: int | Sequence[int],
        local_size: int | Sequence[int] | None = None,
        time_limit: float | None = None,
    ) -> KernelResult:
        """Launches the kernel, and gives what is in its buffers when it has ended.

        KernelError when it does not end well: an exception's stop is in the test's report.
        """
        launch = self.launch(
            *arguments, global_size=global_size, local_size=local_size, time_limit=time_limit
        )
        return launch.result()

    def launch(
        self,
        *arguments: object,
        global_size: int | Sequence[int],
        local_size: int | Sequence[int] | None = None,
        time_limit: float | None = None,
    ) -> KernelLaunch:
        """The same, to be debugged: nothing has run yet. ``launch.session`` is its session, and
        ``launch.result()`` lets it run to its end. KernelError when it cannot be launched."""
        folder = self._scratch / f"launch{self._launches}"
        self._launches += 1
        folder.mkdir()
        expected = len(self._parameter_sizes)
        if self._parameter_sizes and len(arguments) != expected:
            raise KernelError(f"{self.name} takes {expected} arguments, not {len(arguments)}.")
        given = [
            _argument_text(index, each, self._parameter_sizes.get(index), folder)
            for index, each in enumerate(arguments)
        ]
        command = [sys.executable, "-m", "zedbg.frontends.main", "kernel"]
        command += [f"{self._path.resolve()}:{self.name}", "--json"]
        command += ["--global", _size_text(global_size)]
        if local_size is not None:
            command += ["--local", _size_text(local_size)]
        if self._programs.gpu.sim is not None:
            command += ["--device", self._programs.gpu.sim]
        command += given
        session = self._programs.launch(command, folder=folder, time_limit=time_limit)
        return KernelLaunch(
            session,
            self._programs,
            folder,
            arguments,
            _size(global_size),
            _optional(local_size),
            self._argument_names,
        )

    @property
    def _argument_names(self) -> list[str | None]:
        info = self._kernel.info
        return [] if info is None else [each.name for each in kernel_arguments(info)]

    @property
    def _parameter_sizes(self) -> dict[int, int | None]:
        """The bytes of each argument that is passed by value, None of the others; empty where the
        module does not say."""
        info = self._kernel.info
        if info is None:
            return {}
        return {
            each.index: sum(part.size for part in each.explicit if part.arg_type == "arg_byvalue")
            or None
            for each in kernel_arguments(info)
        }


class KernelLaunch:
    """One launch of a kernel, under debug. ``session`` is its session."""

    def __init__(
        self,
        session: Session,
        programs: DebuggedPrograms,
        folder: Path,
        arguments: Sequence[object],
        global_size: Size,
        local_size: Size | None,
        names: Sequence[str | None],
    ) -> None:
        self.session = session
        self._names = names
        self._held: Path | None = None
        self._programs = programs
        self._folder = folder
        self._arguments = arguments
        self._global_size = global_size
        self._local_size = local_size

    def result(self) -> KernelResult:
        """Takes breakpoints out, lets the kernel run to its end, and gives its buffers.

        KernelError when it does not end well.
        """
        __tracebackhide__ = True
        if self._held is not None:
            raise KernelError("The origin of a value was asked for: launch again for the buffers.")
        self.session.breakpoints.clear()
        exited = self.session.exited
        if exited is None:
            outcome = self.session.continue_()
            if isinstance(outcome, Stop):
                raise KernelError(f"The kernel stopped: {outcome}.")
            exited = outcome
        if not isinstance(exited, Exited) or exited.code:
            lines = self._programs.output(self.session).strip().splitlines() or ["it was killed"]
            raise KernelError(f"The kernel did not end well: {lines[-1]}")
        return KernelResult(
            {
                index: self._buffer(each, self._folder / f"{index}.out")
                for index, each in enumerate(self._arguments)
                if (self._folder / f"{index}.out").exists()
            }
        )

    def origin(self, argument: int | str, element: int | None = None, depth: int = 1) -> Origin:
        """Which instruction of which work-item wrote element ``element`` of the buffer that is
        argument ``argument``, or wrote what an expression means, and from what, ``depth``
        computations back. The kernel runs to its end first, and the program waits there.

        KernelError when it does not come to its end, or nothing is recorded.
        """
        expression = argument if isinstance(argument, str) else self._element(argument, element)
        if self._held is None:
            self._run_to_its_end()
        return self.session.origin(expression, depth, launch=1)

    def _element(self, argument: int, element: int | None) -> str:
        name = self._names[argument] if argument < len(self._names) else None
        if name is None:
            raise KernelError(
                f'The module does not name argument {argument}: give an expression, as "out[3]".'
            )
        return name if element is None else f"{name}[{element}]"

    def _run_to_its_end(self) -> None:
        """The program waits for somebody who reads the first buffer that it writes."""
        output = next(
            (
                index
                for index, each in enumerate(self._arguments)
                if not isinstance(each, str) or isinstance(parse_argument(each), BufferArgument)
                if not isinstance(each, bool | int | float)
            ),
            None,
        )
        if output is None:
            raise KernelError("The kernel has no buffer.")
        path = self._folder / f"{output}.out"
        os.mkfifo(path)
        self.session.breakpoints.clear()
        outcome = self.session.continue_(_POLL_SECONDS)
        patience = time.monotonic() + _PATIENCE_SECONDS
        while outcome is None and not self._has_ended(time.monotonic() > patience):
            outcome = self.session.continue_(_POLL_SECONDS)
        if outcome is not None:
            raise KernelError(f"The kernel did not come to its end: {outcome}.")
        self._held = path

    def _has_ended(self, is_late: bool) -> bool:
        """``is_late``: by now there is a launch, or what is wrong is to be raised."""
        try:
            return self.session._engine.time.recording(1).state is RecordingState.FINISHED
        except (NoThreadError, LevelZeroError):  # no device is used yet, or no launch was made
            if is_late:
                raise
            return False

    def _buffer(self, argument: object, path: Path) -> Buffer:
        data = path.read_bytes()
        label, shape = _element_of(argument)
        element = _ELEMENTS[label]
        values = element.unpack(data)
        made = None
        dtype = getattr(argument, "dtype", None)
        if dtype is not None:
            import numpy

            made = numpy.frombuffer(data, dtype).reshape(shape)
            values = made.ravel().tolist()
        return Buffer(values, shape or (len(values),), self._global_size, self._local_size, made)


class KernelResult:
    """What a launch left: ``result[2]`` is the buffer that was argument 2."""

    def __init__(self, buffers: dict[int, Buffer]) -> None:
        self._buffers = buffers

    def __getitem__(self, argument: int) -> Buffer:
        """The buffer; KernelError when that argument is none."""
        try:
            return self._buffers[argument]
        except KeyError:
            there = ", ".join(map(str, self._buffers))
            raise KernelError(f"Argument {argument} is no buffer; those are: {there}.") from None


def _argument_text(index: int, value: Any, size: int | None, folder: Path) -> str:  # noqa: ANN401
    """``value`` as ``zedbg kernel`` takes it; buffers go through files in ``folder``."""
    output = f">{index}.out"
    if isinstance(value, str):
        parsed = parse_argument(value)
        return value + output if isinstance(parsed, BufferArgument) and not parsed.output else value
    if isinstance(value, bool | int | float):
        return f"{_scalar_label(index, value, size)}={value!r}".replace("True", "1").replace(
            "False", "0"
        )
    label, shape = _element_of(value)
    if shape == ():  # a NumPy scalar
        return f"{label}={value.item()!r}"
    data = bytes(value) if isinstance(value, bytes | bytearray) else value.tobytes()
    (folder / f"{index}.in").write_bytes(data)
    return f"{label}[{len(data) // _ELEMENTS[label].size}]=@{index}.in{output}"


def _scalar_label(index: int, value: float, size: int | None) -> str:
    if isinstance(value, float):
        return _LABELS.get(("f", size or 4), "f32")
    label = _LABELS.get(("i" if value < 0 else "u", size or 4))
    if label is None:
        raise KernelError(f"Argument {index} is a value of {size} bytes: give it as a text.")
    return label


def _element_of(value: Any) -> tuple[str, tuple[int, ...]]:  # noqa: ANN401
    """The type of the elements of a buffer as ``zedbg kernel`` calls it, and its shape."""
    if isinstance(value, str):
        parsed = parse_argument(value)
        assert isinstance(parsed, BufferArgument)
        return parsed.type.label, (parsed.count,)
    if isinstance(value, bytes | bytearray):
        return "u8", (len(value),)
    if isinstance(value, array.array):
        kind = _ARRAY_KINDS.get(value.typecode, "u")
        return _LABELS[kind, value.itemsize], (len(value),)
    dtype = getattr(value, "dtype", None)
    label = _LABELS.get((dtype.kind, dtype.itemsize)) if dtype is not None else None
    if label is None:
        kind = type(value).__name__ if dtype is None else f"array of {dtype}"
        raise KernelError(
            f"A {kind} is no argument of a kernel: give an array, a number or a text."
        )
    return label, tuple(value.shape)


def _size(value: int | Sequence[int]) -> Size:
    x, y, z = (*((value,) if isinstance(value, int) else tuple(value)), 1, 1, 1)[:3]
    if math.prod((x, y, z)) < 1:
        raise KernelError(f"{value} is no size: give one, two or three numbers from 1.")
    return x, y, z


def _optional(value: int | Sequence[int] | None) -> Size | None:
    return None if value is None else _size(value)


def _size_text(value: int | Sequence[int]) -> str:
    return ",".join(map(str, _size(value)))
