"""The command line of ``zedbg inspect``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import NoReturn

from zedbg.commands.rows import Row
from zedbg.dwarf import DebugInfoError
from zedbg.frontends import text_modules  # noqa: F401 - importing declares renderers
from zedbg.frontends.inspect.errors import ImageError, UsageError
from zedbg.frontends.inspect.pages import Question, inspect_file
from zedbg.frontends.rendering import render
from zedbg.zebin import ZebinError

_EPILOG = """\
examples:
  zedbg inspect vadd.zebin
  zedbg inspect vadd.zebin --kernel 'v*' --json
  zedbg inspect vadd.zebin --section .ze_info
  zedbg inspect fat.bin --device dg2
  zedbg inspect vadd.zebin --at vadd.cl:3
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (zedbg inspect --help explains)")


def main(arguments: list[str]) -> int:
    """Runs ``zedbg inspect``; 0, 1 after one line of what failed, 2 for a wrong command line."""
    as_json = "--json" in arguments
    try:
        rows = _rows(arguments)
    except UsageError as error:
        return _fail(str(error), as_json, 2)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}", as_json, 1)
    except (ZebinError, DebugInfoError, ImageError) as error:
        return _fail(str(error), as_json, 1)
    if as_json:
        result = {"command": "inspect", "ok": True, "rows": [row.to_json() for row in rows]}
        print(json.dumps(result, allow_nan=False))
    else:
        for line in render(rows) or ["nothing against its specification"]:
            print(printable(line))
    return 0


def printable(line: str) -> str:
    """``line`` with what a terminal would act upon written as escapes: names come from files."""
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in line
    )


def _fail(message: str, as_json: bool, status: int) -> int:
    line = printable(message)
    if as_json:
        print(json.dumps({"command": "inspect", "ok": False, "error": line}))
    else:
        print(f"zedbg inspect: {line}", file=sys.stderr)
    return status


def _rows(arguments: list[str]) -> list[Row]:
    parser = _Parser(
        prog="zedbg inspect",
        description="Shows what is in a file with device code; needs no driver and no device.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="a native module, or any file with device code")
    parser.add_argument("--kernel", metavar="GLOB", help="only these kernels, each in full")
    parser.add_argument("--section", metavar="GLOB", help="the content of these sections")
    parser.add_argument("--device", help="the member of a fat binary for this device")
    parser.add_argument("--at", metavar="PLACE", help="what is at 0xADDRESS, a symbol or FILE:LINE")
    parser.add_argument(
        "--check", action="store_true", help="only what zeinfo has against its specification"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(arguments)
    question = Question(
        options.kernel,
        options.section,
        options.device,
        options.at,
        options.check,
        every_kernel=options.json,
    )
    return inspect_file(options.file, question)
