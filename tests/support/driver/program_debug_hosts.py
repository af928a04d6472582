"""The two programs of the program-debug tests: a debuggee and a debugger, each driven line by line.

Both are C programs of tests/hosts that link nothing but the Level Zero loader; each line written to
them is answered by one line.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import io
import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from elftools.elf.elffile import ELFFile

import zedbg
from tests.support.driver.driver_loaders import Loader, named
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import HOSTS

ANSWER_SECONDS = 30.0
NO_OTHER_ROOT = "takes root, or user namespaces, to have another root directory"
ALL = "all"
DEFAULT_SPACE, SLM_SPACE = 0, 1
SLM_TAG = 1 << 28
GRF, CHANNEL_ENABLE, STATE, CONTROL, STATE_BASE, DEBUG = 1, 4, 5, 6, 11, 12
REGISTER_BYTES = {GRF: 32, CHANNEL_ENABLE: 4, STATE: 16, CONTROL: 16, STATE_BASE: 8, DEBUG: 8}

SUCCESS, NOT_READY = 0, 1
NOT_AVAILABLE, UNINITIALIZED, UNKNOWN = 0x70010001, 0x78000001, 0x7FFFFFFE
INSUFFICIENT_PERMISSIONS, UNSUPPORTED_FEATURE = 0x70010000, 0x78000003
INVALID_ARGUMENT, INVALID_NULL_HANDLE, INVALID_NULL_POINTER = 0x78000004, 0x78000005, 0x78000007
INVALID_ENUMERATION = 0x7800000C

BREAKPOINT, FORCE_EXCEPTION = 1 << 31, 1 << 26
SUPPRESS = 1 << 15


class Event:
    """Types of zet_debug_event_t."""

    DETACHED, PROCESS_ENTRY, PROCESS_EXIT, MODULE_LOAD, MODULE_UNLOAD = range(1, 6)
    THREAD_STOPPED, THREAD_UNAVAILABLE, PAGE_FAULT = 6, 7, 8


# By preference: not every kernel was compiled by the older compiler, which knows no bmg.
COMPILERS = ("igc1", "igc2")


def zebin(name: str, device: str = "dg2", level: str = "O0") -> Path:
    """A module of the corpus for that device, compiled with that level of optimisation."""
    corpus = ZEBINS
    candidates = [corpus / f"{each}-{device}-{level}" / f"{name}.zebin" for each in COMPILERS]
    return next(path for path in candidates if path.exists())


def driver_environment(runtime_directory: Path) -> dict[str, str]:
    """The environment in which the loader opens the simulated driver, with debugging switched on.

    `runtime_directory` keeps the sockets of one test apart from all others.
    """
    return {
        **os.environ,
        "ZE_ENABLE_ALT_DRIVERS": str(native_program("libze_sim_gpu.so")),
        "ZET_ENABLE_PROGRAM_DEBUGGING": "1",
        "XDG_RUNTIME_DIR": str(runtime_directory),
    }


def debugger_environment(driver: Path) -> dict[str, str]:
    """The environment in which a process runs this very zedbg over `driver`."""
    import_path = os.pathsep.join(str(Path(folder).parent) for folder in zedbg.__path__)
    return {**os.environ, "ZEDBG_SIM_DRIVER": str(driver), "PYTHONPATH": import_path}


class LineProgram:
    """A program that answers each line with a line. A context manager: kills it at the end."""

    def __init__(
        self,
        program: Path,
        environment: dict[str, str],
        user: int | None = None,
        started_by: tuple[str, ...] = (),
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.process = subprocess.Popen(
            [*started_by, program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
        self._buffer = b""

    @property
    def pid(self) -> int:
        return self.process.pid

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def has_line(self, seconds: float) -> bool:
        """Whether a whole line has arrived, after waiting at most so long."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                return False
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            if not chunk:
                raise EOFError(f"the program ended with status {self.process.wait()}")
            self._buffer += chunk
        return True

    def line(self) -> str:
        """The next line; raises TimeoutError when none comes, EOFError when the program ended."""
        if not self.has_line(ANSWER_SECONDS):
            raise TimeoutError("no answer")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode()

    def ask(self, line: str) -> str:
        self.send(line)
        return self.line()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def finish(self) -> int:
        """Ends its input and waits; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(ANSWER_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


class Target(LineProgram):
    """tests/hosts/debug_target.c: every step is asked for."""

    def __init__(
        self,
        program: Path,
        environment: dict[str, str],
        user: int | None = None,
        started_by: tuple[str, ...] = (),
    ) -> None:
        super().__init__(program, environment, user, started_by)
        assert self.line() == "ready"

    def do(self, step: str) -> None:
        assert self.ask(step) == "ok"


@dataclasses.dataclass(frozen=True)
class DebugEvent:
    """An event as the API gave it; `thread` as slice.subslice.eu.thread with * for wildcards."""

    type: int
    flags: int
    thread: str = ""
    begin: int = 0
    end: int = 0
    load: int = 0
    address: int = 0
    mask: int = 0
    reason: int = 0


class Client(LineProgram):
    """tests/hosts/debug_client.c: one API call a line. Calls that must succeed are checked."""

    def result(self, line: str) -> int:
        """The result code of a call."""
        return int(self.ask(line).split()[0], 16)

    def call(self, line: str) -> list[str]:
        """What a call gave, which must be a success."""
        result, *rest = self.ask(line).split()
        assert int(result, 16) == SUCCESS, f"{line}: {result}"
        return rest

    def attach(self, target: LineProgram) -> None:
        self.call(f"attach {target.pid}")

    def next_event(self, milliseconds: int) -> DebugEvent | None:
        """The next event; None when none came in time."""
        result, kind, flags, *fields = self.ask(f"event {milliseconds}").split()
        if int(result, 16) == NOT_READY:
            return None
        assert int(result, 16) == SUCCESS
        event = DebugEvent(int(kind), int(flags))
        match event.type:
            case Event.MODULE_LOAD | Event.MODULE_UNLOAD:
                begin, end, load = (int(field, 0) for field in fields)
                return dataclasses.replace(event, begin=begin, end=end, load=load)
            case Event.THREAD_STOPPED | Event.THREAD_UNAVAILABLE:
                return dataclasses.replace(event, thread=fields[0])
            case Event.PAGE_FAULT:
                address, mask, reason = (int(field, 0) for field in fields)
                return dataclasses.replace(event, address=address, mask=mask, reason=reason)
            case Event.DETACHED:
                return dataclasses.replace(event, reason=int(fields[0]))
        return event

    def event(self) -> DebugEvent:
        """The next event, which must come."""
        event = self.next_event(20000)
        assert event is not None
        return event

    def is_quiet(self, milliseconds: int = 50) -> bool:
        """Whether no event comes in that time."""
        return self.next_event(milliseconds) is None

    def read(self, thread: str, address: int, size: int, space: int = DEFAULT_SPACE) -> bytes:
        words = self.call(f"read {thread} {space} {address:#x} {size}")
        return bytes.fromhex(words[0])

    def write(self, thread: str, address: int, data: bytes, space: int = DEFAULT_SPACE) -> None:
        self.call(f"write {thread} {space} {address:#x} {data.hex()}")

    def registers(self, thread: str, kind: int, start: int = 0, count: int = 1) -> list[int]:
        """Registers of a set as little-endian words: of 64 bits for base addresses, else of 32."""
        words = self.call(f"registers {thread} {kind} {start} {count} {REGISTER_BYTES[kind]}")
        data = bytes.fromhex(words[0])
        size = 8 if kind == STATE_BASE else 4
        return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]

    def assign(self, thread: str, kind: int, values: list[int], start: int = 0) -> None:
        data = b"".join(value.to_bytes(4, "little") for value in values)
        count = len(data) // REGISTER_BYTES[kind]
        self.call(f"assign {thread} {kind} {start} {count} {data.hex()}")

    def steps(self, thread: str, count: int) -> list[int]:
        """Steps that often; the instruction pointer after each."""
        *ips, result, _seconds = self.call(f"steps {thread} {count}")
        assert int(result, 16) == SUCCESS
        return [int(ip) for ip in ips]

    def load_module(self, target: Target, path: Path) -> LoadedModule:
        """Has the target load a module, up to its event: the target waits for acknowledge()."""
        target.send(f"module {path}")
        event = self.event()
        assert event.type == Event.MODULE_LOAD
        return LoadedModule.read(self, event)

    def acknowledge(self) -> None:
        self.call("acknowledge")

    def prepare(self, thread: str, *, suppress: bool = True, step: bool = False) -> None:
        """Readies a stopped thread to go on as debuggers do: what stopped it is cleared.

        `suppress`: over a breakpoint at its instruction; `step`: for one instruction.
        """
        control = self.registers(thread, CONTROL)
        control[0] = control[0] | SUPPRESS if suppress else control[0] & ~SUPPRESS
        control[1] = BREAKPOINT if step else 0
        self.assign(thread, CONTROL, control)

    def program_counter(self, thread: str) -> int:
        """The global address of the thread's next instruction."""
        [base] = self.registers(thread, STATE_BASE, start=4)
        return base + self.registers(thread, CONTROL)[2]


