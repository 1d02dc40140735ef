"""quest-v0: quests in houses, after TextWorld."""
