"""The program on the processor: what it made and launched through Level Zero, and from where.

What is known of it comes from the operating system (proc(5)) and from ``libzedbg_hold.so``
(native/launch), which notes calls in programs that zedbg starts. Nothing here stops the program,
but for a moment where a running thread's registers are asked for.
"""
