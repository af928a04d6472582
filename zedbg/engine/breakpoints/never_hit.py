"""Why a breakpoint was never hit in a run, in words that say what to do."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import PurePath
from typing import assert_never

from zedbg.dwarf import DebugInfoError
from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.breakpoint_specs import (
    CodeSpec,
    ExceptionSpec,
    LaunchSpec,
    ModuleSpec,
    WatchSpec,
)
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.place_specs import (
    AddressSpec,
    EntrySpec,
    FunctionSpec,
    KernelSpec,
    LineSpec,
)
from zedbg.sycl.kernel_names import demangled

_NEAREST = 3


class RunHistory:
    """What the modules of one run of the program had."""

    def __init__(self) -> None:
        self.modules = 0
        self._advice: Counter[str] = Counter()  # to have debug info in modules without it
        self.last_module: float | None = None  # time.monotonic() of the last load
        self._unreadable = 0
        self._functions: Counter[str] = Counter()
        self._kernels: Counter[str] = Counter()
        self._last_lines: dict[str, int] = {}  # by path: the last line that has code

    def add(self, module: LoadedModule, missing: Iterable[Breakpoint]) -> None:
        """A module was loaded that has no place for the breakpoints ``missing``: only what they
        could have meant is looked at. What is damaged in it is left out."""
        self.modules += 1
        self.last_module = time.monotonic()
        if module.image is None:
            self._unreadable += 1
            return
        kinds = {type(each.spec) for each in missing}
        self._kernels.update(module.image.kernel_names)
        try:
            info = module.debug_info
            if info is None:
                self._advice[module.debug_info_advice] += 1
                return
            if kinds & {FunctionSpec, EntrySpec}:
                self._functions.update(each.name for each in info.functions if each.name)
            if LineSpec in kinds:
                for file in info.lines.files:
                    last = max(info.lines.lines_with_code(file), default=0)
                    self._last_lines[file.path] = max(self._last_lines.get(file.path, 0), last)
        except DebugInfoError:
            self._unreadable += 1

    def explain(self, breakpoint_: Breakpoint, attached: bool) -> str | None:
        """One line about a breakpoint that was never hit; None when there is nothing to say.

        ``attached``: whether the program used a device that zedbg debugs.
        """
        spec = breakpoint_.spec
        if (
            breakpoint_.hits
            or not breakpoint_.enabled
            or isinstance(spec, ExceptionSpec | WatchSpec)
        ):
            return None
        kind = "Catchpoint" if breakpoint_.is_catchpoint else "Breakpoint"
        start = f"{kind} {breakpoint_.number} ({breakpoint_.text})"
        if not attached:
            why = "the program ended without using a Level Zero device."
        elif not self.modules:
            why = "the program loaded no module on the device."
        elif isinstance(spec, ModuleSpec):
            why = f'no module with a kernel like "{spec.pattern}" was {spec.change.value}ed.'
            return f"{start} was never hit: {why}"
        elif breakpoint_.resolved:
            return f"{start} was never hit: {self._why_unreached(breakpoint_)}"
        else:
            why = self.why_unresolved(spec)
        return f"{start} was never in place: {why}"

    def _why_unreached(self, breakpoint_: Breakpoint) -> str:
        if not breakpoint_.arrivals:
            if isinstance(breakpoint_.spec, FunctionSpec | EntrySpec | KernelSpec | LaunchSpec):
                return "nothing that it stands for was launched while it was in place."
            return "no thread came to it: its kernel was not launched, or went another way."
        times = f"{breakpoint_.arrivals} time" + ("s" if breakpoint_.arrivals > 1 else "")
        if isinstance(breakpoint_.spec, LaunchSpec):
            return f"threads came to it {times}, but none was the first of its launch."
        limits = [
            word
            for word, given in (
                ("thread", breakpoint_.thread),
                ("lane", breakpoint_.lane),
                ("work-item", breakpoint_.work_item),
                ("work-group", breakpoint_.workgroup),
                ("condition", breakpoint_.condition),
            )
            if given is not None
        ]
        return f"threads came to it {times}, but its {' and '.join(limits)} never fitted."

    def why_unresolved(self, spec: CodeSpec) -> str:
        """Why none of the modules has a place for ``spec``."""
        if self._unreadable == self.modules:
            return "no module of the program can be read."
        match spec:
            case LineSpec(file, line):
                return self._why_no_line(file, line)
            case FunctionSpec(name) | EntrySpec(name):
                return self._no_name("function or kernel", name, self._functions | self._kernels)
            case KernelSpec(pattern) | LaunchSpec(pattern):
                return self._no_name("kernel", pattern, self._kernels)
            case AddressSpec(address):
                return f"no module of the program has code at {address:#x}."
            case _:
                assert_never(spec)

    def _no_name(self, what: str, name: str, known: Counter[str]) -> str:
        text = f'no module of the program has a {what} "{name}"'
        names = [demangled(each) for each in known]
        near = get_close_matches(name, names, _NEAREST) or sorted(names)[:_NEAREST]
        if self._advice and "function" in what:
            text += f" (some have no debug info: {self._most_common_advice})"
        return f"{text}; nearest: {', '.join(near)}." if near else f"{text}."

    @property
    def _most_common_advice(self) -> str:
        return self._advice.most_common(1)[0][0]

    def _why_no_line(self, file: str | None, line: int) -> str:
        if self._advice.total() == self.modules:
            return f"no module of the program has debug info: {self._most_common_advice}."
        names = {PurePath(path).name: last for path, last in self._last_lines.items()}
        if file is not None:
            name = PurePath(file).name
            if name not in names:
                near = get_close_matches(name, list(names), _NEAREST) or sorted(names)[:_NEAREST]
                sources = f" (there are {', '.join(near)})" if near else ""
                return f'no module of the program was compiled from "{file}"{sources}.'
            return f"{name} has no code at or after line {line}; its last is line {names[name]}."
        return f"no source file has code at or after line {line}."
