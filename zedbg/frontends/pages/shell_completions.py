"""Completions of zedbg's command line for bash, zsh and fish."""

from __future__ import annotations

from zedbg.frontends.pages.command_line import SUBCOMMANDS, options
from zedbg.xe.devices import DEVICES

_NOTE = "Generated from zedbg's options: python -m zedbg.frontends.pages writes it."


def bash() -> str:
    """For bash-completion: a function and the command that names it."""
    names = " ".join(name for option in options() for name in option.names)
    cases = [
        f'    {"|".join(option.names)}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" '
        '-- "$word")); return;;'
        for option in options()
        if option.choices
    ]
    files = "|".join(name for option in options() if option.takes_file for name in option.names)
    return "\n".join(
        [
            f"# {_NOTE}",
            "_zedbg() {",
            '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            "  COMPREPLY=()",
            '  case "$before" in',
            *cases,
            f'    {files}) COMPREPLY=($(compgen -f -- "$word")); return;;',
            '    -p|--pid) COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$word"));'
            " return;;",
            '    --) COMPREPLY=($(compgen -c -- "$word")); return;;',
            "  esac",
            '  case "$word" in',
            f'    --sim=*) COMPREPLY=($(compgen -P --sim= -W "{" ".join(DEVICES)}" '
            '-- "${word#--sim=}")); return;;',
            f'    -*) COMPREPLY=($(compgen -W "{names} --" -- "$word")); return;;',
            "  esac",
            '  if [ "$COMP_CWORD" -eq 1 ]; then',
            f'    COMPREPLY=($(compgen -W "{" ".join(SUBCOMMANDS)}" -- "$word") '
            '$(compgen -f -- "$word"))',
            "  else",
            '    COMPREPLY=($(compgen -f -- "$word"))',
            "  fi",
            "}",
            "complete -o filenames -F _zedbg zedbg",
            "",
        ]
    )


def zsh() -> str:
    """For zsh: the function ``_zedbg``."""
    lines = [f"#compdef zedbg\n# {_NOTE}", "_arguments -S \\"]
    for option in options():
        for name in option.names:
            text = _quoted(option.help).replace("[", "(").replace("]", ")").replace(":", ",")
            takes = ""
            if option.choices:
                takes = f":{option.argument.lower()}:({' '.join(option.choices)})"
            elif "--sim" in option.names:
                takes = f"::device:({' '.join(DEVICES)})"
            elif option.takes_file:
                takes = ":file:_files"
            elif option.argument:
                takes = f":{option.argument.strip('[]').lower()}:"
            sign = "=-" if "--sim" in option.names else ""
            lines.append(f"  '*{name}{sign}[{text}]{takes}' \\")
    lines.append(f"  '1:subcommand or program:({' '.join(SUBCOMMANDS)})' '*:file:_files'")
    return "\n".join(lines) + "\n"


def fish() -> str:
    """For fish: a line for each option and subcommand."""
    lines = [f"# {_NOTE}"]
    for name, summary in SUBCOMMANDS.items():
        lines.append(
            f"complete -c zedbg -n __fish_use_subcommand -a {name} -d '{_quoted(summary)}'"
        )
    for option in options():
        words = []
        for name in option.names:
            kind = "l" if name.startswith("--") else "s" if len(name) == 2 else "o"
            words.append(f"-{kind} {name.lstrip('-')}")
        if option.choices:
            words.append(f"-x -a '{' '.join(option.choices)}'")
        elif "--sim" in option.names:
            words.append(f"-a '{' '.join(DEVICES)}'")
        elif option.takes_file:
            words.append("-r -F")
        elif option.argument and not option.argument.startswith("["):
            words.append("-x")
        lines.append(f"complete -c zedbg {' '.join(words)} -d '{_quoted(option.help)}'")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """``text`` inside of single quotes."""
    return text.replace("'", "’")
