"""The conditions on which the API's header documents errors, and a call in C that meets each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEADER = Path("/usr/include/level_zero/ze_api.h")

#: What a valid call passes: by name of the parameter, then by its type. Other numbers are 1, and
#: other pointers point to zeros.
BY_NAME = {
    "alignment": "0",
    "timeout": "0",
    "numWaitEvents": "0",
    "numDevices": "0",
    "ptr": "memory",
    "dstptr": "memory",
    "srcptr": "memory + 2048",
    "pKernelName": '"vadd"',
    "pattern": '"p"',
    "hSrcImage": "other_image",
    "size": "65536",
}
BY_TYPE = {
    "const char*": '"vadd"',
    "ze_memory_advice_t": "ZE_MEMORY_ADVICE_SET_READ_MOSTLY",
    "ze_memory_access_attribute_t": "ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE",
    "ze_cache_ext_region_t": "ZE_CACHE_EXT_REGION_ZE_CACHE_REGION_DEFAULT",
}
#: The members of descriptions that are not 0 in a valid call.
MEMBERS = {
    "ze_event_pool_desc_t": ".count = 1",
    "ze_module_desc_t": '.inputSize = 1, .pInputModule = (const uint8_t*)"m", '
    ".format = ZE_MODULE_FORMAT_NATIVE",
    "ze_kernel_desc_t": '.pKernelName = "vadd"',
    "ze_physical_mem_desc_t": ".size = 65536",
    "ze_group_count_t": "1, 1, 1",
    "ze_image_desc_t": ".width = 8, .height = 1, .depth = 1, .type = ZE_IMAGE_TYPE_1D, "
    ".format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_8}",
}

_CODE = re.compile(r"///     - ::(ZE_RESULT_\w+)")
_CAUSE = re.compile(r"///         \+ `(.*)`")
_NAME = re.compile(r"(ze\w+)\($")
_PARAMETER = re.compile(r"    (\S.*?)\s*\b(\w+),?\s*///<")
_CONDITION = re.compile(r"(nullptr|0) (==|<) ([\w>-]+)")


@dataclass(frozen=True)
class Cause:
    """A condition under which a call is documented to return an error code."""

    function: str
    parameters: tuple[tuple[str, str], ...]  # type, name
    code: str  # ZE_RESULT_...
    condition: str

    @property
    def text(self) -> str:
        return f"{self.function}: {self.condition}"

    def c_function(self, name: str) -> str:
        """A C function of no arguments that makes the call: valid but for the condition."""
        lines = [line for kind, own in self.parameters for line in _declaration(kind, own)]
        for zero, relation, place in _CONDITION.findall(self.condition):
            value = "NULL" if zero == "nullptr" else "0" if relation == "==" else "1"
            lines.append(f"{place.replace('->', '_value.')} = {value};")
        call = f"return {self.function}({', '.join(own for _, own in self.parameters)});"
        body = "\n  ".join([*lines, call])
        return f"static ze_result_t {name}(void) {{\n  {body}\n}}\n"


#: Parameters that are lists of handles which a call uses, each with that of its length.
LISTS = {
    "phWaitEvents": "numWaitEvents",
    "phEvents": "numEvents",
    "phCommandLists": "numCommandLists",
    "phKernels": "numKernels",
    "phModules": "numModules",
}


@dataclass(frozen=True)
class HandleCall:
    """A call that is valid but for one handle."""

    function: str
    parameters: tuple[tuple[str, str], ...]  # type, name
    place: str  # the parameter
    value: str  # what is passed as the handle, in C

    @property
    def text(self) -> str:
        return f"{self.function}: {self.place} = {self.value}"

    def c_function(self, name: str) -> str:
        """A C function of no arguments that makes the call."""
        lines = [line for kind, own in self.parameters for line in _declaration(kind, own)]
        if self.place in LISTS:
            lines.append(f"{LISTS[self.place]} = 1; {self.place}_value[0] = (void*){self.value};")
        else:
            lines.append(f"{self.place} = (void*){self.value};")
        call = f"return {self.function}({', '.join(own for _, own in self.parameters)});"
        body = "\n  ".join([*lines, call])
        return f"static ze_result_t {name}(void) {{\n  {body}\n}}\n"


def handle_calls() -> list[HandleCall]:
    """Calls with each handle that a function of the header takes: with one whose object was
    destroyed, with one of another kind, and with values that never were handles."""
    functions = {cause.function: cause.parameters for cause in documented_causes()}
    found: list[HandleCall] = []
    for function, parameters in functions.items():
        for kind, name in parameters:
            plain = kind.removesuffix("*")
            if not plain.endswith("_handle_t") or "_ipc_" in kind:
                continue
            if kind.endswith("*") and name not in LISTS:
                continue
            own = plain.removeprefix("ze_").removesuffix("_handle_t")
            values = ["device" if own == "context" else "context", "1", '"text"', "memory", "-16"]
            if own not in PERMANENT:
                values.append(f"dead_{own}")
            found += [HandleCall(function, parameters, name, value) for value in values]
    return found


#: Kinds of handles that are never dead.
PERMANENT = {"driver", "device", "fabric_vertex", "fabric_edge"}


def _declaration(kind: str, name: str) -> Iterator[str]:
    plain = kind.removeprefix("const ").removesuffix("*")
    if name in BY_NAME:
        yield f"{kind} {name} = {BY_NAME[name]};"
    elif kind in BY_TYPE:
        yield f"{kind} {name} = {BY_TYPE[kind]};"
    elif kind.endswith("_handle_t") and "_ipc_" not in kind:
        yield f"{kind} {name} = {plain.removeprefix('ze_').removesuffix('_handle_t')};"
    elif kind.endswith("_handle_t*") and "_ipc_" not in kind:
        own = plain.removeprefix("ze_").removesuffix("_handle_t")
        yield f"{plain} {name}_value[1] = {{{own}}};"
        yield f"{kind} {name} = {name}_value;"
    elif kind.endswith("**") or plain == "void":
        yield f"void* {name}_value[64] = {{NULL}};"
        yield f"{kind} {name} = (void*){name}_value;"
    elif kind.endswith("*"):
        members = MEMBERS.get(plain, "0")
        yield f"{plain} {name}_value = {{{members}}};"
        yield f"{kind} {name} = &{name}_value;"
    elif kind.startswith("ze_") and "_flags_t" not in kind:
        yield f"{kind} {name} = {{0}};"
    else:
        yield f"{kind} {name} = {0 if '_flags_t' in kind else 1};"


def documented_causes() -> list[Cause]:
    """Every condition on null and 0 in the header, in its order."""
    found: list[Cause] = []
    stated: list[tuple[str, str]] = []
    function = code = ""
    parameters: list[tuple[str, str]] = []
    for line in HEADER.read_text().splitlines():
        if function:
            if line.startswith("    );"):
                found += [Cause(function, tuple(parameters), *each) for each in stated]
                function, stated, parameters = "", [], []
            elif parameter := _PARAMETER.match(line):
                parameters.append((parameter[1].strip(), parameter[2]))
        elif match := _CODE.match(line):
            code = match[1]
        elif match := _CAUSE.match(line):
            if _CONDITION.search(match[1]):
                stated.append((code, match[1]))
        elif match := _NAME.match(line):
            function = match[1]
        elif not line.startswith(("///", "ZE_APIEXPORT")):
            stated = []
    return found
