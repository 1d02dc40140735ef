"""NetHack, from the library nle, as an environment."""
