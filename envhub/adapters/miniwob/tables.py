"""MiniWoB++'s pages by level, and what is known of them.

Levels follow the number of actions that the scripts need (``python -m benchmarks.miniwob``); pages without a script are in
the last level.
"""

from __future__ import annotations

from typing import Final

LEVELS: Final = (
    (
        "buy-ticket", "click-button", "click-color", "click-dialog", "click-dialog-2", "click-link", "click-shape",
        "click-tab", "click-test", "click-test-2", "click-test-transfer", "click-widget",
    ),
    (
        "count-shape", "drag-items", "drag-items-grid", "email-inbox", "email-inbox-delete", "email-inbox-important",
        "email-inbox-star-reply", "focus-text", "focus-text-2", "grid-coordinate", "identify-shape", "navigate-tree",
        "unicode-test",
    ),
    (
        "bisect-angle", "choose-list", "circle-center", "click-button-sequence", "click-option", "click-tab-2-easy",
        "click-tab-2-medium", "copy-paste", "copy-paste-2", "drag-box", "drag-circle", "drag-shapes",
        "drag-single-shape",
    ),
    (
        "draw-line", "email-inbox-nl-turk", "enter-date", "enter-text", "enter-text-2", "enter-text-dynamic",
        "enter-time", "find-midpoint", "find-word", "form-sequence-3", "highlight-text", "highlight-text-2",
        "read-table",
    ),
    (
        "click-checkboxes-transfer", "click-scroll-list", "drag-sort-numbers", "generate-number", "phone-book",
        "resize-textarea", "right-angle", "scroll-text", "simple-algebra", "simple-arithmetic", "social-media",
        "text-transform", "visual-addition",
    ),
    (
        "button-delay", "click-collapsible", "click-collapsible-nodelay", "click-pie", "click-pie-nodelay",
        "email-inbox-noscroll", "enter-password", "form-sequence-2", "login-user", "order-food", "read-table-2",
        "social-media-some", "tic-tac-toe",
    ),
    (
        "choose-date-easy", "click-checkboxes", "click-menu", "click-menu-2", "click-tab-2", "click-tab-2-hard",
        "email-inbox-forward", "email-inbox-forward-nl", "email-inbox-forward-nl-turk", "login-user-popup",
        "use-autocomplete-nodelay", "use-colorwheel", "use-colorwheel-2",
    ),
    (
        "ascending-numbers", "choose-date-medium", "click-collapsible-2", "click-collapsible-2-nodelay",
        "click-shades", "daily-calendar", "email-inbox-reply", "multi-layouts", "multi-orderings", "odd-or-even",
        "search-engine", "terminal", "use-autocomplete",
    ),
    (
        "book-flight", "book-flight-nodelay", "choose-date", "choose-date-nodelay", "click-checkboxes-large",
        "drag-shapes-2", "find-greatest", "form-sequence", "guess-number", "sign-agreement", "social-media-all",
        "stock-market", "use-spinner",
    ),
    (
        "chase-circle", "click-checkboxes-soft", "count-sides", "drag-cube", "draw-circle", "hot-cold",
        "moving-items", "number-checkboxes", "scroll-text-2", "simon-says", "text-editor", "use-slider",
        "use-slider-2",
    ),
)  # fmt: skip
"""The pages that each difficulty level draws from."""
PAGES: Final = tuple(sorted(name for level in LEVELS for name in level))
REFUSED: Final = {"hover-shape": "it never reports a reward: the code that would is commented out in the page"}
"""Pages that make no task, with the reason."""
BY_DISTANCE: Final = frozenset(
    {
        "bisect-angle", "chase-circle", "circle-center", "draw-circle", "draw-line", "find-midpoint", "moving-items",
        "right-angle", "use-colorwheel", "use-colorwheel-2",
    }
)  # fmt: skip
"""Pages whose reward is a distance or a share of the time: 1 is not to be had by whole pixels."""
FULL_FROM: Final = 0.9
"""The least reward of those pages that counts as solved."""
MESSAGES: Final = 32
"""Messages allowed, unless the page needs more."""
MORE_MESSAGES: Final = {
    **dict.fromkeys(("chase-circle", "moving-items", "simon-says", "stock-market"), 64),
    **dict.fromkeys(("form-sequence", "hot-cold", "number-checkboxes", "use-slider", "use-slider-2"), 96),
}
"""Messages allowed on pages that last, or have many controls."""
