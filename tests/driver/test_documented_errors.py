"""Each error code that the header states a condition for is returned under that condition, and a
handle of nothing that lives is refused by every call."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.driver.documented_causes import (
    PERMANENT,
    Cause,
    HandleCall,
    documented_causes,
    handle_calls,
)
from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY

VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"

PROGRAM = """
#include "host.h"
{objects}
static char* memory;
static ze_image_handle_t other_image;
{functions}
static const struct {{
  const char* text;
  ze_result_t expected;
  ze_result_t (*call)(void);
}} cases[] = {{
{rows}
}};
int main(int argc, char** argv) {{
  (void)argc;
  const struct host host = open_device();
  driver = host.driver;
  device = host.device;
  context = host.context;
  command_queue = create_queue(&host);
  command_list = create_list(&host);
  event_pool = create_event_pool(&host, 1, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  event = create_event(event_pool, 0);
  module = load_module(&host, argv[1]);
  kernel = create_kernel(module, "vadd");
  memory = allocate_shared(&host, 4096);
  for (uint32_t i = 0; i < 4; ++i) {{ /* the last is a number */
    CHECK(zeKernelSetArgumentValue(kernel, i, i == 3 ? 4 : 8, i == 3 ? memory : (char*)&memory));
  }}
  const ze_module_desc_t none = {{.stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .inputSize = 1,
                                  .format = ZE_MODULE_FORMAT_NATIVE,
                                  .pInputModule = (const uint8_t*)"m"}};
  ze_module_handle_t refused = NULL;
  zeModuleCreate(context, device, &none, &refused, &module_build_log);
  uint32_t count = 1;
  CHECK(zeFabricVertexGetExp(driver, &count, &fabric_vertex));
  const ze_fence_desc_t fences = {{.stype = ZE_STRUCTURE_TYPE_FENCE_DESC}};
  CHECK(zeFenceCreate(command_queue, &fences, &fence));
  const ze_sampler_desc_t samplers = {{.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC}};
  CHECK(zeSamplerCreate(context, device, &samplers, &sampler));
  const ze_image_desc_t images = {{.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC, .width = 8, .height = 1,
                                  .depth = 1, .type = ZE_IMAGE_TYPE_1D,
                                  .format = {{.layout = ZE_IMAGE_FORMAT_LAYOUT_8}}}};
  CHECK(zeImageCreate(context, device, &images, &image));
  CHECK(zeImageCreate(context, device, &images, &other_image));
  ze_physical_mem_desc_t pages = {{.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC,
                                   .size = 65536}};
  CHECK(zePhysicalMemCreate(context, device, &pages, &physical_mem));
{more}
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {{
    printf("%s", cases[i].text);
    fflush(stdout); /* where it crashes, the last line says */
    const ze_result_t result = cases[i].call();
    printf(result == cases[i].expected ? " ok\\n" : " is 0x%x\\n", (unsigned)result);
  }}
}}
"""

#: The driver has none of it: see docs/level-zero.md.
UNSUPPORTED = {"zeDeviceReserveCacheExt", "zeDeviceSetCacheAdviceExt"}

#: What the driver takes though the header refuses it, as Intel's does, and what cannot be.
EXCEPTIONS = {
    "zeKernelGetSourceAttributes: nullptr == pString": "asks for the size",
    "zeVirtualMemReserve: nullptr == pStart": "lets the driver choose, as its own description says",
    "zeVirtualMemQueryPageSize: 0 == size": "asks for the smallest page",
    "zeFabricEdgeGetVerticesExp: nullptr == phVertexA": "the fabric has no edges",
    "zeFabricEdgeGetVerticesExp: nullptr == phVertexB": "the fabric has no edges",
    "zeFabricEdgeGetPropertiesExp: nullptr == pEdgeProperties": "the fabric has no edges",
}


#: Objects of which the handle stays when they are destroyed.
DEAD = """
  CHECK(zeContextCreate(driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC},
                        &dead_context));
  dead_command_queue = create_queue(&host);
  dead_command_list = create_list(&host);
  dead_event_pool = create_event_pool(&host, 1, 0);
  dead_event = create_event(dead_event_pool, 0);
  dead_module = load_module(&host, argv[1]);
  dead_kernel = create_kernel(dead_module, "vadd");
  zeModuleCreate(context, device, &none, &refused, &dead_module_build_log);
  CHECK(zeFenceCreate(dead_command_queue, &fences, &dead_fence));
  CHECK(zeSamplerCreate(context, device, &samplers, &dead_sampler));
  CHECK(zeImageCreate(context, device, &images, &dead_image));
  CHECK(zePhysicalMemCreate(context, device, &pages, &dead_physical_mem));
  /* What others are of goes first. */
  CHECK(zeContextDestroy(dead_context));
  CHECK(zeCommandQueueDestroy(dead_command_queue));
  CHECK(zeEventPoolDestroy(dead_event_pool));
  CHECK(zeModuleDestroy(dead_module));
  CHECK(zeFenceDestroy(dead_fence));
  CHECK(zeEventDestroy(dead_event));
  CHECK(zeKernelDestroy(dead_kernel));
  CHECK(zeCommandListDestroy(dead_command_list));
  CHECK(zeModuleBuildLogDestroy(dead_module_build_log));
  CHECK(zeSamplerDestroy(dead_sampler));
  CHECK(zeImageDestroy(dead_image));
  CHECK(zePhysicalMemDestroy(context, dead_physical_mem));
