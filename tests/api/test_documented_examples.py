"""Every public method of the Python API has an example, and it is true."""

import asyncio
import doctest
import inspect
import re
import shutil
import sys
import tempfile
import threading
from importlib import import_module
from pathlib import Path

import pytest

import zedbg
from tests.support.places import KERNELS

BLUR = KERNELS.parents[1] / "zedbg" / "tools" / "demo" / "blur.zebin"
PROGRAM = [sys.executable, "-m", "zedbg.frontends.main", "kernel", str(BLUR)]
PROGRAM += ["--global", "64", "--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
#: Examples after which the program is not as it was: the next one gets another.
SPENDS = re.compile(
    r"\] = |other\.|asyncio\.run|session\.(run|next_|continue_|kill|detach|close|inte|goto|reve)"
)
CLASSES = sorted(
    {
        value
        for name in zedbg.__all__
        if inspect.isclass(value := getattr(zedbg, name))
        and value.__module__.startswith("zedbg.api")
    },
    key=lambda one: one.__name__,
)
FUNCTIONS = (zedbg.launch, zedbg.attach, zedbg.open, zedbg.open_core)
NEEDS_NONE = (BaseException,)  # errors are raised, not called


def documented(thing):
    """The docstrings of a class and of its public methods, or of a function."""
    yield thing.__qualname__, thing
    if inspect.isclass(thing):
        for name, member in vars(thing).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                yield f"{thing.__qualname__}.{name}", member


def names_for_examples():
    session = zedbg.launch(PROGRAM, sim="dg2", output=lambda *_: None)
    session.breakpoints.add("blur.cl:15")
    stop = session.continue_(60)
    return {
        "zedbg": zedbg,
        "session": session,
        "stop": stop,
        "thread": stop.threads[0],
        "other": stop.threads[3],
        "frame": stop.threads[0].frames[0],
        "blur": PROGRAM,
        "blur_zebin": BLUR,
        "ignore": lambda *_: None,
        "folder": Path(tempfile.mkdtemp()),
        "asyncio": asyncio,
        "threading": threading,
    }


class Examples:
    """Runs examples over a program at its first stop; another one once that is not so any more."""

    def __init__(self):
        self.names = None

    def run(self, name, text):
        """What is not as the examples in ``text`` say."""
        parsed = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
        said = []
        if parsed.examples:
            self.names = self.names or names_for_examples()
            parsed.globs = self.names
            flags = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
            runner = doctest.DocTestRunner(optionflags=flags | doctest.ELLIPSIS)
            runner.run(parsed, out=said.append, clear_globs=False)
            if SPENDS.search(text):
                self.close()
        return said

    def close(self):
        if self.names is not None:
            self.names["session"].kill()
            shutil.rmtree(self.names["folder"])
            self.names = None


@pytest.fixture(scope="module")
def examples():
    shared = Examples()
    yield shared
    shared.close()


@pytest.mark.parametrize("thing", [*CLASSES, *FUNCTIONS], ids=lambda one: one.__name__)
@pytest.mark.cases(1000)
def test_examples_are_true(examples, thing):
    said = []
    for name, member in documented(thing):
        said += examples.run(name, inspect.getdoc(member) or "")
    assert not said, "".join(said)


def test_every_public_method_has_a_docstring_with_an_example():
    without = [
        name
        for thing in (*CLASSES, *FUNCTIONS)
        if not (inspect.isclass(thing) and issubclass(thing, NEEDS_NONE))
        for name, member in documented(thing)
        if ">>>" not in (member.__doc__ or "")
    ]
    assert without == []


def test_help_shows_what_a_script_needs():
    text = zedbg.__doc__
    for name in ("launch", "attach", "open", "Session", "UserError"):
        assert name in text
    for name in zedbg.__all__:
        home = import_module(f"zedbg.{zedbg._MODULES[name]}")
        assert getattr(home, name) is getattr(zedbg, name)
    assert set(zedbg.__all__) == set(zedbg._MODULES)
