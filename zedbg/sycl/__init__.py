"""SYCL: device images in host programs, their property sets, and the names of their kernels."""

from zedbg.sycl.arguments import ArgumentMap
from zedbg.sycl.containers import nested_images
from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.host_program import HostProgram
from zedbg.sycl.kernel_names import demangled
from zedbg.sycl.property_sets import PropertySets
from zedbg.sycl.property_words import property_words
from zedbg.sycl.sycl_errors import SyclError

__all__ = [
    "ArgumentMap",
    "DeviceImage",
    "HostProgram",
    "PropertySets",
    "SyclError",
    "demangled",
    "nested_images",
    "property_words",
]
