"""Mau-Mau Arena: the public names of the library."""
