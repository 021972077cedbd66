"""Where definitions come from: files by name or path, the built-in creatures, and new files."""
