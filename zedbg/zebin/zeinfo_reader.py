"""Reading ``.ze_info``: each kernel's text is found at once, and parsed when it is asked for.

A module of a thousand kernels has megabytes of YAML, of which a debugger needs a few kernels. The
compiler writes block style with fixed indentation, so kernels are found by their ``- name:`` lines;
a document of another shape is parsed whole. Every scalar stays a string while parsing: kernels
may be called ``no`` or ``on``, which YAML 1.1 takes for booleans.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast

import yaml

from zedbg.zebin.block_yaml import BlockReader
from zedbg.zebin.errors import ZebinError
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
    Plain,
    UserAttributes,
)

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# Each begins with a line's end, which is found far faster than every line's start.
_TOP_KEY = re.compile(r"\n([A-Za-z_]\w*):")
_ITEM = "\n  - name:"
_PLAIN_NAME = re.compile(r"[\w$.~]+")


class ZeInfo:
    """The kernels of one module, by name; each is parsed once, when first asked for."""

    def __init__(self, text: str, module: str) -> None:
        """``text`` is the whole section; ``module`` is what errors call the module."""
        self._module = module
        self._text = text
        self._cache: dict[str, KernelInfo] = {}
        self._blocks = BlockReader()
        self._records = RecordReader(module)

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
    def functions(self) -> tuple[FunctionInfo, ...]:
        """The functions that other modules may call; ZebinError when damaged."""
        found = []
        for name, text in self._items("functions").items():
            what = f"function {name}"
            item = dict(self._load_item(text, what))
            item.pop("name", None)
            environment = item.pop("execution_env", {})
            execution = self._records.of(what).one(ExecutionEnvironment, environment)
            found.append(FunctionInfo(name, execution, item))
        return tuple(found)

    @cached_property
    def host_accesses(self) -> tuple[HostAccess, ...]:
        """Global variables that the host program can name; ZebinError when damaged."""
        what = "global_host_access_table"
        return self._records.of(what).many(HostAccess, self._load(self._top_text(what), what))

    @cached_property
    def costs(self) -> tuple[KernelCost, ...]:
        """What the compiler estimates kernels to cost; ZebinError when damaged."""
        found = []
        for name, text in self._items("kernels_cost_info").items():
            what = f"kernels_cost_info of {name}"
            item = dict(self._load_item(text, what))
            item.pop("name", None)
            read = self._records.of(what)
            found.append(
                KernelCost(
                    name,
                    read.many(CostArgumentSymbol, item.pop("kcm_args_sym", [])),
                    read.many(CostLoopCount, item.pop("kcm_loop_count_exps", [])),
                    read.many(CostLoop, item.pop("Kcm_loop_costs", [])),
                    item,
                )
            )
        return tuple(found)

    @cached_property
    def unknown(self) -> dict[str, str]:
        """Tables of the document that this version does not know, as text."""
        known = tables()[CONTAINER].attributes
        return {key: text.strip() for key, text in self._top_level.items() if key not in known}

    def _top_text(self, key: str) -> str:
        """The text under ``key``: an empty list when there is none."""
        return self._top_level.get(key, "").removesuffix("...\n") or "[]"

    @cached_property
    def _top_level(self) -> dict[str, str]:
        reason = unsupported_reason(self.version)
        if reason is not None:
            raise ZebinError(self._module, reason)
        text = f"\n{self._text}"
        keys = list(_TOP_KEY.finditer(text))
        if not keys:
            return {}
        ends = [match.start() + 1 for match in keys[1:]] + [len(text)]
        return {match[1]: text[match.end() : end] for match, end in zip(keys, ends, strict=True)}

    @cached_property
    def _kernel_texts(self) -> dict[str, str]:
        return self._items("kernels")

    @cached_property
    def _misc_texts(self) -> dict[str, str]:
        return self._items("kernels_misc_info")

    def _items(self, key: str) -> dict[str, str]:
        """Each item of the list under ``key``: its name, and its text as a list of one item."""
        body = self._top_level.get(key, "")
        before, *items = body.split(_ITEM)
        if not items or before.strip():
            return self._items_of_other_shape(key, body)
        items[-1] = items[-1].removesuffix("...\n")
        return {
            self._unquote(item.partition("\n")[0].strip(" \t")): f"{_ITEM}{item}\n"
            for item in items
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
        items = self._blocks.read(text)
        if items is None:
            items = self._load(text, what)
        if isinstance(items, list) and len(items) == 1 and isinstance(items[0], dict):
            return items[0]
        raise ZebinError(self._module, f".ze_info: {what} is not a mapping")

    def _read_kernel(self, name: str) -> KernelInfo:
        what = f"kernel {name}"
        item = dict(self._load_item(self._kernel_texts[name], what))
        item.pop("name", None)
        read = self._records.of(what)
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
            read.many(ArgumentInfo, misc.get("args_info", [])),
            item,
        )
