"""Thousands of stopped threads: for users without a row for each, for scripts with all."""

from __future__ import annotations

from zedbg.commands.rows.events import StopEvent
from zedbg.commands.rows.stopped_threads import StoppedThreadRow, StoppedThreadRows
from zedbg.frontends.text.text_events import render_event

COUNT = 64


def row(number: int) -> StoppedThreadRow:
    return StoppedThreadRow(f"1.{number + 1}", f"ZE {number}.0.0.0", (number // 2, 0, 0), (0, 1))


class Crowd:
    """Threads of a stop that count how often their rows are made."""

    def __init__(self) -> None:
        self.made = 0
        groups = frozenset((number // 2, 0, 0) for number in range(COUNT))
        self.threads = StoppedThreadRows(COUNT, row(0), groups, self._rows)

    def _rows(self) -> tuple[StoppedThreadRow, ...]:
        self.made += 1
        return tuple(map(row, range(COUNT)))

    def stop(self) -> StopEvent:
        return StopEvent(
            reason="breakpoint",
            breakpoint=1,
            kernel="k",
            file="k.cl",
            line=3,
            pc=0x1000,
            threads=self.threads,
        )


def test_text_names_the_first_and_counts_the_others_without_their_rows():
    crowd = Crowd()
    assert render_event(crowd.stop()) == [
        "Thread 1.1 hit Breakpoint 1, with lanes [0-1]"
        "  [64 threads, 32 work-groups (0,0,0)-(31,0,0)]"
    ]
    assert not crowd.made


def test_scripts_get_every_thread():
    crowd = Crowd()
    threads = crowd.stop().to_json()["threads"]
    assert [each["id"] for each in threads] == [f"1.{number + 1}" for number in range(COUNT)]
    assert threads[5] == row(5).to_json()
    assert len(crowd.threads) == len(threads)
    assert crowd.made == 1
