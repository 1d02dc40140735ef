"""Arguments of Java and JavaScript functions, which are source text.

::

    read_java('new ArrayList<>(Arrays.asList("a", "b"))', "ArrayList", "String")    # ["a", "b"]
    write_javascript({"key": True}, "dict")                                         # '{"key": true}'

Text that is no literal of the type is the name of a variable, and stays text. Nothing is evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

JAVA: Final[Mapping[str, type]] = {
    **dict.fromkeys(("byte", "short", "integer", "long"), int),
    **dict.fromkeys(("float", "double"), float),
    "boolean": bool,
    **dict.fromkeys(("char", "String", "any"), str),
    **dict.fromkeys(("Array", "ArrayList"), list),
    "HashMap": dict,
}
JAVASCRIPT: Final[Mapping[str, type]] = {
    **dict.fromkeys(("integer", "Bigint"), int),
    "float": float,
    "Boolean": bool,
    **dict.fromkeys(("String", "any"), str),
    "array": list,
    "dict": dict,
}
"""The types that this module reads, and the types of what it returns."""
_INTEGER: Final = re.compile(r"-?[0-9]{1,40}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_SUFFIXES: Final = {"long": "lL", "float": "fF"}
_SUFFIXES_JAVASCRIPT: Final = {"Bigint": "n"}
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
_MOST_DEPTH: Final = 20
_LIST: Final = re.compile(r"new\s+[\w.]+\s*\[\s*\]\s*\{(?P<items>.*)\}", re.DOTALL)
_AS_LIST: Final = re.compile(
    r"new\s+ArrayList\s*<[\w., <>]{0,80}>\s*\(\s*(?:Arrays\.asList|List\.of)\s*\((?P<items>.*)\)\s*\)", re.DOTALL
)
_ADDED: Final = re.compile(
    r"new\s+ArrayList\s*<[\w., <>]{0,80}>\s*\(\s*\)\s*(?:\{\s*\{(?P<body>.*)\}\s*\})?", re.DOTALL
)
_MAP: Final = re.compile(r"new\s+HashMap\s*<[\w., <>]{0,80}>\s*\(\s*\)\s*(?:\{\s*\{(?P<body>.*)\}\s*\})?", re.DOTALL)
_CALLED: Final = re.compile(r"(?P<name>add|put)\s*\((?P<items>.*)\)", re.DOTALL)
_NEW_ARRAY: Final = re.compile(r"new\s+Array\s*\((?P<items>.*)\)", re.DOTALL)


def read_java(text: str, kind: str, inner: str | None = None) -> Any:
    """The value of a Java literal, or the text itself.

    Args:
        text: The literal.
        kind: One of :data:`JAVA`.
        inner: The type of its items, if it is a collection.
    """
    text = text.strip() if JAVA[kind] is not str else text
    if kind in ("Array", "ArrayList"):
        return _java_list(text, inner)
    if kind == "HashMap":
        return _java_map(text)
    return text if JAVA[kind] is str else _scalar(text, JAVA[kind], _SUFFIXES.get(kind))


def read_javascript(text: str, kind: str, inner: str | None = None) -> Any:
    """The value of a JavaScript literal, or the text itself."""
    if kind == "any":
        return text
    stripped = text.strip()
    if kind == "String":
        return unquoted(text)
    if kind == "array":
        return _list_of(stripped, inner)
    if kind == "dict":
        found = _plain(stripped)
        return found if isinstance(found, dict) else text
    return _scalar(stripped, JAVASCRIPT[kind], _SUFFIXES_JAVASCRIPT.get(kind))


def unquoted(text: str) -> str:
    """The content of a quoted text; any other text as it is."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _scalar(text: str, type_: type, suffix: str | None) -> Any:
    """A number or a boolean with its suffix, or the text."""
    if type_ is bool:
        return {"true": True, "false": False}.get(text, text)
    plain = text[:-1] if suffix and text[-1:] in tuple(suffix) else text
    if bool(suffix) != (plain != text):  # a suffix is missing, or there is one of another type
        return text
    pattern = _INTEGER if type_ is int else _NUMBER
    return type_(plain) if pattern.fullmatch(plain) else text


def split(text: str) -> list[str] | None:
    """The items between commas outside quotes and brackets; None if unbalanced."""
    items, start, at, closing = list[str](), 0, 0, list[str]()
    while at < len(text):
        char = text[at]
        if char in "\"'":
            quoted = _STRING.match(text, at)
            if quoted is None:
                return None
            at = quoted.end()
            continue
        if char in "([{":
            closing.append(")]}"["([{".index(char)])
            if len(closing) > _MOST_DEPTH:
                return None
        elif char in ")]}":
            if not closing or closing.pop() != char:
                return None
        elif char == "," and not closing:
            items.append(text[start:at].strip())
            start = at + 1
        at += 1
    if closing:
        return None
    last = text[start:].strip()
    return items if not items and not last else [*items, last] if last else None


