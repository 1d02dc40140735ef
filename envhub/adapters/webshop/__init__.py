"""WebShop's goods and instructions, from the user's files."""
