"""Text → the entities that it names, and which of them it names together."""
