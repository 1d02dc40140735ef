"""The other side: each module runs in the interpreter of ``.venvs/<peer>`` and imports no envhub."""
