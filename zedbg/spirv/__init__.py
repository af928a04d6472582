"""The code of a SPIR-V module with its debug information, and what its values are.

``module.code`` reads a module, ``module.flow`` has the blocks and loops of a function,
``module.variables`` which value a variable has at a line, ``work_item.evaluation`` computes values
again, for one work-item at a time.
"""
