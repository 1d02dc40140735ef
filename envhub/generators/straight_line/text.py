"""Prints programs as Python, with as few brackets as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.core.types import JSON

_EITHER, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(1, 10)
_LEVEL: Final = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT}
_CALLS: Final = {
    "descending": "sorted({}, reverse=True)",
    "distinct": "sorted(set({}))",
    "largest": "max({}, default={})",
    "smallest": "min({}, default={})",
    "items": "sorted({}.items())",
    "values": "{}.values()",
    "keys": "sorted({})",
}
_HELPERS: Final = "ghpqr"


def source(program: JSON) -> str:
    """The program as Python: its helpers, then ``f``."""
    helpers = [_function(_HELPERS[i], helper) for i, helper in enumerate(program["helpers"])]
    return "\n\n\n".join([*helpers, _function("f", program["main"])])


def signature(program: JSON) -> str:
    """A call of ``f``: ``f(xs, n)``."""
    main = program["main"]
    return f"f({', '.join(main['names'][: main['arguments']])})"


def _function(name: str, function: JSON) -> str:
    names = function["names"]
    head = f"def {name}({', '.join(names[: function['arguments']])}):"
    return "\n".join([head, *_lines(function["body"], names, "    ")])


def _lines(body: JSON, names: list[str], indent: str) -> Iterator[str]:
    for statement in body:
        yield from _statement(statement, names, indent)


def _statement(statement: JSON, names: list[str], indent: str) -> Iterator[str]:
    deeper = indent + "    "

    def text(e: JSON) -> str:
        return expression(e, names)

    match statement:
        case ["set", v, e]:
            yield f"{indent}{names[v]} = {text(e)}"
        case ["aug", v, op, e]:
            yield f"{indent}{names[v]} {op}= {text(e)}"
        case ["append", v, e]:
            yield f"{indent}{names[v]}.append({text(e)})"
        case ["pop", v]:
            yield f"{indent}{names[v]}.pop()"
        case ["put", v, key, e]:
            yield f"{indent}{names[v]}[{text(key)}] = {text(e)}"
        case ["for", targets, e, body]:
            yield f"{indent}for {', '.join(names[v] for v in targets)} in {text(e)}:"
            yield from _lines(body, names, deeper)
        case ["while", condition, body]:
            yield f"{indent}while {text(condition)}:"
            yield from _lines(body, names, deeper)
        case ["if", condition, body, orelse]:
            yield from _if("if", condition, body, orelse, names, indent)
        case ["return", e]:
            yield f"{indent}return {text(e)}"
        case [word]:
            yield f"{indent}{word}"


def _if(word: str, condition: JSON, body: JSON, orelse: JSON, names: list[str], indent: str) -> Iterator[str]:
    yield f"{indent}{word} {expression(condition, names)}:"
    yield from _lines(body, names, indent + "    ")
    if len(orelse) == 1 and orelse[0][0] == "if":
        _, inner, then, other = orelse[0]
        yield from _if("elif", inner, then, other, names, indent)
    elif orelse:
        yield f"{indent}else:"
        yield from _lines(orelse, names, indent + "    ")


def expression(e: JSON, names: list[str], room: int = _EITHER) -> str:
    """An expression, in brackets if it binds less than ``room``."""
    text, level = _bound(e, names)
    return text if level >= room else f"({text})"


def _bound(e: JSON, names: list[str]) -> tuple[str, int]:
    """An expression and how tightly it binds."""

    def text(part: JSON, room: int = _EITHER) -> str:
        return expression(part, names, room)

    match e:
        case ["int", value]:
            return str(value), _ATOM if value >= 0 else _UNARY
        case ["str", value]:
            return repr(value), _ATOM
        case ["var", v]:
            return names[v], _ATOM
        case ["bin", op, a, b]:
            level = _LEVEL[op]
            return f"{text(a, level)} {op} {text(b, level + 1)}", level
        case ["cmp", op, a, b]:
            return f"{text(a, _SUM)} {op} {text(b, _SUM)}", _COMPARE
        case ["in", a, b]:
            return f"{text(a, _SUM)} in {text(b, _SUM)}", _COMPARE
        case ["not", ["in", a, b]]:
            return f"{text(a, _SUM)} not in {text(b, _SUM)}", _COMPARE
        case ["not", a]:
            return f"not {text(a, _NOT)}", _NOT
        case ["and", a, b]:
            return f"{text(a, _AND)} and {text(b, _NOT)}", _AND
        case ["or", a, b]:
            return f"{text(a, _OR)} or {text(b, _AND)}", _OR
        case ["either", condition, a, b]:
            return f"{text(a, _OR)} if {text(condition, _OR)} else {text(b, _OR)}", _EITHER
    return _atom(e, text), _ATOM


def _atom(e: JSON, text: Any) -> str:
    match e:
        case ["call", name, *given]:
            form = _CALLS.get(name)
            if form is None:
                return f"{name}({', '.join(map(text, given))})"
            inside = _ATOM if form.startswith(("{}", "sorted({}.")) else _EITHER
            return form.format(*(text(part, inside) for part in given))
        case ["method", name, owner, *given]:
            return f"{text(owner, _ATOM)}.{name}({', '.join(map(text, given))})"
        case ["help", number, *given]:
            return f"{_HELPERS[number]}({', '.join(map(text, given))})"
        case ["index", items, i]:
            return f"{text(items, _ATOM)}[{text(i)}]"
        case ["slice", items, start, stop, step]:
            bounds = f"{_bound_text(start)}:{_bound_text(stop)}" + ("" if step is None else f":{step}")
            return f"{text(items, _ATOM)}[{bounds}]"
        case ["list", *given]:
            return f"[{', '.join(map(text, given))}]"
        case ["tuple", *given]:
            return f"({', '.join(map(text, given))})"
        case ["comp", kind, v, value, items, condition]:
            return _comprehension(kind, v, value, items, condition, text)
    return "{}"


def _comprehension(kind: str, v: int, value: JSON, items: JSON, condition: JSON, text: Any) -> str:
    tail = f" for {text(['var', v])} in {text(items, _OR)}" + (f" if {text(condition, _OR)}" if condition else "")
    if kind == "dict":
        return f"{{{text(value[1])}: {text(value[2])}{tail}}}"
    inner = text(value) + tail
    return {"list": f"[{inner}]", "sum": f"sum({inner})", "join": f"''.join({inner})"}[kind]


def _bound_text(bound: int | None) -> str:
    return "" if bound is None else str(bound)
