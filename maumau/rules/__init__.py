"""The game itself: values in, values out (docs/rules.md)."""
