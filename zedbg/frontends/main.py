"""The command line of ``zedbg``: chooses the front end and runs it."""

from __future__ import annotations

import sys
from importlib import import_module

from zedbg.commands.framework.permanence import collect_less_often, permanent
from zedbg.frontends.shared.ending import (
    INTERRUPTED,
    complain,
    discard_output,
    end_on_signals,
    keep_lost_signals,
    open_standard_streams,
)

# The modules whose ``main`` runs a subcommand.
_SUBCOMMANDS = {
    "kernel": "zedbg.tools.kernel.main",
    "inspect": "zedbg.tools.inspect.main",
    "doctor": "zedbg.tools.doctor.main",
    "demo": "zedbg.tools.demo.main",
    "connect": "zedbg.frontends.serving.connect_main",
    "stacks": "zedbg.tools.stacks.main",
    "dap": "zedbg.frontends.dap.main",
    "env": "zedbg.tools.environment.env",
    "run": "zedbg.tools.environment.run",
    "fetch": "zedbg.tools.fetch.main",
    "gdb-plugin": "zedbg.tools.gdb_plugin.main",
}


def main(arguments: list[str] | None = None) -> int:
    """Runs zedbg; the exit status is 0 when everything went well."""
    open_standard_streams()
    keep_lost_signals()
    collect_less_often()
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()  # here, where it may fail: nobody may be reading
        return status
    except KeyboardInterrupt:
        # A terminal has begun a line with ^C.
        print("\nInterrupted." if sys.stderr.isatty() else "Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return 1
    except OSError as error:
        discard_output()
        complain(error)
        return 1


def _run(words: list[str]) -> int:
    if words and words[0] in _SUBCOMMANDS:
        with permanent():
            tool = import_module(_SUBCOMMANDS[words[0]])
        status: int = tool.main(words[1:])
        return status
    if words == ["--version"]:  # which loads next to nothing
        from zedbg.frontends.version import version_lines

        print("\n".join(version_lines()))
        return 0
    if words[:1] == ["core"]:
        words = ["--core", *words[1:]]
    from zedbg.frontends.options import parser, split_program
    from zedbg.frontends.shared.scheduling import apply_scheduling

    serves = words[:1] == ["serve"]
    words = words[1:] if serves else words
    own, program = split_program(words)
    options = parser().parse_args(own)
    options.program += program
    if options.version:
        return _run(["--version"])
    end_on_signals()
    with permanent():
        from zedbg.frontends.session import Serving, SessionOptions, run_session

    return run_session(
        SessionOptions(
            program=options.program,
            simulated_device=apply_scheduling(options, options.sim),
            settings=[("core-on-fault", options.core_on_fault)],
            first_commands=[
                _line(kind, text) for kind, text in options.commands if kind in ("iex", "ix")
            ],
            commands=[
                *([f"core-file {options.core}"] if options.core is not None else []),
                *([f"attach {options.pid}"] if options.pid is not None else []),
                *(_line(kind, text) for kind, text in options.commands if kind in ("ex", "x")),
            ],
            batch=options.batch,
            returns_program_status=options.return_child_result,
            timeout=options.timeout,
            loads_plugins=not options.nx,
            greets=not options.quiet,
            as_json=options.json,
            serving=Serving(options.socket or "", options.while_input) if serves else None,
        )
    )


def _line(kind: str, text: str) -> str:
    """A ``-ex`` command as it stands; ``-x`` as the command that runs the file."""
    return text if kind in ("ex", "iex") else f"source {text}"


if __name__ == "__main__":
    sys.exit(main())
