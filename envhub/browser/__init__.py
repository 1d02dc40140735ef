"""A real browser for environments, which shows our own sites.

Independent of environments. :mod:`envhub.browser.site` defines sites, :mod:`envhub.browser.resource` the effects, and
:mod:`envhub.browser.pool` the running browsers.
"""