def _java_list(text: str, inner: str | None) -> Any:
    """A list from an array, from ``Arrays.asList`` or from calls of ``add``."""
    if found := _LIST.fullmatch(text) or _AS_LIST.fullmatch(text):
        items = split(found["items"])
    elif found := _ADDED.fullmatch(text):
        calls = _calls(found["body"] or "", "add")
        items = None if calls is None or any(len(call) != 1 for call in calls) else [call[0] for call in calls]
    else:
        return text
    return text if items is None else [_java_item(item, inner) for item in items]


def _java_item(text: str, inner: str | None) -> Any:
    if inner in (None, "any") or inner not in JAVA:
        return _java_value(text)
    return unquoted(text) if JAVA[inner] is str else read_java(text, inner)


def _java_map(text: str) -> Any:
    found = _MAP.fullmatch(text)
    calls = None if found is None else _calls(found["body"] or "", "put")
    if calls is None or any(len(call) != 2 for call in calls):
        return text
    return {unquoted(key): _java_value(value) for key, value in calls}


def _calls(body: str, name: str) -> list[list[str]] | None:
    """The arguments of statements that call one method; None for others."""
    calls = []
    for statement in filter(None, map(str.strip, _statements(body))):
        call = _CALLED.fullmatch(statement)
        arguments = split(call["items"]) if call and call["name"] == name else None
        if arguments is None:
            return None
        calls.append(arguments)
    return calls


def _statements(body: str) -> list[str]:
    """The parts between semicolons outside quotes."""
    parts, start, at = list[str](), 0, 0
    while at < len(body):
        quoted = _STRING.match(body, at) if body[at] in "\"'" else None
        if quoted is not None:
            at = quoted.end()
            continue
        if body[at] == ";":
            parts.append(body[start:at])
            start = at + 1
        at += 1
    return [*parts, body[start:]]


def _java_value(text: str) -> Any:
    """A value whose type is not stated."""
    for kind in ("boolean", "long", "float"):
        if not isinstance(value := _scalar(text, JAVA[kind], _SUFFIXES.get(kind)), str):
            return value
    return _value(text)


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else unquoted(text)


def _list_of(text: str, inner: str | None) -> Any:
    """A JavaScript array of a type."""
    found = _NEW_ARRAY.fullmatch(text)
    inside = found["items"] if found else text[1:-1] if text[:1] == "[" and text[-1:] == "]" else None
    items = None if inside is None else split(inside)
    if items is None:
        return text
    if inner in JAVASCRIPT:
        return [read_javascript(item, str(inner)) for item in items]
    return [_plain(item) for item in items]


def _plain(text: str, depth: int = _MOST_DEPTH) -> Any:
    """A JavaScript value whose type is not stated."""
    if not depth:
        return text
    if text[:1] == "[" and text[-1:] == "]":
        items = split(text[1:-1])
        return text if items is None else [_plain(item, depth - 1) for item in items]
    if text[:1] == "{" and text[-1:] == "}":
        return _object(text, depth)
    return _value(text)


def _object(text: str, depth: int) -> Any:
    fields: dict[str, Any] = {}
    for pair in split(text[1:-1]) or ():
        quoted = _STRING.match(pair)
        at = pair.find(":", quoted.end() if quoted else 0)
        if at < 0:
            return text
        fields[unquoted(pair[:at].strip())] = _plain(pair[at + 1 :].strip(), depth - 1)
    return fields if fields or not text[1:-1].strip() else text


# -- writing -----------------------------------------------------------------------------------------------------------


def write_java(value: Any, kind: str, inner: str | None = None) -> str:
    """A value as a Java literal; text stands for itself."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        items = ", ".join(_java_written(item, inner) for item in value)
        return f"new Object[]{{{items}}}" if kind == "Array" else f"new ArrayList<>(Arrays.asList({items}))"
    if isinstance(value, dict):
        puts = "".join(f"put({json.dumps(key)}, {_java_written(item, None)}); " for key, item in value.items())
        return f"new HashMap<String, Object>() {{{{ {puts}}}}}"
    written = json.dumps(value)
    return written + {"long": "L", "float": "f"}.get(kind, "")


def _java_written(value: Any, inner: str | None) -> str:
    return json.dumps(value) if isinstance(value, str) else write_java(value, inner or "any")


def write_javascript(value: Any, kind: str, inner: str | None = None) -> str:
    """A value as a JavaScript literal; text stands for itself."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) + ("n" if kind == "Bigint" else "")


READERS: Final[Mapping[str, tuple[Mapping[str, type], Callable[..., Any], Callable[..., str]]]] = {
    "Java": (JAVA, read_java, write_java),
    "JavaScript": (JAVASCRIPT, read_javascript, write_javascript),
}
"""The types of a language, and what reads and writes its literals."""
