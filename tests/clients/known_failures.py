"""Failures of clients that are known, each with its reason. Everything else is a defect of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownFailure:
    """Failures whose report has ``words``, of one client on some devices."""

    client: str
    devices: tuple[str, ...]
    words: str
    reason: str


KNOWN_FAILURES = (
    KnownFailure(
        "dpnp",
        ("dg2", "pvc", "bmg"),
        "OpenCL error -1",
        "oneMKL asks for an OpenCL GPU as well for most Fourier transforms; there is none",
    ),
    KnownFailure(
        "dpnp",
        ("dg2",),
        "in test_linspace_fp_max",
        "without double precision, the largest float overflows where math.inv rounds 1/15 up, as"
        " the nearest float is; the manual allows a unit in the last place either way",
    ),
    KnownFailure(
        "onednn",
        ("dg2", "pvc", "bmg"),
        "status 5 of dnnl_primitive_create",
        "oneDNN compiles what it has in OpenCL C by an OpenCL GPU; there is none",
    ),
)


def known(client: str, device: str, report: str) -> KnownFailure | None:
    """What explains a failure, if anything does."""
    for failure in KNOWN_FAILURES:
        here = failure.client == client and device in failure.devices
        if here and failure.words in report:
            return failure
    return None
