"""The interactive prompt and its line editor."""
