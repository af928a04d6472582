"""Readings of a module whose memory is measured, and how much they may take."""

from contextlib import closing

from zedbg.dwarf import DebugInfo
from zedbg.tools.inspect.output import page_json, page_text
from zedbg.tools.inspect.pages import Question, inspect_bytes
from zedbg.zebin import Module

FACTOR = 10  # times the input
ALLOWANCE = 16 << 10  # bytes, for inputs that are not files: what a reading takes of nothing
QUESTIONS = {
    "page": Question(),
    "all": Question(every_kernel=True),
    "sections": Question(section="*"),
    "check": Question(check=True),
    "address": Question(place="0x10"),
}


def page(data, question, form):
    for _piece in form(inspect_bytes(data, "measured", question)):
        pass


def debug_information(data):
    info = DebugInfo.of(Module.from_bytes(data, "measured"))
    if info is not None:
        with closing(info):
            _ = info.functions, info.lines.rows, info.globals, info.named_types


def kernels(data):
    return Module.from_bytes(data, "measured").kernels


READINGS = {
    "debug information": debug_information,
    "kernels": kernels,
    **{
        f"{name} as {form.__name__}": lambda data, q=question, form=form: page(data, q, form)
        for name, question in QUESTIONS.items()
        for form in (page_text, page_json)
    },
}
