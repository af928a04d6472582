"""Completion by context, as tables: what fits at the end of a line, and the words for it."""

import pytest

from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.completion import FORMATS, Part, suggest, words
from zedbg.commands.framework.declaration import Kind
from zedbg.commands.framework.expression_completion import last_expression
from zedbg.frontends.shell.highlighting import styled_line
from zedbg.values.formats.letters import LETTERS

REGISTRY = catalogue()


@pytest.mark.parametrize(
    ("text", "prefix", "kinds", "of"),
    [
        ("print i", "i", (Kind.EXPRESSION,), ""),
        ("print a[i", "i", (Kind.EXPRESSION,), ""),
        ("print (float)x+y", "y", (Kind.EXPRESSION,), ""),
        ("print/x $_l", "$_l", (Part.DOLLAR,), ""),
        ("print $", "$", (Part.DOLLAR,), ""),
        ("print $r10.f[1] + $", "$", (Part.DOLLAR,), ""),
        ("print s.", "", (Part.MEMBER,), "s"),
        ("print s.po", "po", (Part.MEMBER,), "s"),
        ("print p->ne", "ne", (Part.MEMBER,), "*(p)"),
        ("print a[i + f(1)].b.c", "c", (Part.MEMBER,), "a[i + f(1)].b"),
        ("print 1 + (*p).x", "x", (Part.MEMBER,), "(*p)"),
        ("print $r10.", "", (Part.MEMBER,), "$r10"),
        ("print 3.", "", (), ""),
        ("print 12", "", (), ""),
        ('printf "i=', "", (), ""),
        ('printf "i=%d", i', "i", (Kind.EXPRESSION,), ""),
        ("break va", "va", (Kind.LOCATION,), ""),
        ("break vadd.cl:", "vadd.cl:", (Part.LINE,), "vadd.cl"),
        ("break vadd.cl:1", "vadd.cl:1", (Part.LINE,), "vadd.cl"),
        ("break ns::f", "ns::f", (Kind.LOCATION,), ""),
        ("break *fu", "fu", (Kind.EXPRESSION,), ""),
        ("break vadd.cl:3 thread ", "", (Kind.THREAD,), ""),
        ("break vadd.cl:3 thread 1.2:", "1.2:", (Part.LANE,), "1.2"),
        ("break vadd.cl:3 workitem 3", "3", (Kind.WORK_ITEM,), ""),
        ("break vadd.cl:3 if ", "", (Part.VARIABLE,), "vadd.cl:3"),
        ("break vadd.cl:3 thread 1.1 if (x", "x", (Part.VARIABLE,), "vadd.cl:3"),
        ("break vadd.cl:3 if s.", "", (Part.MEMBER,), "s"),
        ("tbreak if i == $_", "$_", (Part.DOLLAR,), ""),
        ("thread 1.", "1.", (Kind.THREAD,), ""),
        ("thread 1.17:", "1.17:", (Part.LANE,), "1.17"),
        ("lane ", "", (Kind.LANE,), ""),
        ("workitem ", "", (Kind.WORK_ITEM,), ""),
        ("source my fol/fi", "my fol/fi", (Kind.FILE,), ""),
        ("set print el", "print el", (Kind.SETTING,), ""),
        ("show sch", "sch", (Kind.SETTING,), ""),
        ("info registers r1", "r1", (Kind.REGISTER,), ""),
        ("pipe print s.", "", (Part.MEMBER,), "s"),
    ],
)
def test_what_fits_is_a_pure_function_of_the_text(text, prefix, kinds, of):
    found = suggest(text, REGISTRY)
    assert (found.prefix, found.kinds, found.of) == (prefix, kinds, of)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("set scheduler-locking ", ("off", "on", "step")),
        ("set confirm ", ("on", "off")),
        ("set editing-mode v", ("emacs", "vi")),
        ("show confirm ", ()),
        ("break vadd.cl:3 ", ("thread", "workitem", "workgroup", "if", "log")),
        ("disassemble/", ("r", "s")),
        ("ptype/", ("o",)),
        ("print/", tuple(FORMATS)),
        ("print/x", tuple("x" + each for each in FORMATS if each != "x")),
        ("info/", ()),
    ],
)
def test_fixed_words(text, fixed):
    found = suggest(text, REGISTRY).words
    assert set(fixed) <= set(found) if fixed else not found


def test_every_format_of_print_is_offered():
    assert set(FORMATS) >= LETTERS


class Words:
    """A vocabulary with the same words for everything."""

    def __init__(self, *known):
        self.known = known

    def of_kind(self, kind, of="", prefix=""):
        return self.known


def test_words_fit_the_prefix_and_numbers_in_them_count():
    known = Words("$r10", "$r2", "ra", "rb", "x", "ra")
    assert words(suggest("print r", REGISTRY), known) == ["ra", "rb"]
    assert words(suggest("print $r", REGISTRY), known) == ["$r2", "$r10"]
    assert words(suggest("set scheduler-locking o", REGISTRY), Words()) == ["off", "on"]


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("x + a.b", "a.b"),
        ("f(a, b)[3]", "f(a, b)[3]"),
        ("sizeof (x)", "(x)"),
        ("a->b.c", "a->b.c"),
        ("a +", ""),
        ("a]", ""),
        ("", ""),
    ],
)
def test_the_expression_before_a_member(text, expression):
    assert last_expression(text) == expression


@pytest.mark.parametrize(
    ("text", "styled"),
    [
        ("info threads 1.2", ["command:info threads", "number:1.2"]),
        ("p/x $r10", ["command:p", "flags:/x", "register:$r10"]),
        ("frobnicate 3", ["unknown:frobnicate", "number:3"]),
        ('echo "a b', ["command:echo", 'string:"a b']),
        ("break v.cl:3 if i", ["command:break", "number:3", "word:if"]),
        ("inf", []),
        ("", []),
    ],
)
def test_colours_of_the_line(text, styled):
    parts = styled_line(text, REGISTRY)
    assert "".join(part for _, part in parts) == text
    assert [f"{style}:{part}" for style, part in parts if style] == styled
