"""Intel's compilers, as programs that compile kernels anew are given them on the command line."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.devices import EACH_PLATFORM

DEVICES = {"igc1": ("dg2", "pvc"), "igc2": EACH_PLATFORM}
LEVELS = {"O0": "-cl-opt-disable", "O2": ""}
COMMON_OPTIONS = "-cl-std=CL2.0 -g"
# The older compiler makes another format unless asked.
INTERNAL_OPTIONS = {"igc1": "-cl-intel-allow-zebin", "igc2": ""}
_OPTIONS_LINE = re.compile(r"^// options: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Compiler:
    """One release of ``ocloc``: the command, and the directory that it sees as /."""

    name: str
    command: list[str]
    root: Path


def add_options(parser: argparse.ArgumentParser) -> None:
    """Lets ``parser`` take a command for each compiler, and the root directory that it sees."""
    for name in DEVICES:
        parser.add_argument(f"--{name}", metavar="COMMAND", help=f"ocloc of {name}")
        parser.add_argument(f"--{name}-root", default="/", metavar="DIRECTORY")


def compilers_of(arguments: argparse.Namespace) -> Iterator[Compiler]:
    """The compilers whose commands were given."""
    for name in DEVICES:
        command = getattr(arguments, name)
        if command:
            root = Path(getattr(arguments, f"{name}_root"))
            yield Compiler(name, shlex.split(command), root)


def source_options(source: str) -> str:
    """The options that a source asks for itself, in a line ``// options: ...``."""
    match = _OPTIONS_LINE.search(source)
    return match[1] if match else ""


def compile_source(compiler: Compiler, device: str, level: str, text: str) -> bytes | str:
    """The zebin, or the compiler's complaint."""
    with tempfile.TemporaryDirectory(prefix="corpus-", dir=compiler.root / "tmp") as scratch:
        directory = Path(scratch)
        (directory / "kernel.cl").write_text(text)
        seen = Path("/") / directory.relative_to(compiler.root)
        options = " ".join(filter(None, (COMMON_OPTIONS, LEVELS[level], source_options(text))))
        command = [*compiler.command, "compile", "-file", str(seen / "kernel.cl")]
        command += ["-device", device, "-options", options]
        command += ["-output", "kernel", "-output_no_suffix", "-out_dir", str(seen)]
        if INTERNAL_OPTIONS[compiler.name]:
            command += ["-internal_options", INTERNAL_OPTIONS[compiler.name]]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        for name in ("kernel", "kernel.bin"):
            made = directory / name
            if made.exists() and made.read_bytes()[:4] == b"\x7fELF":
                return made.read_bytes()
        return done.stdout + done.stderr
