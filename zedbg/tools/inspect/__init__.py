"""``zedbg inspect``: what is in a file with device code, without any driver or device."""
