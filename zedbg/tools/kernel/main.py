"""The command line of ``zedbg kernel``."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from zedbg.frontends.shared.scheduling import add_scheduling_arguments, apply_scheduling
from zedbg.levelzero.selection import select_driver
from zedbg.tools.kernel.arguments import Buffer, KernelArgument, parse_argument
from zedbg.tools.kernel.elements import ArgumentError
from zedbg.tools.kernel.host import LaunchResult, Size, run_kernel
from zedbg.tools.kernel.images import ImageArgument
from zedbg.tools.kernel.recording import (
    GROUP_VARIABLE,
    LIMIT_VARIABLE,
    PROFILE_VARIABLE,
    THREAD_VARIABLE,
    TRACE_VARIABLE,
    RecordingError,
    read_profile,
    read_trace,
)
from zedbg.user_error import UserError
from zedbg.xe.devices import DEFAULT_DEVICE, described_devices

_SHOWN_ELEMENTS = 8
_STANDARD_OUTPUT = "-"
_MOST_ITEMS = (1 << 32) - 1  # of a dimension: Level Zero counts work-groups with 32 bits
_LONGEST_TRACE = 10_000_000
_SIZE = "X[,Y[,Z]]"

_EPILOG = """\
arguments, one per kernel argument, in order:
  f32=1.5   i32=-7   u64=9    a scalar: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64
  f32[1024]=0                 a buffer, every element 0; without =..., zeroed
  i32[64]=iota                0, 1, 2, ...
  u8[256]=random:7            from a seed: integers of the whole range, floats in [0, 1)
  f32[16]=@in.bin             from a raw little-endian file
  f32[16]=0'>out.bin'         write the buffer to a raw file afterwards
  local[256]                  local memory, in bytes
  struct{i32=1,align[16],f32[4]=iota}
                              a structure by value, aligned as in C; align[N] for vectors
  image2d[64x32,rgba8]=iota>out.bin
                              an image, filled and written like a buffer of its channels:
                              image1d image1d_array image1d_buffer image2d image2d_array image3d;
                              r rg rgba bgra, 8 16 32 bits, f float, u i integers, s signed
                              normalized, otherwise normalized: r32f rg16i rgba8u bgra8
  sampler[linear,edge]        nearest linear; edge clamp repeat mirror none; unnormalized

example:
  zedbg kernel vadd.zebin:vadd --global 64 --local 16 f32[64]=iota f32[64]=2 f32[64] i32=64
"""


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line."""

    def error(self, message: str) -> NoReturn:
        raise ArgumentError(message)


def main(arguments: list[str]) -> int:
    """Runs ``zedbg kernel`` and gives its exit status: 0, or 1 after one line of what failed."""
    as_json = "--json" in arguments
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        message = "interrupted"
    except BrokenPipeError:
        raise  # nobody reads what we would say
    except OSError as error:
        message = f"{error.filename or 'standard output'}: {error.strerror or error}"
    except UserError as error:
        message = error.line
    if as_json:
        print(json.dumps({"command": "kernel", "ok": False, "error": message}), flush=True)
    else:
        print(f"zedbg kernel: {message}", file=sys.stderr)
    return 1


def _command_line() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="zedbg kernel",
        description="Runs one kernel of a module and shows what it left in its buffers.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("module", metavar="MODULE[:KERNEL]", help="a zebin, or a .cl or .spv file")
    parser.add_argument(
        "--global", dest="global_size", type=_size, required=True, metavar=_SIZE, help="work-items"
    )
    parser.add_argument(
        "--local",
        dest="local_size",
        type=_size,
        metavar=_SIZE,
        help="work-items of a group; default: the driver chooses",
    )
    parser.add_argument(
        "--device", metavar="NAME", help=f"a simulated device: {described_devices()}"
    )
    parser.add_argument(
        "--options",
        default="-g -cl-opt-disable",
        help="for compiling a .cl file; default: %(default)s",
    )
    add_scheduling_arguments(parser)
    parser.add_argument(
        "--profile",
        action="store_true",
        help="executed instructions and active lanes of each source line (simulated GPU)",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        nargs="?",
        const=_STANDARD_OUTPUT,
        help="every executed instruction, into a file with --trace=FILE (simulated GPU)",
    )
    parser.add_argument(
        "--trace-limit", type=_count, default=10_000, metavar="N", help="instructions, at most"
    )
    parser.add_argument(
        "--trace-group", type=_group, metavar="X[,Y[,Z]]", help="of this work-group only"
    )
    parser.add_argument(
        "--trace-thread", type=_number, metavar="N", help="of this thread of each work-group only"
    )
    parser.add_argument("--json", action="store_true", help="the result as one JSON object")
    parser.add_argument("argument", nargs="*", metavar="ARG", help="see below")
    return parser


