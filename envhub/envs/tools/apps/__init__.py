"""apps-v0: errands in mail, contacts, calendar, files, bank and shop."""
