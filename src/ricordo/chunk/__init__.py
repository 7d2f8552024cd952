"""Text in, ranges of it out."""
