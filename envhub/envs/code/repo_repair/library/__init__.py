"""The functions of which applications are composed, as real modules.

:mod:`envhub.envs.code.repo_repair.catalog` reads their source: it takes functions by name, renames nouns and places them in
modules of its own. So the functions here have no state and no decorators, their loops run over values that exist, and
each docstring states exactly what the function returns. Functions of one name in two modules are variants.
"""
