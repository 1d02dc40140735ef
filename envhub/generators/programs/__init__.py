"""Small functions described exactly in words: drawn rules, programs, inputs and bugs."""
