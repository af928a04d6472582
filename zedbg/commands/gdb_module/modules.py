"""The module ``gdb`` as scripts that were written for GDB import it. docs/plugins.md says what of
it carries over."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType

import zedbg
from zedbg.commands.extending import plugin_command, plugin_parameter
from zedbg.commands.extending.frame_decorators import FrameDecorator
from zedbg.commands.extending.plugin_events import EventRegistry
from zedbg.commands.gdb_module import (
    gdb_errors,
    gdb_events,
    gdb_functions,
    gdb_plugin,
    gdb_program,
    gdb_type,
    gdb_value,
)

_COMMANDS = {
    "OBSCURE": "COMMAND_SUPPORT",
    "MAINTENANCE": "COMMAND_SUPPORT",
    "TRACEPOINTS": "COMMAND_BREAKPOINTS",
    "TUI": "COMMAND_SUPPORT",
}
_PARAMETERS = {
    "PARAM_AUTO_BOOLEAN": plugin_parameter.PARAM_BOOLEAN,
    "PARAM_UINTEGER": plugin_parameter.PARAM_ZUINTEGER,
    "PARAM_INTEGER": plugin_parameter.PARAM_ZUINTEGER,
    "PARAM_ZINTEGER": plugin_parameter.PARAM_ZUINTEGER,
    "PARAM_ZUINTEGER_UNLIMITED": plugin_parameter.PARAM_ZUINTEGER,
    "PARAM_STRING_NOESCAPE": plugin_parameter.PARAM_STRING,
    "PARAM_OPTIONAL_FILENAME": plugin_parameter.PARAM_STRING,
    "PARAM_FILENAME": plugin_parameter.PARAM_STRING,
}
_NUMBERS = {
    "BP_NONE": 0,
    "BP_BREAKPOINT": 1,
    "BP_HARDWARE_BREAKPOINT": 2,
    "BP_WATCHPOINT": 3,
    "BP_HARDWARE_WATCHPOINT": 4,
    "BP_READ_WATCHPOINT": 5,
    "BP_ACCESS_WATCHPOINT": 6,
    "WP_READ": 1,
    "WP_WRITE": 2,
    "WP_ACCESS": 3,
    "NORMAL_FRAME": 0,
    "INLINE_FRAME": 1,
    "FRAME_UNWIND_NO_REASON": 0,
    "SYMBOL_UNDEF_DOMAIN": 0,
    "SYMBOL_VAR_DOMAIN": 1,
    "SYMBOL_STRUCT_DOMAIN": 2,
    "SYMBOL_FUNCTIONS_DOMAIN": 3,
    "SYMBOL_TYPES_DOMAIN": 4,
    "SYMBOL_LOC_COMPUTED": 15,
}


def install() -> None:
    """From now on ``import gdb`` gives the module, if no other has its name."""
    if "gdb" in sys.modules:
        return
    gdb = _module("gdb", f"GDB's Python interface, as far as zedbg {zedbg.__version__} has it.")
    gdb.__path__ = []  # a package, of the modules below
    for part in (gdb_errors, gdb_type, gdb_value, gdb_plugin, gdb_program, gdb_functions):
        _add(gdb, {name: vars(part)[name] for name in _public(part)})
    gdb.Symtab_and_line = gdb_program.SymtabAndLine  # type: ignore[attr-defined]
    constants = {
        name: value
        for module in (plugin_command, plugin_parameter)
        for name, value in vars(module).items()
        if name.startswith(("COMMAND_", "COMPLETE_", "PARAM_"))
    }
    for name, other in _COMMANDS.items():
        constants[f"COMMAND_{name}"] = constants[other]
    codes = {f"TYPE_CODE_{each.name}": each for each in gdb_type.TypeCode}
    _add(gdb, constants | _PARAMETERS | _NUMBERS | codes)
    _add(
        gdb,
        {
            "VERSION": "13.1",
            "HOST_CONFIG": "x86_64-linux-gnu",
            "TARGET_CONFIG": "intelgt-elf",
            "PYTHONDIR": "",
            "pretty_printers": gdb_plugin.Printers("pretty_printers"),
            "type_printers": gdb_plugin.Printers("type_printers"),
            "frame_filters": gdb_plugin.Printers("frame_filters"),
            "xmethods": [],
            "frame_unwinders": [],
            "current_objfile": lambda: None,
            "current_progspace": gdb_program.Progspace,
            "selected_inferior": gdb_program.Inferior,
            "inferiors": lambda: (gdb_program.Inferior(),),
            "progspaces": lambda: [gdb_program.Progspace()],
            "block_for_pc": lambda _pc: None,
            "lookup_static_symbol": gdb_program.lookup_global_symbol,
            "lookup_objfile": lambda name: gdb_program.Objfile(name),
            "solib_name": lambda _address: None,
            "print_options": dict,
            "ValuePrinter": type("ValuePrinter", (), {}),
            "string_to_argv": __import__("shlex").split,
        },
    )
    printing = _module("gdb.printing", "", gdb_plugin, _PRINTING)
    types = _module("gdb.types", "", gdb_plugin, _TYPES)
    _add(
        types,
        {
            "get_basic_type": gdb_plugin.basic_type,
            "get_type_recognizers": gdb_plugin.type_recognizers,
        },
    )
    events = _module("gdb.events", "", gdb_events, tuple(_public(gdb_events)))
    decorators = _module("gdb.FrameDecorator", "")
    decorators.FrameDecorator = FrameDecorator  # type: ignore[attr-defined]
    xmethod = _module("gdb.xmethod", "Functions of the program cannot be called: kept, not used.")
    for name in ("XMethod", "XMethodMatcher", "XMethodWorker"):
        setattr(xmethod, name, type(name, (_Unused,), {}))
    xmethod.register_xmethod_matcher = _ignore  # type: ignore[attr-defined]
    unwinder = _module("gdb.unwinder", "zedbg unwinds by itself: kept, not used.")
    unwinder.Unwinder = type("Unwinder", (_Unused,), {})  # type: ignore[attr-defined]
    unwinder.register_unwinder = _ignore  # type: ignore[attr-defined]
    _add(
        gdb,
        {name: vars(gdb_events)[name] for name in _public(gdb_events) if name.endswith("Event")},
    )
    for each in (printing, types, events, decorators, xmethod, unwinder):
        setattr(gdb, each.__name__.partition(".")[2], each)
        sys.modules[each.__name__] = each
    sys.modules["gdb"] = gdb


_PRINTING = (
    "PrettyPrinter",
    "SubPrettyPrinter",
    "RegexpCollectionPrettyPrinter",
    "FlagEnumerationPrinter",
    "register_pretty_printer",
)
_TYPES = (
    "has_field",
    "make_enum_dict",
    "deep_items",
    "TypePrinter",
    "register_type_printer",
    "apply_type_recognizers",
)


class _Unused:
    """What zedbg has no use for; scripts may derive from it and make it."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.enabled = True
        self.methods = None


def _ignore(*_arguments: object, **_options: object) -> None:
    """Nothing is done with what is registered."""


def _module(
    name: str, doc: str, source: ModuleType | None = None, names: tuple[str, ...] = ()
) -> ModuleType:
    module = ModuleType(name, doc or f"{name}, as far as zedbg has it.")
    if source is not None:
        _add(module, {each: vars(source)[each] for each in names})
    return module


def _add(module: ModuleType, names: dict[str, object]) -> None:
    vars(module).update(names)


def _public(module: ModuleType) -> list[str]:
    """The names that a module defines itself."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (
            isinstance(value, EventRegistry)
            or (isinstance(value, int) and name.isupper())
            or (isinstance(value, type | FunctionType) and value.__module__ == module.__name__)
        )
    ]
