"""Programs written, read, mended and run: everything that is graded by what a sandbox gives back."""