"""
OBJECTS = [
    *("driver", "device", "context", "command_queue", "command_list", "event_pool", "event"),
    *("module", "kernel", "fence", "sampler", "image", "physical_mem", "module_build_log"),
    *("fabric_vertex", "fabric_edge"),
]


def failed_calls(
    calls: Sequence[Cause] | Sequence[HandleCall],
    expected: Sequence[str],
    folder: Path,
    environment: dict[str, str],
) -> list[str]:
    """Makes each call in one process; what did not answer as expected."""
    dead = [name for name in OBJECTS if name not in PERMANENT]
    objects = [f"static ze_{own}_handle_t {own};" for own in OBJECTS]
    objects += [f"static ze_{own}_handle_t dead_{own};" for own in dead]
    source = folder / "errors.c"
    rows = zip(calls, expected, strict=True)
    source.write_text(
        PROGRAM.format(
            objects="\n".join(objects),
            functions="".join(call.c_function(f"case_{i}") for i, call in enumerate(calls)),
            rows="".join(
                f"  {{{json.dumps(call.text)}, {code}, case_{i}}},\n"
                for i, (call, code) in enumerate(rows)
            ),
            more=DEAD,
        )
    )
    program = folder / "errors"
    include = f"-I{REPOSITORY / 'tests' / 'hosts'}"
    command = ["cc", "-w", include, str(source), "-o", str(program), "-lze_loader"]
    subprocess.run(command, check=True)
    finished = subprocess.run(
        [str(program), str(VADD)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = finished.stdout.splitlines()
    failed = [line for line in lines if not line.endswith(" ok")]
    if (finished.returncode, len(lines)) != (0, len(calls)):
        failed.append(f"ended with {finished.returncode} after {len(lines)}: {finished.stderr}")
    return failed


def test_errors_have_their_documented_causes(
    tmp_path: Path, simulator_environment: dict[str, str]
) -> None:
    stated = [cause for cause in documented_causes() if cause.function not in UNSUPPORTED]
    causes = [cause for cause in stated if cause.text not in EXCEPTIONS]
    assert len(stated) - len(causes) == len(EXCEPTIONS)
    assert len(causes) > 340
    codes = [cause.code for cause in causes]
    assert failed_calls(causes, codes, tmp_path, simulator_environment) == []


def test_dead_and_foreign_handles_are_refused(
    tmp_path: Path, simulator_environment: dict[str, str]
) -> None:
    calls = [call for call in handle_calls() if call.function not in UNSUPPORTED]
    assert len(calls) > 900
    codes = ["ZE_RESULT_ERROR_INVALID_NULL_HANDLE"] * len(calls)
    assert failed_calls(calls, codes, tmp_path, simulator_environment) == []
