"""Diffs: what difflib writes is applied and undone, and what does not fit is refused."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given, strategies as st

from envhub.generators.user_files.patches import FileChange, Hunk, parse

LINES = st.lists(
    st.sampled_from(["a\n", "b\n", "-- a\n", "++ b\n", "\n", "page\x0c\n", "x\u2028y\r\n", "@@ -1 +1 @@\n"])
)


def diff(before: list[str], after: list[str], context: int = 3) -> str:
    """The diff of two lists of lines, as git writes it."""
    rows = difflib.unified_diff(before, after, "a/file.py", "b/file.py", n=context)
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


@given(LINES, LINES, st.integers(0, 3), st.booleans(), st.booleans())
def test_a_diff_leads_from_one_text_to_the_other_and_back(
    before: list[str], after: list[str], context: int, cut_before: bool, cut_after: bool
) -> None:
    before, after = ([*lines, "end"] if cut else lines for lines, cut in ((before, cut_before), (after, cut_after)))
    if before == after:
        return
    (change,) = parse(diff(before, after, context))
    assert (change.old, change.new) == ("file.py", "file.py")
    assert change.applied("".join(before)) == "".join(after)
    assert change.reversed().applied("".join(after)) == "".join(before)
    (again,) = parse(change.written())
    assert again == change


def test_lines_are_found_near_their_number() -> None:
    (change,) = parse("--- a/f\n+++ b/f\n@@ -2 +2 @@\n-old\n+new\n")
    assert change.applied("old\n1\n2\nold\n") == "new\n1\n2\nold\n"
    assert change.applied("0\n1\n2\nold\n") == "0\n1\n2\nnew\n"


def test_files_that_are_new_or_deleted() -> None:
    text = "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+1\n+2\n"
    new, gone = parse(text + "--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n")
    assert (new.old, new.new, new.applied("")) == (None, "n", "1\n2\n")
    assert (gone.old, gone.new, gone.applied("1\n")) == ("g", None, "")


def test_removed_lines_that_look_like_a_head_are_lines() -> None:
    (change,) = parse("--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old note\n+++ new note\n select 1\n")
    assert change.hunks == (Hunk(1, 1, ("-- old note\n", "select 1\n"), ("++ new note\n", "select 1\n")),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a unified diff"),
        ("@@ -1 +1 @@\n-a\n+b\n", "must be a unified diff"),
        ("--- a/f\n+++ b/f\n@@ -1,3 +1 @@\n-a\n", "other numbers of lines"),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n*a\n", "unexpected line"),
        ("diff --git a/p.png b/p.png\nGIT binary patch\n", "binary"),
    ],
)
def test_what_is_no_diff_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(text)


def test_a_change_that_does_not_fit_names_its_line() -> None:
    change = FileChange("f", "f", (Hunk(7, 7, ("a\n",), ("b\n",)),))
    with pytest.raises(ValueError, match="line 7 of f"):
        change.applied("c\n")
