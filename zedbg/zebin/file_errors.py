"""The errors of reading files with device code; each message is one line for the user."""

from __future__ import annotations

from zedbg.user_error import UserError


class FileError(UserError, ValueError):
    """A file that cannot be read, or that has not what is asked of it."""

    def __init__(
        self,
        source: str,
        problem: str,
        offset: int | None = None,
        *,
        expected: str = "",
        part: str = "",
    ) -> None:
        """``source`` is the file's name, or that of a part of it.

        ``offset`` is the byte of the file at which the problem lies, if it lies at one; ``part``
        says in the format's own words where it lies, as ``.ze_info line 3: kernel f`` does.
        ``expected`` is what a sound file has there, and nothing when the file is sound.
        """
        within = f"{part}: " if part else ""
        where = "" if offset is None else f" at byte {offset:#x}"
        instead = f", expected {expected}" if expected else ""
        #: The message without the name of the file.
        self.explanation = printable(f"{within}{problem}{where}{instead}")
        super().__init__(printable(f"{source}: ") + self.explanation)
        self.source = source
        self.problem = problem
        self.offset = offset
        self.expected = expected
        self.part = part

    @property
    def explains_itself(self) -> bool:
        """Whether it says where the file is damaged, and what was expected there."""
        return bool(self.expected) and (self.offset is not None or bool(self.part))


class ZebinError(FileError):
    """A native module that cannot be read, or a file that should be one."""


class OtherFormatError(ZebinError):
    """A file that is of no, or another, format than the one that is needed."""

    def __init__(self, source: str, problem: str) -> None:
        """``problem`` says what the file is instead of what, and what to do with it."""
        super().__init__(source, problem)

    @property
    def explains_itself(self) -> bool:
        """Always: the file as a whole is not what was expected."""
        return True


class NotInFileError(ZebinError):
    """A question to which a sound file has no answer; the message says what to ask instead."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(source, problem)

    @property
    def explains_itself(self) -> bool:
        """Always: nothing is damaged."""
        return True


def printable(line: str) -> str:
    """``line`` with what a terminal would act upon written as escapes: names come from files."""
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in line
    )
