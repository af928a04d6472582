"""libzedbg_hold.so: a program waits after its first context, however it gets at the driver."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from zedbg.engine.process.hold_server import HOLD_SOCKET_VARIABLE, HoldServer
from zedbg.engine.process.process import HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE
from zedbg.levelzero.selection import native_file

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
HOLD_LIBRARY = native_file(HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE)
LOADER = Path("/usr/lib/x86_64-linux-gnu/libze_loader.so.1")

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="needs a C compiler"),
    pytest.mark.skipif(HOLD_LIBRARY is None, reason="libzedbg_hold.so is not built"),
]

# A driver that is just enough for the loader: every table getter, and a context.
DRIVER = """
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
static int object;
static ze_result_t init(ze_init_flags_t f) { return 0; }
static ze_result_t get(uint32_t* n, ze_driver_handle_t* d) {
  if (d && *n) d[0] = (ze_driver_handle_t)&object;
  *n = 1;
  return 0;
}
static ze_result_t create(ze_driver_handle_t d, const ze_context_desc_t* c,
                          ze_context_handle_t* h) {
  *h = (ze_context_handle_t)&object;
  return 0;
}
#define EXPORT __attribute__((visibility("default")))
EXPORT ze_result_t zeGetGlobalProcAddrTable(ze_api_version_t v, ze_global_dditable_t* t) {
  t->pfnInit = init; return 0; }
EXPORT ze_result_t zeGetDriverProcAddrTable(ze_api_version_t v, ze_driver_dditable_t* t) {
  t->pfnGet = get; return 0; }
EXPORT ze_result_t zeGetContextProcAddrTable(ze_api_version_t v, ze_context_dditable_t* t) {
  t->pfnCreate = create; return 0; }
#define EMPTY(name) EXPORT ze_result_t empty_##name(int v, void* t) __asm__(#name); \\
  ze_result_t empty_##name(int v, void* t) { return 0; }
"""
EMPTY_TABLES = {
    "ze": "Device CommandQueue CommandList Event EventPool Fence Image Kernel Mem Module "
    "ModuleBuildLog PhysicalMem Sampler VirtualMem",
    "zet": "Device Context CommandList Kernel Module Debug Metric MetricGroup MetricQuery "
    "MetricQueryPool MetricStreamer TracerExp",
    "zes": "Device Driver Diagnostics Engine FabricPort Fan Firmware Frequency Led Memory "
    "PerformanceFactor Power Psu Ras Scheduler Standby Temperature",
}

HOST = """
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
#include <level_zero/ze_api.h>
int main(int argc, char** argv) {
#ifdef BY_DLOPEN
  void* loader = dlopen("libze_loader.so.1", RTLD_NOW);
  if (!loader) return 2;
  ze_result_t (*init)(ze_init_flags_t) = dlsym(loader, "zeInit");
  ze_result_t (*get)(uint32_t*, ze_driver_handle_t*) = dlsym(loader, "zeDriverGet");
  ze_result_t (*create)(ze_driver_handle_t, const ze_context_desc_t*, ze_context_handle_t*) =
      dlsym(loader, "zeContextCreate");
#else
  #define init zeInit
  #define get zeDriverGet
  #define create zeContextCreate
#endif
  uint32_t count = 1;
  ze_driver_handle_t driver;
  ze_context_desc_t description = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, 0, 0};
  ze_context_handle_t context;
  if (argc > 1) { int status; if (fork()) { wait(&status); return 0; } }
  if (init(0) || get(&count, &driver)) return 3;
  for (int i = 0; i < 2; ++i)
    if (create(driver, &description, &context)) return 4;
  puts("went on");
  return 0;
}
"""


def build(folder, name, source, *options):
    path = folder / f"{name}.c"
    path.write_text(source)
    output = folder / name
    subprocess.run([COMPILER, "-w", "-o", output, path, *options], check=True)
    return output


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hold")
    empty = [
        f"EMPTY({space}Get{table}ProcAddrTable)"
        for space, tables in EMPTY_TABLES.items()
        for table in tables.split()
    ]
    build(folder, "driver.so", DRIVER + "\n".join(empty), "-shared", "-fPIC")
    build(folder, "linked", HOST, str(LOADER))
    build(folder, "loading", HOST, "-DBY_DLOPEN", "-ldl")
    (folder / "host.py").write_text(
        "from zedbg.levelzero.core_driver import drivers\n"
        "from zedbg.levelzero.core_memory import Context\n"
        "Context(drivers()[0]); Context(drivers()[0]); print('went on')\n"
    )
    return folder


def environment(folder, socket, **more):
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return os.environ | {
        "ZE_ENABLE_ALT_DRIVERS": str(folder / "driver.so"),
        "LD_AUDIT": str(HOLD_LIBRARY),
        HOLD_SOCKET_VARIABLE: str(socket),
        "PYTHONPATH": path,
        **more,
    }


COMMANDS = {
    "linked with the loader": ["{folder}/linked"],
    "loads the loader": ["{folder}/loading"],
    "child of a shell": ["sh", "-c", "{folder}/linked; true"],
    "forked child": ["{folder}/linked", "fork"],
    "python": [sys.executable, "{folder}/host.py"],
}


@pytest.mark.parametrize("intercept", ["0", "1"], ids=["direct", "intercept"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_program_waits_after_its_first_context_and_only_then(programs, command, intercept):
    arrived = []
    server = HoldServer(arrived.append)
    try:
        program = subprocess.Popen(
            [word.format(folder=programs) for word in command],
            env=environment(programs, server.path, ZE_ENABLE_LOADER_INTERCEPT=intercept),
            stdout=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 20
        while not arrived and program.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(arrived) == 1
        time.sleep(0.1)
        assert program.poll() is None, "it did not wait"
        assert "shell" in str(command) or arrived[0].pid > 0
        arrived[0].release()
        output, _ = program.communicate(timeout=20)
        assert output == "went on\n"
        assert len(arrived) == 1, "the second context was held too"
    finally:
        server.close()


def test_program_goes_on_when_the_debugger_dies(programs):
    connection_closed = threading.Event()

    def drop(program):
        program._connection.close()
        connection_closed.set()

    server = HoldServer(drop)
    try:
        output = subprocess.run(
            [programs / "linked"],
            env=environment(programs, server.path),
            capture_output=True,
            timeout=20,
            text=True,
            check=True,
        ).stdout
        assert connection_closed.wait(5)
        assert output == "went on\n"
    finally:
        server.close()


@pytest.mark.parametrize("socket", ["/nonexistent/socket", "", "x" * 300])
def test_program_goes_on_without_a_debugger(programs, socket):
    output = subprocess.run(
        [programs / "linked"],
        env=environment(programs, socket),
        capture_output=True,
        timeout=20,
        text=True,
        check=True,
    ).stdout
    assert output == "went on\n"
