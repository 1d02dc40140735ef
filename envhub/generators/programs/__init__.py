"""Small functions described exactly in words: chains of parts with drawn rules, their programs, inputs, and bugs for them."""
