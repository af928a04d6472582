"""Loaded modules as clients list them."""

from __future__ import annotations

from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.frontends.dap.protocol.types import Module
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.sycl.kernel_names import demangled


def shown_module(adapter: Adapter, module: LoadedModule) -> Module:
    """``module`` with its kernels, its device, and whether it has debug information."""
    kernels = [demangled(name) for name in module.kernel_names]
    device = next((each for each in adapter.session.devices if module in each.modules), None)
    has_debug_info = module.image is not None and module.image.has_debug_info
    symbols = "Debug information" if has_debug_info else f"Symbols only: {module.debug_info_advice}"
    return Module(
        id=module.number,
        name=_name(module.number, kernels),
        version=module.build_options,
        symbol_status=symbols,
        address_range=f"{module.load:#x}",
        kernels=", ".join(kernels) or None,
        device=device.name if device is not None else None,
    )


def _name(number: int, kernels: list[str]) -> str:
    if not kernels:
        return f"module {number}"
    more = f" and {len(kernels) - 1} more" if len(kernels) > 1 else ""
    return f"module {number}: {kernels[0]}{more}"
