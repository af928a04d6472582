"""Reading ``.ze_info``: each kernel's text is found at once, and parsed when it is asked for.

A module of a thousand kernels has megabytes of YAML, of which a debugger needs a few kernels. The
compiler writes block style with fixed indentation, so kernels are found by their ``- name:`` lines;
a document of another shape is parsed whole. Every scalar stays a string while parsing: kernels
may be called ``no`` or ``on``, which YAML 1.1 takes for booleans.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar, cast

import yaml

from zedbg.zebin.errors import ZebinError
from zedbg.zebin.zeinfo import (
    ArgumentInfo,
    BindingTableIndex,
    DebugEnvironment,
    ExecutionEnvironment,
    ExperimentalProperties,
    InlineSampler,
    KernelInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
    Plain,
    UserAttributes,
)

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_TOP_KEY = re.compile(r"^([A-Za-z_]\w*):", re.MULTILINE)
_ITEM = re.compile(r"^  - name:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_PLAIN_NAME = re.compile(r"[\w$.~]+")

_Record = TypeVar("_Record")


class ZeInfo:
    """The kernels of one module, by name; each is parsed once, when first asked for."""

    def __init__(self, text: str, module: str) -> None:
        """``text`` is the whole section; ``module`` is what errors call the module."""
        self._module = module
        self._text = text
        self._cache: dict[str, KernelInfo] = {}

    @cached_property
    def version(self) -> str:
        """The version of the format: ``1.73``."""
        match = re.search(r"^version:\s*['\"]?([^'\"\s]*)", self._text, re.MULTILINE)
        return match[1] if match else ""

    @cached_property
    def kernel_names(self) -> list[str]:
        """Names of all kernels, in the file's order."""
        return list(self._kernel_texts)

    def kernel(self, name: str) -> KernelInfo | None:
        """What the file says of kernel ``name``, None when it has no such kernel.

        Raises :class:`ZebinError` when its entry cannot be read.
        """
        if name not in self._cache:
            if name not in self._kernel_texts:
                return None
            self._cache[name] = self._read_kernel(name)
        return self._cache[name]

    @cached_property
    def _top_level(self) -> dict[str, str]:
        keys = list(_TOP_KEY.finditer(self._text))
        if not keys:
            return {}
        ends = [match.start() for match in keys[1:]] + [len(self._text)]
        return {
            match[1]: self._text[match.end() : end] for match, end in zip(keys, ends, strict=True)
        }

    @cached_property
    def _kernel_texts(self) -> dict[str, str]:
        return self._items("kernels")

    @cached_property
    def _misc_texts(self) -> dict[str, str]:
        return self._items("kernels_misc_info")

    def _items(self, key: str) -> dict[str, str]:
        """Each item of the list under ``key``: its name, and its text as a list of one item."""
        body = self._top_level.get(key, "")
        starts = list(_ITEM.finditer(body))
        if not starts:
            return self._items_of_other_shape(key, body)
        ends = [match.start() for match in starts[1:]] + [len(body)]
        return {
            self._unquote(match[1]): body[match.start() : end].removesuffix("...\n")
            for match, end in zip(starts, ends, strict=True)
        }

    def _items_of_other_shape(self, key: str, body: str) -> dict[str, str]:
        items = self._load(body, key) if body.strip().removesuffix("...") else []
        if not isinstance(items, list):
            raise ZebinError(self._module, f".ze_info: {key} is not a list")
        found = {}
        for item in items:
            if not isinstance(item, dict) or not isinstance(item.get("name"), str):
                raise ZebinError(self._module, f".ze_info: an entry of {key} has no name")
            found[cast(str, item["name"])] = yaml.safe_dump([item])
        return found

    def _unquote(self, name: str) -> str:
        if _PLAIN_NAME.fullmatch(name):
            return name
        return str(self._load(name, "a kernel's name"))

    def _load(self, text: str, what: str) -> Plain:
        try:
            return cast(Plain, yaml.load(text, Loader=_LOADER))
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            line = str(error).splitlines()[0]
            raise ZebinError(self._module, f".ze_info: {what} is not YAML ({line})") from error

    def _load_item(self, text: str, what: str) -> dict[str, Plain]:
        items = self._load(text, what)
        if isinstance(items, list) and len(items) == 1 and isinstance(items[0], dict):
            return items[0]
        raise ZebinError(self._module, f".ze_info: {what} is not a mapping")

    def _read_kernel(self, name: str) -> KernelInfo:
        what = f"kernel {name}"
        item = dict(self._load_item(self._kernel_texts[name], what))
        item.pop("name", None)
        read = _Reader(self._module, what)
        misc = {}
        if name in self._misc_texts:
            misc = self._load_item(self._misc_texts[name], f"kernels_misc_info of {name}")
        return KernelInfo(
            name,
            read.one(ExecutionEnvironment, item.pop("execution_env", {})),
            read.one(UserAttributes, item.pop("user_attributes", {})),
            read.many(PayloadArgument, item.pop("payload_arguments", [])),
            read.many(PerThreadPayloadArgument, item.pop("per_thread_payload_arguments", [])),
            read.many(PerThreadMemoryBuffer, item.pop("per_thread_memory_buffers", [])),
            read.many(BindingTableIndex, item.pop("binding_table_indices", [])),
            read.many(InlineSampler, item.pop("inline_samplers", [])),
            read.one(ExperimentalProperties, item.pop("experimental_properties", {})),
            read.one(DebugEnvironment, item.pop("debug_env", {})),
            tuple(map(_split_type, read.many(ArgumentInfo, misc.get("args_info", [])))),
            item,
        )


