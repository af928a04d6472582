"""The command line of ``zedbg inspect``."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from zedbg.commands.rows.row import Row
from zedbg.frontends.shared.ending import discard_output
from zedbg.tools.inspect.output import page_json, page_text
from zedbg.tools.inspect.pages import Question, inspect_file
from zedbg.tools.inspect.usage_error import UsageError
from zedbg.user_error import UserError
from zedbg.zebin.file_errors import printable

_IN_MEMORY = 1 << 20  # bytes of a page
_EPILOG = """\
examples:
  zedbg inspect vadd.zebin
  zedbg inspect vadd.zebin --kernel 'v*' --json
  zedbg inspect vadd.zebin --section .ze_info
  zedbg inspect fat.bin --device dg2
  zedbg inspect vadd.zebin --at vadd.cl:3
  zedbg inspect libsolver.so --kernel '*reduce*'
  zedbg inspect libsolver.so --image 3 --section .ze_info
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (zedbg inspect --help explains)")


def main(arguments: list[str]) -> int:
    """Runs ``zedbg inspect``; 0, 1 after one line of what failed, 2 for a wrong command line."""
    as_json = "--json" in arguments
    # What is said of a damaged file is one line, not half a page: the page is put aside until all
    # of it is there. It can be many times the file.
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8") as page:
        try:
            rows = _rows(arguments)
            page.writelines(page_json(rows) if as_json else page_text(rows))
        except UsageError as error:
            return _fail(str(error), as_json, 2)
        except UserError as error:
            return _fail(str(error), as_json, 1)
        except OSError as error:
            return _fail(f"{error.filename or 'the page'}: {error.strerror}", as_json, 1)
        page.seek(0)
        try:
            shutil.copyfileobj(page, sys.stdout)
            sys.stdout.flush()
        except BrokenPipeError:
            raise  # nobody reads any more, which is no failure
        except OSError as error:
            discard_output()
            return _fail(f"standard output: {error.strerror}", False, 1)
    return 0


def _fail(message: str, as_json: bool, status: int) -> int:
    line = printable(message)
    if as_json:
        print(json.dumps({"command": "inspect", "ok": False, "error": line}))
    else:
        print(f"zedbg inspect: {line}", file=sys.stderr)
    return status


def _rows(arguments: list[str]) -> Iterable[Row]:
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
    parser.add_argument(
        "--image", type=int, metavar="NUMBER", help="this device image of a host program"
    )
    parser.add_argument("--at", metavar="PLACE", help="what is at 0xADDRESS, a symbol or FILE:LINE")
    parser.add_argument(
        "--check", action="store_true", help="only what zeinfo has against its specification"
    )
    parser.add_argument(
        "--debug-quality", action="store_true", help="how much of the variables can be shown"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(arguments)
    question = Question(
        options.kernel,
        options.section,
        options.device,
        options.image,
        options.at,
        options.check,
        options.debug_quality,
        every_kernel=options.json,
    )
    return inspect_file(options.file, question)
