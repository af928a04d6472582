"""The files that are installed under ``share`` beside the program."""

from __future__ import annotations

from zedbg.frontends.pages.manual_page import manual_page
from zedbg.frontends.pages.shell_completions import bash, fish, zsh


def installed_files() -> dict[str, str]:
    """The text of each by its path in ``share``, where the manual and the shells look."""
    return {
        "man/man1/zedbg.1": manual_page(),
        "bash-completion/completions/zedbg": bash(),
        "zsh/site-functions/_zedbg": zsh(),
        "fish/vendor_completions.d/zedbg.fish": fish(),
    }
