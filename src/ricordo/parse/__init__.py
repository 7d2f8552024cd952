"""File in, blocks with their places out."""
