"""The command line of ``zedbg kernel``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import NoReturn

from zedbg.frontends.kernel.arguments import ArgumentError, Buffer, KernelArgument, parse_argument
from zedbg.frontends.kernel.compile import CompileError, compile_module
from zedbg.frontends.kernel.host import HostError, LaunchResult, Size, run_kernel
from zedbg.levelzero.errors import LevelZeroError, LoaderMissing, LoaderTooOld, NoDebuggableDevice
from zedbg.levelzero.selection import select_driver

_SHOWN_ELEMENTS = 8
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
    except LevelZeroError as error:
        # The driver's build log says more than the result code.
        notes = " ".join(" ".join(getattr(error, "__notes__", [])).split())
        message = f"{error}" + (f": {notes}" if notes else "")
    except BrokenPipeError:
        raise  # nobody reads what we would say
    except OSError as error:
        message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except (
        ArgumentError,
        CompileError,
        HostError,
        LoaderMissing,
        LoaderTooOld,
        NoDebuggableDevice,
    ) as error:
        message = str(error)
    if as_json:
        print(json.dumps({"command": "kernel", "ok": False, "error": message}), flush=True)
    else:
        print(f"zedbg kernel: {message}", file=sys.stderr)
    return 1


def _run(words: list[str]) -> int:
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
        help="work-items of a group; the driver chooses without",
    )
    parser.add_argument("--device", metavar="NAME", help="a simulated device: dg2, pvc, bmg")
    parser.add_argument("--options", default="-g -cl-opt-disable", help="for compiling a .cl file")
    parser.add_argument("--json", action="store_true", help="the result as one JSON object")
    parser.add_argument("argument", nargs="*", metavar="ARG", help="see below")
    options = parser.parse_intermixed_args(words)

    path, kernel = _split_module(options.module)
    kernel_arguments = [parse_argument(each) for each in options.argument]
    device = options.device or "dg2"
    if path.suffix in (".cl", ".spv"):
        image = compile_module(path, device, options.options)
    else:
        image = path.read_bytes()
    choice = select_driver(options.device)
    result = run_kernel(image, kernel, options.global_size, options.local_size, kernel_arguments)
    _write_outputs(kernel_arguments, result)
    if options.json:
        print(json.dumps(_json(result)), flush=True)
    else:
        _print(result, simulated=choice.simulated)
    return 0


def _size(text: str) -> Size:
    parts = [int(part, 0) for part in text.split(",")]
    if not 1 <= len(parts) <= 3 or any(part < 1 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not X[,Y[,Z]] with numbers from 1")
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
        if isinstance(argument, Buffer) and argument.output is not None:
            argument.output.write_bytes(buffer.data)


def _json(result: LaunchResult) -> dict[str, object]:
    return {
        "command": "kernel",
        "ok": True,
        "kernel": result.kernel,
        "device": result.device,
        "local": list(result.group_size),
        "groups": list(result.group_count),
        "rows": [
            {
                "argument": buffer.argument,
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


def _print(result: LaunchResult, *, simulated: bool) -> None:
    groups = ",".join(map(str, result.group_count))
    size = ",".join(map(str, result.group_size))
    where = result.device + (" (simulated)" if simulated and "imulat" not in result.device else "")
    print(f"{result.kernel}: {groups} work-groups of {size} on {where}")
    for buffer in result.buffers:
        first = buffer.type.unpack(buffer.data[: _SHOWN_ELEMENTS * buffer.type.size])
        shown = " ".join(
            f"{value:g}" if isinstance(value, float) else str(value) for value in first
        )
        more = " ..." if buffer.count > _SHOWN_ELEMENTS else ""
        print(
            f"argument {buffer.argument}: {buffer.type.label}[{buffer.count}] = {shown}{more}"
            f"  crc32 {buffer.crc32:08x}"
        )
