"""Expressions for commands: in the selected frame, with the value history and the user's names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from zedbg.commands.framework.allocation_names import AllocationNames
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.scopes import selected_scope
from zedbg.dwarf.types.program_types import Type
from zedbg.engine.threads.thread import HardwareThread
from zedbg.sycl.kernel_names import demangled
from zedbg.values.expressions import api
from zedbg.values.expressions.printf import parse_printf
from zedbg.values.formats.formatting import FormatOptions, Symbolizer, type_name
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.value import LaneValues, Value

_KEPT_OPTIONS = 16  # letters of formats


def expression_context(context: CommandContext) -> ThreadContext:
    """What an expression sees: the selected frame of the focused thread; without one constants and
    the user's names only."""
    return selected_scope(context.session, context.frame_level)


def evaluate_lanes(
    context: CommandContext, text: str, lanes: list[int] | None = None
) -> LaneValues:
    """The value of ``text`` in ``lanes``, in the focused lane without; EvaluationError if none."""
    within = expression_context(context)
    return api.evaluate(text, within, lanes)


def printf_text(context: CommandContext, text: str) -> str:
    """What C's printf makes of ``"FORMAT", EXPRESSION...`` in the focused lane; EvaluationError."""
    format_, arguments = parse_printf(text)
    return format_.text([evaluate_lanes(context, each).first for each in arguments])


def format_options(
    context: CommandContext, letter: str = "", thread: HardwareThread | None = None
) -> FormatOptions:
    """How values of ``thread`` (None: the focused one) are printed in the format ``letter``, as the
    settings say; ``r``: without the pretty-printers of plugins."""
    if thread is not None:
        return _options(context, letter, thread)
    hooks = context.hooks
    return context.kept(_options_once)(letter, context.settings.changes, bool(hooks.printers))


def _options_once(context: CommandContext) -> Callable[[str, int, bool], FormatOptions]:
    """Those of the focused thread, by letter, until settings or printers are others: each command
    that shows a value asks for them."""
    return lru_cache(_KEPT_OPTIONS)(lambda letter, _changes, _prints: _options(context, letter))


def _options(
    context: CommandContext, letter: str, thread: HardwareThread | None = None
) -> FormatOptions:
    raw, letter = "r" in letter, letter.replace("r", "", 1)
    settings = context.settings
    return FormatOptions(
        letter,
        settings.number("print elements"),
        settings.number("print repeats"),
        _namer(context, thread) if settings.is_on("print symbol") else None,
        settings.is_on("print pretty"),
        printer=context.hooks.printed if context.hooks.printers and not raw else None,
    )


def module_namer(context: CommandContext) -> Symbolizer | None:
    """What names addresses in modules, where the settings want names."""
    if not context.settings.is_on("print symbol"):
        return None
    return lambda address: symbol_text(context, address)


def _namer(context: CommandContext, thread: HardwareThread | None) -> Symbolizer:
    """What names addresses in values: of modules, and of memory that the program allocated."""

    def name(address: int) -> str | None:
        focus = context.session.focus
        owner = focus.thread if thread is None and focus is not None else thread
        names = context.kept(AllocationNames)
        return symbol_text(context, address) or names.symbol(address, owner)

    return name


def shown_type(context: CommandContext, value_type: Type) -> str:
    """The name of a type, as the type printers of plugins have it."""
    return context.hooks.type_name(value_type, type_name(value_type))


def symbol_text(context: CommandContext, address: int) -> str | None:
    """``<blur+16>`` for an address in the code or data of a loaded module, None for others."""
    for module in (each for device in context.session.devices for each in device.modules):
        owner = module.owner_at(address)
        if owner is None:
            continue
        name, offset = owner.section.name, owner.offset
        if owner.symbol is not None:
            name = owner.symbol.name
        if owner.kernel is not None:
            name = demangled(module.locate(address).function or owner.kernel)
            bounds = module.function_range_at(address)
            offset = offset if bounds is None else address - bounds[0]
        return f"<{name}+{offset}>" if offset else f"<{name}>"
    return None


def remember(context: CommandContext, value: Value) -> int:
    """Puts a value into the history; its number N, as in ``$N``."""
    return context.session.variables.remember(value)
