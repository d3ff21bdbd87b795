"""How fast the arena is, beside its peers: `./run bench` (docs/speed.md)."""
