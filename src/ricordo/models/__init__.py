"""Embedders and language models, each in a file that is imported late."""
