"""``info symbol`` of an address of data: the constant or variable that lies there."""

import re


def test_a_constant_is_found_by_an_address_inside_it(debugger, kernel_command):
    program = kernel_command("sha", "--global", "16", "--local", "16", "u32[16]", "u32[256]")
    objects = debugger.json(["break sha", "run", "info modules"], program).objects
    (module,) = next(each for each in objects if each.get("command") == "info modules")["rows"]
    assert module["kernels"] == ["sha"]
    # Addresses of the simulated GPU are the same in each run: data begins its allocations.
    start = 0x410000000000
    commands = [f"info symbol {start + offset:#x}" for offset in (0, 20, 64, 96)]
    said = [
        each.get("error") or each["rows"][0]["text"]
        for each in debugger.json(["break sha", "run", *commands], program).objects
        if each.get("command", "").startswith("info symbol")
    ]
    assert said[:2] == ["K in .data.const of module 1", "K + 20 in .data.const of module 1"]
    assert re.fullmatch(r"__const\.\w+\.\w+ in \.data\.const of module 1", said[2])
    # After the data, in the same page: no longer of the module.
    assert "of module" not in said[3] and "in memory mapped at" in said[3]
