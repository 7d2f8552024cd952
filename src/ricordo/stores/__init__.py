"""Where records, words, vectors, edges, operations and files are kept."""