def _run(words: list[str]) -> int:
    # "--trace" alone must not take the next argument for a file.
    words = [f"--trace={_STANDARD_OUTPUT}" if each == "--trace" else each for each in words]
    words = _with_values_attached(words)
    options = _command_line().parse_intermixed_args(words)

    path, kernel = _split_module(options.module)
    kernel_arguments = [parse_argument(each) for each in options.argument]
    options.device = apply_scheduling(options, options.device)
    device = options.device or DEFAULT_DEVICE
    if path.suffix in (".cl", ".spv"):
        # It finds compilers that were fetched, which takes more modules than all else here.
        from zedbg.tools.kernel.compile import compile_module

        image = compile_module(path, device, options.options)
    else:
        image = path.read_bytes()
    choice = select_driver(options.device)
    if (options.profile or options.trace) and not choice.simulated:
        raise RecordingError("--profile and --trace need the simulated GPU: give --device dg2")

    def launch() -> LaunchResult:
        return run_kernel(image, kernel, options.global_size, options.local_size, kernel_arguments)

    # Only a launch that records needs files: a debugger that kills it leaves them behind.
    records = options.profile or options.trace
    result, recorded = _recorded(options, image, launch) if records else (launch(), Recorded())
    _write_outputs(kernel_arguments, result)
    to_file = options.trace and options.trace != _STANDARD_OUTPUT
    if to_file:
        Path(options.trace).write_text("".join(line + "\n" for line in recorded.trace))
    trace_shown = () if to_file else recorded.trace
    if options.json:
        print(json.dumps(_json(result, recorded, options.profile, trace_shown)), flush=True)
        return 0
    lines_of_result = _text(result, simulated=choice.simulated)
    for line in (*lines_of_result, *recorded.profile_lines, *trace_shown):
        # In one piece: a debugger may write to the same terminal.
        sys.stdout.write(line + "\n")
    return 0


@dataclass(frozen=True)
class Recorded:
    """What the simulated GPU recorded of a launch, for people and for programs."""

    profile_lines: Sequence[str] = ()
    profile_rows: Sequence[dict[str, object]] = ()
    trace: Sequence[str] = ()


def _recorded(
    options: argparse.Namespace, image: bytes, launch: Callable[[], LaunchResult]
) -> tuple[LaunchResult, Recorded]:
    """Launches, and reads what was recorded of it."""
    # These read debug information and decode instructions: most launches need neither.
    from zedbg.tools.kernel.profile import profile_of, profile_rows, profile_text
    from zedbg.tools.kernel.trace import trace_lines

    with tempfile.TemporaryDirectory(prefix="zedbg-") as directory:
        profile, trace = Path(directory) / "profile", Path(directory) / "trace"
        os.environ.update(_recording_variables(options, profile, trace))
        result = launch()
        usage = profile_of(image, read_profile(profile)) if options.profile else []
        lines = list(trace_lines(image, read_trace(trace))) if options.trace else []
    return result, Recorded(list(profile_text(usage)), profile_rows(usage), lines)


