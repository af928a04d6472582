"""SYCL: device images in host programs, their property sets, and the names of their kernels."""

from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.errors import SyclError
from zedbg.sycl.host_program import HostProgram
from zedbg.sycl.image_format import ImageFormat
from zedbg.sycl.property_sets import PropertySets

__all__ = ["DeviceImage", "HostProgram", "ImageFormat", "PropertySets", "SyclError"]
