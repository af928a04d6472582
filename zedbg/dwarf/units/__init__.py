"""The units of a module: what they declare, and where to look for a name."""
