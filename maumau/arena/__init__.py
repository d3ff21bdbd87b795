"""Play one game safely: seats, wire, clock, faults, chunks."""
