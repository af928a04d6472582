"""Commands and settings that GDB has and zedbg has not, with what to type instead.

The shell answers with these lines, and ``docs/gdb-users.md`` is made of them. A test compares the
names with GDB's own lists.
"""

from __future__ import annotations

_TRACEPOINTS = 'zedbg has no tracepoints: use dprintf, or break PLACE log "TEXT {EXPRESSION}".'
_RECORD = "launches are recorded by themselves: see set record and info record."
_REMOTE = "zedbg debugs programs of this machine: run, or attach PID."
_INFERIORS = "a zedbg session has one program: start another zedbg for another one."
_SYMBOLS = "modules bring their symbols when the program loads them: see info modules."
_HOST = "it is about the host program: use GDB for that, beside zedbg."
_HOST_PROGRAM = "it is about the host program, which zedbg only starts."
_SIGNALS = "kernels take no signals: exceptions are caught by catch page-fault, catch assert and "
_SIGNALS += "catch illegal-opcode."
_TUI = "zedbg has no full-screen mode of GDB's kind."
_SCRIPTING = "zedbg is scripted in Python: see help python."
_INTERNAL = "it is for those who work on GDB."
_MACROS = "compilers of kernels record no macros; search PATTERN finds one in the source."
_LANGUAGE = "expressions are C and C++, with OpenCL's vectors."
_TASKS = "no language of kernels has it."
_FLASH = "it is for boards with flash memory."
_PRINTERS = "values are printed by their types: a plugin command can show them in another way."
_MEMORY_REGIONS = "memory is what the driver maps: see info symbol ADDRESS."
_FRAME_FILTERS = "frames are shown as they are."
_COMPILE = "zedbg cannot compile code into a kernel: set var changes what it works with."
_LOADER = "GPU modules are loaded by the program, not by a loader: see info modules."


def _same(answer: str, *names: str) -> dict[str, str]:
    return {name: answer for line in names for name in line.split(", ")}


GDB_COMMANDS: dict[str, str] = {
    **_same(
        _TRACEPOINTS,
        "actions, collect, ftrace, passcount, strace, stepping, tdump, teval, tfind, tvariable",
        "tp, trace, tsave, tstart, tstatus, tstop, while-stepping, ws, delete tracepoints",
        "delete tvariable, info static-tracepoint-markers, info tracepoints, info tvariables",
        "agent-printf, save tracepoints, info tp",
        "set tvariable, info selectors",
    ),
    **_same(_RECORD, "record, rec"),
    **_same(
        "use checkpoint, and restart N to come back.",
        "bookmark, goto-bookmark, delete bookmark, info bookmarks",
    ),
    **_same(
        _REMOTE,
        "target, remote, disconnect, monitor, load, info target-remote, info connections",
    ),
    **_same(_FLASH, "flash-erase"),
    **_same(
        _INFERIORS,
        "add-inferior, clone-inferior, remove-inferiors, inferior, kill inferiors",
        "detach inferiors",
    ),
    "detach checkpoint": "a checkpoint is a time of a launch, not a process: delete checkpoint N.",
    **_same(
        _SYMBOLS,
        "add-symbol-file, add-symbol-file-from-memory, remove-symbol-file, symbol-file",
        "compare-sections, sharedlibrary, nosharedlibrary, section, overlay, ovly, ov",
        "jit-reader-load, jit-reader-unload",
        "add-auto-load-scripts-directory, info extensions, info dll, maintenance print symbols",
        "symbol-file-from-memory, info auto-load",
    ),
    **_same(
        _HOST,
        "info auxv, info os, info probes, info exceptions, info copying-host",
        "attach-host, enable probes, disable probes, info float, info vector, info terminal",
        "catch catch, catch throw, catch rethrow, catch exec, catch fork, catch vfork",
        "catch syscall, tcatch catch, tcatch throw, tcatch rethrow, tcatch exec, tcatch fork",
        "tcatch vfork, tcatch syscall, task, info tasks, taas-host, starti-host",
    ),
    **_same(
        _SIGNALS,
        "signal, queue-signal, handle, catch signal, tcatch signal, catch handlers",
        "tcatch handlers",
    ),
    **_same(_TASKS, "catch exception, tcatch exception"),
    **_same(
        _TUI,
        "focus, fs, refresh, tui, winheight, wh, winwidth, winname, info win, new-ui, +, -, <, >",
    ),
    **_same(
        _SCRIPTING,
        "guile, gu, guile-repl, gr, info guile, define-prefix, interpreter-exec, compile-python",
    ),
    **_same(_INTERNAL, "maintenance, mt, info dcache, show debug"),
    **_same(_MACROS, "macro, info macro, info macros"),
    **_same(_LANGUAGE, "info modules-fortran, demangle-style, info module"),
    **_same(
        _PRINTERS,
        "info pretty-printer, enable pretty-printer, disable pretty-printer",
        "info type-printers, enable type-printer, disable type-printer, print-object, po",
        "info xmethod, enable xmethod, disable xmethod, info unwinder, enable unwinder",
        "disable unwinder, info vtbl, info missing-debug-handler, explore",
    ),
    **_same(
        _MEMORY_REGIONS,
        "mem, delete mem, enable mem, disable mem, info mem, memory-tag, mtag",
    ),
    **_same(_FRAME_FILTERS, "info frame-filter, enable frame-filter, disable frame-filter"),
    **_same(_COMPILE, "compile, expression, edit-and-continue"),
    **_same("use start: the first instruction of the program is the host's.", "starti"),
    **_same("use: break PLACE, and another at the end of the range.", "break-range"),
    **_same("names are shown as the source has them; !c++filt NAME does it.", "demangle"),
    **_same("use: set environment PATH=DIRECTORIES", "path"),
    **_same("use frame LEVEL: frames have no addresses of their own here.", "frame address"),
    **_same("use frame LEVEL: only frames of stopped threads are known.", "frame view"),
    **_same("files have raw bytes: use dump memory.", "dump ihex, dump srec"),
    **_same("files have raw bytes: use dump memory.", "dump tekhex, dump verilog"),
    **_same("it is a name for functions that expressions call: see help convenience.", "function"),
    **_same(_SYMBOLS, "save gdb-index"),
    **_same(_HOST_PROGRAM, "unset exec-wrapper"),
    **_same(_REMOTE, "unset tdesc"),
    **_same("see the file LICENSE of zedbg.", "info copying, info warranty"),
    **_same("use show, which lists all settings.", "info set"),
    **_same("breakpoint tables of a screen mode are not there: use layout.", "update"),
    "stop": "it does nothing by itself: hook-stop is defined with define hook-stop.",
    "init-if-undefined": "use: if $_isvoid($NAME), then set $NAME = VALUE.",
    "info classes": "no language of kernels has it: info types lists structures.",
    "info common": "no language of kernels has it.",
    "info w": "info watchpoints and info win begin with it: type one of them in full.",
}


