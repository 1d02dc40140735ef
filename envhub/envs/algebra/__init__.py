"""Algebra and calculus: questions whose answers are mathematical objects, compared by proof."""
