"""What GDB shows of the variables of a random kernel that PoCL runs: an oracle that shares neither
compiler nor device nor debugger with zedbg.

BUILD FOLDER NAME...: FOLDER has modules ``NAME.zebin``, made without optimisation. Prints, as JSON,
for each kernel what :mod:`tests.support.truth.variable_truth` prints, GDB's values being the truth.

PoCL runs groups of one work-item, in which it leaves variables where clang has put them; local ids
are replaced by what they are in groups of the usual size. So the kernels are those without barriers
and local memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy

from tests.support.module_command import module_command
from tests.support.truth.variable_kernels import FACTOR, GROUP, ITEMS, Kernel, N
from tests.support.truth.variable_truth import (
    Visit,
    _leaves,
    compared,
    input_words,
    kernel_of,
    write_inputs,
)

HOST = "--host"
_NOT_ALONE = ("barrier", "sh[", "sub_group", "work_group")
_GDB = """
import glob, json
import gdb
gdb.execute("set breakpoint pending on")
gdb.execute("set confirm off")
gdb.execute("break _pocl_kernel_k_workgroup")
gdb.execute("run", to_string=True)
gdb.execute("delete")
(source,) = glob.glob({cache!r} + "/tempfile_*.cl")
scopes = {scopes!r}
for line in scopes:
    gdb.execute("break %s:%d" % (source.rsplit("/")[-1], line), to_string=True)
found = []
gdb.execute("continue", to_string=True)
while gdb.selected_inferior().pid:
    frame = gdb.selected_frame()
    line, values = frame.find_sal().line, {{}}
    for name in scopes[line]:
        value = frame.read_var(name)
        memory = gdb.selected_inferior().read_memory(value.address, value.type.sizeof)
        values[name] = memory.tobytes().hex()
    found.append([line, values])
    gdb.execute("continue", to_string=True)
with open({output!r}, "w") as file:
    json.dump(found, file)
"""


def runs_alone(made: Kernel) -> bool:
    """Whether each work-item computes the same without the others of its group."""
    body = made.plain.split("local int sh", 1)[-1].partition("\n")[2]
    return not any(word in body for word in _NOT_ALONE)


def gdb_log(made: Kernel, folder: Path) -> list[dict[int, list[Visit]]]:
    """For each work-item the visits of each line, as GDB shows them."""
    cache, output, source = folder / "cache", folder / "values.json", folder / "kernel.cl"
    cache.mkdir()
    group = f"(get_global_id(0) % {GROUP})"
    source.write_text(made.plain.replace("get_local_id(0)", group))
    scopes = {line: [each.name for each in known] for line, known in made.scopes.items() if known}
    script = folder / "script.py"
    script.write_text(_GDB.format(cache=str(cache), scopes=scopes, output=str(output)))
    host = module_command("truth.pocl_under_gdb", HOST, source)
    done = subprocess.run(
        ["gdb", "-q", "-nx", "-batch", "-x", str(script), "--args", *host],
        env=os.environ
        | {"POCL_CACHE_DIR": str(cache), "POCL_MAX_PTHREAD_COUNT": "1"}
        | {"POCL_LEAVE_KERNEL_COMPILER_TEMP_FILES": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert output.exists(), done.stdout[-2000:] + done.stderr[-4000:]
    log: list[dict[int, list[Visit]]] = [defaultdict(list) for _ in range(ITEMS)]
    for line, values in json.loads(output.read_text()):
        data = {name: bytes.fromhex(each) for name, each in values.items()}
        visit = {name: _leaves(made, line, name, each) for name, each in data.items()}
        log[int.from_bytes(data["gid"], "little")][line].append(visit)
    return log


def host(source: str) -> None:
    """The program under GDB: PoCL runs the kernel."""
    from tests.support.kernels.pocl import cl

    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    program = cl.Program(context, Path(source).read_text())
    program.build("-g -cl-std=CL2.0 -cl-opt-disable")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    given = numpy.array(input_words(), numpy.int32), numpy.zeros(ITEMS, numpy.int32)
    buffers = [cl.Buffer(context, flags, hostbuf=each) for each in given]
    program.k(queue, (ITEMS,), (1,), *buffers, numpy.int32(N), numpy.float32(FACTOR))
    queue.finish()


def main(build: str, folder: str, *names: str) -> None:
    modules = Path(folder).resolve()
    results = {}
    for name in names:
        made = kernel_of(name)
        with tempfile.TemporaryDirectory() as scratch:
            log = gdb_log(made, Path(scratch))
            os.chdir(scratch)
            write_inputs()
            counts, wrong = compared(build, modules / f"{name}.zebin", made, log).counts()
            os.chdir("/")
        results[name] = {"counts": counts, "wrong": wrong[:25]}
    print(json.dumps(results))


if __name__ == "__main__":
    if sys.argv[1] == HOST:
        host(sys.argv[2])
    else:
        main(*sys.argv[1:])
