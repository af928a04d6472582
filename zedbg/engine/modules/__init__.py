"""Modules of the program: their code on the device, places in it, constants."""
