"""What is installed beside the program: the manual page, and completions of shells.

``python -m zedbg.frontends.pages`` writes them into ``share`` of the source tree.
"""
