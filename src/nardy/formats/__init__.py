"""Exchange formats, one module each; every codec says how strict it is."""
