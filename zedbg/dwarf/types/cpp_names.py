"""C++ names: what namespaces and classes declare, and what a person may call it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elftools.dwarf.die import DIE

from zedbg.dwarf.reading import dies
from zedbg.dwarf.types.overloads import parted

# DW_AT_language of the C++ versions (DWARF 5, table 7.17, and the later additions to it), and of
# C++ for OpenCL.
_LANGUAGES = frozenset({0x04, 0x19, 0x1A, 0x21, 0x2A, 0x2B, 0x3A, 0x3D, 0x40})
_NAMESPACE = "DW_TAG_namespace"
_CLASSES = frozenset({"DW_TAG_class_type", "DW_TAG_structure_type", "DW_TAG_union_type"})
_UNNAMED = "(anonymous namespace)"
_INNERMOST_ARGUMENTS = re.compile(r"<[^<>]*>")
_OPERATOR = re.compile(r"\boperator\s*(<=>|<<=?|>>=?|->\*?|<=?|>=?|\(\))")


def is_cpp(top: DIE) -> bool:
    """Whether the unit that ``top`` is the DIE of is written in C++."""
    return dies.number(top, "DW_AT_language") in _LANGUAGES


def declarations(top: DIE) -> Iterator[DIE]:
    """What a unit declares outside of functions; in C++ also inside of namespaces and classes."""
    inside = is_cpp(top)
    pending = [top]
    while pending:
        for child in pending.pop().iter_children():
            if inside and (child.tag == _NAMESPACE or child.tag in _CLASSES):
                pending.append(child)
            if child.tag != _NAMESPACE:
                yield child


def qualified(die: DIE, name: str) -> str:
    """``name``, that of ``die``, with the namespaces and classes around it: ``ns::Box<int>``."""
    parts = [name]
    around = die.get_parent()
    while around is not None and (around.tag == _NAMESPACE or around.tag in _CLASSES):
        unnamed = _UNNAMED if around.tag == _NAMESPACE else _without_name(name)
        parts.append(dies.text(around, "DW_AT_name") or unnamed)
        around = around.get_parent()
    return "::".join(reversed(parts))


def _without_name(member: str) -> str:
    """What a class without a name is called that has the member ``member``."""
    return "<lambda>" if member == "operator()" else "{...}"


def means(wanted: str, name: str) -> bool:
    """Whether ``wanted``, as a user wrote it, may mean what is called ``name``.

    Outer namespaces can be left out, and so can all the arguments of templates. The types of
    parameters may be there, and are not looked at: :mod:`zedbg.dwarf.types.overloads` does that.
    """
    wanted = _compact(parted(wanted)[0].removeprefix("::"))
    return any(
        known == wanted or known.endswith(f"::{wanted}")
        for known in (_compact(name), _compact(_without_arguments(name)))
    )


def last_part(name: str) -> str:
    """``width`` of ``ns::Box<int>::width(int)``: what mangled names have in them."""
    return _without_arguments(parted(name)[0]).rpartition("::")[2].strip()


def _compact(name: str) -> str:
    """Without the spaces that nobody has to write."""
    return re.sub(r"\s*([<>,*&()])\s*", r"\1", name.strip())


def _without_arguments(name: str) -> str:
    """``Box<int>::width`` as ``Box::width``; an operator keeps its own angle brackets."""
    start = _OPERATOR.search(name)
    name, operator = (name[: start.start()], name[start.start() :]) if start else (name, "")
    while True:
        shorter = _INNERMOST_ARGUMENTS.sub("", name)
        if shorter == name:
            return name + operator
        name = shorter
