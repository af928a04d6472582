"""What zedbg can do, as the answer to ``initialize``."""

from __future__ import annotations

import msgspec

from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.protocol.types import ColumnDescriptor, ExceptionFilter


class Capabilities(Message):
    """Each is stated beside the request that it is about, with ``@request``."""

    supports_configuration_done_request: bool = False
    supports_function_breakpoints: bool = False
    supports_conditional_breakpoints: bool = False
    supports_hit_conditional_breakpoints: bool = False
    supports_evaluate_for_hovers: bool = False
    exception_breakpoint_filters: list[ExceptionFilter] = msgspec.field(default_factory=list)
    supports_step_back: bool = False  # said when the devices are known
    supports_set_variable: bool = False
    supports_goto_targets_request: bool = False
    supports_step_in_targets_request: bool = False
    supports_completions_request: bool = False
    completion_trigger_characters: list[str] = msgspec.field(default_factory=list)
    supports_modules_request: bool = False
    additional_module_columns: list[ColumnDescriptor] = msgspec.field(default_factory=list)
    supports_restart_request: bool = False
    supports_value_formatting_options: bool = False
    supports_exception_info_request: bool = False
    support_terminate_debuggee: bool = False
    supports_delayed_stack_trace_loading: bool = False
    supports_loaded_sources_request: bool = False
    supports_log_points: bool = False
    supports_set_expression: bool = False
    supports_terminate_request: bool = False
    supports_data_breakpoints: bool = False
    supports_data_breakpoint_bytes: bool = False
    supports_read_memory_request: bool = False
    supports_write_memory_request: bool = False
    supports_disassemble_request: bool = False
    supports_cancel_request: bool = False
    supports_breakpoint_locations_request: bool = False
    supports_clipboard_context: bool = False
    supports_stepping_granularity: bool = False
    supports_instruction_breakpoints: bool = False
    supports_exception_filter_options: bool = False
    supports_single_thread_execution_requests: bool = False


NAMES = frozenset(each.name for each in msgspec.structs.fields(Capabilities))
