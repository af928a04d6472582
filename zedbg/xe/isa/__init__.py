"""The Xe instruction set as data: the single source of truth for encodings.

The modules here hold tables and no behaviour: opcodes, bit fields, data types, architecture
registers, functions of `math`, `sync` and `send`, and compaction tables, for each platform.
`zedbg.xe.decoding` reads them in Python; the build of the simulated GPU makes its C++ tables from
them. Everything here imports the standard library only, because that build may have nothing else.

Sources: Intel's public Programmer's Reference Manuals for the names of the fields; the positions
and values were found by disassembling and assembling single words with `iga64`, flipping every bit
of every format. `tests/xe` holds the result against `iga64` over whole programs.
"""
