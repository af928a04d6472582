"""One session for several clients, over a Unix socket of its owner's."""
