"""Compares what zedbg shows of variables with the truth, on random kernels that are new.

``python -m tests.fuzz.run_variable_truth --igc1 ocloc --igc2 ocloc --kernels 40 --seed 1000``.
A compiler in another root directory (a newer Debian release, say) is given with ``--igc2 "chroot
ROOT ocloc" --igc2-root ROOT``. Twins are compiled by ``igc2`` if that is given. ``--pack`` makes
the archives in tests/kernels/variables anew, of these modules only. Ends with 1 if a value was
wrong without a mark.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.kernels.compilers import (
    DEVICES,
    LEVELS,
    Compiler,
    add_options,
    compile_source,
    compilers_of,
)
from tests.support.module_command import module_command
from tests.support.packed_modules import pack
from tests.support.places import KERNELS
from tests.support.truth.variable_truth import KINDS, MISCOMPILED, kernel_of

FOLDER = KERNELS / "variables"
TWINS = "twins"
_COLUMNS = ("right", "wrong", "doubtful", "doubtful and wrong", "not shown")
_AT_ONCE = 4  # kernels that one process runs
_LIMIT = 1800  # seconds for these


def compiled(compiler: Compiler, device: str, level: str, names: list[str], twin: bool = False):
    """The modules of kernels by file name; what does not compile is reported and left out."""

    def module(name):
        made = kernel_of(name)
        return compile_source(compiler, device, level, made.twin if twin else made.plain)

    found = {}
    with ThreadPoolExecutor(2) as pool:
        for name, result in zip(names, pool.map(module, names), strict=True):
            if isinstance(result, bytes):
                found[f"{name}.zebin"] = result
            else:
                print(f"{compiler.name} {device} {level}: {name}: {result[-200:]}")
    return found


def compare(
    build: str, folder: Path, twins: Path, names: list[str], every: bool
) -> tuple[Counter, list]:
    """Counts of how values were shown, and what was wrong."""
    options = ["--every"] if every else []
    total, wrong = Counter(), []
    for first in range(0, len(names), _AT_ONCE):
        some = names[first : first + _AT_ONCE]
        command = module_command("truth.variable_truth", build, folder, twins, *options, *some)
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT, check=False)
        if done.returncode:
            print(f"{build} {some}: {done.stderr[-2000:]}")
            wrong.append([build, *some])
            continue
        for name, found in json.loads(done.stdout).items():
            total.update(found["counts"])
            if MISCOMPILED in found["counts"]:
                print(f"{build} {name}: not compared, it computes something else than its twin")
            wrong += [[build, name, *each] for each in found["wrong"]]
            for reason, count in found["reasons"].items():
                total["because " + reason] += count
    return total, wrong


def unlike_pocl(twins: Path, names: list[str]) -> list[str]:
    """The kernels of which PoCL computes, or writes down, something else than their twins."""
    command = module_command("truth.pocl_results", twins, *names)
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT, check=True)
    return json.loads(done.stdout)


def row(build: str, counts: Counter) -> str:
    """A line of the table."""
    whole = sum(counts[each] for each in _COLUMNS) or 1
    shares = [f"{counts[each]:7} {100 * counts[each] / whole:5.1f} %" for each in _COLUMNS]
    return f"{build:14}" + "".join(f"{each:>18}" for each in shares)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--kernels", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--kinds", choices=tuple(KINDS), default="h")
    parser.add_argument("--devices", default="dg2,pvc,bmg")
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--reasons", action="store_true", help="why values are not shown")
    parser.add_argument("--every", action="store_true", help="stop at every stretch of code")
    parser.add_argument("--pocl", action="store_true", help="compare twins with PoCL")
    parser.add_argument("--pack", action="store_true")
    arguments = parser.parse_args()
    compilers = list(compilers_of(arguments))
    seeds = range(arguments.seed, arguments.seed + arguments.kernels)
    names = [f"{arguments.kinds}-{seed}" for seed in seeds]
    all_wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        twins = Path(scratch, TWINS)
        _write(twins, compiled(compilers[-1], "dg2", "O0", names, twin=True), arguments.pack)
        if arguments.pocl:
            all_wrong += [["twin", name] for name in unlike_pocl(twins, names)]
        print(" " * 14 + "".join(f"{each:>18}" for each in _COLUMNS))
        for compiler in compilers:
            for device in DEVICES[compiler.name]:
                for level in LEVELS:
                    if device in arguments.devices and level in arguments.levels:
                        build = f"{compiler.name}-{device}-{level}"
                        folder = Path(scratch, build)
                        made = compiled(compiler, device, level, names)
                        _write(folder, made, arguments.pack)
                        known = [n for n in names if f"{n}.zebin" in made]
                        counts, wrong = compare(build, folder, twins, known, arguments.every)
                        print(row(build, counts), flush=True)
                        if arguments.reasons:
                            for each, count in counts.most_common():
                                if each.startswith("because"):
                                    print(f"{count:10} {each}")
                        all_wrong += wrong
    for each in all_wrong:
        print("wrong:", *each)
    return 1 if all_wrong else 0


def _write(folder: Path, modules: dict[str, bytes], packs: bool) -> None:
    folder.mkdir()
    for name, data in modules.items():
        (folder / name).write_bytes(data)
    if packs:
        FOLDER.mkdir(exist_ok=True)
        pack(FOLDER / f"{folder.name}.tar.xz", modules)


if __name__ == "__main__":
    sys.exit(main())
