r"""The Python that a proposal may use.

An allow-list, checked on the syntax tree. Runs in the jail, so it imports only the standard library::

    tree = checked("def f(n):\n    return n + 1", arguments=1)      # or raises Refused

Whatever is not listed is refused: imports, attributes that are not methods of plain values, names with an underscore in
front, sets (their order depends on hashing), floats, ``is``, exceptions, generators. So a program cannot reach clocks,
files, processes, frames or addresses, and what it computes depends on its arguments alone.
"""

from __future__ import annotations

import ast
from typing import Final

MAX_CHARS: Final = 4_000
MAX_NODES: Final = 500
MAX_DEPTH: Final = 24
MAX_CONSTANT: Final = 10**9
MAX_TEXT: Final = 40

FUNCTIONS: Final = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "chr",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "int",
        "len",
        "list",
        "map",
        "max",
        "min",
        "ord",
        "pow",
        "range",
        "reversed",
        "round",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
    ]
)
METHODS: Final = frozenset(
    [
        "append",
        "capitalize",
        "clear",
        "copy",
        "count",
        "endswith",
        "extend",
        "find",
        "get",
        "index",
        "insert",
        "isalpha",
        "isdigit",
        "islower",
        "isupper",
        "items",
        "join",
        "keys",
        "lower",
        "lstrip",
        "pop",
        "remove",
        "replace",
        "reverse",
        "rfind",
        "rindex",
        "rsplit",
        "rstrip",
        "setdefault",
        "sort",
        "split",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "update",
        "upper",
        "values",
    ]
)
OPERATORS: Final = "+, -, *, //, %, **, &, |, ^, ~, ==, !=, <, <=, >, >=, in, not in, and, or, not"
"""The operators of :data:`_ALLOWED` in words."""
ARITHMETIC: Final = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd, ast.BitOr, ast.BitXor)
COMPARISONS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
_TYPES: Final = frozenset(("bool", "dict", "int", "list", "str", "tuple"))
_ALLOWED: Final = (
    *(ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While),
    *(ast.If, ast.Expr, ast.Break, ast.Continue, ast.Pass, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp),
    *(ast.Dict, ast.ListComp, ast.DictComp, ast.comprehension, ast.Compare, ast.Call, ast.Constant, ast.Subscript),
    *(ast.Name, ast.List, ast.Tuple, ast.Slice, ast.Load, ast.Store, ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd),
    *(ast.Attribute, ast.keyword, ast.GeneratorExp, ast.Invert, *ARITHMETIC, *COMPARISONS),
)
_NAMED: Final[dict[type, str]] = {
    ast.Set: "A set",
    ast.SetComp: "A set",
    ast.Div: "The operator / (use //)",
    ast.LShift: "The operator << (multiply by a power of 2)",
    ast.RShift: "The operator >> (divide by a power of 2)",
    ast.MatMult: "The operator @",
    ast.Is: "`is` (use ==)",
    ast.IsNot: "`is not` (use !=)",
    ast.JoinedStr: "An f-string (use str and +)",
    ast.NamedExpr: "The operator :=",
    ast.AnnAssign: "An assignment with an annotation",
    ast.Starred: "A star",
    ast.Import: "An import",
    ast.ImportFrom: "An import",
    ast.ClassDef: "A class",
    ast.Try: "An exception handler",
    ast.Raise: "raise",
    ast.Assert: "assert",
    ast.Delete: "del",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.With: "with",
    ast.Match: "match",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.AsyncFunctionDef: "async",
}


class Refused(Exception):
    """The proposal is invalid; the text says why."""


def checked(source: str, arguments: int) -> tuple[ast.Module, list[ast.Call]]:
    """The functions of a proposal, and its calls of ``f``.

    Raises:
        Refused: It is not in the language.
    """
    if len(source) > MAX_CHARS:
        raise Refused(f"The program has {len(source):,} characters. At most {MAX_CHARS:,} are allowed.")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Refused(_malformed(error)) from None
    _bounded(tree)
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    if len(definitions) + len(calls) != len(tree.body):
        raise Refused("Only function definitions and calls of f may stand at the top level.")
    if tree.body[: len(definitions)] != definitions:
        raise Refused("All functions must be defined before the calls of f.")
    names = [node.name for node in definitions]
    if "f" not in names or len(set(names)) != len(names):
        raise Refused("Define a function f, and each function once.")
    for definition in definitions:
        _signature(definition, arguments if definition.name == "f" else None)
    for node in ast.walk(ast.Module(list[ast.stmt](definitions), [])):
        _allowed(node, set(names))
    if sum(isinstance(node, ast.FunctionDef) for node in ast.walk(tree)) != len(definitions):
        raise Refused("Functions may only be defined at the top level.")
    try:
        compile(tree, "<proposal>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # such as break outside a loop
        raise Refused(_malformed(error)) from None
    return ast.Module(list[ast.stmt](definitions), []), calls


def _malformed(error: Exception) -> str:
    if isinstance(error, RecursionError | MemoryError):
        return f"The program is nested more than {MAX_DEPTH} deep."
    line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
    return f"The program is not valid Python: {type(error).__name__}{line}."


def _bounded(tree: ast.AST) -> None:
    level: list[ast.AST] = [tree]
    nodes = depth = 0
    while level:
        nodes, depth = nodes + len(level), depth + 1
        if nodes > MAX_NODES:
            raise Refused(f"The program has more than {MAX_NODES} parts.")
        if depth > MAX_DEPTH:
            raise Refused(f"The program is nested more than {MAX_DEPTH} deep.")
        level = [child for node in level for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Load)]


