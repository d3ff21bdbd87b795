"""The workers that play what the database says is due."""
