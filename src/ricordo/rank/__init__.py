"""Scores, decay, budgets: pure functions."""
