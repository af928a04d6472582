"""What scripts see, as a JSON schema: every line that ``zedbg --json`` writes and ``zedbg serve``
sends, from the row types.

Which rows a command can give is read from its code: the row types that its function, and those that
it calls, name. ``python -m zedbg.commands.catalogue.reference`` writes the schema to
docs/machine-view.json.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import textwrap
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from zedbg.commands import rows as row_package
from zedbg.commands.framework.declaration import Declaration, Registry
from zedbg.commands.rows import row as row_types
from zedbg.commands.rows.events import VERSION
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.stopped_threads import StoppedThreadRows
from zedbg.missing import Missing

_Schema = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: dict[object, _Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    bytes: {"type": "string"},
    # JSON has no NaN and no infinities: they are texts.
    float: {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]},
    type(None): {"type": "null"},
    Any: {},
    object: {},
}
# What a row that has no fields of its own stands for.
_TABLES = {"WorkItemTable": "WorkItemRow", "BreakpointSet": "BreakpointRow"}


def machine_view(commands: Registry) -> _Schema:
    """The schema of one line; ``commands``: all that are declared."""
    kinds = {each.__name__: each for each in _row_classes()}
    events = _events(kinds)
    definitions: dict[str, _Schema] = {
        "Missing": _object({"missing": {"type": "string"}}),
    }
    for name, kind in sorted(kinds.items()):
        if name not in _TABLES:
            definitions[name] = _row_schema(kind, kinds)
    answers = [_rows_of_command(each, kinds) for each in commands]
    common: _Schema = {
        "command": {"type": "string"},
        "line": {"type": "string"},
        "ok": {"type": "boolean"},
        "id": {},
        "rows": {"type": "array", "items": {"type": "object"}},
        "error": {"type": "string"},
    }
    answer: _Schema = {
        "type": "object",
        "properties": common,
        "required": ["command", "line", "ok"],
        "additionalProperties": False,
        "if": {"properties": {"ok": {"const": True}}},
        "then": {"required": ["rows"]},
        "else": {"required": ["error"]},
        "allOf": answers,
    }
    definitions["Answer"] = answer
    definitions["Event"] = {"oneOf": [_reference(each) for each in sorted(events)]}
    used = _reachable(definitions, ["Answer", "Event"])
    return {
        "$schema": _DIALECT,
        "title": "What zedbg --json writes, one object a line",
        "version": VERSION,
        "if": {"required": ["event"]},
        "then": _reference("Event"),
        "else": _reference("Answer"),
        "$defs": {name: definitions[name] for name in sorted(used)},
    }


def incompatibilities(old: _Schema, new: _Schema) -> list[str]:
    """What a script that relies on ``old`` would miss in ``new``: rows, events and fields that are
    gone, or have another type."""
    found: list[str] = []
    before, after = old["$defs"], new["$defs"]
    for name, definition in before.items():
        if name in ("Answer", "Event"):
            continue
        if name not in after:
            found.append(f"{name} is gone")
            continue
        fields = definition.get("properties", {})
        now = after[name].get("properties", {})
        found += [f"{name}.{each} is gone" for each in fields if each not in now]
        changed = (each for each in fields if each in now and not _admits(now[each], fields[each]))
        found += [f"{name}.{each} has another type" for each in changed]
    return found


def _admits(new: _Schema, old: _Schema) -> bool:
    """Whether whoever can read ``old`` can read ``new``: no kind of value has been added to it."""
    if new == old or old == {}:
        return True
    alternatives = old.get("anyOf", [old])
    return all(each in alternatives for each in new.get("anyOf", [new]))


# --- rows ----------------------------------------------------------------------------------------


_ROW_NAMES = {"StoppedThreadRows": StoppedThreadRows}


def _row_classes() -> Iterator[type[Row]]:
    for module in iter_modules(row_package.__path__, row_package.__name__ + "."):
        import_module(module.name)
    waiting: list[type[Row]] = [Row]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("zedbg.commands.") and (
            dataclasses.is_dataclass(kind) or kind.__name__ in _TABLES
        ):
            yield kind


def _events(kinds: Mapping[str, type[Row]]) -> list[str]:
    return [name for name, kind in kinds.items() if isinstance(getattr(kind, "event", None), str)]


def _row_schema(kind: type[Row], kinds: Mapping[str, type[Row]]) -> _Schema:
    if kind is row_types.Fields:
        return {"type": "object"}
    fields = dict(_fields(kind, kinds))
    event, tag = getattr(kind, "event", None), vars(kind).get("kind")
    if isinstance(event, str) and list(fields) == ["row"]:  # a row and that it is an event
        (reference,) = fields.values()
        inner = kinds[reference["$ref"].rpartition("/")[2]]
        fields = dict(_fields(inner, kinds))
    if isinstance(tag, str):
        fields = {"kind": {"const": tag}, **fields}
    if isinstance(event, str):
        fields = {"event": {"const": event}, **fields}
    schema = _object(fields)
    plain: type = kind
    optional = row_types.optional_fields(plain)
    schema["required"] = [name for name in fields if name not in optional]
    summary = (inspect.getdoc(kind) or "").partition("\n\n")[0]
    return {"description": " ".join(summary.split()), **schema}


def _fields(kind: type[Row], kinds: Mapping[str, type[Row]]) -> Iterator[tuple[str, _Schema]]:
    assert dataclasses.is_dataclass(kind)
    # Names that are imported for type checkers only are those of rows, or Missing.
    hints = typing.get_type_hints(kind, localns={**_ROW_NAMES, **kinds, "Missing": Missing})
    for each in dataclasses.fields(kind):
        if not each.name.startswith("_") and each.metadata.get("json", True):
            yield each.name, _type_schema(hints[each.name])


def _type_schema(hint: object) -> _Schema:
    """The schema of what ``to_json`` makes of a value of a type."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint is Missing:
        return _reference("Missing")
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        flat: list[_Schema] = []
        for each in map(_type_schema, arguments):
            flat += [one for one in each.get("anyOf", [each]) if one not in flat]
        return {} if {} in flat else {"anyOf": flat}
    if origin is tuple:
        return _tuple_schema(arguments)
    if origin is not None and isinstance(origin, type):
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": _type_schema(arguments[1])}
        if issubclass(origin, Sequence):
            return {"type": "array", "items": _type_schema(arguments[0])}
    if isinstance(hint, type):
        if issubclass(hint, Enum):
            return {"enum": [each.value for each in hint]}
        if issubclass(hint, Row):
            return _reference(_TABLES.get(hint.__name__, hint.__name__))
        if issubclass(hint, Sequence):  # rows that are made when they are read
            element = typing.get_args(hint.__orig_bases__[0])[0]  # type: ignore[attr-defined]
            return {"type": "array", "items": _type_schema(element)}
        if dataclasses.is_dataclass(hint):
            hints = typing.get_type_hints(hint)
            fields = dataclasses.fields(hint)
            return _object({each.name: _type_schema(hints[each.name]) for each in fields})
    raise TypeError(f"{hint} has no JSON form")


