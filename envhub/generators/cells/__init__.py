"""Puzzles over cells: laws that check, propagate and prove.

A cell is an index, a domain is a bit mask of the values that the cell may still have (bit ``v`` for value ``v``), and a law is
a condition on a few cells or on all of them::

    laws = [Different(line, full=0b1111_0) for line in lines(4, 4)]
    model = Model([0b1111_0] * 16, [*laws, Less(0, 1)])
    model.solutions(most=2).grids          # up to two grids
    model.another(grid, 20_000).unique     # whether there is no other one

Everything is deterministic, and every search is limited by a number of steps (narrowed domains and splits), never by
time.
"""
