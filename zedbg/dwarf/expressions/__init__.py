"""Location expressions, evaluated for many lanes at once."""
