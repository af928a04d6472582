"""zedbg in GDB: the device side of the program that GDB debugs. docs/gdb-plugin.md is its manual.

It needs nothing but GDB 13's own Python, whatever version that is. The device is debugged by a
zedbg process beside GDB, which is asked over a socket (docs/machine-view.md) and ends with GDB,
however that ends. All code runs on GDB's own thread, but for the threads that read sockets: they
pass on what they have read.
"""
