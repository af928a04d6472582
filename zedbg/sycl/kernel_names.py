"""The names of kernels as their authors wrote them.

The compiler names a kernel after the type that identifies it: the symbol of that type's name
(`_ZTS...`), or the mangled name of a free function.
"""

from __future__ import annotations

import re

_TYPE_NAME = "typeinfo name for "
# Literals of template arguments as debuggers and c++filt write them: 8ul, not (unsigned long)8.
_SUFFIXES = {
    "unsigned int": "u",
    "unsigned long": "ul",
    "long": "l",
    "unsigned long long": "ull",
    "long long": "ll",
}
_LITERAL = re.compile(rf"\(({'|'.join(sorted(_SUFFIXES, key=len, reverse=True))})\)(-?\d+)")
# What is left of an empty pack of arguments, and of references and pointers to such.
_PACK = r"(?: ?const| ?volatile)*[*&]+"
_EMPTY_PACK = re.compile(rf"(?:, (?:{_PACK})?)+(?=[>)])|(?<=[<(])(?:, )+|(?<=\()(?:{_PACK})(?=\)$)")
# A pointer to a type within a type that a template argument stands for: T*::inner for T::inner*.
_MISPLACED_POINTER = re.compile(r"([*&]+)((?:::\w+)+)")
_JOINED_BRACKETS = re.compile(r"(?<!operator)>(?=>)")
# A name can refer back to parts of itself, and each time say twice as much. Those of real kernels
# have 503 characters and 20 references at most (of 20,000); what is far beyond is not demangled.
_LONGEST = 1 << 14
_REFERENCE = re.compile(r"[ST][0-9A-Z]*_")
_MOST_REFERENCES = 40


def demangled(name: str) -> str:
    """``name`` as in the source, or unchanged when it is no mangled name.

    The type's name alone, for the symbol of a type's name.
    """
    if not name.startswith("_Z") or len(name) > _LONGEST:
        return name
    if len(_REFERENCE.findall(name)) > _MOST_REFERENCES:
        return name
    import cpp_demangle  # kernels of OpenCL C have plain names

    try:
        text = cpp_demangle.demangle(name)
    except ValueError:
        return name
    text = text.removeprefix(_TYPE_NAME)
    text = _JOINED_BRACKETS.sub("> ", _EMPTY_PACK.sub("", text))
    text = _MISPLACED_POINTER.sub(r"\2\1", text)
    return _LITERAL.sub(lambda match: match[2] + _SUFFIXES[match[1]], text)


def specialization_constant_name(key: str) -> str:
    """The name in the source of the constant that compilers call ``key`` in property sets.

    They write ``uid``, a hash, three underscores, and the mangled name of the variable.
    """
    _, _, symbol = key.partition("___")
    return demangled(symbol) if key.startswith("uid") and symbol else key