#: GDB's commands that zedbg has, with how they differ; "" where they do not.
SHARED_COMMANDS: dict[str, str] = {
    **_same(
        "",
        "!, advance, alias, append, apropos, attach, backtrace, bt, cd, clear, commands, complete",
        "condition, continue, define, delete, detach, directory, disable, disassemble, display",
        "document, dont-repeat, down, down-silently, dprintf, dump, enable, end, eval, exec-file",
        "faas, file, find, frame, help, if, ignore, info, jump, kill, layout, list, make",
        "next, nexti, ni, output, pipe, |, printf, pwd, python-interactive, quit, rbreak, restore",
        "save, select-frame, set, shell, show, si, skip, source, step, stepi, taas, tbreak, tcatch",
        "tfaas, thread, tty, undisplay, unset, until, up, up-silently, whatis, where, while, with",
        "reverse-continue, rc, reverse-finish, reverse-next, rn, reverse-nexti, rni, reverse-step",
        "rs, reverse-stepi, rsi, info record, info rec, delete checkpoint, info checkpoints",
        "search, forward-search, reverse-search, info address, info all-registers, info args",
        "info breakpoints, info display, info files, info frame, info functions, info inferiors",
        "info line, info locals, info modules, info program, info scope, info skip, info source",
        "info proc, info sources, info stack, info symbol, info target, info types, info variables",
        "info watchpoints, unset environment, unset substitute-path, thread find, thread name",
        "frame apply, frame function, frame level, delete breakpoints, delete display",
        "enable display, disable display, edit, e",
        "disable breakpoints, enable breakpoints, enable count, enable delete, enable once",
        "skip delete, skip disable, skip enable, skip file, skip function, dump memory",
        "dump value, append memory, append value, dump binary memory, dump binary value",
    ),
    "break": "also kernel GLOB, workitem X,Y,Z, workgroup X,Y,Z, log; places wait for modules",
    **_same("as break: every breakpoint of a GPU is a bit of its instruction", "hbreak, thbreak"),
    **_same("of a GPU's state, which zedbg saves itself", "core-file, generate-core-file, gcore"),
    "add-auto-load-safe-path": "trusts a project's resource file",
    "call": "evaluates only: functions of a kernel cannot be called",
    **_same("load, unload, launch, page-fault, assert, illegal-opcode", "catch"),
    **_same("stops at a failed assert of a kernel", "catch assert, tcatch assert"),
    **_same("of GPU modules", "catch load, catch unload, tcatch load, tcatch unload"),
    "checkpoint": "remembers a time of a launch; no process is copied",
    "record goto": "also goto; start, end and times of a launch",
    "restart": "goes to the time of a checkpoint",
    "echo": "a line always ends after the text",
    "finish": "the focused thread runs, others stay stopped",
    "interrupt": "stops the device; Ctrl-C does the same",
    "info registers": "a thread's GRF and ARF; suffixes choose the type: r10.f",
    **_same("of kernels' exceptions", "info signals, info handle"),
    "info sharedlibrary": "of the host program; info modules has those on the devices",
    "info threads": "hardware threads that are stopped; 1.17:3 is lane 3 of thread 17 of device 1",
    "print": "/l for every lane, /w for every work-item",
    "ptype": "/o shows offsets",
    "python": "zedbg's own modules: session, context, zedbg; not gdb",
    "return": "not of kernels and inlined functions; the active lanes return",
    "run": "also PROGRAM ARGUMENTS where none is named yet",
    "save breakpoints": "without watchpoints",
    "start": "stops at the first launch of a kernel",
    **_same("threads are named 1.1-8, *:*", "thread apply, thread apply all"),
    **_same("where the driver can watch memory", "rwatch, awatch"),
    "watch": "by the driver, where it can; else by stepping the thread that it is set in",
    "x": "@slm OFFSET is shared local memory",
}


