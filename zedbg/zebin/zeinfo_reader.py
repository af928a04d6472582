"""Reading ``.ze_info``: each kernel's text is found at once, and parsed when it is asked for.

A module of a thousand kernels has megabytes of YAML, of which a debugger needs a few kernels. The
compiler writes fixed indentation, so kernels are found by their ``- name:`` lines; a list of
another shape is parsed whole.
"""

from __future__ import annotations

import re
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from zedbg.zebin.block_yaml import BlockReader, Mapping, Plain, YamlError
from zedbg.zebin.file_errors import OtherFormatError, ZebinError
from zedbg.zebin.record_reader import RecordReader
from zedbg.zebin.schema import CONTAINER, tables, unsupported_reason
from zedbg.zebin.zeinfo import (
    ArgumentInfo,
    BindingTableIndex,
    CostArgumentSymbol,
    CostLoop,
    CostLoopCount,
    DebugEnvironment,
    ExecutionEnvironment,
    ExperimentalProperties,
    FunctionInfo,
    HostAccess,
    InlineSampler,
    KernelCost,
    KernelInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
    UserAttributes,
)
from zedbg.zebin.zeinfo_limits import MOST_KEYS, too_dense

# Each begins with a line's end, which is found far faster than every line's start.
_TOP_KEY = re.compile(r"\n([A-Za-z_]\w*):")
_ITEM = "\n  - name:"
_FEW = 4  # kernels, which are found one by one
_END = "...\n"  # of the document
_PLAIN_NAME = re.compile(r"[\w$.~]+")
_Span = tuple[int, int]  # a part of the text: its first character, and the one after its last


class _Item(NamedTuple):
    """An item of a list: where its text lies, and what that says if it has been read."""

    span: _Span
    tree: Plain | None = None


def _line_of(text: str, place: int) -> int:
    """The line of the section, from 1, that the character ``place`` of the text is in."""
    return max(text.count("\n", 0, place + 1), 1)


