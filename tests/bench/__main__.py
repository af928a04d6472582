"""``python -m tests.bench [BENCHMARK...]``: measures, and prints a table for each benchmark."""

from __future__ import annotations

import argparse
import functools
import gc
from collections.abc import Callable

from tests.support.installed import use_installed_libraries
from zedbg.commands.framework.permanence import collect_less_often

from . import (
    completion,
    core_files,
    editor,
    emulator,
    first_kernel,
    host_cores,
    host_images,
    module,
    module_commands,
    observer,
    prompt,
    python_api,
    registers,
    single_commands,
    source_level,
    start,
    steps,
    stop,
    time_travel,
    variables,
    watches,
)
from .measure import Table
from .programs import Programs, built_programs


def _benchmarks(programs: Programs, quick: bool, whole: bool) -> dict[str, Callable[[], Table]]:
    """The benchmarks by name. ``quick`` sizes only show that everything works. ``whole``: the
    emulator runs all committed kernels."""
    if quick:
        return {
            "completion": functools.partial(completion.run, programs, 16, 20, 1),
            "registers": functools.partial(registers.run, programs, (1, 16), 1),
            "single_commands": functools.partial(single_commands.run, programs, 16, 1),
            "start": functools.partial(start.run, 1),
            "steps": functools.partial(steps.run, programs, 50, 1, 3),
            "stop": functools.partial(stop.run, programs, (1, 16), 1),
            "time_travel": functools.partial(time_travel.run, programs, 32, 1, 1, 3),
            "prompt": functools.partial(prompt.run, programs, (1, 16), 1),
            "core_files": functools.partial(core_files.run, programs, (1, 16), 1),
            "editor": functools.partial(editor.run, programs, (1, 16), 1),
            "emulator": functools.partial(emulator.run, 1, (0, 2)),
            "first_kernel": functools.partial(first_kernel.run, programs, 1, 4),
            "host_cores": functools.partial(host_cores.run, 1, 1 << 12),
            "host_images": functools.partial(host_images.run, 50, 1),
            "locals": functools.partial(variables.run, 1, 20),
            "module": functools.partial(module.run, 20, 1),
            "module_commands": functools.partial(module_commands.run, 20, 1),
            "observer": functools.partial(observer.run, 1, (0, 2)),
            "watches": functools.partial(watches.run, 1, (0, 2)),
            "work_items": functools.partial(source_level.work_items, programs, 16, 1),
            "conditions": functools.partial(source_level.conditions, programs, 16, 0.2),
            "next": functools.partial(source_level.next_line, programs, 5, 1),
            "values": functools.partial(python_api.values, programs, (16, 32), 1),
            "grids": functools.partial(python_api.grids, 256, 1),
            "import": functools.partial(python_api.imports, 1),
            "harness": functools.partial(python_api.harness, 1),
        }
    return {
        "completion": functools.partial(completion.run, programs),
        "registers": functools.partial(registers.run, programs),
        "single_commands": functools.partial(single_commands.run, programs),
        "start": start.run,
        "steps": functools.partial(steps.run, programs),
        "stop": functools.partial(stop.run, programs),
        "time_travel": functools.partial(time_travel.run, programs),
        "prompt": functools.partial(prompt.run, programs),
        "core_files": functools.partial(core_files.run, programs),
        "editor": functools.partial(editor.run, programs),
        "emulator": emulator.run_all if whole else emulator.run,
        "first_kernel": functools.partial(first_kernel.run, programs),
        "host_cores": host_cores.run,
        "host_images": host_images.run,
        "locals": variables.run,
        "module": module.run,
        "module_commands": module_commands.run,
        "observer": observer.run,
        "watches": watches.run,
        "work_items": functools.partial(source_level.work_items, programs),
        "conditions": functools.partial(source_level.conditions, programs),
        "next": functools.partial(source_level.next_line, programs),
        "values": functools.partial(python_api.values, programs),
        "grids": python_api.grids,
        "import": python_api.imports,
        "harness": python_api.harness,
    }


def main() -> None:
    use_installed_libraries()
    collect_less_often()
    gc.freeze()  # as zedbg does at its start
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("benchmarks", nargs="*", metavar="BENCHMARK", help="default: all")
    parser.add_argument("--json", action="store_true", help="one JSON object for each benchmark")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    parser.add_argument("--all", action="store_true", help="emulator: all committed kernels")
    options = parser.parse_args()
    with built_programs() as programs:
        benchmarks = _benchmarks(programs, options.quick, options.all)
        unknown = set(options.benchmarks) - set(benchmarks)
        if unknown:
            parser.error(f"no benchmark {', '.join(sorted(unknown))}: {', '.join(benchmarks)}")
        for name in options.benchmarks or benchmarks:
            table = benchmarks[name]()
            print(table.json() if options.json else table.text() + "\n", flush=True)


if __name__ == "__main__":
    main()
