"""zedbg(1), in mdoc: from the command line's parser and the declarations of the commands."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap

from zedbg.commands.catalogue.catalogue import declared
from zedbg.commands.framework.declaration import Category
from zedbg.commands.framework.settings import SETTINGS
from zedbg.frontends.pages.command_line import SUBCOMMANDS, options

_COLUMNS = 72  # of the page's text; escapes make lines longer
_DATE = "January 1, 2026"
_HEAD = f"""\
.Dd {_DATE}
.Dt ZEDBG 1
.Os
.Sh NAME
.Nm zedbg
.Nd debugger for code that runs on Intel GPUs
.Sh SYNOPSIS
.Nm
.Op Ar options
.Op Fl - Ar program Op Ar arguments
.Nm
.Op Ar options
.Fl p Ar pid
.Nm
.Cm kernel | inspect | doctor | demo
.Op Ar arguments
.Sh DESCRIPTION
.Nm
debugs the kernels of a program that uses Level Zero, through the program-debug
API of the driver.
It stops them at breakpoints and exceptions, shows threads, lanes, registers,
memory and variables, and steps.
Its commands are those of GDB where GDB has them.
Without a GPU that can be debugged it uses a simulated one.
.Pp
Without a program,
.Nm
shows a prompt; the command
.Cm demo
there takes a kernel to try it with.
"""
_FOOT = """\
.Sh ENVIRONMENT
.Bl -tag -width indent
.It Ev NO_COLOR
If it is set, there are no colours.
.It Ev TERM
.Dq dumb
switches to plain text, as does
.Cm set plain on .
.It Ev INPUTRC
The file of readline's settings, whose
.Dq editing-mode
the prompt takes over; without it
.Pa ~/.inputrc .
.It Ev ZEDBG_PLUGINS
Files and folders of plugins, separated by colons.
.It Ev ZE_ENABLE_ALT_DRIVERS
The Level Zero drivers that are used instead of the installed ones.
.El
.Sh FILES
.Bl -tag -width indent
.It Pa ~/.local/state/zedbg/history
The lines that were entered.
.It Pa ~/.config/zedbg/zedbginit
Commands that run at the start.
.It Pa .zedbginit
Commands that run after them, if they trust the working directory.
.It Pa ~/.config/zedbg/plugins
Plugins that are loaded at the start.
.El
.Sh EXAMPLES
Stop in a line of a kernel, and show a variable in every lane:
.Pp
.Dl zedbg --batch -ex 'break vadd.cl:3' -ex run -ex 'print/l i' -- ./program
"""


def manual_page() -> str:
    """The whole page."""
    return "\n".join([_HEAD.rstrip(), *_options(), *_subcommands(), *_commands(), *_settings()]) + (
        "\n" + _FOOT
    )


def _options() -> list[str]:
    lines = [".Sh OPTIONS", ".Bl -tag -width indent"]
    for option in options():
        names = " , ".join(f"Fl {_word(name[1:])}" for name in option.names)
        argument = f" Ar {_word(option.argument)}" if option.argument else ""
        lines += [f".It {names}{argument}", *_prose(option.help)]
    return [*lines, ".El"]


def _subcommands() -> list[str]:
    lines = [".Sh SUBCOMMANDS", ".Bl -tag -width indent"]
    for name, summary in SUBCOMMANDS.items():
        lines += [f".It Cm {name}", *_prose(summary), f".Ql zedbg {name} --help", "has the rest."]
    return [*lines, ".El"]


def _commands() -> list[str]:
    order = list(Category)
    found = sorted(declared(), key=lambda each: (order.index(each.category), each.name))
    lines = [".Sh COMMANDS", "At the prompt,", ".Cm help Ar command", "explains each of them."]
    for category, members in groupby(found, key=lambda each: each.category):
        lines += [f".Ss {category.value.capitalize()}", ".Bl -tag -width indent"]
        for each in members:
            names = " , ".join(f"Cm {_word(name)}" for name in (each.name, *each.aliases))
            lines += [f".It {names}", *_prose(each.summary)]
        lines.append(".El")
    return lines


def _settings() -> list[str]:
    lines = [".Sh SETTINGS", ".Cm set Ar name value", "changes one,", ".Cm show", "lists them."]
    lines.append(".Bl -tag -width indent")
    for each in SETTINGS.values():
        default = each.default or "empty"
        lines += [f".It Cm {_word(each.name)}", *_prose(f"{each.summary} (default: {default})")]
    return [*lines, ".El"]


def _word(text: str) -> str:
    """``text`` as an argument of a macro."""
    if len(text) == 1 and not text.isalnum():  # punctuation, to a macro
        return f"\\&{_escaped(text)}"
    return f'"{_escaped(text)}"' if " " in text else _escaped(text)


def _prose(text: str) -> list[str]:
    """A sentence, as lines of text."""
    sentence = text[:1].upper() + text[1:].rstrip(".") + "."
    return [_escaped(line) for line in wrap(sentence, _COLUMNS)]


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    # Requests begin with these; macros take a word that is a mark alone for punctuation.
    return f"\\&{text}" if text and not text[0].isalnum() else text
