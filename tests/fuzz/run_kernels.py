"""Compares what zedbg shows of variables at -O2 with what they are at -O0, on kernels of a folder.

``python -m tests.fuzz.run_kernels FOLDER --igc1 ocloc --devices dg2``. The folder has sources
NAME.cl, each with a kernel of that name, and launches.txt:
:mod:`tests.support.kernels.kernel_folder`.
The options for compilers are those of :mod:`tests.fuzz.run_variable_truth`. What is compared says
:mod:`tests.support.truth.both_levels`. ``--reasons`` prints what is most often lost, and why. Ends
with 1 if a value was wrong without a mark.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.kernels.compilers import (
    DEVICES,
    LEVELS,
    Compiler,
    add_options,
    compile_source,
    compilers_of,
)
from tests.support.kernels.kernel_folder import kernel_names
from tests.support.module_command import module_command

_COLUMNS = ("right", "doubtful", "not shown")
_LIMIT = 3000  # seconds for a kernel
_REASONS = 12  # lines for a kernel


def compile_at_both_levels(
    compiler: Compiler, device: str, source: Path, modules: Path
) -> str | None:
    """Writes BUILD-LEVEL/NAME.zebin for both levels; or the compiler's complaint."""
    for level in LEVELS:
        text = f'#line 1 "{source.name}"\n{source.read_text()}'
        made = compile_source(compiler, device, level, text)
        if isinstance(made, str):
            return made
        folder = modules / f"{compiler.name}-{device}-{level}"
        folder.mkdir(exist_ok=True)
        (folder / f"{source.stem}.zebin").write_bytes(made)
    return None


def row(name: str, counts: Counter[str], wrong: int, seconds: float) -> str:
    """A line of the table."""
    whole = sum(counts[each] for each in _COLUMNS) + wrong or 1
    shares = "".join(f"{100 * counts[each] / whole:11.1f}" for each in _COLUMNS)
    return f"{name:28}{whole:9.0f}{shares}{wrong:7}{seconds:7.0f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="kernels (default: all of launches.txt)")
    parser.add_argument("--devices", default=",".join(DEVICES["igc2"]))
    parser.add_argument("--reasons", action="store_true", help="why values are lost")
    add_options(parser)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    names = arguments.names or kernel_names(folder)
    print(f"{'':28}{'values':>9}" + "".join(f"{each:>11}" for each in _COLUMNS) + "  wrong")
    is_wrong = False
    with tempfile.TemporaryDirectory() as scratch:
        for compiler in compilers_of(arguments):
            for device in DEVICES[compiler.name]:
                if device in arguments.devices.split(","):
                    is_wrong |= _run(
                        compiler, device, folder, Path(scratch), names, arguments.reasons
                    )
    return 1 if is_wrong else 0


def _run(
    compiler: Compiler, device: str, folder: Path, modules: Path, names: list[str], reasons: bool
) -> bool:
    """Prints what is shown in one build of each kernel; whether any of it is wrong."""
    build = f"{compiler.name}-{device}"
    total: Counter[str] = Counter()
    all_wrong, began = [], time.monotonic()
    for name in names:
        if complaint := compile_at_both_levels(compiler, device, folder / f"{name}.cl", modules):
            print(f"{build} {name} does not compile: {complaint[-500:]}")
            continue
        start = time.monotonic()
        command = module_command("truth.both_levels", folder, modules, build, name)
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT, check=False)
        if done.returncode:
            print(f"{build} {name}: {done.stderr[-2000:]}")
            all_wrong.append([name])
            continue
        found = json.loads(done.stdout)
        counts = Counter({each: found.get(each, 0) for each in _COLUMNS})
        took = time.monotonic() - start
        print(row(f"{build} {name}", counts, len(found["wrong"]), took), flush=True)
        for count, line, variable, reason in found["reasons"][: _REASONS if reasons else 0]:
            print(f"{count:10} {name}.cl:{line} {variable}: {reason}")
        total.update(counts)
        all_wrong += [[name, *each] for each in found["wrong"]]
    print(row(build, total, len(all_wrong), time.monotonic() - began))
    for each in all_wrong:
        print("wrong:", build, *each)
    return bool(all_wrong)


if __name__ == "__main__":
    sys.exit(main())
