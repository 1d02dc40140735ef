"""crafting-v0: gather, craft and survive on a map that is only partly seen."""
