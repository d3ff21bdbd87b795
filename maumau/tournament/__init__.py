"""Plan and rank: pure functions of numbers and seeds."""