@dataclasses.dataclass
class LoadedModule:
    """A module as its load event shows it: the ELF image read through the debugger."""

    event: DebugEvent
    elf: ELFFile

    @classmethod
    def read(cls, client: Client, event: DebugEvent) -> LoadedModule:
        image = client.read(ALL, event.begin, event.end - event.begin)
        return cls(event, ELFFile(io.BytesIO(image)))

    def kernel_address(self, kernel: str) -> int:
        return int(self.elf.get_section_by_name(f".text.{kernel}")["sh_addr"])

    def kernel_code(self, kernel: str) -> bytes:
        return bytes(self.elf.get_section_by_name(f".text.{kernel}").data())

    def lanes(self, kernel: str) -> int:
        """Work-items of a thread, from the kernel's entry in .ze_info."""
        text = bytes(self.elf.get_section_by_name(".ze_info").data()).decode()
        size = re.search(rf"name: +{kernel}\n.*?simd_size: +(\d+)", text, re.DOTALL)
        assert size is not None, f"no SIMD size of {kernel}"
        return int(size[1])


def ends_thread(instruction: bytes) -> bool:
    """Whether it is a send, not compacted, with the end-of-thread bit (34)."""
    word = int.from_bytes(instruction[:8], "little")
    return word & 0x7F in (0x31, 0x32) and not word >> 29 & 1 and bool(word >> 34 & 1)


