"""The names that begin with ``$``: what each means. Help and the documents come from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Convenience:
    """A name after a ``$``, or an example of one, and what its value is."""

    name: str
    meaning: str


CONVENIENCES = tuple(
    Convenience(*each)
    for each in (
        ("$", "the value that was printed last"),
        ("$$", "the one before it"),
        ("$N", "value number N of those that were printed"),
        ("$$N", "the value N before the last one"),
        ("$NAME", "a value of your own: set $NAME = EXPRESSION"),
        (
            "$pc",
            "address of the instruction that executes next; set $pc = ADDRESS moves the thread",
        ),
        ("$ip", "the same, from the instruction base"),
        ("$r10", "a register, as its own elements; $r10.f as floats, $r10.f[3] one of them"),
        ("$_lane", "the focused lane; in a condition each lane"),
        ("$_simd_width", "lanes of the thread"),
        ("$_global_id", "global id of the lane's work-item: $_global_id[0] is x"),
        ("$_local_id", "its local id"),
        ("$_global_size", "work-items of the launch in each dimension"),
        ("$_local_size", "work-items of a work-group in each dimension"),
        ("$_num_groups", "work-groups of the launch in each dimension"),
        ("$_workgroup", "id of the thread's work-group"),
        ("$_thread", "number of the focused thread on its device"),
        ("$_device", "number of its device"),
        ("$_kernel", "name of the kernel that it executes"),
        ("$_hit_count", "how often the breakpoint of the last stop has been hit"),
        ("$bpnum", "number of the newest breakpoint"),
        ("$_exitcode", "exit code of the program, after its end"),
        ("$_", "the address that x showed last; after info line, that of the line"),
        ("$__", "what is at that address"),
        ("$_shell_exitcode", "exit code of the last shell command"),
        ("$_streq(A, B)", "1 when two strings are equal"),
        ("$_strlen(A)", "length of a string"),
        ("$_memeq(A, B, N)", "1 when N bytes at two addresses are equal"),
        ("$_regex(A, R)", "1 when a regular expression matches at the start of a string"),
        ("$_isvoid(A)", "1 when a name has no value"),
        ("$_as_string(A)", "an enumerator's name as a string"),
        ("$_caller_is(F, N)", "1 when the function N frames further out, without N one, is F"),
        ("$_caller_matches(R, N)", "1 when a regular expression matches its name"),
        ("$_any_caller_is(F, N)", "1 when one of the frames up to that one is of F"),
        ("$_any_caller_matches(R, N)", "1 when a regular expression matches one of their names"),
        ("$_gdb_setting(S)", "the value of a setting: 1 for on, 0 without a limit"),
        ("$_gdb_setting_str(S)", "the same as a string"),
    )
)


def convenience(name: str) -> Convenience | None:
    """What is said of ``name``, with its ``$``; None when nothing is."""
    for each in CONVENIENCES:
        if name in (each.name, each.name.partition("(")[0]):
            return each
    return None
