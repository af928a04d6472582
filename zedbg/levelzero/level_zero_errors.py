"""One exception class per result code: what was attempted, on what, and what the user can do."""

# Exceptions are named as the result codes they stand for.

from __future__ import annotations

from zedbg.levelzero.enums import Result
from zedbg.user_error import UserError


class LevelZeroError(UserError):
    """A call failed. The text is one line that a user can act on.

    ``result`` is the code (an int when the driver gave one that the specification does not know),
    ``attempted`` what was being done in plain words, ``subject`` the device, thread or address.
    """

    advice = "the driver gave no further reason"

    def __init__(self, result: int, attempted: str, subject: str = "") -> None:
        self.result = result
        self.attempted = attempted
        self.subject = subject
        super().__init__(result, attempted, subject)

    def __str__(self) -> str:
        # When it is asked for: looking for stopped threads is refused for each of the others.
        on = f" ({self.subject})" if self.subject else ""
        return f"cannot {self.attempted}{on}: {result_name(self.result)}: {self.advice}"


class LoaderMissing(UserError):
    """The Level Zero loader library cannot be opened. The text names the package to install."""


class LoaderTooOld(UserError):
    """The loader lacks an entry point that zedbg needs."""


class NoDebuggableDevice(UserError):
    """No driver offers a device that can be debugged."""


class NotReady(LevelZeroError):
    advice = "not yet; try again a little later"


class DeviceLost(LevelZeroError):
    advice = "the device hung, was reset, or the program under debug ended"


class OutOfHostMemory(LevelZeroError):
    advice = "the host is out of memory"


class OutOfDeviceMemory(LevelZeroError):
    advice = "the device is out of memory; use smaller buffers"


class ModuleBuildFailure(LevelZeroError):
    advice = "the driver could not build the module; see the build log"


class ModuleLinkFailure(LevelZeroError):
    advice = "the modules do not link; see the link log"


class DeviceRequiresReset(LevelZeroError):
    advice = "the device must be reset"


class DeviceInLowPowerState(LevelZeroError):
    advice = "the device sleeps; use it once, then try again"


class DeviceIsNotVertex(LevelZeroError):
    advice = "the device is no part of a fabric"


class VertexIsNotDevice(LevelZeroError):
    advice = "this part of the fabric is no device"


class RemoteDevice(LevelZeroError):
    advice = "the device belongs to another machine"


class UnsupportedImageFormat(LevelZeroError):
    advice = "the device does not support this image format"


class InsufficientPermissions(LevelZeroError):
    advice = "permission denied; run as the user that owns the program"


class NotAvailable(LevelZeroError):
    advice = "not available now: not stopped, in use by another debugger, or gone"


class AlreadyAttached(NotAvailable):
    """This very process has a session: the driver would give its handle out a second time."""

    advice = "this process debugs it already; detach the other session first"


class DependencyUnavailable(LevelZeroError):
    advice = "a library that the driver needs is missing"


class Uninitialized(LevelZeroError):
    advice = "no driver could be initialised; check the installation of the GPU driver"


class UnsupportedVersion(LevelZeroError):
    advice = "the driver and the loader (or its layers) are of versions that do not match"


class UnsupportedFeature(LevelZeroError):
    advice = "the device does not offer this"


class InvalidArgument(LevelZeroError):
    advice = "an argument is out of range"


class InvalidNullHandle(LevelZeroError):
    advice = "the object does not exist (any more)"


class HandleObjectInUse(LevelZeroError):
    advice = "the object is still in use by the device"


class InvalidNullPointer(LevelZeroError):
    advice = "a required argument was not given"


class InvalidSize(LevelZeroError):
    advice = "the size is not valid"


class UnsupportedSize(LevelZeroError):
    advice = "the device does not support this size"


class UnsupportedAlignment(LevelZeroError):
    advice = "the device does not support this alignment"


class InvalidSynchronizationObject(LevelZeroError):
    advice = "the fence or event is in a state that does not allow it"


class InvalidEnumeration(LevelZeroError):
    advice = "the driver does not know this kind"


class UnsupportedEnumeration(LevelZeroError):
    advice = "the device does not support this kind"


class InvalidNativeBinary(LevelZeroError):
    advice = "the module is damaged, or was compiled for another device"


class InvalidGlobalName(LevelZeroError):
    advice = "the module has no such global variable"


class InvalidKernelName(LevelZeroError):
    advice = "the module has no such kernel"


class InvalidFunctionName(LevelZeroError):
    advice = "the module has no such function"


class InvalidGroupSize(LevelZeroError):
    advice = "the work-group size does not suit the kernel or the device"


class InvalidGlobalWidth(LevelZeroError):
    advice = "the number of work-items does not suit the kernel or the device"


class InvalidKernelArgumentIndex(LevelZeroError):
    advice = "the kernel has fewer arguments"


class InvalidKernelArgumentSize(LevelZeroError):
    advice = "the argument has another size in the kernel"


