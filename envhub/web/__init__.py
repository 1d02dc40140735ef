"""The web pages: their files, and the data that only pages need.

``static/`` holds ES modules, styles and vendored libraries; there is no build step. The server and ``envhub view`` serve them.
"""