def breakpoint_bytes(code: bytes) -> bytes:
    """The first instruction of `code` with its debug-control bit set; 8 bytes or 16."""
    word = int.from_bytes(code[:8], "little")
    compacted = word >> 29 & 1
    word |= 1 << (7 if compacted else 30)
    return word.to_bytes(8, "little") + (b"" if compacted else code[8:16])


@functools.cache
def host_program(name: str) -> Path:
    """A C program of tests/hosts, compiled; gone when the tests end."""
    directory = Path(tempfile.mkdtemp(prefix="zedbg-hosts-"))
    directory.chmod(0o755)  # some tests run it as another user
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    source = HOSTS / f"{name}.c"
    command = ["cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", str(source)]
    subprocess.run([*command, "-o", str(directory / name), "-lze_loader"], check=True)
    return directory / name


class Bench:
    """Starts targets and clients that find each other through one private directory."""

    def __init__(self, runtime_directory: Path, device: str = "dg2") -> None:
        runtime_directory.chmod(0o700)
        self.runtime_directory = runtime_directory
        self.loader: Loader = named(os.environ.get("ZEDBG_DEBUG_LOADER", "plain"))
        self.environment = driver_environment(runtime_directory) | self.loader.environment
        self.environment["XESIM_DEVICE"] = device

    def target(self, user: int | None = None, **variables: str) -> Target:
        """A program to debug, run by the user with that id, with more environment variables."""
        environment = {**self.environment, **variables}
        return Target(host_program("debug_target"), environment, user, self.loader.prefix)

    def target_that_may_change_its_root(self) -> Target:
        """A target with the right to chroot: root's, or that of a user namespace of its own. Skips
        the test where there is neither."""
        program = host_program("debug_target")
        if os.geteuid() == 0:
            return Target(program, self.environment, started_by=self.loader.prefix)
        namespace = ("unshare", "--user", "--map-root-user")
        if subprocess.run([*namespace, "true"], capture_output=True).returncode != 0:
            pytest.skip(NO_OTHER_ROOT)
        return Target(program, self.environment, started_by=(*namespace, *self.loader.prefix))

    def threads(self, module: Path, count: int) -> LineProgram:
        """tests/hosts/debug_threads.c: so many host threads that do the same at once."""
        arguments = (str(module), str(count))
        program = LineProgram(
            host_program("debug_threads"),
            self.environment,
            started_by=self.loader.prefix,
            arguments=arguments,
        )
        assert program.line() == "ready"
        return program

    def client(self, user: int | None = None) -> Client:
        return Client(host_program("debug_client"), self.environment, user, self.loader.prefix)

    def sockets(self) -> list[Path]:
        return sorted(self.runtime_directory.glob("xesim-debug/*.sock"))
