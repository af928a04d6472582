"""The result codes that the API's own headers document for each call."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from zedbg.levelzero.enums import Result

HEADERS = (Path("/usr/include/level_zero/ze_api.h"), Path("/usr/include/level_zero/zet_api.h"))

#: The calls by which zedbg finds devices and debugs programs; before them comes zeInit.
CALLS = (
    "zeDriverGet",
    "zeDeviceGet",
    "zeDeviceGetProperties",
    "zeDevicePciGetPropertiesExt",
    "zetDeviceGetDebugProperties",
    "zetDebugAttach",
    "zetDebugDetach",
    "zetDebugReadEvent",
    "zetDebugAcknowledgeEvent",
    "zetDebugInterrupt",
    "zetDebugResume",
    "zetDebugReadMemory",
    "zetDebugWriteMemory",
    "zetDebugGetRegisterSetProperties",
    "zetDebugReadRegisters",
    "zetDebugWriteRegisters",
)

#: What Intel's driver returns besides, as the reference of its behaviour has it.
OF_INTELS_DRIVER = {
    "zetDebugAttach": (Result.NOT_READY, Result.ERROR_OUT_OF_HOST_MEMORY, Result.ERROR_UNKNOWN),
    "zetDebugAcknowledgeEvent": (Result.ERROR_UNKNOWN,),
    "zetDebugInterrupt": (Result.NOT_READY, Result.ERROR_UNKNOWN),
    "zetDebugResume": (Result.ERROR_UNKNOWN,),
    "zetDebugReadMemory": (Result.ERROR_UNKNOWN, Result.ERROR_INVALID_ARGUMENT),
    "zetDebugWriteMemory": (Result.ERROR_UNKNOWN, Result.ERROR_INVALID_ARGUMENT),
    "zetDebugReadRegisters": (Result.ERROR_UNKNOWN, Result.ERROR_INVALID_ARGUMENT),
    "zetDebugWriteRegisters": (Result.ERROR_UNKNOWN, Result.ERROR_INVALID_ARGUMENT),
    "zetDebugGetRegisterSetProperties": (Result.ERROR_UNKNOWN,),
}

_CODE = re.compile(r"^///     - ::ZE_RESULT_(\w+)")
_FUNCTION = re.compile(r"^(zet?\w+)\($")


@functools.cache
def documented_results() -> dict[str, tuple[Result, ...]]:
    """By call: every code but success, in the order of the header; those of Intel's driver last."""
    found: dict[str, tuple[Result, ...]] = {}
    for header in HEADERS:
        codes: list[Result] = []
        for line in header.read_text().splitlines():
            if code := _CODE.match(line):
                if code[1] in Result.__members__ and Result[code[1]] is not Result.SUCCESS:
                    codes.append(Result[code[1]])
            elif function := _FUNCTION.match(line):
                more = OF_INTELS_DRIVER.get(function[1], ())
                found[function[1]] = tuple(dict.fromkeys((*codes, *more)))
                codes = []
            elif not line.startswith(("///", "ZE_APIEXPORT")):
                codes = []
    return found
