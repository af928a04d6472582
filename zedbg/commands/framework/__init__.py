"""What commands are made of: declarations, parsing, completion, settings, the context."""