def instead_of(name: str) -> str | None:
    """What to say to someone who types GDB's command ``name``; None when it is none of those that
    zedbg lacks. A first word that is a whole group (``record``) stands for all of it."""
    answer = GDB_COMMANDS.get(name)
    return None if answer is None else f"zedbg has no command {name}: {answer}"


_NOTHING = "nothing in zedbg depends on it."
_GPU_ONLY = "a GPU's code is of one kind, which the device says."
_ONE_WAY = "zedbg always does it in one way."
_NO_CALLS = "zedbg calls no functions of the program."

#: By the words after ``set``; the first word alone stands for all settings that begin with it.
GDB_SETTINGS: dict[str, str] = {
    **_same(_TRACEPOINTS, "agent, circular-trace-buffer, default-collect, disconnected-tracing"),
    **_same(_TRACEPOINTS, "trace-buffer-size, trace-notes, trace-stop-notes, trace-user"),
    **_same(_TRACEPOINTS, "may-insert-fast-tracepoints, may-insert-tracepoints"),
    **_same(_RECORD, "record full, record btrace, record instruction-history-size"),
    **_same(_RECORD, "record function-call-history-size"),
    **_same(
        _REMOTE,
        "remote, remoteaddresssize, remotecache, remoteflow, remotelogbase, remotelogfile",
        "remotetimeout, remotewritesize, serial, tcp, tdesc, sysroot, solib-absolute-prefix",
        "target-file-system-kind, code-cache, dcache, stack-cache, gnutarget, mpx, osabi",
        "auto-connect-native-target",
    ),
    **_same(
        _HOST_PROGRAM,
        "disable-randomization, detach-on-fork, follow-fork-mode, follow-exec-mode, exec-wrapper",
        "schedule-multiple, startup-with-shell, stop-on-solib-events, auto-solib-add",
        "solib-search-path, libthread-db-search-path, debug-file-directory, debuginfod",
        "exec-file-mismatch, unwindonsignal, unwind-on-terminating-exception, use-coredump-filter",
        "dump-excluded-mappings, exec-done-display, displaced-stepping, observer, write",
    ),
    **_same(
        _GPU_ONLY,
        "architecture, processor, endian, disassembly-flavor, disassembler-options, cp-abi",
        "struct-convention",
    ),
    **_same(
        _LANGUAGE,
        "ada, language, case-sensitive, charset, host-charset, target-charset",
        "target-wide-charset, check, fortran, ravenscar, coerce-float-to-double",
        "opaque-type-resolution, overload-resolution, demangle-style, input-radix, output-radix",
        "radix, multiple-symbols, python-language",
    ),
    **_same(_SCRIPTING, "guile, python, extension-language, script-extension, auto-load"),
    **_same(_TUI, "tui"),
    **_same("Ctrl-R searches the history, the right arrow takes a line of it.", "history"),
    **_same(_NO_CALLS, "may-call-functions"),
    **_same("display/i $pc shows the next instruction at every stop.", "disassemble-next-line"),
    **_same(_COMPILE, "compile-args, compile-gcc"),
    **_same(_MEMORY_REGIONS, "mem"),
    **_same(_FRAME_FILTERS, "frame-filter"),
    **_same(
        _ONE_WAY,
        "annotate, basenames-may-differ, editing, extended-prompt, prompt, filename-display",
        "interactive-mode, style, print, backtrace, breakpoint, dprintf-style",
        "dprintf-channel, dprintf-function, disconnected-dprintf, may-insert-breakpoints",
        "may-interrupt, may-write-memory, may-write-registers, can-use-hw-watchpoints",
        "max-completions, max-user-call-depth, max-value-size, mi-async, source",
        "startup-quietly, suppress-cli-notifications, trust-readonly-sections, logging",
    ),
    **_same(
        _NOTHING,
        "complaints, data-directory, debug, index-cache, use-deprecated-index-sections, verbose",
    ),
}
