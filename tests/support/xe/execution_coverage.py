"""What the kernels of the tests execute: opcode by device, message by device.

    python -m tests.support.xe.execution_coverage > docs/coverage.md

Runs every launch of the two corpora, of the message kernels and of the image kernels on the bare
simulated devices, and writes down what their hardware threads executed. What no kernel reaches is
listed with the test that executes it on purpose, or with the reason why nothing can.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.devices import EACH_PLATFORM
from tests.support.kernels import corpus, kernel_cases, message_cases, systolic_cases
from tests.support.kernels.committed_kernels import module_of
from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_launch import CONFIGURATIONS, run_simulated
from tests.support.kernels.systolic_cases import SPLIT_KERNELS, SYSTOLIC_KERNELS
from tests.support.native_programs import native_program
from tests.support.places import TESTS
from tests.support.xe import directed_tests
from tests.support.xe.message_sweep import all_messages
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.encoding import ENCODINGS
from zedbg.xe.isa.names import MathFunction
from zedbg.xe.isa.opcodes import OPCODES, Opcode, Trait

PLATFORMS = {device: DEVICES[device].platform for device in EACH_PLATFORM}

# What follows a data port message's operation in its name, and is a form of it.
_FORM = re.compile(
    r" (?:(x\d+H?|\d+b)|with ([xyzw]+|sampler \d+|return)|(16b) with sampler \d+"
    r"| ?\((\d+b)\)(?: with return)?)$"
)
# Caches are not modelled, and surfaces differ by their number only.
_LSC_CACHES = re.compile(r"(\.(?:uc|ca|cc|st|ri|wb|wt)){2}(?=\.|$|[a-z]+\[|\.?b)")
_SURFACE = re.compile(r"\.?(bti|ss|bss)\[.*\]$")


@dataclass
class Reach:
    """Kernels that execute something, by device; and its forms that they use."""

    kernels: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    forms: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Coverage:
    """By name: opcodes such as ``math.sqt``, messages such as ``load.ugm``."""

    opcodes: dict[str, Reach]
    messages: dict[str, Reach]
    kernels: dict[str, set[str]]  # all that ran, by device


def split_message(name: str) -> tuple[str, str]:
    """The operation of a message that the execution unit names so, and the form of it.

    ``load.ugm.d32x2.a64.ca.ca`` is (``load.ugm``, ``d32x2 a64``).
    """
    lsc = re.match(r"(\w+\.(?:ugml|ugm|slm|tgm))\.(.*)$", name)
    if lsc is None:
        other = _FORM.search(name)
        if other is None:
            return name, ""
        form = next(group for group in other.groups() if group)
        return name[: other.start()], "" if form.startswith("sampler") else form
    operation, form = lsc.groups()
    surface = _SURFACE.search(form)
    form = _LSC_CACHES.sub("", _SURFACE.sub("", form))
    return operation, " ".join([*form.split("."), *([surface[1]] if surface else [])])


@contextmanager
def _recording() -> Iterator[Path]:
    """A directory in which launches leave what they executed."""
    with tempfile.TemporaryDirectory() as directory:
        os.environ["XESIM_COVERAGE_DIRECTORY"] = directory
        try:
            yield Path(directory)
        finally:
            del os.environ["XESIM_COVERAGE_DIRECTORY"]


def _launches(modules: Path) -> Iterator[tuple[Case, Path]]:
    for configuration in CONFIGURATIONS:
        unpacked = corpus.modules(configuration)
        for case in corpus.CASES:
            if case.source in unpacked:
                yield case, unpacked[case.source]
        messages = [case for case, _ in message_cases.CASES.values()]
        lanes = systolic_cases.lanes_on(configuration)
        products = [systolic_cases.case(name, lanes)[0] for name in SYSTOLIC_KERNELS]
        products += [systolic_cases.split_case(name)[0] for name in SPLIT_KERNELS]
        for case in [*kernel_cases.CASES, *messages, *products]:
            module = module_of(case, configuration)
            if module.exists() and not (case.doubles and "-dg2-" in configuration):
                yield case, module


# Tests of kernels that use images whose launches count; their ids end so.
_IMAGE_TESTS = (
    "test_kernels_learn_size_and_format",
    "test_samplers_in_the_program",
    "test_an_image_made_of_a_buffer",
    "test_halves",
    "test_lanes_that_disagree",
    "(test_integers_are_copied_exactly and rgba8u)",
    "(test_integers_saturate_in_lines_and_arrays and rgba8i)",
    "(test_images_have_one_level_of_detail and (level_2d or gradients_2d))",
)


def _run_image_kernels() -> None:
    """In a process of its own, which inherits where records go."""
    tests = str(TESTS / "device" / "test_image_kernels.py")
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--all", tests]
    subprocess.run([*command, "-k", " or ".join(_IMAGE_TESTS)], check=True, capture_output=True)


def _run(launch: tuple[Case, Path]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        run_simulated(*launch, Path(directory))


def _collect(records: Iterable[Path]) -> Coverage:
    coverage = Coverage(defaultdict(Reach), defaultdict(Reach), defaultdict(set))
    for record in records:
        module, kernel, *lines = record.read_text().splitlines()
        device = next(each for each in EACH_PLATFORM if f"-{each}-" in module)
        coverage.kernels[device].add(kernel)
        for line in lines:
            _, kind, name = line.split("\t")
            if kind == "opcode":
                coverage.opcodes[name].kernels[device].add(kernel)
                continue
            operation, form = split_message(name)
            reach = coverage.messages[operation]
            reach.kernels[device].add(kernel)
            reach.forms |= {form} - {""}
    return coverage


def measure() -> Coverage:
    """Runs all launches, two at a time, and reads what they left."""
    native_program("xesim_device_run_kernel")
    with tempfile.TemporaryDirectory() as modules, _recording() as records:
        with ThreadPoolExecutor(2) as pool:
            for _ in pool.map(_run, _launches(Path(modules))):
                pass
        _run_image_kernels()
        return _collect(records.iterdir())


def opcode_names(device: str) -> set[str]:
    """All that the execution unit of ``device`` decodes, as it names them; sends are messages."""
    names: set[str] = set()
    for opcode in OPCODES[PLATFORMS[device]].values():
        match opcode:
            case Opcode.SEND | Opcode.SENDC:
                continue
            case Opcode.MATH:
                functions = set(MathFunction) - {MathFunction.NONE}
                names |= {f"math.{function.value}" for function in functions}
            case Opcode.SYNC:
                functions = ENCODINGS[PLATFORMS[device]].values.sync_functions
                names |= {f"sync.{each.value}" for each in functions if each is not None}
            case _:
                names.add(opcode.value)
                if opcode.has_trait(Trait.BRANCH_CONTROL):
                    names.add(f"{opcode.value}.b")
    return names


def _cell(reach: Reach, device: str, exists: bool) -> str:
    if device in reach.kernels:
        return str(len(reach.kernels[device]))
    return "none" if exists else "-"


def _opcode_rows(coverage: Coverage) -> Iterator[str]:
    names = {device: opcode_names(device) for device in EACH_PLATFORM}
    for name in sorted(set().union(*names.values()) | coverage.opcodes.keys()):
        reach = coverage.opcodes.get(name, Reach())
        cells = [_cell(reach, device, name in names[device]) for device in EACH_PLATFORM]
        directed = directed_tests.of_opcode(name) if "none" in cells else []
        yield f"| `{name}` | {' | '.join(cells)} | {', '.join(directed)} |"


def _message_rows(coverage: Coverage) -> Iterator[str]:
    for name in sorted(coverage.messages):
        reach = coverage.messages[name]
        cells = [_cell(reach, device, exists=False) for device in EACH_PLATFORM]
        yield f"| `{name}` | {' | '.join(cells)} | {', '.join(sorted(reach.forms))} |"


def unreached_messages(coverage: Coverage) -> dict[str, set[str]]:
    """Messages that no kernel sends, and the native tests that do."""
    tests: dict[str, set[str]] = {
        split_message(message.name)[0]: set() for message in all_messages()
    }
    for name, programs in directed_tests.executed_messages().items():
        tests.setdefault(split_message(name)[0], set()).update(programs)
    return {name: by for name, by in tests.items() if name not in coverage.messages}


def _unreached_rows(coverage: Coverage) -> Iterator[str]:
    for name, tests in sorted(unreached_messages(coverage).items()):
        yield f"| `{name}` | {', '.join(sorted(tests))} |"


def document(coverage: Coverage) -> str:
    """The page of the documentation, in Markdown."""
    kernels = ", ".join(f"{len(coverage.kernels[device])} on {device}" for device in EACH_PLATFORM)
    return "\n".join(
        [
            "# What the tests execute",
            "",
            "Written by `tests/support/xe/execution_coverage.py`; a test holds that it is so.",
            "",
            f"The launches of the kernel tests run {kernels}, each as compiled by every compiler",
            "that knows the device, without and with optimisation. A number says how many kernels",
            "execute the row's entry on the device; `-`: the device has it not, or no compiler",
            "uses it there; `none`: the device has it, and no kernel reaches it. Then the last",
            "column names the test that executes it on purpose.",
            "",
            "## Opcodes",
            "",
            f"| opcode | {' | '.join(EACH_PLATFORM)} | directed test |",
            "|---|---|---|---|---|",
            *_opcode_rows(coverage),
            "",
            "## Messages",
            "",
            "Names are those of Intel's disassembler, without cache controls.",
            "",
            f"| message | {' | '.join(EACH_PLATFORM)} | forms |",
            "|---|---|---|---|---|",
            *_message_rows(coverage),
            "",
            "### Messages that no kernel sends",
            "",
            "| message | directed test |",
            "|---|---|",
            *_unreached_rows(coverage),
            "",
        ]
    )


if __name__ == "__main__":
    sys.stdout.write(document(measure()))