class ZeInfo:
    """The kernels of one module, by name; each is parsed once, when first asked for."""

    def __init__(self, text: str, module: str) -> None:
        """``text`` is the whole section; ``module`` is what errors call the module."""
        self._module = module
        self._text = f"\n{text}"  # so that every line is after a line's end
        self._cache: dict[str, KernelInfo] = {}
        self._blocks = BlockReader()
        self._records = RecordReader(module, partial(_line_of, self._text))

    @cached_property
    def version(self) -> str:
        """The version of the format: ``1.73``."""
        match = re.search(r"^version:\s*['\"]?([^'\"\s]*)", self._text, re.MULTILINE)
        return match[1] if match else ""

    @cached_property
    def kernel_names(self) -> list[str]:
        """Names of all kernels, in the file's order."""
        return list(self._kernel_items)

    def kernel(self, name: str) -> KernelInfo | None:
        """What the file says of kernel ``name``, None when it has no such kernel.

        Raises :class:`ZebinError` when its entry cannot be read.
        """
        if name not in self._cache:
            stored = self._item("kernels", name)
            if stored is None:
                return None
            self._cache[name] = self._read_kernel(name, stored)
        return self._cache[name]

    @cached_property
    def functions(self) -> tuple[FunctionInfo, ...]:
        """The functions that other modules may call; ZebinError when damaged."""
        found = []
        for name, stored in self._items("functions").items():
            what = f"function {name}"
            item = dict(self._load_item(stored, what))
            item.pop("name", None)
            environment = item.pop("execution_env", {})
            read = self._records.of(what, stored.span[0])
            execution = read.one(ExecutionEnvironment, environment)
            found.append(FunctionInfo(name, execution, extra=item))
        return tuple(found)

    @cached_property
    def host_accesses(self) -> tuple[HostAccess, ...]:
        """Global variables that the host program can name; ZebinError when damaged."""
        what = "global_host_access_table"
        span = self._top_span(what)
        read = self._records.of(what, span[0])
        return read.many(HostAccess, self._load(span, what))

    @cached_property
    def costs(self) -> tuple[KernelCost, ...]:
        """What the compiler estimates kernels to cost; ZebinError when damaged."""
        found = []
        for name, stored in self._items("kernels_cost_info").items():
            what = f"kernels_cost_info of {name}"
            item = dict(self._load_item(stored, what))
            item.pop("name", None)
            read = self._records.of(what, stored.span[0])
            found.append(
                KernelCost(
                    name,
                    read.many(CostArgumentSymbol, item.pop("kcm_args_sym", [])),
                    read.many(CostLoopCount, item.pop("kcm_loop_count_exps", [])),
                    read.many(CostLoop, item.pop("Kcm_loop_costs", [])),
                    extra=item,
                )
            )
        return tuple(found)

    @cached_property
    def unknown(self) -> dict[str, str]:
        """Tables of the document that this version does not know, as text."""
        known = tables()[CONTAINER].attributes
        return {
            key: self._text[start:end].strip()
            for key, (start, end) in self._top_level.items()
            if key not in known
        }

    def _top_span(self, key: str) -> _Span:
        """Where the text under ``key`` lies, without the document's end; (0, 0) for none."""
        start, end = self._top_level.get(key, (0, 0))
        return start, end - len(_END) if self._text.endswith(_END, start, end) else end

    @cached_property
    def _top_level(self) -> dict[str, _Span]:
        reason = unsupported_reason(self.version)
        if reason is not None:
            raise OtherFormatError(self._module, reason)
        problem = too_dense(self._text)
        if problem is not None:
            raise self._error("the whole of it", problem, "longer lines")
        keys = list(islice(_TOP_KEY.finditer(self._text), MOST_KEYS + 1))
        if len(keys) > MOST_KEYS:
            line = self._line(keys[-1].start() + 1)
            problem = f"more than {MOST_KEYS} keys, which no table of zeinfo has"
            raise self._error("the whole of it", problem, "fewer", line)
        if not keys:
            return {}
        ends = [match.start() + 1 for match in keys[1:]] + [len(self._text)]
        return {match[1]: (match.end(), end) for match, end in zip(keys, ends, strict=True)}

    @cached_property
    def _kernel_items(self) -> dict[str, _Item]:
        return self._items("kernels")

    @cached_property
    def _misc_items(self) -> dict[str, _Item]:
        return self._items("kernels_misc_info")

    def _item(self, key: str, name: str) -> _Item | None:
        """The item called ``name`` of the list under ``key``: found by its line where only a few
        are asked for, as a list of a thousand kernels takes longer than the one."""
        if len(self._cache) >= _FEW:
            return (self._kernel_items if key == "kernels" else self._misc_items).get(name)
        start, end = self._top_span(key)
        line = re.compile(rf"{_ITEM}[ \t]+(['\"]?){re.escape(name)}\1[ \t]*\n")
        found = line.search(self._text, start, end) if _PLAIN_NAME.fullmatch(name) else None
        if found is None or self._text[start : self._text.find(_ITEM, start, end)].strip():
            return self._items(key).get(name)
        after = self._text.find(_ITEM, found.end() - 1, end)
        return _Item((found.start() + 1, end if after < 0 else after))

    def _items(self, key: str) -> dict[str, _Item]:
        """Each item of the list under ``key`` by its name: where its text lies, or all of it."""
        text = self._text
        start, end = self._top_span(key)
        at = text.find(_ITEM, start, end)
        if at < 0 or text[start:at].strip():
            return self._items_of_other_shape(key, (start, end))
        found: dict[str, _Item] = {}
        while at >= 0:
            name_at = at + len(_ITEM)
            after = text.find(_ITEM, name_at, end)
            item_end = end if after < 0 else after
            line_end = text.find("\n", name_at, item_end)
            name = name_at, item_end if line_end < 0 else line_end
            found[self._unquoted(name)] = _Item((at + 1, item_end))
            at = after
        return found

    def _items_of_other_shape(self, key: str, span: _Span) -> dict[str, _Item]:
        items = self._load(span, key)
        if items == "":
            return {}
        if not isinstance(items, list):
            raise self._error(key, "it is another thing", "a list")
        found: dict[str, _Item] = {}
        for index, item in enumerate(items):
            name = item.get("name") if isinstance(item, dict) else None
            if not isinstance(name, str):
                raise self._error(f"{key}[{index}]", "it has no name", "a mapping with one")
            found[name] = _Item(span, [item])
        return found

    def _unquoted(self, span: _Span) -> str:
        name = self._text[slice(*span)].strip(" \t")
        return name if _PLAIN_NAME.fullmatch(name) else str(self._load(span, "a kernel's name"))

    def _load(self, span: _Span, what: str) -> Plain:
        """The YAML tree in a part of the text; "" for no YAML at all."""
        try:
            return self._blocks.read(self._text[slice(*span)])
        except YamlError as error:
            line = self._line(span[0]) + error.line - 1
            problem = f"not YAML as compilers write it ({error.problem})"
            raise self._error(what, problem, "`key: value` lines", line) from error

    def _line(self, place: int) -> int:
        return _line_of(self._text, place)

    def _error(self, what: str, problem: str, expected: str, line: int | None = None) -> ZebinError:
        where = "" if line is None else f" line {line}:"
        part = f".ze_info:{where} {what}"
        return ZebinError(self._module, problem, part=part, expected=expected)

    def _load_item(self, stored: _Item, what: str) -> Mapping:
        """An item of a list: the mapping that is its only entry."""
        items = self._load(stored.span, what) if stored.tree is None else stored.tree
        if isinstance(items, list) and len(items) == 1 and isinstance(items[0], Mapping):
            return items[0]
        line = self._line(stored.span[0])
        raise self._error(what, "it is another thing", "a mapping", line)

    def _read_kernel(self, name: str, stored: _Item) -> KernelInfo:
        what = f"kernel {name}"
        item = dict(self._load_item(stored, what))
        item.pop("name", None)
        read = self._records.of(what, stored.span[0])
        return KernelInfo(
            name=name,
            execution=read.one(ExecutionEnvironment, item.pop("execution_env", {})),
            user_attributes=read.one(UserAttributes, item.pop("user_attributes", {})),
            payload_arguments=read.many(PayloadArgument, item.pop("payload_arguments", [])),
            per_thread_payload_arguments=read.many(
                PerThreadPayloadArgument, item.pop("per_thread_payload_arguments", [])
            ),
            per_thread_memory_buffers=read.many(
                PerThreadMemoryBuffer, item.pop("per_thread_memory_buffers", [])
            ),
            binding_table_indices=read.many(
                BindingTableIndex, item.pop("binding_table_indices", [])
            ),
            inline_samplers=read.many(InlineSampler, item.pop("inline_samplers", [])),
            experimental=read.one(ExperimentalProperties, item.pop("experimental_properties", {})),
            debug=read.one(DebugEnvironment, item.pop("debug_env", {})),
            arguments=self._read_arguments(name),
            extra=item,
        )

    def _read_arguments(self, kernel: str) -> tuple[ArgumentInfo, ...]:
        stored = self._item("kernels_misc_info", kernel)
        if stored is None:
            return ()
        misc = self._load_item(stored, f"kernels_misc_info of {kernel}")
        read = self._records.of(f"kernel {kernel}", stored.span[0])
        return read.many(ArgumentInfo, misc.get("args_info", []))
