"""Self-contained HTML pages: no script and no external resource.

A content security policy forbids both. Reports share the outline and the style. They escape their own content::

    Path("report.html").write_text(standalone("A report", "<p>All is well.</p>"), "utf-8")
"""

from __future__ import annotations

from html import escape
from typing import Final

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = """
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; color: #1c2430; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #dfe3e8; vertical-align: top; }
th { font-weight: 600; } td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
small { color: #5b6675; } .good { color: #1a7f37; } .bad { color: #b42318; }
"""


def standalone(title: str, body: str, style: str = "") -> str:
    """A complete HTML page.

    Args:
        title: Title and heading as plain text; it is escaped.
        body: HTML below the heading.
        style: CSS in addition to the shared style.
    """
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><title>{escape(title)}</title>'
        f"<style>{_STYLE}{style}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )
