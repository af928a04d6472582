"""Debugging a kernel that uses images: what its arguments are, where it stops, what it computes."""

import re
import struct

import pytest

ARGUMENTS = (
    *("--global", "16,4", "--local", "16,1", "image2d[16x4,rgba8]=iota"),
    *("image2d[16x4,rgba32f]>out.bin", "sampler[linear,edge]", "image2d_array[16x4x2,r32f]=7"),
)


@pytest.mark.parametrize("device", ["dg2", "bmg"])
def test_a_kernel_with_images_is_stopped_shown_and_stepped(
    device, debugger, kernel_command, kernel_sources
):
    program = kernel_command("image", *ARGUMENTS, build=f"igc2-{device}-O0")
    commands = [
        *(f"directory {kernel_sources}", "break image.cl:8", "run", "info args", "ptype a"),
        *("print v", "next", "print v"),
    ]
    done = debugger.batch(commands, program, f"--sim={device}")
    assert done.code == 0, done.err
    assert re.search(r"^8\t  v\.x \+= get_image_width\(a\);$", done.out, re.MULTILINE)
    # For bmg the compiler describes an image by a constant of its own, which nothing confirms.
    image = r"0x[0-9a-f]+" + (r" \(\?\)" if device == "bmg" else "")
    for shown in (
        rf"a = \(read_only image2d_t\) {image}",
        rf"b = \(write_only image2d_t\) {image}",
        r"s2 = \(sampler_t\) 0x[0-9a-f]+",
        rf"arr = \(read_only image2d_array_t\) {image}",
        r"type = read_only image2d_t",
    ):
        assert re.search(f"^{shown}$", done.out, re.MULTILINE), shown
    before, after = (
        [float(each) for each in text.split(", ")]
        for text in re.findall(r"^\$\d+ = \{([^}]*)\}$", done.out, re.MULTILINE)
    )
    # The array holds 7; the image's first texel is 0, 1, 2, 3 of 255, and two reads are added.
    expected = (7.0, 2 / 255, 4 / 255, 1 + 6 / 255)
    assert before == pytest.approx(expected, abs=1e-5)
    assert after == pytest.approx((before[0] + 16, *before[1:]), abs=1e-5)


def test_images_from_the_command_line_come_back(debugger, kernel_command):
    program = kernel_command("image", *ARGUMENTS)
    done = debugger.run("kernel", *program[2:], "--device", "dg2")
    assert done.code == 0, done.err
    assert re.search(r"^argument 1: image2d\[16x4,rgba32f\] = 23 ", done.out, re.MULTILINE)
    written = struct.unpack("<256f", (debugger.folder / "out.bin").read_bytes())
    assert written[:4] == pytest.approx((23, 2 / 255, 4 / 255, 1 + 6 / 255), abs=1e-5)
    done = debugger.run("kernel", *program[2:-1], "f32[64]", "--device", "dg2")
    assert done.code == 1
    assert done.err == (
        "zedbg kernel: argument 3 of img takes an image, as in image2d[64x64,rgba8]\n"
    )
