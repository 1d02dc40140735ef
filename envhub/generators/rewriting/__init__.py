"""Puzzle games given as grid rewrite rules with movements, in PuzzleScript's format.

``syntax`` and ``parsing`` read a game, ``rule_lines`` its rules; ``compiling`` turns them into tests and changes of bit boards;
``machine`` plays turns; ``exploring`` finds shortest solutions; ``words`` states the rules in English; ``games`` and ``levels``
are games of our own and drawn levels. The subset of the format is stated in ``parsing``.
"""
