"""crafting-v0: gather, craft and survive; crafting-plan-v0: plan without a map."""
