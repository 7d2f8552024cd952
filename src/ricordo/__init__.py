"""Ricordo: memory and retrieval for AI agents."""
