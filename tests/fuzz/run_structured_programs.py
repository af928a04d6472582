"""``python -m tests.fuzz.run_structured_programs --igc1 ocloc --igc2 ocloc``: random branching.

Compiles the programs of ``structured_programs`` with each compiler, for each device and level of
optimisation, runs them on the simulated devices, and compares with the host. Compilers are given as
for ``tests.support.kernels.build_corpus``. Ends with status 1 if any result differs; the line of a
difference names the program's seed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from tests.support.kernels.compilers import (
    DEVICES,
    LEVELS,
    Compiler,
    add_options,
    compile_source,
    compilers_of,
)
from tests.support.kernels.kernel_case import Array, Case
from tests.support.kernels.kernel_launch import run_simulated
from tests.support.kernels.structured_programs import kernel_name, launch, program, run_on_host


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--programs", type=int, default=400, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the first program")
    parser.add_argument(
        "--batch", type=int, default=10, metavar="N", help="programs compiled at once"
    )
    arguments = parser.parse_args()
    compilers = list(compilers_of(arguments))
    seeds = range(arguments.seed, arguments.seed + arguments.programs)
    batches = [
        list(seeds[at : at + arguments.batch]) for at in range(0, len(seeds), arguments.batch)
    ]
    compared = different = 0
    with ThreadPoolExecutor(2) as pool:
        for lines, count in pool.map(lambda batch: _compare(batch, compilers), batches):
            compared += count
            different += len(lines)
            for line in lines:
                print(line, flush=True)
    print(f"{len(seeds)} programs, {compared} launches, {different} differ")
    sys.exit(different != 0)


def _compare(seeds: list[int], compilers: list[Compiler]) -> tuple[list[str], int]:
    """The differences, a line for each, and how many launches were compared."""
    lines: list[str] = []
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        wanted = dict(zip(seeds, run_on_host(seeds, directory), strict=True))
        for compiler in compilers:
            for device in DEVICES[compiler.name]:
                for level in LEVELS:
                    configuration = f"{compiler.name}-{device}-{level}"
                    module = directory / configuration
                    for compiled, made in _compiled(seeds, compiler, device, level):
                        if isinstance(made, str):
                            text = made or "the compiler crashes"
                            lines.append(f"{configuration}: {compiled} does not compile: {text}")
                            continue
                        module.write_bytes(made)
                        for seed in compiled:
                            count += 1
                            problem = _problem(launch(seed), module, directory, wanted[seed])
                            if problem:
                                lines.append(f"{configuration}: {kernel_name(seed)}: {problem}")
    return lines, count


def _compiled(
    seeds: list[int], compiler: Compiler, device: str, level: str
) -> Iterator[tuple[list[int], bytes | str]]:
    """Modules, each with the seeds of its programs: one, or where that fails one for each seed."""
    made = compile_source(compiler, device, level, "".join(map(program, seeds)))
    if isinstance(made, str) and len(seeds) > 1:
        for seed in seeds:
            yield from _compiled([seed], compiler, device, level)
    else:
        yield seeds, made


def _problem(case: Case, module: Path, directory: Path, wanted: Array) -> str:
    """What is wrong with a launch; empty if it leaves what is wanted."""
    try:
        found = run_simulated(case, module, directory)
    except subprocess.TimeoutExpired:
        return "does not end"
    if found.report:
        return found.report.strip()
    places = np.flatnonzero(found.buffers[1] != wanted)
    return f"{places.size} results differ, the first at {places[0]}" if places.size else ""


if __name__ == "__main__":
    main()
