"""Scoreboard annotations (SWSB) of decoded instructions."""

from dataclasses import dataclass

from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.scoreboard import DISTANCE_BITS, ScoreboardValues, combination_of

_DISTANCE_MASK = (1 << DISTANCE_BITS) - 1


@dataclass(frozen=True)
class Scoreboard:
    """What an instruction waits for before it begins, and the token that it sets."""

    pipe: str = ""  # the instructions that `distance` counts: A all, F, I, L, M; empty: its own
    distance: int | None = None  # instructions back
    token: int | None = None
    wait: str = ""  # `.dst` and `.src` wait for `token`; otherwise the instruction sets it
    option: str = ""  # an annotation that is neither

    @property
    def texts(self) -> list[str]:
        """The instruction options that Intel's assembler writes for it."""
        texts = [self.option] if self.option else []
        if self.distance is not None:
            texts.append(f"{self.pipe}@{self.distance}")
        if self.token is not None:
            texts.append(f"${self.token}{self.wait}")
        return texts


NO_ANNOTATION = Scoreboard()


def annotation(values: ScoreboardValues, opcode: Opcode, value: int) -> Scoreboard:
    """What `value` of the SWSB field says on an instruction; nothing where it is reserved."""
    token = value & ((1 << values.token_bits) - 1)
    combined = values.combined[combination_of(opcode)].get(
        value >> (DISTANCE_BITS + values.token_bits)
    )
    if combined is not None:
        pipe, wait = combined
        return Scoreboard(pipe, value >> values.token_bits & _DISTANCE_MASK, token, wait)
    if value in values.options:
        return Scoreboard(option=values.options[value])
    kind = values.tokens.get(value >> values.token_bits)
    if kind is not None:
        return Scoreboard(token=token, wait=kind)
    pipe_of_distance = values.distances.get(value >> DISTANCE_BITS)
    distance = value & _DISTANCE_MASK
    if pipe_of_distance is not None and distance:
        return Scoreboard(pipe_of_distance, distance)
    return NO_ANNOTATION
