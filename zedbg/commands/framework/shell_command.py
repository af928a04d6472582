"""Output of commands through a shell command, after a ``|``."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.rows.row import Row, Text


def run_shell(shell_command: str, lines: Sequence[str]) -> list[Row]:
    """Gives ``lines`` to a shell command and takes its output as rows. Raises CommandError."""
    import subprocess

    text = "".join(line + "\n" for line in lines)
    try:
        done = subprocess.run(
            shell_command,
            shell=True,
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
        )
    except (OSError, ValueError) as error:  # a zero byte, letters that are none
        raise CommandError(f"The shell command cannot be run: {error}.") from None
    rows: list[Row] = [Text(line) for line in (done.stdout + done.stderr).splitlines()]
    if done.returncode == 127:
        raise CommandError(done.stderr.strip() or f"cannot run {shell_command}")
    return rows
