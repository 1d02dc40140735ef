"""The goods of the shop by department: names, attributes, options and prices."""

from __future__ import annotations

from typing import Final, NamedTuple


class Department(NamedTuple):
    """One department of the shop.

    Attributes:
        kinds: Names of its goods.
        attributes: What goods of the department may be.
        options: Values of each option that a customer chooses.
        prices: Lowest and highest price in dollars.
    """

    kinds: tuple[str, ...]
    attributes: tuple[str, ...]
    options: dict[str, tuple[str, ...]]
    prices: tuple[int, int]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


DEPARTMENTS: Final[dict[str, Department]] = {
    "shoes": Department(
        _listed(
            "trail running shoes, leather ankle boots, canvas sneakers, hiking sandals, winter snow boots, ballet flats"
        ),
        _listed(
            "waterproof, slip resistant, vegan leather, arch support, quick drying, reflective trim, machine washable, "
            "shock absorbing, memory foam insole, extra laces"
        ),
        {
            "color": _listed("black, navy blue, olive green, burgundy, light grey, ivory"),
            "size": _listed("us 6, us 7, us 8, us 9, us 10, us 11"),
            "width": _listed("narrow, regular, wide"),
        },
        (28, 140),
    ),
    "clothing": Department(
        _listed(
            "hooded rain jacket, linen summer shirt, merino wool sweater, cargo hiking pants, fleece hoodie, cotton pajama set"
        ),
        _listed(
            "wrinkle free, stretch fabric, moisture wicking, tagless collar, zip pockets, fade resistant, wind blocking, "
            "organic cotton lining, hand wash only, lightweight"
        ),
        {
            "color": _listed("charcoal, forest green, rust orange, sky blue, cream, plum"),
            "size": _listed("x-small, small, medium, large, x-large, xx-large"),
            "fit": _listed("slim fit, classic fit, relaxed fit"),
        },
        (18, 120),
    ),
    "kitchen": Department(
        _listed(
            "cast iron skillet, electric water kettle, chef knife set, bamboo cutting board, glass storage jars, "
            "drip coffee maker"
        ),
        _listed(
            "dishwasher safe, bpa free, heat resistant handle, non stick, stackable, easy to clean, rust proof, "
            "space saving, gift boxed, made in portugal"
        ),
        {
            "color": _listed("matte black, brushed steel, mint, brick red, pearl, copper"),
            "capacity": _listed("0.5 liter, 0.8 liter, 1.2 liter, 1.7 liter, 2.5 liter, 4 liter"),
            "pack": _listed("single, pack of 2, pack of 4"),
        },
        (14, 110),
    ),
    "electronics": Department(
        _listed(
            "wireless earbuds, portable power bank, mechanical keyboard, bluetooth speaker, action camera, usb docking hub"
        ),
        _listed(
            "noise cancelling, fast charging, water resistant, voice control, aluminum case, low latency, long battery life, "
            "plug and play, carrying pouch included, backlit"
        ),
        {
            "color": _listed("midnight blue, graphite, rose gold, arctic white, lime, crimson"),
            "connector": _listed("usb a, usb c, micro usb, lightning, barrel plug, magnetic"),
            "warranty": _listed("one year, two years, five years"),
        },
        (22, 190),
    ),
    "beauty": Department(
        _listed("face moisturizer, mineral sunscreen, shampoo bar, hair styling wax, tinted lip balm, clay face mask"),
        _listed(
            "fragrance free, cruelty free, paraben free, oil free, dermatologist tested, long lasting, travel friendly, "
            "plant based, for sensitive skin, refillable"
        ),
        {
            "scent": _listed("unscented, lavender, green tea, citrus, coconut, sandalwood"),
            "volume": _listed("15 ml, 30 ml, 60 ml, 120 ml, 250 ml, 500 ml"),
            "bundle": _listed("one piece, set of 3, set of 6"),
        },
        (6, 64),
    ),
    "grocery": Department(
        _listed("trail mix snack, loose leaf tea, protein bars, whole coffee beans, dried mango slices, rolled oats"),
        _listed(
            "gluten free, sugar free, non gmo, kosher certified, low sodium, usda organic, dairy free, keto friendly, "
            "resealable bag, fair trade"
        ),
        {
            "flavor": _listed("original, vanilla, cinnamon, sea salt, honey, dark chocolate"),
            "weight": _listed("4 ounce, 8 ounce, 12 ounce, 24 ounce, 3 pound, 5 pound"),
            "quantity": _listed("1 bag, 3 bags, 6 bags"),
        },
        (5, 58),
    ),
    "home": Department(
        _listed(
            "bedside table lamp, woven area rug, blackout curtains, bath towel set, velvet pillow covers, ladder bookshelf"
        ),
        _listed(
            "easy assemble, stain resistant, energy efficient, hypoallergenic, pet friendly, scratch resistant, solid wood, "
            "handmade, quiet, eco friendly"
        ),
        {
            "color": _listed("beige, walnut brown, teal, mustard yellow, slate grey, blush pink"),
            "dimensions": _listed("16 x 16 inch, 20 x 30 inch, 24 x 48 inch, 36 x 60 inch, 52 x 84 inch, 60 x 96 inch"),
            "style": _listed("modern, farmhouse, bohemian"),
        },
        (16, 150),
    ),
    "outdoors": Department(
        _listed(
            "two person tent, mummy sleeping bag, camping lantern, folding camp chair, insulated water bottle, hiking backpack"
        ),
        _listed(
            "uv protected, compact fold, rip stop, leak proof, adjustable straps, cold weather rated, quick setup, "
            "mesh ventilation, repair kit included, recycled material"
        ),
        {
            "color": _listed("moss green, sand, burnt orange, deep purple, storm grey, turquoise"),
            "model year": _listed("2019 edition, 2020 edition, 2021 edition, 2022 edition, 2023 edition, 2024 edition"),
            "kit": _listed("basic kit, plus kit, expedition kit"),
        },
        (12, 180),
    ),
}
BRANDS: Final = _listed(
    "Aldera, Bramwell, Corvane, Dunmore, Eskil, Fennwick, Garrick, Hollis, Ivarsen, Jorvik, Kestrin, Lomond, Marlowe, "
    "Nordane, Orrin, Pellworth, Quillan, Ravenna, Solheim, Tarrant, Ullswater, Vantor, Westmere, Yarrow, Zephyra, "
    "Ashcombe, Birkdale, Calloway, Drummond, Elmstead"
)
