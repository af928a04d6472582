"""What a work-item is given from outside of the code: arguments, ids, and memory that stays."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.instructions import Function
from zedbg.spirv.module.operations import BuiltIn, Storage
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, whole
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation, KnownValues
from zedbg.spirv.work_item.unwritten_memory import may_overlap

# Generic pointers say in bits 63:61 where they point; 000 and 111 are ordinary addresses.
_TAG_SHIFT, _ORDINARY = 61, (0, 7)
_OF_ANY = "it is not the same for all work-items"


class WorkItem(Protocol):
    """What is known of a work-item from outside of the code. Each raises UnknownValue."""

    def argument(self, index: int, size: int) -> bytes:
        """The bytes that the host passed for a kernel's parameter."""

    def built_in(self, which: int) -> tuple[int, int, int]:
        """A :class:`BuiltIn` of three components."""

    def load(self, address: int, size: int) -> bytes:
        """Bytes of global memory."""

    def may_share_memory(self, address: int, other: int) -> bool:
        """Whether both may lie in the same memory that the host allocated."""


class AnyItem:
    """Any work-item: what can be computed of it is the same for all."""

    def argument(self, index: int, size: int) -> bytes:
        """Of a launch that is not known: raises UnknownValue."""
        raise UnknownValue(_OF_ANY)

    def built_in(self, which: int) -> tuple[int, int, int]:
        """Of none in particular: raises UnknownValue."""
        raise UnknownValue(_OF_ANY)

    def load(self, address: int, size: int) -> bytes:
        """Of memory that is not known: raises UnknownValue."""
        raise UnknownValue(_OF_ANY)

    def may_share_memory(self, address: int, other: int) -> bool:
        """Whatever the host allocated."""
        return True


