"""What a keystroke's completion takes: thousands of threads are stopped, and a module of many
kernels is loaded beside the one that runs."""

from __future__ import annotations

import time

from tests.support.kernels.many_kernels import debug_image, many_kernels
from tests.support.packed_modules import ZEBINS
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.completion import suggest, words
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.vocabulary import SessionVocabulary
from zedbg.engine.modules.module_code import ModuleCode
from zedbg.zebin import Module

from .measure import Cell, Table, Timing
from .programs import Programs
from .sides import stopped_session

THREADS = 4096
KERNELS = 1000
REPETITIONS = 9
_TEMPLATE = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
_LINES = (
    *("inf", "break ", "break k00", "break mandel.cl:", "break mandel.cl:7 if "),
    *("print ", "print $r1", "thread 1.", "info threads 1.40", "workitem ", "set print "),
)


def run(
    programs: Programs,
    threads: int = THREADS,
    kernels: int = KERNELS,
    repetitions: int = REPETITIONS,
) -> Table:
    """The first time that a line is completed, and the next ones."""
    image = debug_image(many_kernels(_TEMPLATE.read_bytes(), kernels))
    many = ModuleCode(Module.from_bytes(image, "many"))
    rows: list[list[Cell]] = []
    with stopped_session(programs, threads, 1) as (session, _):
        registry = catalogue()
        context = CommandContext(lambda: session, registry)
        vocabulary = SessionVocabulary(context)
        own = vocabulary._modules
        vocabulary._modules = lambda: [*own(), many]  # type: ignore[method-assign,list-item]
        for line in _LINES:
            seconds = []
            for _ in range(repetitions + 1):
                begin = time.perf_counter()
                found = words(suggest(line, registry), vocabulary)
                seconds.append(time.perf_counter() - begin)
            rows.append([line, len(found), Timing((seconds[0],)), Timing(tuple(seconds[1:]))])
    return Table(
        "completion",
        f"Tab at the end of a line, {threads} threads stopped, a module of {kernels} kernels",
        ("line", "words", "first time", "later"),
        rows,
    )
