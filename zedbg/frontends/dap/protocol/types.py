"""What requests, responses and events have in common."""

from __future__ import annotations

from zedbg.frontends.dap.protocol.message import Message


class Source(Message):
    """A file, or with ``source_reference`` a text that zedbg has."""

    name: str | None = None
    path: str | None = None
    source_reference: int | None = None
    presentation_hint: str | None = None
    origin: str | None = None


class ValueFormat(Message):
    """How values are to be written."""

    hex: bool = False


class Breakpoint(Message):
    """A breakpoint as it is: ``verified`` when it is in place, else ``message`` says why not."""

    verified: bool
    id: int | None = None
    message: str | None = None
    source: Source | None = None
    line: int | None = None
    column: int | None = None
    instruction_reference: str | None = None
    reason: str | None = None


class BreakpointLocation(Message):
    """A line at which a breakpoint can be."""

    line: int


class Thread(Message):
    """A thread, by the number that clients name it by."""

    id: int
    name: str


class StackFrame(Message):
    """A call frame; ``line`` and ``column`` are 0 without a source."""

    id: int
    name: str
    line: int
    column: int
    source: Source | None = None
    instruction_pointer_reference: str | None = None
    module_id: int | None = None
    presentation_hint: str | None = None


class Scope(Message):
    """A group of variables of a frame."""

    name: str
    variables_reference: int
    expensive: bool
    presentation_hint: str | None = None
    named_variables: int | None = None
    indexed_variables: int | None = None


class PresentationHint(Message):
    """How a variable is to be shown."""

    kind: str | None = None
    attributes: list[str] | None = None
    lazy: bool | None = None


class Variable(Message):
    """A variable, or a part of one; those with parts have a reference to ask for them by."""

    name: str
    value: str
    variables_reference: int
    type: str | None = None
    presentation_hint: PresentationHint | None = None
    evaluate_name: str | None = None
    named_variables: int | None = None
    indexed_variables: int | None = None
    memory_reference: str | None = None


class Module(Message):
    """Code that is loaded on a device; ``kernels`` and ``device`` are columns of zedbg's own."""

    id: int
    name: str
    path: str | None = None
    is_optimized: bool | None = None
    version: str | None = None
    symbol_status: str | None = None
    address_range: str | None = None
    kernels: str | None = None
    device: str | None = None


class Instruction(Message):
    """A disassembled instruction; ``invalid`` ones fill the places where there is no code."""

    address: str
    instruction: str
    instruction_bytes: str | None = None
    symbol: str | None = None
    location: Source | None = None
    line: int | None = None
    column: int | None = None
    presentation_hint: str | None = None


class StepInTarget(Message):
    """A call that a step may go into."""

    id: int
    label: str
    line: int | None = None


class GotoTarget(Message):
    """A place where a thread may go on instead."""

    id: int
    label: str
    line: int
    instruction_pointer_reference: str | None = None


class CompletionItem(Message):
    """A word that completes a line."""

    label: str
    text: str | None = None
    start: int | None = None
    length: int | None = None


class ExceptionDetails(Message):
    """More of an exception."""

    message: str | None = None
    type_name: str | None = None
    stack_trace: str | None = None


class ExceptionFilter(Message):
    """Something that stops a program and is no place in code."""

    filter: str
    label: str
    description: str | None = None
    default: bool = False
    supports_condition: bool = False
    condition_description: str | None = None


class ColumnDescriptor(Message):
    """A column of the list of modules that is not of the protocol."""

    attribute_name: str
    label: str
    type: str