class InvalidKernelAttribute(LevelZeroError):
    advice = "the attribute value does not suit the kernel or the device"


class InvalidModuleUnlinked(LevelZeroError):
    advice = "the module imports symbols: link it first"


class InvalidCommandListType(LevelZeroError):
    advice = "the command list is of another type than the queue"


class OverlappingRegions(LevelZeroError):
    advice = "source and destination overlap"


class UnknownError(LevelZeroError):
    advice = "the driver gives no reason; often an address is not mapped"


CLASS_OF: dict[Result, type[LevelZeroError]] = {
    Result.NOT_READY: NotReady,
    Result.ERROR_DEVICE_LOST: DeviceLost,
    Result.ERROR_OUT_OF_HOST_MEMORY: OutOfHostMemory,
    Result.ERROR_OUT_OF_DEVICE_MEMORY: OutOfDeviceMemory,
    Result.ERROR_MODULE_BUILD_FAILURE: ModuleBuildFailure,
    Result.ERROR_MODULE_LINK_FAILURE: ModuleLinkFailure,
    Result.ERROR_DEVICE_REQUIRES_RESET: DeviceRequiresReset,
    Result.ERROR_DEVICE_IN_LOW_POWER_STATE: DeviceInLowPowerState,
    Result.EXP_ERROR_DEVICE_IS_NOT_VERTEX: DeviceIsNotVertex,
    Result.EXP_ERROR_VERTEX_IS_NOT_DEVICE: VertexIsNotDevice,
    Result.EXP_ERROR_REMOTE_DEVICE: RemoteDevice,
    Result.ERROR_UNSUPPORTED_IMAGE_FORMAT: UnsupportedImageFormat,
    Result.ERROR_INSUFFICIENT_PERMISSIONS: InsufficientPermissions,
    Result.ERROR_NOT_AVAILABLE: NotAvailable,
    Result.ERROR_DEPENDENCY_UNAVAILABLE: DependencyUnavailable,
    Result.ERROR_UNINITIALIZED: Uninitialized,
    Result.ERROR_UNSUPPORTED_VERSION: UnsupportedVersion,
    Result.ERROR_UNSUPPORTED_FEATURE: UnsupportedFeature,
    Result.ERROR_INVALID_ARGUMENT: InvalidArgument,
    Result.ERROR_INVALID_NULL_HANDLE: InvalidNullHandle,
    Result.ERROR_HANDLE_OBJECT_IN_USE: HandleObjectInUse,
    Result.ERROR_INVALID_NULL_POINTER: InvalidNullPointer,
    Result.ERROR_INVALID_SIZE: InvalidSize,
    Result.ERROR_UNSUPPORTED_SIZE: UnsupportedSize,
    Result.ERROR_UNSUPPORTED_ALIGNMENT: UnsupportedAlignment,
    Result.ERROR_INVALID_SYNCHRONIZATION_OBJECT: InvalidSynchronizationObject,
    Result.ERROR_INVALID_ENUMERATION: InvalidEnumeration,
    Result.ERROR_UNSUPPORTED_ENUMERATION: UnsupportedEnumeration,
    Result.ERROR_INVALID_NATIVE_BINARY: InvalidNativeBinary,
    Result.ERROR_INVALID_GLOBAL_NAME: InvalidGlobalName,
    Result.ERROR_INVALID_KERNEL_NAME: InvalidKernelName,
    Result.ERROR_INVALID_FUNCTION_NAME: InvalidFunctionName,
    Result.ERROR_INVALID_GROUP_SIZE_DIMENSION: InvalidGroupSize,
    Result.ERROR_INVALID_GLOBAL_WIDTH_DIMENSION: InvalidGlobalWidth,
    Result.ERROR_INVALID_KERNEL_ARGUMENT_INDEX: InvalidKernelArgumentIndex,
    Result.ERROR_INVALID_KERNEL_ARGUMENT_SIZE: InvalidKernelArgumentSize,
    Result.ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE: InvalidKernelAttribute,
    Result.ERROR_INVALID_MODULE_UNLINKED: InvalidModuleUnlinked,
    Result.ERROR_INVALID_COMMAND_LIST_TYPE: InvalidCommandListType,
    Result.ERROR_OVERLAPPING_REGIONS: OverlappingRegions,
    Result.ERROR_UNKNOWN: UnknownError,
}


def result_name(result: int) -> str:
    """``ZE_RESULT_ERROR_NOT_AVAILABLE``, or the number in hexadecimal when it has no name."""
    try:
        return f"ZE_RESULT_{Result(result).name}"
    except ValueError:
        return f"result {result:#x}"


def check(result: int, attempted: str, subject: str = "") -> None:
    """Raises the exception of ``result`` unless it is success."""
    if result == Result.SUCCESS:
        return
    try:
        kind = CLASS_OF.get(Result(result), LevelZeroError)
    except ValueError:
        kind = LevelZeroError
    raise kind(result, attempted, subject)
