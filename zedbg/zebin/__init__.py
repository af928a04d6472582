"""Native modules (zebin): ELF container, kernels' properties, notes, symbols, relocation."""

from zedbg.zebin.elf import Section
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.module import Kernel, Module, Symbol
from zedbg.zebin.zeinfo import KernelInfo

__all__ = ["Kernel", "KernelInfo", "Module", "Section", "Symbol", "ZebinError"]
