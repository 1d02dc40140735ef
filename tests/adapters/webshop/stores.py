"""Files in WebShop's formats, with goods and instructions written here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

COUNT = 80
ANGLE = "\u203a"
"""What separates categories."""
KINDS = ("kettle", "pillow", "lantern", "sneakers")
MADE = ("stainless steel", "memory foam", "water resistant", "rubber sole")
COLOURS = ("black", "olive green", "sky/blue")
SIZES = ("small", "large")


FIRST = ("bam", "dek", "fil", "gon", "hup", "jat", "kez", "lom")
SECOND = ("rix", "sov", "tun", "vag", "wep", "yil", "zod", "cuf", "mab", "pej")


def style(number: int) -> str:
    """An attribute that one product has; WebShop takes similar texts for the same, so these are not."""
    return f"{FIRST[number // 10]}{SECOND[number % 10]} style"


def code(number: int) -> str:
    """The code of a product."""
    return f"B0{number:08}"


def product(number: int) -> dict[str, Any]:
    """A product; every fourth has no options, and every fifth has a range of prices."""
    kind = KINDS[number % len(KINDS)]
    options = {"Color": [{"value": value, "image": None} for value in COLOURS], "Size": [{"value": x} for x in SIZES]}
    low = 5 + number
    return {
        "asin": code(number),
        "name": f"Northwind {kind.title()} Model Q{number} by Aurel",
        "query": f"{kind}s ",
        "category": "garden",
        "product_category": f"Home {ANGLE} Kitchen {number % 3} {ANGLE} {kind.title()}",
        "full_description": f"A {kind} that is easy to clean.",
        "small_description": [f"Made with {MADE[number % 4]}.", "Ships fast."],
        "pricing": f"${low}.50" if number % 5 else f"${low}.00$1,{low:03}.00",
        "customization_options": options if number % 4 else {"Size": None},
        "images": ["nowhere"],
    }


def about(number: int) -> dict[str, Any]:
    """Attributes of a product, with a generated instruction."""
    attributes = [MADE[number % 4], "easy to clean", style(number)]
    instruction = f"Find me {KINDS[number % 4]} in {style(number)} with {MADE[number % 4]}"
    return {"attributes": attributes, "instruction": instruction, "instruction_attributes": attributes[::2]}


def asked(number: int) -> list[dict[str, Any]]:
    """Instructions that people wrote."""
    named = [MADE[number % 4], style(number)]
    options = ["olive green", "large"] if number % 4 else []
    wish = f"i want a {' '.join([*options, KINDS[number % 4]])} in {style(number)} with {named[0]}."
    rows = [
        {"asin": code(number), "instruction": wish, "instruction_attributes": named, "instruction_options": options}
    ]
    nothing = {"instruction": f"anything number {number}", "instruction_attributes": [], "instruction_options": []}
    never = {**rows[0], "instruction": f"one in gold, number {number}", "instruction_options": ["gold plated"]}
    return [*rows, nothing, never]


def write(folder: Path) -> dict[str, str]:
    """The three files, by the names of parameters."""
    folder.mkdir(parents=True, exist_ok=True)
    odd = [{**product(0), "asin": "nan"}, {**product(1), "asin": "B" * 11}, product(0)]
    contents = {
        "items": [product(number) for number in range(COUNT)] + odd,
        "attributes": {code(number): about(number) for number in range(COUNT)},
        "people": {code(number): asked(number) for number in range(COUNT)} | {"elsewhere": asked(1)},
    }
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return {name: str(folder / f"{name}.json") for name in contents}
