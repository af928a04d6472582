"""A work-group that nothing but the SPIR-V computes: what recomputation asks a stopped one for."""

from __future__ import annotations

from zedbg.spirv.module.operations import BuiltIn


class OneWorkGroup:
    """A launch of one work-group of ``count`` work-items in a row; with ``number`` one of these.
    Classes of tests add what it was passed, what memory has, and its items."""

    def __init__(self, count, number=None):
        self.count = count
        self._number = number

    def built_in(self, which):
        if which in (BuiltIn.LOCAL_INVOCATION_ID, BuiltIn.GLOBAL_INVOCATION_ID):
            ids = [(number, 0, 0) for number in range(self.count)]
            return ids if self._number is None else ids[self._number]
        return self.count, 1, 1

    def identity(self, arguments):
        return None

    def may_share_memory(self, address, other):
        return False

    def before(self, number):
        return None

    def held(self, number, kernel):
        return None
