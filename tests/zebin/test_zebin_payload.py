"""Arguments, payload and resources: what zeinfo means, not only what it says."""

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.xe.disassembly import disassemble
from zedbg.zebin import Module
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments
from zedbg.zebin.notes import IpVersion, Notes
from zedbg.zebin.payload import PayloadPart, payload_map
from zedbg.zebin.products import device_name, grf_bytes
from zedbg.zebin.resources import kernel_resources
from zedbg.zebin.zeinfo_reader import ZeInfo

CORPUS = sorted(ZEBINS.glob("*/*.zebin"))


def kernel(build, module, name=None):
    kernels = Module.open(ZEBINS / build / f"{module}.zebin").kernels
    return next(k for k in kernels if name in (None, k.name))


def info_of(*lines):
    body = "\n".join(lines)
    return ZeInfo(f"version: '1.65'\nkernels:\n  - name: k\n{body}\n", "test").kernel("k")


def test_arguments_are_named_typed_and_placed():
    arguments = kernel_arguments(kernel("igc2-dg2-O0", "vadd").info)
    assert [(a.name, a.type_name, a.kind, a.size) for a in arguments] == [
        ("a", "float*", ArgumentKind.BUFFER, 8),
        ("b", "float*", ArgumentKind.BUFFER, 8),
        ("c", "float*", ArgumentKind.BUFFER, 8),
        ("n", "int", ArgumentKind.VALUE, 4),
    ]
    assert [a.access for a in arguments] == ["readonly", "readonly", "readwrite", None]
    assert all(a.addressing == ("stateless",) for a in arguments[:3])
    assert not any(a.is_removed for a in arguments)


def test_images_and_samplers_differ_from_buffers_and_have_their_binding():
    arguments = kernel_arguments(kernel("igc1-dg2-O0", "image").info)
    kinds = [ArgumentKind.IMAGE, ArgumentKind.IMAGE, ArgumentKind.SAMPLER, ArgumentKind.IMAGE]
    assert [a.kind for a in arguments] == kinds
    assert [a.binding_table_index for a in arguments] == [0, 3, None, 1]
    assert not any(a.is_removed for a in arguments)
    assert all(a.pieces == () for a in arguments)  # bound surfaces travel outside of the payload


def test_an_argument_that_is_declared_and_not_passed_was_removed():
    text = (
        "version: '1.65'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n"
        "      simd_size: 8\n    payload_arguments:\n      - arg_type: arg_byvalue\n"
        "        offset: 0\n        size: 4\n        arg_index: 2\n"
        "kernels_misc_info:\n  - name: k\n    args_info:\n      - index: 0\n        name: gone\n"
        "        type_name: 'int;4'\n      - index: 2\n        name: kept\n"
        "        type_name: 'int;4'\n"
    )
    gone, unnamed, kept = kernel_arguments(ZeInfo(text, "test").kernel("k"))
    assert (gone.name, gone.kind, gone.is_removed) == ("gone", ArgumentKind.REMOVED, True)
    assert (unnamed.index, unnamed.name, unnamed.is_removed) == (1, None, True)
    assert (kept.name, kept.kind, kept.is_removed) == ("kept", ArgumentKind.VALUE, False)


def test_a_structure_in_pieces_has_the_size_of_the_whole():
    info = info_of(
        "    payload_arguments:",
        *(
            f"      - arg_type: arg_byvalue\n        offset: {40 + source}\n        size: 4\n"
            f"        arg_index: 0\n        source_offset: {source}"
            for source in (0, 4, 12)
        ),
    )
    (argument,) = kernel_arguments(info)
    assert [piece.source_offset for piece in argument.pieces] == [0, 4, 12]
    assert argument.size == 16


def test_absurd_argument_numbers_do_not_make_a_table_of_them():
    info = info_of(
        "    payload_arguments:\n      - arg_type: arg_byvalue\n        offset: 0\n"
        "        size: 4\n        arg_index: 2000000000"
    )
    assert [a.index for a in kernel_arguments(info)] == [2000000000]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_passed_byte_has_a_register_of_its_own(path):
    module = Module.open(path)
    for each in module.kernels:
        payload = payload_map(each.info, grf_bytes(module.notes))
        taken = set()
        for field in payload.fields:
            start = field.register * payload.grf_bytes + field.register_byte
            bytes_of_field = set(range(start, start + field.size))
            assert not taken & bytes_of_field
            taken |= bytes_of_field
        passed = sum(a.size for a in each.info.payload_arguments)
        passed += sum(a.size for a in each.info.per_thread_payload_arguments)
        assert len(taken) == passed
        assert max(taken, default=0) < payload.registers * payload.grf_bytes


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_prologues_put_the_inline_data_where_the_map_says(path):
    """The prologue moves r1, where inline data arrives, to the first register after local ids."""
    module = Module.open(path)
    for each in module.kernels:
        payload = payload_map(each.info, grf_bytes(module.notes))
        inline = [f for f in payload.fields if f.part is PayloadPart.INLINE]
        if not (inline and payload.per_thread_size):
            continue
        code = module.section_bytes(each.section)[: each.entry - each.address]
        moves = [
            one.text for one in disassemble(code) if "mov" in one.text and " r1.0<1;" in one.text
        ]
        assert any(f" r{inline[0].register}.0<1>" in text for text in moves), moves


def test_the_map_of_a_device_with_long_registers_starts_each_part_on_a_register():
    info = info_of(
        "    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
        "      inline_data_payload_size: 32",
        "    payload_arguments:\n      - arg_type: global_id_offset\n        offset: 0\n"
        "        size: 12\n      - arg_type: arg_bypointer\n        offset: 32\n        size: 8\n"
        "        arg_index: 1",
        "    per_thread_payload_arguments:\n      - arg_type: local_id\n        offset: 0\n"
        "        size: 192",
    )
    payload = payload_map(info, 64)
    places = [(f.kind, f.register_text(64), f.memory_offset) for f in payload.fields]
    assert places == [
        ("local_id", "r1-r3", None),
        ("global_id_offset", "r4.0-11", None),
        ("arg_bypointer", "r5.0-7", 0),
    ]


def test_resources_are_what_the_kernel_takes():
    used = kernel_resources(kernel("igc2-dg2-O0", "private", "priv").info)
    assert (used.simd_width, used.grf_count, used.threads_per_eu) == (8, 128, 8)
    assert (used.private_per_lane, used.private_per_thread) == (568, 568 * 8)
    shared = kernel_resources(kernel("igc2-dg2-O2", "matmul").info)
    assert (shared.slm_size, shared.barrier_count) == (2048, 1)


@pytest.mark.parametrize(
    ("version", "size"),
    [((12, 0), 32), ((12, 55), 32), ((12, 60), 64), ((12, 61), 64), ((12, 74), 32), ((20, 1), 64)],
)
def test_registers_have_the_length_of_the_devices_architecture(version, size):
    notes = Notes(ip_version=IpVersion(version[0] << 22 | version[1] << 14))
    assert grf_bytes(notes) == size


def test_devices_are_named_by_family_and_version():
    assert device_name(Notes(product_family=1270, ip_version=IpVersion(0x30DC008))) == (
        "dg2 (12.55.8)"
    )
    assert device_name(Notes(product_family=9999)) == "product family 9999"
    assert device_name(Notes()) is None
    assert grf_bytes(Notes()) is None
