"""``--scheduler`` and ``--seed``: the order in which the simulated GPU runs its threads."""

from __future__ import annotations

import argparse

from zedbg.levelzero.scheduling import LARGEST_SEED, SCHEDULERS, choose_scheduling
from zedbg.xe.devices import DEFAULT_DEVICE


def add_scheduling_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the two options to a command line."""
    parser.add_argument(
        "--scheduler",
        choices=SCHEDULERS,
        help="the order in which the simulated GPU runs threads, to provoke races",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="N",
        help="of the random and the adversarial scheduler: the same seed, the same order",
    )


def apply_scheduling(options: argparse.Namespace, device: str | None) -> str | None:
    """Does what the options say; the simulated device to use, which they ask for too."""
    if options.scheduler is None and options.seed is None:
        return device
    choose_scheduling(options.scheduler, options.seed)
    return device or DEFAULT_DEVICE


def _seed(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 2^64 - 1")
    return value
