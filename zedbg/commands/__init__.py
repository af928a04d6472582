"""The commands, one module for each subject. They return rows and never print."""
