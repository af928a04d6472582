"""The messages of the Debug Adapter Protocol as data, as far as zedbg reads and writes them."""
