"""Processes and their children: tied together, kept running, stopped together."""
