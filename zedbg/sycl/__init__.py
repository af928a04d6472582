"""SYCL: device images in host programs, their property sets, and the names of their kernels.

What scripts name are attributes of the package, loaded when used; modules of zedbg import from the
modules that define them. None of those has the name of what it defines: once it is loaded, that
name would be the module's.
"""

from __future__ import annotations

from zedbg.lazy_names import loaded_when_used

_MODULES = {
    "ArgumentMap": "arguments",
    "DeviceImage": "device_image",
    "HostProgram": "host_program",
    "PropertySets": "property_sets",
    "SyclError": "sycl_errors",
    "demangled": "kernel_names",
    "nested_images": "containers",
    "property_words": "words_of_properties",
}
__getattr__ = loaded_when_used(__name__, _MODULES)
