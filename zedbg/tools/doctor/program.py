"""Whether a file's kernels were compiled so that they can be debugged by source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zedbg.dwarf import DebugInfo, DebugInfoError
from zedbg.sycl.host_program import HostProgram
from zedbg.sycl.sycl_errors import SyclError
from zedbg.tools.doctor.findings import Finding, State
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.build_options import COMPILE_WITH_DEBUG_INFO
from zedbg.zebin.formats import FileFormat, identify

_COMPILE = "compile the kernels with -g, and with -cl-opt-disable (SYCL: -O0) for every variable"


def check_program(path: Path) -> Iterator[Finding]:
    """One row for each module in the file, and for what is not a module yet."""
    check = f"debug info of {path.name}"
    try:
        data = path.read_bytes()
    except OSError as error:
        yield Finding(check, State.WRONG, f"{path}: {error.strerror}", "name a file that is there")
        return
    try:
        if identify(data) is FileFormat.ZEBIN:
            yield _module(check, data, path.name)
            return
        images = HostProgram(data, path.name).images
    except (ZebinError, SyclError, DebugInfoError) as error:
        yield Finding(check, State.WRONG, str(error), f"look closer with: zedbg inspect {path}")
        return
    if not images:
        yield Finding(
            check,
            State.NOTE,
            "no device code is in it: the program makes it when it runs",
            "build its kernels with -g (OpenCL: clBuildProgram options; Level Zero: build flags)",
        )
    for image in images:
        yield _image(check, image.data(), f"image at {image.offset:#x}")


def _image(check: str, data: bytes, name: str) -> Finding:
    try:
        if identify(data) is FileFormat.ZEBIN:
            return _module(check, data, name)
    except (ZebinError, DebugInfoError) as error:
        return Finding(check, State.WRONG, f"{name}: {error}", "compile it again")
    found = f"{name}: no native code yet; the driver compiles it, with -g if it was built so"
    return Finding(check, State.NOTE, found)


def _module(check: str, data: bytes, name: str) -> Finding:
    module = Module.from_bytes(data, name)
    info = DebugInfo.of(module)
    if info is None:
        advice = module.debug_info_advice
        if advice == COMPILE_WITH_DEBUG_INFO:
            advice = _COMPILE
        return Finding(check, State.WRONG, f"{name}: no debug information", advice)
    functions, options = len(info.functions), module.build_options or ""
    found = f"{name}: debug information for {functions} function{'s' if functions != 1 else ''}"
    if "-opt-disable" in options or "-O0" in options:
        return Finding(check, State.OK, f"{found}, not optimised")
    return Finding(check, State.OK, f"{found}; where code was optimised, variables may be missing")