def _recording_variables(options: argparse.Namespace, profile: Path, trace: Path) -> dict[str, str]:
    """The variables that make the simulated driver record; it reads them when it is initialised."""
    variables = {}
    if options.profile:
        variables[PROFILE_VARIABLE] = str(profile)
    if options.trace:
        variables[TRACE_VARIABLE] = str(trace)
        variables[LIMIT_VARIABLE] = str(options.trace_limit)
        if options.trace_group is not None:
            variables[GROUP_VARIABLE] = ",".join(map(str, options.trace_group))
        if options.trace_thread is not None:
            variables[THREAD_VARIABLE] = str(options.trace_thread)
    return variables


def _number(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 32:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return value


def _count(text: str) -> int:
    value = _number(text)
    if value == 0 or value > _LONGEST_TRACE:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {_LONGEST_TRACE}")
    return value


def _group(text: str) -> Size:
    parts = [_number(part) for part in text.split(",")]
    if len(parts) > 3:
        raise argparse.ArgumentTypeError(f"{text!r} is not X[,Y[,Z]] with numbers from 0")
    x, y, z = [*parts, 0, 0][:3]
    return x, y, z


def _with_values_attached(words: list[str]) -> list[str]:
    """``words`` with ``--options`` and what follows as one: that may begin with a dash."""
    rest, found = iter(words), []
    for word in rest:
        value = next(rest, None) if word == "--options" else None
        found.append(word if value is None else f"{word}={value}")
    return found


def _size(text: str) -> Size:
    try:
        parts = [int(part, 0) for part in text.split(",")]
    except ValueError:
        parts = []
    if not 1 <= len(parts) <= 3 or any(not 1 <= part <= _MOST_ITEMS for part in parts):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not X[,Y[,Z]] with numbers from 1 to {_MOST_ITEMS}"
        )
    x, y, z = [*parts, 1, 1][:3]
    return x, y, z


def _split_module(text: str) -> tuple[Path, str | None]:
    """``vadd.zebin:vadd`` into path and kernel; a file of the whole name wins."""
    path, colon, kernel = text.rpartition(":")
    if not colon or Path(text).exists():
        return Path(text), None
    return Path(path), kernel or None


def _write_outputs(arguments: list[KernelArgument], result: LaunchResult) -> None:
    for buffer in result.buffers:
        argument = arguments[buffer.argument]
        if isinstance(argument, Buffer | ImageArgument) and argument.output is not None:
            argument.output.write_bytes(buffer.data)


def _json(
    result: LaunchResult, recorded: Recorded, has_profile: bool, trace: Sequence[str]
) -> dict[str, object]:
    """``result`` as an object, with the ``trace`` to show and, if it has one, the profile."""
    record: dict[str, object] = {
        "command": "kernel",
        "ok": True,
        "kernel": result.kernel,
        "device": result.device,
        "local": list(result.group_size),
        "groups": list(result.group_count),
        "rows": [
            {
                "argument": buffer.argument,
                "kind": buffer.label,
                "type": buffer.type.label,
                "count": buffer.count,
                "crc32": buffer.crc32,
                "values": [
                    value if value - value == 0 else repr(value) for value in buffer.values()
                ],
            }
            for buffer in result.buffers
        ],
    }
    if has_profile:
        record["profile"] = recorded.profile_rows
    if trace:
        record["trace"] = trace
    return record


def _text(result: LaunchResult, *, simulated: bool) -> Iterator[str]:
    """The lines that show ``result``."""
    groups = ",".join(map(str, result.group_count))
    size = ",".join(map(str, result.group_size))
    where = result.device + (" (simulated)" if simulated and "imulat" not in result.device else "")
    yield f"{result.kernel}: {groups} work-groups of {size} on {where}"
    for buffer in result.buffers:
        first = buffer.type.unpack(buffer.data[: _SHOWN_ELEMENTS * buffer.type.size])
        shown = " ".join(
            f"{value:g}" if isinstance(value, float) else str(value) for value in first
        )
        more = " ..." if buffer.count > _SHOWN_ELEMENTS else ""
        label = f"argument {buffer.argument}: {buffer.label}"
        yield f"{label} = {shown}{more}  crc32 {buffer.crc32:08x}"