def _split_type(argument: ArgumentInfo) -> ArgumentInfo:
    """Separates ``float*;8`` into the type's name and its size in bytes."""
    name, separator, size = argument.type_name.rpartition(";")
    if not separator or not size.isdigit():
        return argument
    return dataclasses.replace(argument, type_name=name, type_size=int(size))


class _Reader:
    """Turns string trees into records, by the types of the records' fields."""

    def __init__(self, module: str, what: str) -> None:
        self._module = module
        self._what = what

    def one(self, record: type[_Record], tree: Plain) -> _Record:
        """One record. Some writers wrap a mapping into a list of one-key mappings."""
        if isinstance(tree, list) and all(isinstance(part, dict) for part in tree):
            parts = cast(list[dict[str, Plain]], tree)
            tree = {key: value for part in parts for key, value in part.items()}
        if tree == "":
            tree = {}
        if not isinstance(tree, dict):
            raise self._error(f"{record.__name__} is not a mapping")
        return record(**dict(self._fields(record, tree)))

    def many(self, record: type[_Record], tree: Plain) -> tuple[_Record, ...]:
        """A list of records."""
        if tree == "":
            return ()
        if not isinstance(tree, list):
            raise self._error(f"a list of {record.__name__} is not a list")
        return tuple(self.one(record, item) for item in tree)

    def _fields(self, record: type, tree: dict[str, Plain]) -> Iterator[tuple[str, Any]]:
        known = {field.name: str(field.type) for field in dataclasses.fields(record)}
        del known["extra"]
        for key, value in tree.items():
            if key in known:
                yield key, self._convert(key, known[key], value)
        yield "extra", {key: value for key, value in tree.items() if key not in known}

    def _convert(self, key: str, kind: str, value: Plain) -> object:
        if kind.startswith("tuple") and isinstance(value, list):
            return tuple(self._integer(key, item) for item in value)
        if kind.startswith("int"):
            return self._integer(key, value)
        if kind == "bool" and value in ("true", "false"):
            return value == "true"
        if kind.startswith("str") and isinstance(value, str):
            return value
        raise self._error(f"{key} is {value!r} where a {kind} was expected")

    def _integer(self, key: str, value: Plain) -> int:
        try:
            return int(cast(str, value), 0)
        except (TypeError, ValueError) as error:
            raise self._error(f"{key} is {value!r} where a number was expected") from error

    def _error(self, problem: str) -> ZebinError:
        return ZebinError(self._module, f".ze_info: {self._what}: {problem}")
