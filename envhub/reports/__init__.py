"""Reports as single HTML pages without scripts."""
