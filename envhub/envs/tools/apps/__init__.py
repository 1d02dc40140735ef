"""apps-v0: errands with mail, contacts, a calendar, files, a bank and a shop."""
