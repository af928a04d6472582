"""Random command lines, without a program: no traceback, no internal error, no line lost."""

import io
import random
from contextlib import redirect_stderr, redirect_stdout

import pytest

from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.engine.sessions.session import Session
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import TextOutput

# What changes the machine, waits for people, or starts programs.
LEFT_OUT = {"shell", "!", "make", "pipe", "|", "python", "py", "python-interactive", "pi", "source"}
LEFT_OUT |= {"run", "r", "start", "attach", "cd", "quit", "q", "exit", "demo", "serve", "restore"}
LEFT_OUT |= {"save breakpoints", "set logging", "save core", "core-file", "kill", "wait", "layout"}
LEFT_OUT |= {"dump", "append", "gcore", "generate-core-file", "add-auto-load-safe-path"}
WORDS = [
    "",
    "1",
    "-1",
    "0",
    "1.1",
    "9.9:3",
    "1-3",
    "*",
    "*0x10",
    "$x",
    "$_",
    "$",
    "i",
    "a[3]",
    "x.y",
]
WORDS += [
    "vadd",
    "vadd.cl:3",
    "vadd.cl:",
    ":",
    "+1",
    "if",
    "if 1",
    "if >",
    "thread 1.1",
    "all",
    "-q",
]
WORDS += [
    '"',
    '"a',
    "'",
    "'x'",
    "(",
    "((",
    ")",
    "{",
    "}",
    "[",
    "\\",
    "|",
    "&",
    ">",
    "> f",
    "--",
    "=",
]
WORDS += ["~nobody", "/nowhere", "\x00", "\x1b[31m", "\ud800", "é", "9" * 40, "1+" * 300, "%", "%d"]
WORDS += [
    "/x",
    "/99999x",
    "/i",
    "/s",
    "/-3x",
    "set",
    "print",
    "end",
    "else",
    "commands",
    "# x",
    ",",
]


def lines(seed, count):
    source = random.Random(seed)
    registry = catalogue()
    names = sorted({*registry.names, *registry.aliases, *registry.prefixes()} - LEFT_OUT)
    names = [name for name in names if not any(name.startswith(out + " ") for out in LEFT_OUT)]
    for _ in range(count):
        name = source.choice([*names, source.choice(names)[: source.randint(1, 4)], ""])
        glue = source.choice([" ", " ", " ", ""])
        words = [source.choice(WORDS) for _ in range(source.randint(0, 4))]
        line = (name + glue + " ".join(words)).strip()
        first = line.split()[0] if line.split() else ""
        # An abbreviation may mean a command that is left out.
        if not any(out.startswith(first.split("/")[0]) for out in LEFT_OUT if first):
            yield line


def run(seed, count):
    """Runs them, and gives what was said of each."""
    said = []
    context = CommandContext(Session, catalogue())
    interpreter = Interpreter(context, TextOutput(said.append, said.append))
    for line in lines(seed, count):
        said.clear()
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            try:
                interpreter.execute(line)
            except EndOfSession:
                continue
            if interpreter.reads_block:
                interpreter.drop_block()
        for text in said:
            assert "internal error" not in text and "Traceback" not in text, (line, text)


def test_no_line_is_an_internal_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(1, 1500)


@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", range(2, 12))
def test_nor_are_many_more(seed, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    run(seed, 10_000 if request.config.getoption("--all") else 100)
