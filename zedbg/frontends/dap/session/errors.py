"""Why a request is refused."""

from __future__ import annotations

from zedbg.user_error import UserError


class RequestError(UserError):
    """A request that cannot be carried out; the text is one line for the user. ``shown``: whether
    the client shows it at once, or only where the answer would be."""

    def __init__(self, text: str, *, shown: bool = False) -> None:
        super().__init__(text)
        self.shown = shown


class CancelledError(RequestError):
    """The client does not want the answer any more."""

    def __init__(self) -> None:
        super().__init__("cancelled")  # the word that the protocol has for it
