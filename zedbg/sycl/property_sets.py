"""The property sets of one device image: every property typed, kept raw, or said to be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from zedbg.sycl.aspects import Aspect, AspectNumbering
from zedbg.sycl.property_table import PropertyRow, SetName, row_for
from zedbg.sycl.property_values import (
    DeviceLibraries,
    EliminatedArguments,
    PropertyValue,
    SpecializationConstant,
    SpecializationConstantDescriptor,
)
from zedbg.sycl.raw_property import PropertyError, PropertyType, RawProperty
from zedbg.zebin.file_errors import printable

# Compilers put the default values of all constants of an image into one property of this name.
_ALL_DEFAULTS = "all"


@dataclass(frozen=True)
class PropertyProblem:
    """A property that is not what it is documented to be."""

    set_name: str
    name: str
    offset: int  # of the property in its file, bytes
    what: str  # what was expected, and what was found

    def __str__(self) -> str:
        return printable(f"[{self.set_name}] {self.name} at byte {self.offset:#x}: {self.what}")


@dataclass(frozen=True, slots=True)
class Property:
    """One property: its typed ``value``, or None when nothing is known of it or it is wrong."""

    raw: RawProperty
    row: PropertyRow | None  # what the documentation says; None when it does not know it
    value: PropertyValue | None
    problem: PropertyProblem | None

    @property
    def name(self) -> str:
        """The key."""
        return self.raw.name


@dataclass(frozen=True)
class RawSet:
    """A set as stored."""

    name: str
    properties: Sequence[RawProperty]


class PropertySet(Mapping[str, Property]):
    """The properties of one set by name, in stored order; each is decoded when it is asked for."""

    def __init__(self, raw: RawSet, numbering: AspectNumbering) -> None:
        """Of properties with the same name, the last one counts."""
        self.name = raw.name
        self._numbering = numbering
        self._stored = {stored.name: stored for stored in raw.properties}

    def __getitem__(self, name: str) -> Property:
        return _decoded(self.name, self._stored[name], self._numbering)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)

    def value(self, name: str) -> PropertyValue | None:
        """The typed value of the property ``name``; None when it is missing, unknown or wrong."""
        return self[name].value if name in self._stored else None

    @property
    def problems(self) -> list[PropertyProblem]:
        """The properties of the set that are not what they should be."""
        return [found.problem for found in self.values() if found.problem is not None]


class PropertySets(Mapping[str, PropertySet]):
    """All property sets of one device image by name, known or not, in stored order."""

    def __init__(
        self,
        raw: Sequence[RawSet],
        numbering: AspectNumbering = AspectNumbering.LIBSYCL_9,
    ) -> None:
        """``numbering`` says which runtime's numbers the image's aspects are."""
        self.raw = tuple(raw)
        self._sets = {stored.name: PropertySet(stored, numbering) for stored in raw}

    def __getitem__(self, name: str) -> PropertySet:
        return self._sets[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sets)

    def __len__(self) -> int:
        return len(self._sets)

    def value(self, set_name: str, name: str) -> PropertyValue | None:
        """The typed value of one property; None when it is missing, unknown or wrong."""
        found = self._sets.get(set_name)
        return None if found is None else found.value(name)

    @property
    def problems(self) -> list[PropertyProblem]:
        """Everything in the sets that is not what it is documented to be."""
        return [problem for found in self._sets.values() for problem in found.problems]

    def eliminated_arguments(self, kernel: str) -> EliminatedArguments | None:
        """The removed arguments of ``kernel``; None when the image says nothing: all remain."""
        value = self.value(SetName.KERNEL_PARAM_OPT, kernel)
        return value if isinstance(value, EliminatedArguments) else None

    def implicit_local_argument(self, kernel: str) -> int | None:
        """Index of the implicit local memory argument of ``kernel``; None when it has none."""
        value = self.value(SetName.IMPLICIT_LOCAL_ARG, kernel)
        return value if isinstance(value, int) else None

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """What a device must have to run the image."""
        value = self.value(SetName.DEVICE_REQUIREMENTS, "aspects")
        if not isinstance(value, tuple):
            return ()
        return tuple(item for item in value if isinstance(item, Aspect))

    @property
    def device_libraries(self) -> DeviceLibraries:
        """The device libraries that the image uses."""
        value = self.value(SetName.DEVICE_LIBRARIES, "DeviceLibReqMask")
        return value if isinstance(value, DeviceLibraries) else DeviceLibraries(0)

    @property
    def is_esimd(self) -> bool:
        """Whether the image holds explicit SIMD kernels."""
        return self.value(SetName.MISC, "isEsimdImage") is True

    @property
    def exported_symbols(self) -> tuple[str, ...]:
        """Names that other images can link to."""
        return self._names_set_to_true(SetName.EXPORTED_SYMBOLS)

    @property
    def imported_symbols(self) -> tuple[str, ...]:
        """Names that the image needs from other images."""
        return self._names_set_to_true(SetName.IMPORTED_SYMBOLS)

    @property
    def kernels_using_assert(self) -> tuple[str, ...]:
        """Kernels that can fail an assertion."""
        return self._names_set_to_true(SetName.ASSERT_USED)

    def _names_set_to_true(self, set_name: str) -> tuple[str, ...]:
        found = self._sets.get(set_name)
        if found is None:
            return ()
        return tuple(name for name in found if found.value(name) is True)

    @cached_property
    def specialization_constants(self) -> tuple[SpecializationConstant, ...]:
        """The specialization constants in stored order, each with its default value.

        The defaults of all are one block of bytes. The scalars lie in it in the order of their
        descriptors, a composite's at their offsets within it.
        """
        descriptors = self._sets.get(SetName.SPECIALIZATION_CONSTANTS)
        if descriptors is None:
            return ()
        block = self.value(SetName.SPECIALIZATION_DEFAULTS, _ALL_DEFAULTS)
        constants = []
        position = 0
        for name in descriptors:
            value = descriptors.value(name)
            if not isinstance(value, SpecializationConstantDescriptor):
                continue
            constant = SpecializationConstant(name, value.elements, None, position)
            position += constant.size
            own = self.value(SetName.SPECIALIZATION_DEFAULTS, name)
            default: bytes | None = None
            if isinstance(own, bytes):
                default = own
            elif isinstance(block, bytes) and position <= len(block):
                default = block[constant.offset : position]
            constants.append(replace(constant, default=default))
        return tuple(constants)


def _decoded(set_name: str, raw: RawProperty, numbering: AspectNumbering) -> Property:
    row = row_for(set_name, raw.name)
    if row is None:
        return Property(raw, None, None, None)
    try:
        if not row.accepts(raw.type):
            raise PropertyError(f"expected a {row.type.words}, found {_words(raw.type)}")
        return Property(raw, row, row.decoder(raw, numbering), None)
    except PropertyError as error:
        problem = PropertyProblem(set_name, raw.name, raw.offset, str(error))
        return Property(raw, row, None, problem)


def _words(stored_type: int) -> str:
    try:
        return f"a {PropertyType(stored_type).words}"
    except ValueError:
        return f"type {stored_type}"
