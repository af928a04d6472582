"""Bytes to messages and back, and who may send them."""
