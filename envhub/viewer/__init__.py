"""The trajectory viewer behind ``envhub view``: finds, filters and shows recorded episodes.

``trajectories`` reads one line of any known file, ``index`` keeps where each line is and what a list shows of it, ``search``
selects, and ``app`` answers the pages.
"""
