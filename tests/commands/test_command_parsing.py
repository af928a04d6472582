"""Command lines become commands, flags, arguments and pipes; held as a table."""

import pytest

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.completion import suggest
from zedbg.commands.framework.declaration import Argument, Category, Kind, Registry, Requirement
from zedbg.commands.framework.parsing import parse


def make_registry():
    registry = Registry()

    def nothing(context, invocation):
        return []

    def add(name, aliases=(), arguments=(), flags=""):
        registry.command(
            name, Category.DATA, "summary", aliases=aliases, arguments=arguments, flags=flags
        )(nothing)

    expression = Argument("expression", Kind.EXPRESSION, "what", rest=True)
    optional = Argument("count", Kind.NUMBER, "how often", optional=True)
    add("break", ("b", "br"), (Argument("location", Kind.LOCATION, "where", True, True),))
    add("backtrace", ("bt",))
    add("print", ("p",), (expression,), "FMT")
    add("x", (), (expression,), "FMT")
    add("step", ("s",), (optional,))
    add("stepi", ("si",), (optional,))
    add("set var", (), (expression,))
    add("info threads", (), (Argument("ids", Kind.THREAD, "which", True, True),))
    add("info breakpoints", ("info b",), flags="x")
    add("info locals")
    add("pipe", ("|",), (Argument("command", Kind.COMMAND, "what", rest=True),))
    return registry


@pytest.mark.parametrize(
    ("line", "name", "flags", "arguments", "pipe"),
    [
        ("break vadd.cl:3", "break", "", ("vadd.cl:3",), None),
        ("b", "break", "", (None,), None),
        ("br vadd if i > 3", "break", "", ("vadd if i > 3",), None),
        ("bt", "backtrace", "", (), None),
        ("s 3", "step", "", ("3",), None),
        ("step", "step", "", (None,), None),
        ("stepi", "stepi", "", (None,), None),
        ("print/l x", "print", "l", ("x",), None),
        ("p /x a | b", "print", "x", ("a | b",), None),
        ("p -3 / 2", "print", "", ("-3 / 2",), None),
        ("x/4xw p", "x", "4xw", ("p",), None),
        ("print n/2", "print", "", ("n/2",), None),
        ("print/l n/x", "print", "l", ("n/x",), None),
        ("break src/vadd.cl:3", "break", "", ("src/vadd.cl:3",), None),
        ("info b/x", "info breakpoints", "x", (), None),
        ("info threads", "info threads", "", (None,), None),
        ("info th 1.1", "info threads", "", ("1.1",), None),
        ("i b", "info breakpoints", "", (), None),
        ("inf loc", "info locals", "", (), None),
        ("set var x = 3", "set var", "", ("x = 3",), None),
        ("info threads | grep vadd", "info threads", "", (None,), "grep vadd"),
        ('break "a|b"', "break", "", ('"a|b"',), None),
    ],
)
def test_lines_parse_as_gdb_reads_them(line, name, flags, arguments, pipe):
    registry = make_registry()
    registry.add_alias("i", "info")
    parsed = parse(line, registry)
    assert parsed.declaration.name == name
    assert parsed.invocation.flags == flags
    assert parsed.invocation.arguments == arguments
    assert parsed.pipe == pipe


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("frobnicate", 'Undefined command: "frobnicate".  Try "help".'),
        ("i * 2", 'Undefined info command "*": one of breakpoints, locals, threads.'),
        ("info nonsense", 'Undefined info command "nonsense": one of'),
        ("print", "print needs EXPRESSION"),
        ("step 1 2", "Unexpected argument: 2. Usage: step [COUNT]"),
        ("bt/x", "backtrace takes no /x"),
        ("info threads |", "Missing shell command after |."),
    ],
)
def test_wrong_lines_are_refused_with_one_clear_line(line, message):
    registry = make_registry()
    registry.add_alias("i", "info")
    with pytest.raises(CommandError) as caught:
        parse(line, registry)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "prefix", "kinds", "some_words"),
    [
        ("", "", (), {"break", "info", "print"}),
        ("br", "br", (), {"break"}),
        ("break ", "", (Kind.LOCATION,), set()),
        ("break va", "va", (Kind.LOCATION,), set()),
        ("info ", "", (), {"threads", "locals", "breakpoints"}),
        ("info threads 1", "1", (Kind.THREAD,), set()),
        ("print x + y", "y", (Kind.EXPRESSION,), set()),
        ("print/l x", "x", (Kind.EXPRESSION,), set()),
        ("pipe info ", "", (), {"threads", "locals"}),
        ("bt ", "", (), set()),
    ],
)
def test_completion_is_a_pure_function_of_the_text(text, prefix, kinds, some_words):
    suggestion = suggest(text, make_registry())
    assert suggestion.prefix == prefix
    assert suggestion.kinds == kinds
    assert some_words <= set(suggestion.words)


def test_a_taken_name_is_refused():
    registry = make_registry()
    with pytest.raises(ValueError, match="exists already"):
        registry.command("break", Category.DATA, "again", requires=Requirement.NOTHING)(
            lambda context, invocation: []
        )
