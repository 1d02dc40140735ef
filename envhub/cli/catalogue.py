"""``envhub list`` and ``envhub info``.

The catalogue, and the details of one environment without solutions.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from envhub.cli import completion
from envhub.cli.terminal import console, plain, print_json, table_of

AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def list_environments(
    category: Annotated[str | None, typer.Option(metavar="NAME", help="List only this category.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the available environments."""
    from envhub.registry.describe import summaries

    lines = summaries(category)
    if as_json:
        print_json(lines)
        return
    table = table_of("id", "category", "description", "source")
    for line in lines:
        said = line["description"] if line["error"] is None else f"cannot be used: {line['error']}"
        table.add_row(*map(plain, (line["id"], line["category"], said, line["source"])))
    console().print(table)


def info(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="Environment id, such as sudoku-v0. See envhub list.",
            autocompletion=completion.environment,
        ),
    ],
    difficulty: Annotated[
        int, typer.Option(metavar="1..10", help="Difficulty of the sample.", autocompletion=completion.level)
    ] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Show the details of an environment.

    Shows rules, limits, parameters, the parameters of each difficulty level and a sample prompt, but no solution.
    """
    from envhub.making import make
    from envhub.registry.describe import describe
    from envhub.registry.registry import lacking, spec

    about = describe(id)
    lacks = lacking(spec(id))
    if lacks is not None:
        if as_json:
            print_json({**about, "sample": None, "no_sample": lacks})
            return
        _show(about)
        _heading("A prompt")
        console().print(plain(lacks), soft_wrap=True)
        return
    env = make(id, difficulty=difficulty)
    prompt, _ = env.reset(seed=seed)
    env.close()
    if as_json:
        sample = {"difficulty": difficulty, "split": env.task.split, "seed": seed, "prompt": prompt}
        print_json({**about, "sample": sample})
        return
    _show(about)
    _heading(f"A prompt (difficulty {difficulty}, split {env.task.split}, seed {seed})")
    console().print(plain(prompt), soft_wrap=True)


def _heading(text: str) -> None:
    """Print a section heading."""
    from rich.text import Text

    console().print(Text(f"\n{text}", style="bold"))


def _show(about: dict[str, Any]) -> None:
    from rich.text import Text

    out = console()
    out.print(Text(plain(about["id"]), style="bold"))
    out.print(plain(about["rules"]), soft_wrap=True)
    _heading("About")
    facts = {
        "category": about["category"],
        "source": about["source"],
        "extras": ", ".join(about["extras"]) or "none",
        "split by": about["split_by"],
        "turns": f"at most {about['max_turns']}",
        "action": f"at most {about['max_action_chars']} characters",
        "covers": ", ".join(about["covers"]) or "none",
    }
    for name, value in facts.items():
        out.print(f"{name:9} {plain(value)}")
    _heading("Parameters")
    if about["params"]:
        table = table_of("name", "values", "default", "description")
        for param in about["params"]:
            default = _value(param["default"]) if "default" in param else "required"
            table.add_row(*map(plain, (param["name"], values(param), default, param.get("description", ""))))
        out.print(table)
        _heading("Difficulties")
        names = [param["name"] for param in about["params"]]
        levels = table_of("level", *names)
        for level, params in about["difficulties"].items():
            levels.add_row(level, *(plain(_value(params.get(name))) for name in names))
        out.print(levels)
    else:
        out.print("none: every difficulty is the same")
    _show_rates(about)
    if about["tools"]:
        _heading("Tools")
        for tool in about["tools"]:
            function = tool["function"]
            arguments = ", ".join(function["parameters"].get("properties", {}))
            out.print(plain(f"{function['name']}({arguments}): {function['description']}"), soft_wrap=True)


def _show_rates(about: dict[str, Any]) -> None:
    """Show solve rates and the number of distinct problems.

    Reference and ceiling rates, each where known.
    """
    rates = {name: about[name] for name in ("reference", "ceiling") if about[name]}
    problems = about["problems"]
    if not rates and not problems:
        return
    _heading("Levels")
    splits = [name for name in problems or () if name != "drawn"]
    heads = [f"different {name} problems of {problems['drawn']}" for name in splits]
    table = table_of("level", *rates, *heads)
    for number, level in enumerate(about["difficulties"]):
        solved = (f"{rate['solved'][level]:.3f}" for rate in rates.values())
        table.add_row(level, *solved, *(str(problems[name][number]) for name in splits))
    out = console()
    out.print(table)
    for name, rate in rates.items():
        how = f"{rate['episodes']} episodes a level" if rate["episodes"] else "computed exactly"
        out.print(f"{name}: share solved by {plain(rate['policy'])}, {how}", soft_wrap=True)


def values(schema: dict[str, Any]) -> str:
    """The values that a JSON schema admits, as readable text.

    >>> values({"type": "integer", "minimum": 1, "maximum": 40})
    'integer 1..40'
    """
    if "const" in schema:
        return _value(schema["const"])
    if "enum" in schema:
        return ", ".join(map(_value, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(map(values, schema["anyOf"]))
    kind = str(schema.get("type", schema.get("$ref", "any").rpartition("/")[2]))
    if kind == "array":
        return f"list of {values(schema.get('items', {}))}"
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None or high is not None:
        above = "above " if "exclusiveMinimum" in schema else ""
        below = "below " if "exclusiveMaximum" in schema else ""
        return f"{kind} {above}{'' if low is None else low}..{below}{'' if high is None else high}"
    return f"{kind} {schema['pattern']}" if "pattern" in schema else kind


def _value(value: Any) -> str:
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