def _tuple_schema(arguments: tuple[object, ...]) -> _Schema:
    if not arguments:
        return {"type": "array", "maxItems": 0}
    if arguments[-1] is Ellipsis:
        element = arguments[0]
        any_row = element is Row
        return {"type": "array", "items": {"type": "object"} if any_row else _type_schema(element)}
    items = [_type_schema(each) for each in arguments]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _object(fields: Mapping[str, _Schema]) -> _Schema:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _reference(name: str) -> _Schema:
    return {"$ref": f"#/$defs/{name}"}


def _reachable(definitions: Mapping[str, _Schema], first: Sequence[str]) -> set[str]:
    used: set[str] = set()
    waiting = list(first)
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting += _references(definitions[name])
    return used


def _references(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref":
                yield str(value).rpartition("/")[2]
            else:
                yield from _references(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


# --- commands ------------------------------------------------------------------------------------


def _rows_of_command(declaration: Declaration, kinds: Mapping[str, type[Row]]) -> _Schema:
    """What the answer to one command has as rows."""
    found = rows_of(declaration)
    if found is None:
        return {}
    names = sorted({_TABLES.get(each.__name__, each.__name__) for each in found} - {"Nothing"})
    shown = [name for name in names if name in kinds and name not in _events(kinds)]
    items: _Schema = {"anyOf": [_reference(each) for each in shown]} if shown else {"not": {}}
    condition = {"properties": {"command": {"const": declaration.name}}, "required": ["command"]}
    return {"if": condition, "then": {"properties": {"rows": {"items": items}}}}


def rows_of(declaration: Declaration) -> set[type[Row]] | None:
    """The row types that a command's function, and what it calls of ``zedbg.commands``, name; None
    when it gives those of other commands."""
    found: set[type[Row]] = set()
    seen: set[object] = set()
    waiting: list[object] = [declaration.handler]
    while waiting:
        function = waiting.pop()
        if not isinstance(function, types.FunctionType) or function in seen:
            continue
        seen.add(function)
        if _gives_rows_of_others(function):
            return None
        for each in _named_in(function):
            if isinstance(each, type) and issubclass(each, Row) and each is not Row:
                found.add(each)
            elif getattr(each, "__module__", "").startswith("zedbg.commands"):
                waiting.append(each)
    return found


def _named_in(function: types.FunctionType) -> Iterator[object]:
    """What the names in the text of a function stand for."""
    module = sys.modules[function.__module__]
    for node in _nodes(function):
        if isinstance(node, ast.Name):
            yield getattr(module, node.id, None)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            base = getattr(module, node.value.id, None)
            if isinstance(base, types.ModuleType):
                yield getattr(base, node.attr, None)


@cache
def _nodes(function: types.FunctionType) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))))


def _gives_rows_of_others(function: types.FunctionType) -> bool:
    """Whether a function returns what ``context.execute`` gives, as it is."""
    for node in _nodes(function):
        returned = node.value if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) else None
        for each in ast.walk(returned) if returned is not None else ():
            if isinstance(each, ast.Attribute) and each.attr == "execute":
                return True
    return False
