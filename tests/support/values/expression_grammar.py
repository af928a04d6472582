"""C's expressions over the variables of kernels/expressions, as Hypothesis strategies of text.

The texts have only the parentheses that they need: how operators bind is under test as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

INTEGERS = ("c", "uc", "s", "us", "i", "j", "u", "l", "ul", "b")
ENUMERATIONS = ("colour", "level")
FLOATS = ("f", "g", "d")
VECTORS = ("iv", "fv", "cv")
AGGREGATES = ("row", "grid", "text", "record", *VECTORS)
VARIABLES = (*INTEGERS, *ENUMERATIONS, *FLOATS, "h", *AGGREGATES, "mine", "nothing", "in")
_MEMBERS = {
    "row": ("row[1]", "row[i & 3]", "*row", "*(row + 2)"),
    "text": ("text[0]", "text[j & 3]"),
    "record": (
        *("record.tag", "record.at.x", "record.wide", "record.word.i", "record.word.u"),
        *("record.word.bytes[2]", "record.corners[1].x", "record.corners[j & 1].y"),
        "(int) record.colour",
    ),
    "colour": ("(int) colour", "(colour == BLUE)", "(colour + 1)", "(colour | RED)"),
    "level": ("(char) level", "(level > BELOW)", "(level - 1u)", "(level * 2l)"),
    "mine": (
        *("mine->l", "mine->us", "(*mine).uc", "mine->row[2]", "mine[0].i", "in[1].j"),
        *("*&mine->s", "*mine->row", "(&mine->row[1])[1]"),
    ),
}
_FLOAT_MEMBERS = {
    "grid": ("grid[1][2]", "grid[j & 1][0]", "**grid", "*(grid[1] + 1)"),
    "record": ("record.word.f",),
    "mine": ("mine->f", "mine->grid[1][1]", "*(mine->grid[0] + 2)"),
}
# Integers that compare places; every address cancels out.
_PLACES = {
    "mine": (
        *("mine == nothing", "!mine", "nothing == 0", "mine != 0 && mine->i", "mine >= in"),
        *("mine - in", "&mine->row[3] - &mine->row[1]", "(long) (mine + 2) - (long) mine"),
        *("(char *) &mine->j - (char *) &mine->i", "mine + 1 > mine", "(mine, 1) == 1"),
        *("(long) nothing", "nothing + 1 == (const struct item *) 160", "&mine->i == &in->i"),
        "(int) sizeof *mine",
    ),
    "row": ("&row[2] == &row[i & 3]",),
    "record": ("(int) sizeof record", "(int) sizeof(struct point)"),
}
_LITERALS = (
    *("0", "1", "2", "7", "017", "0x7f", "2147483647", "2147483648", "4294967295", "0xffffffff"),
    *("5u", "3l", "9ul", "18446744073709551615", "0x8000000000000000", "'a'", "'\\n'", "'\\377'"),
    *("(int) BLUE", "(RED | GREEN)", "(int) sizeof(int)", "(int) sizeof(long)", "0b101"),
)
_FLOAT_LITERALS = ("0.5", "1.0", "2.5f", "1e10", "3.0f", ".25", "1e-3", "100000.0")
_CASTS = ("char", "uchar", "short", "unsigned short", "int", "uint", "long", "unsigned long")
_WIDE = ("int", "unsigned int", "long", "unsigned long", "float", "double")  # nothing promotes them
_BINARY = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_WITHOUT_DIVISION = tuple(each for each in _BINARY[:8] if each not in "/%")
# GDB 13 divides the smallest long by -1 with the processor, and ends.
_DIVISORS = ("7", "-3", "100ul", "0", "(uc & 15)", "-'a'")
_TESTS = ("==", "!=", "<", ">", "<=", ">=", "&&", "||")
_VECTOR_OPERATORS = (*_BINARY[:8], *_TESTS)
_COUNTS = ("0", "1", "3", "7", "31", "uc & 15", "us & 31", "sizeof(int)")
_FORMATS = ("", "", "", "", *"xduotczfa")
_TARGETS = {  # what is assigned to, by the variable that has it; GDB does not step booleans
    **{name: (name,) for name in (*INTEGERS[:-1], *ENUMERATIONS, *FLOATS)},
    "row": ("row[1]", "row[j & 3]", "(*row)", "*(row + 3)"),
    "grid": ("grid[0][2]",),
    "text": ("text[3]",),
    "record": ("record.tag", "record.at.y", "record.word.f", "record.corners[0].x", "record.wide"),
    "iv": ("iv[2]",),
    "fv": ("fv[1]",),
}
_ASSIGNMENTS = ("=", "+=", "-=", "*=", "&=", "|=", "^=")


@dataclass(frozen=True)
class Asked:
    """An expression with the letter of its format; ``kept``: the variables that it may change."""

    expression: str
    format: str = ""
    language: str = "c"
    kept: tuple[str, ...] = ()


class Grammar:
    """Expressions over some of the variables: ``known`` are those that have values."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self.integer = self._extended(self._integer_atoms(), self._of_integers)
        self.number = self._extended(
            st.one_of(self.integer, st.sampled_from([*self._floats(), *_FLOAT_LITERALS])),
            self._of_numbers,
        )

    def scalars(self) -> SearchStrategy[Asked]:
        """Numbers, in every format."""
        integers = st.builds(Asked, self.integer, st.sampled_from(_FORMATS))
        return st.one_of(integers, st.builds(Asked, self.number, st.sampled_from(("", "f", "x"))))

    def whole(self) -> SearchStrategy[Asked]:
        """Structures, arrays, vectors and parts of them, in every format; arrays made by ``@``."""
        texts = [name for name in AGGREGATES if name in self._known]
        more = {
            "row": ("row[1]@2", "*row@3", "row[0]@2@2"),
            "grid": ("grid[1]", "grid[0][1]@2", "*grid"),
            "record": ("record.at", "record.corners", "record.word", "record.corners[1]"),
            "mine": ("*mine", "mine->row", "mine->grid", "*mine->row@2", "in[2].text", "mine->fv"),
        }
        texts += self._parts(more)
        return st.builds(Asked, st.sampled_from(texts or ["1"]), st.sampled_from(_FORMATS))

    def assignments(self) -> SearchStrategy[Asked]:
        """Assignments of numbers to variables and their parts; ``++`` and ``--``."""
        targets = [
            (target, name)
            for name, several in _TARGETS.items()
            if name in self._known
            for target in several
        ]
        return st.sampled_from(targets).flatmap(self._assigned)

    def _assigned(self, target: tuple[str, str]) -> SearchStrategy[Asked]:
        place, name = target
        value = self.integer if name in ENUMERATIONS else self.number
        plain = st.tuples(st.sampled_from(_ASSIGNMENTS), value)
        texts = plain.map(lambda each: f"{place} {each[0]} {each[1]}")
        steps = st.sampled_from([f"++{place}", f"{place}--", f"--{place} + 1", f"{place}++ * 2"])
        return st.builds(Asked, st.one_of(texts, texts, steps), kept=st.just((name,)))

    def vectors(self) -> SearchStrategy[Asked]:
        """OpenCL's vectors: element by element, with scalars, components, masks of comparisons."""
        vectors = [name for name in VECTORS if name in self._known]
        if not vectors:
            return st.nothing()
        return st.builds(
            Asked, st.sampled_from(vectors).flatmap(self._vector), language=st.just("opencl")
        )

    def _vector(self, name: str) -> SearchStrategy[str]:
        components = ("x", "y", "w", "xy", "zw", "yx", "s0", "s31", "lo", "hi", "even", "odd")
        scalar = {"iv": ("3", "i", "-1"), "fv": ("2", "f", "0.5f"), "cv": ("(uchar) 3", "uc")}
        usable = [each for each in scalar[name] if each in self._known or len(each) > 2] + ["1"]
        operator = st.sampled_from(_VECTOR_OPERATORS)
        pairs = st.tuples(st.just(name), operator, st.sampled_from([name, *usable]))
        unary = "~!" if name == "fv" else "-~!"
        return st.one_of(
            pairs.map(" ".join),
            st.sampled_from(components).map(lambda each: f"{name}.{each}"),
            st.sampled_from([f"{sign}{name}" for sign in unary]),
            st.sampled_from([f"{name}[1]", f"{name} << 3", f"{name} >> 1", f"{name}[0] + 1"]),
            st.just(f"{name} < {name}.x ? {name} : {name} + {usable[0]}"),
        )

    # --- the levels ------------------------------------------------------------------------

    def _parts(self, table: dict[str, tuple[str, ...]]) -> list[str]:
        """The texts for variables that are known, without those that use one that is not."""
        unknown = {"i", "j"} - self._known
        return [
            text
            for name, several in table.items()
            if name in self._known
            for text in several
            if not any(f"[{each} &" in text for each in unknown)
        ]

    def _floats(self) -> list[str]:
        return [name for name in FLOATS if name in self._known] + self._parts(_FLOAT_MEMBERS)

    def _integer_atoms(self) -> SearchStrategy[str]:
        names = [name for name in INTEGERS if name in self._known]
        names += self._parts(_MEMBERS)
        places = [f"({each})" for each in self._parts(_PLACES)]
        return st.one_of(
            st.sampled_from(names * 2 + list(_LITERALS)), st.sampled_from([*places, "5"])
        )

    @staticmethod
    def _extended(
        atoms: SearchStrategy[str], more: Callable[[SearchStrategy[str]], SearchStrategy[str]]
    ) -> SearchStrategy[str]:
        return st.recursive(atoms, more, max_leaves=5)

    def _of_integers(self, inner: SearchStrategy[str]) -> SearchStrategy[str]:
        usable = self._known | {"sizeof(int)"}
        counts = [each for each in _COUNTS if each.isdigit() or each.split(" ")[0] in usable]
        divisors = st.sampled_from(
            [each for each in _DIVISORS if "uc" in usable or "uc" not in each]
        )
        shifts = st.tuples(inner, st.sampled_from(("<<", ">>")), st.sampled_from(counts))
        return st.one_of(
            _joined(inner, st.sampled_from(_WITHOUT_DIVISION), inner),
            _joined(inner, st.sampled_from(("/", "%")), divisors),
            shifts.map(lambda each: f"(({each[0]}) {each[1]} ({each[2]}))"),
            st.tuples(st.sampled_from(("~", "-", "+", "- -")), inner).map(_prefixed),
            _shared(inner),
        )

    @staticmethod
    def _of_numbers(inner: SearchStrategy[str]) -> SearchStrategy[str]:
        casts = st.tuples(st.sampled_from((*_CASTS, "float", "double")), inner)
        return st.one_of(
            _joined(inner, st.sampled_from(("+", "-", "*")), inner),
            _joined(inner, st.just("/"), inner.map(lambda each: f"(double) ({each})")),
            casts.map(lambda each: f"({each[0]}) ({each[1]})"),
            _shared(inner),
        )


def _shared(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    """What is the same for integers and floats."""
    return st.one_of(
        _joined(inner, st.sampled_from(_TESTS), inner),
        st.tuples(inner, st.sampled_from(_WIDE), inner, inner).map(_conditional),
        inner.map(lambda each: f"({each})"),
        inner.map(lambda each: f"!({each})"),
        st.tuples(st.sampled_from(_CASTS), inner).map(lambda each: f"({each[0]}) {each[1]}"),
        _joined(inner, st.just(","), inner).map(lambda each: f"({each})"),
    )


def _conditional(parts: tuple[str, str, str, str]) -> str:
    condition, kind, chosen, other = parts
    return f"({condition} ? ({kind}) ({chosen}) : ({kind}) ({other}))"


def _prefixed(parts: tuple[str, str]) -> str:
    return f"{parts[0]} ({parts[1]})"


def _joined(
    left: SearchStrategy[str], operator: SearchStrategy[str], right: SearchStrategy[str]
) -> SearchStrategy[str]:
    return st.tuples(left, operator, right).map(" ".join)
