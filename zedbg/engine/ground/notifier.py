"""Events that happen while no caller waits for them, as typed objects in a queue."""

from __future__ import annotations

import queue
from dataclasses import dataclass
from enum import Enum


class Notification:
    """Base of all that a session reports by itself: messages here, the rest beside the things that
    it is about (see :mod:`zedbg.engine.events.notifications`)."""


class Severity(Enum):
    """How serious a message is."""

    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Message(Notification):
    """A line for the user."""

    text: str
    severity: Severity = Severity.INFORMATION


class Subscription:
    """A queue of notifications for one front end."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Notification | None] = queue.SimpleQueue()

    def put(self, notification: Notification) -> None:
        """Called by the engine."""
        self._queue.put(notification)

    def close(self) -> None:
        """Nothing comes any more; a wait for it gives None."""
        self._queue.put(None)

    def get(self, timeout: float | None = None) -> Notification | None:
        """The next notification; None when none came within ``timeout`` seconds, or none will."""
        try:
            return self._queue.get(timeout=timeout)
        except queue.Empty:
            return None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is there."""
        return self._queue.empty()

    def drain(self) -> list[Notification]:
        """All that are there now, oldest first."""
        found: list[Notification] = []
        while True:
            try:
                one = self._queue.get_nowait()
            except queue.Empty:
                return found
            if one is None:
                self._queue.put(None)  # for those that wait
                return found
            found.append(one)


class Notifier:
    """Gives each subscription all notifications."""

    def __init__(self) -> None:
        self._subscriptions: list[Subscription] = []

    def subscribe(self) -> Subscription:
        """A queue that gets everything that happens from now on."""
        subscription = Subscription()
        self._subscriptions.append(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends it: nothing comes any more, and a wait for it ends."""
        self._subscriptions.remove(subscription)
        subscription.close()

    def notify(self, notification: Notification) -> None:
        """Puts ``notification`` in the queue of every subscription."""
        for subscription in self._subscriptions:
            subscription.put(notification)
