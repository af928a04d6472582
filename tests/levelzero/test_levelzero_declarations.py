"""The cffi declarations and enums, compared with the installed C headers by the C compiler."""

import enum
import inspect
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from zedbg.levelzero import enums
from zedbg.levelzero.compile_declarations import COMPILED, compile_to
from zedbg.levelzero.declarations_core import CORE_DECLARATIONS
from zedbg.levelzero.declarations_debug import (
    DEBUG_DECLARATIONS,
    EXTENSION_DECLARATIONS,
    EXTENSION_STRUCTURES,
)
from zedbg.levelzero.level_zero_errors import CLASS_OF
from zedbg.levelzero.loader import ffi

EXTENSION_HEADER = Path(__file__).parents[2] / "native" / "driver" / "xesim_debug_extension.h"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
PREFIXES = {
    "Result": "ZE_RESULT_",
    "StructureType": "ZE_STRUCTURE_TYPE_",
    "DebugStructureType": "ZET_STRUCTURE_TYPE_",
    "DeviceType": "ZE_DEVICE_TYPE_",
    "DeviceFlag": "ZE_DEVICE_PROPERTY_FLAG_",
    "QueueGroupFlag": "ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_",
    "QueueMode": "ZE_COMMAND_QUEUE_MODE_",
    "ModuleFormat": "ZE_MODULE_FORMAT_",
    "ImageFlag": "ZE_IMAGE_FLAG_",
    "ImageType": "ZE_IMAGE_",
    "ImageLayout": "ZE_IMAGE_FORMAT_",
    "ImageFormatType": "ZE_IMAGE_FORMAT_TYPE_",
    "ImageSwizzle": "ZE_IMAGE_FORMAT_",
    "SamplerAddressMode": "ZE_SAMPLER_ADDRESS_MODE_",
    "SamplerFilterMode": "ZE_SAMPLER_FILTER_MODE_",
    "EventPoolFlag": "ZE_EVENT_POOL_FLAG_",
    "EventScope": "ZE_EVENT_SCOPE_FLAG_",
    "DeviceDebugFlag": "ZET_DEVICE_DEBUG_PROPERTY_FLAG_",
    "DebugEventType": "ZET_DEBUG_EVENT_TYPE_",
    "DebugEventFlag": "ZET_DEBUG_EVENT_FLAG_",
    "DetachReason": "ZET_DEBUG_DETACH_REASON_",
    "DebugMemorySpace": "ZET_DEBUG_MEMORY_SPACE_TYPE_",
    "RegsetFlag": "ZET_DEBUG_REGSET_FLAG_",
    "PageFaultReason": "ZET_DEBUG_PAGE_FAULT_REASON_",
}


def declared_types():
    text = CORE_DECLARATIONS + DEBUG_DECLARATIONS + EXTENSION_STRUCTURES
    return re.findall(r"^typedef uint32_t (\w+);|^\} (\w+);", text, re.MULTILINE)


def declared_functions():
    text = CORE_DECLARATIONS + DEBUG_DECLARATIONS
    return re.findall(r"^ze_result_t (\w+)\(", text, re.MULTILINE)


def enum_classes():
    return [
        item
        for _, item in inspect.getmembers(enums, inspect.isclass)
        if issubclass(item, enum.IntEnum | enum.IntFlag) and item.__module__ == enums.__name__
    ]


def constants():
    return {
        PREFIXES[kind.__name__] + name: int(value)
        for kind in enum_classes()
        for name, value in kind.__members__.items()
    }


def layouts():
    """Sizes and offsets as cffi computes them: expression in C -> number."""
    numbers = {}
    for word, structure in declared_types():
        name = word or structure
        numbers[f"sizeof({name})"] = ffi.sizeof(name)
        if structure:
            for field, _ in ffi.typeof(name).fields:
                numbers[f"offsetof({name}, {field})"] = ffi.offsetof(name, field)
    return numbers


def compile_and_run(folder, lines, includes="level_zero/zet_api.h"):
    source = folder / "check.c"
    source.write_text(
        f"#include <level_zero/ze_api.h>\n#include <{includes}>\n"
        f'#include "{EXTENSION_HEADER}"\n'
        "#include <stddef.h>\n#include <stdio.h>\n"
        "int main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
    )
    program = folder / "check"
    subprocess.run([COMPILER, "-w", "-o", program, source], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_every_declared_size_offset_and_constant_equals_the_headers(tmp_path):
    expected = layouts() | constants()
    assert len(expected) > 300
    lines = [f'printf("%lld\\n", (long long)({expression}));' for expression in expected]
    values = [int(line) for line in compile_and_run(tmp_path, lines).split()]
    wrong = {
        expression: (mine, real)
        for (expression, mine), real in zip(expected.items(), values, strict=True)
        if mine != real
    }
    assert wrong == {}


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_every_declared_function_has_the_headers_signature(tmp_path):
    """Redeclaring a function in C with another signature is a compile error."""
    text = CORE_DECLARATIONS + DEBUG_DECLARATIONS
    functions = re.findall(r"^ze_result_t \w+\([^;]*\);", text, re.MULTILINE)
    assert len(functions) == len(declared_functions()) > 60
    source = tmp_path / "signatures.c"
    # An enumeration is an unsigned int to the C compiler, as the declarations have it.
    source.write_text(
        "#include <level_zero/ze_api.h>\n#include <level_zero/zet_api.h>\n"
        + "\n".join(functions).replace("ze_result_t ze", "ZE_APIEXPORT ze_result_t ZE_APICALL ze")
    )
    subprocess.run([COMPILER, "-Wall", "-Werror", "-c", "-o", "/dev/null", source], check=True)


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_every_extension_function_has_the_signature_of_the_drivers_header(tmp_path):
    """Two equal definitions of a type are allowed in C, different ones are not."""
    source = tmp_path / "extensions.c"
    declarations = EXTENSION_DECLARATIONS.replace("(*", "(ZE_APICALL *")
    source.write_text(f'#include "{EXTENSION_HEADER}"\n{declarations}')
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([COMPILER, *warnings, "-c", "-o", "/dev/null", source], check=True)
    names = set(re.findall(r"xesim_pfn\w+", EXTENSION_DECLARATIONS))
    assert names and names == set(re.findall(r"xesim_pfn\w+", EXTENSION_HEADER.read_text()))


def test_every_error_code_has_an_exception_class_of_its_own():
    without = {
        result.name
        for result in enums.Result
        if result not in CLASS_OF and "WARNING" not in result.name
    }
    assert without == {"SUCCESS"}
    assert len(set(CLASS_OF.values())) == len(CLASS_OF)


def test_the_compiled_declarations_are_made_of_the_text(tmp_path):
    made = tmp_path / "made.py"
    compile_to(made)
    assert COMPILED.read_text() == made.read_text(), (
        "python -m zedbg.levelzero.compile_declarations"
    )
