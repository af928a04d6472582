"""``zedbg gdb-plugin``: where the plugin for GDB is."""
