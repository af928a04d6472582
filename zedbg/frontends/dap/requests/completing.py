"""Completion in the debug console."""

from __future__ import annotations

from zedbg.commands.framework.completion import Suggestion, suggest, words
from zedbg.commands.framework.declaration import Kind
from zedbg.commands.framework.vocabulary import SessionVocabulary
from zedbg.frontends.dap.protocol.arguments import CompletionsArguments
from zedbg.frontends.dap.protocol.bodies import CompletionsBody
from zedbg.frontends.dap.protocol.types import CompletionItem
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.registry import Answer, Needs, request

_MOST = 200


@request(
    "completions",
    Needs.SESSION,
    supports_completions_request=True,
    completion_trigger_characters=[" ", "$"],
)
def completions(adapter: Adapter, arguments: CompletionsArguments) -> Answer:
    """Commands, and what they take: the program's names, threads, registers."""
    first = 1 if adapter.client.columns_start_at1 else 0
    lines = arguments.text.split("\n")
    line = lines[min(max(arguments.line - 1, 0), len(lines) - 1)]
    before = line[: max(arguments.column - first, 0)]
    context = adapter.console.context
    suggestion = suggest(before, context.registry)
    if " " not in before.strip():  # a command, or an expression
        suggestion = Suggestion(
            suggestion.prefix, (*suggestion.kinds, Kind.EXPRESSION), suggestion.words
        )
    with adapter.session.condition:
        vocabulary = SessionVocabulary(context)
        found = [] if adapter.runner.is_busy else words(suggestion, vocabulary)[:_MOST]
    start = len(before) - len(suggestion.prefix) + first
    length = len(suggestion.prefix)
    return CompletionsBody(
        targets=[CompletionItem(label=each, start=start, length=length) for each in found]
    )
