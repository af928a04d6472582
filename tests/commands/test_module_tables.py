"""Tables of loaded modules stay readable where a module has very much of something."""

from zedbg.commands.rows.session_rows import ModuleRow
from zedbg.frontends.text.rendering import render


def lines(kernels, constants):
    names = tuple(f"kernel{number}" for number in range(kernels))
    values = {f"c{number}": number for number in range(constants)}
    return render(
        [
            ModuleRow(
                number=1,
                device=1,
                load=0x1000,
                size=64,
                kernels=names,
                debug_info=True,
                build_options=None,
                image="host, image 0",
                constants=values,
            )
        ]
    )


def test_few_kernels_and_constants_are_all_in_the_table():
    _head, row = lines(8, 4)
    assert row.endswith("kernel6, kernel7")
    assert "c0=0, c1=1, c2=2, c3=3 " in row


def test_of_many_the_first_are_there_and_what_lists_all():
    _head, row = lines(700, 22)
    assert "c0=0, c1=1, c2=2, c3=3, and 18 more (zeinfo)" in row
    assert row.endswith("kernel7, and 692 more (info kernels)")
    assert len(row) < 300