class GivenValues:
    """Of ``item``, a work-item of a launch of ``kernel``. ``is_called``: that is a function which a
    kernel calls, whose arguments are not known."""

    def __init__(
        self,
        model: Model,
        kernel: Function,
        item: WorkItem,
        is_called: bool = False,
        known: KnownValues | None = None,
    ) -> None:
        self._model = model
        self._code = model.code
        self._kernel = kernel
        self._item = item
        self._arguments: dict[int, Value | Place] = {}
        count = len(kernel.parameters)
        #: The call of the kernel.
        self.outermost = Activation(
            kernel,
            [_passed if is_called else partial(self._argument, i) for i in range(count)],
            [None if is_called else frozenset({index}) for index in range(count)],
            known=KnownValues() if known is None else known,
        )

    def _argument(self, index: int) -> Value | Place:
        if index not in self._arguments:
            self._arguments[index] = self._decoded(index)
        return self._arguments[index]

    def _decoded(self, index: int) -> Value | Place:
        parameter = self._kernel.parameters[index]
        kind = self._code.type_of.get(parameter)
        if kind is None or not kind.size:
            raise UnknownValue("the type of the argument is not known")
        if kind.kind is Kind.POINTER and kind.storage == Storage.FUNCTION:
            return Place(parameter)  # a structure that is passed by value
        return kind.decode(self._item.argument(index, kind.size))

    def passed_bytes(self, parameter: int, start: int, size: int) -> bytes:
        """``size`` bytes, from one on, of a structure that is passed to the kernel by value. Raises
        UnknownValue."""
        kind = self._code.type_of[parameter].members[0]
        if not 0 <= start <= kind.size - size:
            raise UnknownValue("the program reads outside of a variable")
        index = self._kernel.parameters.index(parameter)
        return self._item.argument(index, kind.size)[start : start + size]

    def roots(self, call: Activation, pointer: int) -> frozenset[int] | None:
        """The kernel's parameters that ``pointer`` may point into; None: that is not known."""
        own = self._model.provenance.roots(call.function, pointer)
        found = [self._parameters(call, each) for each in own or ()]
        if own is None or None in found:
            return None
        return frozenset[int]().union(*(each for each in found if each is not None))

    def _parameters(self, call: Activation, root: int) -> frozenset[int] | None:
        """The same of a root."""
        if root in call.function.parameters:
            return call.roots[call.function.parameters.index(root)]
        kept = self._model.provenance.parameters(self._kernel, [root])
        if kept is None or any(self.outermost.roots[each] is None for each in kept):
            return None
        return kept

    def sharing(self, call: Activation, pointer: int) -> frozenset[int]:
        """The kernel's parameters that may point to the memory that ``pointer`` points to: those
        that it may point into, and those through which the kernel writes that may lead there, too.
        Raises UnknownValue."""
        roots = self.roots(call, pointer)
        written = self._model.provenance.written_parameters(self._kernel)
        if roots is None or written is None:
            raise UnknownValue("it is loaded from memory that the kernel may write to")
        arguments = self.outermost.arguments
        return roots | {
            other
            for other in written - roots
            if any(self._may_overlap(arguments[one](), arguments[other]()) for one in roots)
        }

    def loaded(self, call: Activation, pointer: int, address: int, kind: Type) -> Value:
        """What lies at ``address``, which is what ``pointer`` of ``call`` is. Raises UnknownValue,
        also where the kernel may have changed it."""
        if not kind.size:
            raise UnknownValue("what is loaded has no size")
        return kind.decode(self.bytes_at(call, pointer, address, kind.size))

    def bytes_at(self, call: Activation, pointer: int, address: int, size: int) -> bytes:
        """As :meth:`loaded`: ``size`` bytes."""
        if self.roots(call, pointer) is None:
            self._require_elsewhere(pointer, address)
        else:
            self.require_constant(call, pointer)
        return self.memory(address, size)

    def memory(self, address: int, size: int) -> bytes:
        """Bytes of global memory, as they are now. Raises UnknownValue."""
        return self._item.load(address, size)

    def _require_elsewhere(self, pointer: int, address: int) -> None:
        """Raises UnknownValue if the kernel may write to the memory that has ``address``, which
        ``pointer`` is: nothing is known of what that may point into."""
        written = self._model.provenance.written_parameters(self._kernel)
        storage = self._code.type_of[pointer].storage
        is_global = storage == Storage.CROSS_WORKGROUP or (
            storage == Storage.GENERIC and address >> _TAG_SHIFT in _ORDINARY
        )
        if written is None or not is_global:
            raise UnknownValue("it is loaded from memory that the kernel may write to")
        arguments = self.outermost.arguments
        # An address that is not aligned is not taken for the begin of a buffer of its own.
        if any(self._may_overlap(address | 1, arguments[each]()) for each in sorted(written)):
            raise UnknownValue("it is loaded from memory that the kernel writes to")

    def require_constant(self, call: Activation, pointer: int) -> None:
        """Raises UnknownValue if the kernel may write to what ``pointer`` points to."""
        if self._code.type_of[pointer].storage == Storage.UNIFORM_CONSTANT:
            return
        arguments = self.outermost.arguments
        pairs = may_overlap(self._model, self._kernel, self.roots(call, pointer))
        if any(self._may_overlap(arguments[one](), arguments[other]()) for one, other in pairs):
            raise UnknownValue("it is loaded from memory that the kernel writes to")

    def _may_overlap(self, pointer: Value | Place, other: Value | Place) -> bool:
        if isinstance(pointer, Place) or isinstance(other, Place) or pointer == other:
            return True
        return self._item.may_share_memory(whole(pointer), whole(other))

    def of_variable(self, place: Place, kind: Type) -> Value:
        """What lies in a variable outside of functions. Raises UnknownValue."""
        built_in = self._code.built_ins.get(place.variable)
        if built_in is not None:
            linear = self._linear_id(built_in)
            if linear is not None:
                return linear
            numbers = self._item.built_in(built_in)
            if kind.kind is Kind.VECTOR and kind.count == 3 and not place.offset:
                return numbers
            index, rest = divmod(place.offset, kind.size or 1)
            if not rest and index < len(numbers):
                return numbers[index]
        if self._code.storage.get(place.variable) == Storage.UNIFORM_CONSTANT:
            data = self._model.initial_bytes(place.variable)
            if data is not None and 0 <= place.offset <= len(data) - kind.size:
                return kind.decode(data[place.offset :])
        raise UnknownValue("it is loaded from memory that the kernel may write to")

    def _linear_id(self, which: int) -> int | None:
        """The number of the work-item in its group, or in the launch; None: that is not asked for.
        Raises UnknownValue."""
        if which == BuiltIn.LOCAL_INVOCATION_INDEX:
            own = self._item.built_in(BuiltIn.LOCAL_INVOCATION_ID)
            size = self._item.built_in(BuiltIn.WORKGROUP_SIZE)
            first = 0, 0, 0
        elif which == BuiltIn.GLOBAL_LINEAR_ID:
            own = self._item.built_in(BuiltIn.GLOBAL_INVOCATION_ID)
            size = self._item.built_in(BuiltIn.GLOBAL_SIZE)
            first = self._item.built_in(BuiltIn.GLOBAL_OFFSET)
        else:
            return None
        x, y, z = (a - b for a, b in zip(own, first, strict=True))
        return (z * size[1] + y) * size[0] + x


def _passed() -> Value:
    raise UnknownValue("it depends on what was passed in a call")
