"""The Debug Adapter Protocol: zedbg for editors."""
