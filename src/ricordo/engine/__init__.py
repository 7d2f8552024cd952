"""The verbs: module-level functions over `Parts`."""