def _signature(definition: ast.FunctionDef, count: int | None) -> None:
    for node, field in ((definition, "returns"), *((given, "annotation") for given in definition.args.args)):
        if _names_types(getattr(node, field)):
            setattr(node, field, None)
    if definition.decorator_list or definition.returns is not None:
        raise Refused("Functions may not have decorators, or annotations other than types such as list[int].")
    if count is not None and len(definition.args.args) != count:
        raise Refused(f"f must have {count} argument{'s' if count != 1 else ''}, got {len(definition.args.args)}.")


def _names_types(annotation: ast.expr | None) -> bool:
    """Whether an annotation has only types, such as ``list[int]``; it is dropped."""
    return annotation is not None and all(
        node.id in _TYPES if isinstance(node, ast.Name) else isinstance(node, ast.Subscript | ast.Tuple | ast.Load)
        for node in ast.walk(annotation)
    )


def _allowed(node: ast.AST, functions: set[str]) -> None:
    if not isinstance(node, _ALLOWED):
        raise Refused(f"{_NAMED.get(type(node), type(node).__name__)} is not allowed.")
    name = {ast.FunctionDef: "name", ast.arg: "arg", ast.Name: "id", ast.Attribute: "attr", ast.keyword: "arg"}.get(
        type(node)
    )
    if name is not None and str(getattr(node, name)).startswith("_"):
        raise Refused("Names may not begin with an underscore.")
    match node:
        case ast.FunctionDef() if node.name in FUNCTIONS:
            raise Refused(f"{node.name} is a built-in function and cannot be redefined.")
        case ast.arguments() if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs or node.defaults:
            raise Refused("Functions may have plain arguments only: no defaults and no stars.")
        case ast.arg() if node.annotation is not None:
            raise Refused("Functions may not have annotations other than types such as list[int].")
        case ast.arg() if node.arg in FUNCTIONS or node.arg in functions:
            raise Refused(f"{node.arg} is a function and cannot be an argument.")
        case ast.Name(ctx=ast.Store()) if node.id in FUNCTIONS or node.id in functions:
            raise Refused(f"{node.id} is a function and cannot be assigned.")
        case ast.Attribute() if node.attr not in METHODS:
            raise Refused(f"The method {node.attr[:30]} is not allowed. Expected one of {', '.join(sorted(METHODS))}.")
        case ast.Constant():
            _constant(node.value)
        case ast.Call():
            _call(node, functions)
        case ast.Compare() if len(node.ops) > 1:
            raise Refused("Compare two values at a time: write a < b and b < c.")
        case ast.For() | ast.While() if node.orelse:
            raise Refused("Loops may not have an else.")
        case ast.comprehension() if node.is_async:
            raise Refused("async is not allowed.")


def _constant(value: object) -> None:
    if value is None or type(value) is bool:
        return
    if type(value) is int and abs(value) <= MAX_CONSTANT:
        return
    if type(value) is str and len(value) <= MAX_TEXT and value.isascii() and value.isprintable():
        return
    raise Refused(f"A constant is an integer up to {MAX_CONSTANT}, a short printable ASCII text, True, False or None.")


def _call(node: ast.Call, functions: set[str]) -> None:
    called = node.func
    if isinstance(called, ast.Name):
        if called.id not in FUNCTIONS and called.id not in functions:
            raise Refused(
                f"The function {called.id[:30]} cannot be called. Expected one of yours, or one of "
                f"{', '.join(sorted(FUNCTIONS))}."
            )
    elif not isinstance(called, ast.Attribute):
        raise Refused("Only named functions and methods can be called.")
    if any(isinstance(given, ast.Starred) for given in node.args):
        raise Refused("An argument with a star is not allowed.")
    if any(word.arg not in ("key", "reverse", "default", "start") for word in node.keywords):
        raise Refused("Keyword arguments are key, reverse, default and start.")


def misused(tree: ast.Module) -> str | None:
    """Why a function or method is used wrongly.

    None if each is called, or passed to map, filter or as a key.
    """
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {id(node.func) for node in calls}
    keys = {id(word.value) for node in calls for word in node.keywords if word.arg == "key"}
    maps = {
        id(node.args[0])
        for node in calls
        if isinstance(node.func, ast.Name) and node.func.id in ("map", "filter") and node.args
    }
    defined = FUNCTIONS | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        loose = isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in defined)
        if loose and id(node) not in called | keys | maps:
            return "Functions may only be called, or passed to map, filter or as a key."
        if isinstance(node, ast.Attribute) and id(node) not in called:
            return f"Methods may only be called. Write a call such as {node.attr}() or a lambda."
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in FUNCTIONS:
            return f"Call the method {node.attr} of a value, not of {node.value.id}."
    return None


def arguments_of(call: ast.Call) -> list[object]:
    """The arguments of a call of ``f``, which must be literals.

    Raises:
        Refused: They are not.
    """
    if not isinstance(call.func, ast.Name) or call.func.id != "f" or call.keywords:
        raise Refused("After the functions, only calls of f with its arguments may follow.")
    try:
        return [ast.literal_eval(given) for given in call.args]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise Refused("The arguments of the calls must be Python literals.") from None
