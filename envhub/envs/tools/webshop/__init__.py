"""webshop-v0: shop for goods that match an instruction."""
