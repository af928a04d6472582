"""Files of commands that run at the start: the user's, and that of a project that is trusted."""

from __future__ import annotations

import os
from pathlib import Path

from zedbg.commands.framework.context import CommandContext
from zedbg.frontends.shared.interpreter import Interpreter

PROJECT_FILE = ".zedbginit"
_WRITABLE_BY_OTHERS = 0o022


def user_file() -> Path:
    """The user's file: ``~/.config/zedbg/zedbginit``."""
    configuration = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return configuration / "zedbg" / "zedbginit"


def run_resource_files(interpreter: Interpreter) -> bool:
    """Runs the user's file, then the one in the working directory if the former trusts it; False
    when a command failed. A file that is not run is named."""
    succeeded = True
    file = user_file()
    if file.is_file() and _may_run(interpreter.context, file):
        succeeded = interpreter.execute(f"source {file}")
    project = Path.cwd() / PROJECT_FILE
    if not project.is_file() or project == file:
        return succeeded
    folder = project.parent.resolve()
    if not any(folder.is_relative_to(each) for each in interpreter.context.trusted):
        interpreter.context.show_message(
            f"{PROJECT_FILE} of this directory is not run. If you trust it, write into {file}: "
            f"add-auto-load-safe-path {folder}",
            warning=True,
        )
        return succeeded
    if _may_run(interpreter.context, project):
        succeeded &= interpreter.execute(f"source {project}")
    return succeeded


def _may_run(context: CommandContext, file: Path) -> bool:
    """Whether nobody but the user and root can have written ``file``; says so if not."""
    status = file.stat()
    if status.st_uid in (os.getuid(), 0) and not status.st_mode & _WRITABLE_BY_OTHERS:
        return True
    context.show_message(
        f"{file} is not run: others may write it. Change that with: chmod go-w {file}", warning=True
    )
    return False
