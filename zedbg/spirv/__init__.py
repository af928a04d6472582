"""The code of a SPIR-V module with its debug information, and what its values are.

``code`` reads a module, ``flow`` has the blocks and loops of a function, ``variables`` which value
a variable has at a line, ``evaluation`` computes values again, for one work-item at a time.
"""
