"""Names of people, companies, towns, works and events.

Each name and alias stands for one thing. Only people may share a name; their trades then distinguish them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


GIVEN: Final = _listed(
    "Mara Edda Tovin Ilse Korben Anselm Brigid Casimir Dorthe Emeric Freya Gideon Hedda Ivo Jorunn Klaus Liesel "
    "Magnus Nadia Oskar Petra Quentin Runa Silas Thekla Ulric Vera Wendel Yrsa Zeno Agnes Balthas Celia Dario "
    "Elin Fabian Greta Hanno Ines Jasper Katrin Linus Mirjam Nils Odile Pavel Romy Stellan Tilda Urban Viola Wim"
)
_SUR_ONE: Final = _listed(
    "Ald Berg Cald Dren Ehr Fenn Gris Hald Ing Kest Lund Mor Norr Ost Pell Rav Sten Thal Ulf Vask"
)
_SUR_TWO: Final = _listed(
    "aker borne crest dahl ecke feld gaard hurst kamp lind mark quist rup sen stad vang wick zell"
)
_SURNAMES: Final = tuple(one + two for one in _SUR_ONE for two in _SUR_TWO)
_TOWN_ONE: Final = _listed(
    "Amber Birch Cinder Dun Elder Fal Gold Hazel Iron Kings Lark Mill Nether Oak Pine Quarry Rook Salt"
)
_TOWN_TWO: Final = _listed(
    "bridge by cote dale ferry ford gate ham haven hollow mere moor ness port stow ton well worth"
)
_FIRM_ONE: Final = _listed("Ax Bri Cor Del Ex Fa Gal Ho Juno Lu Mer Nor Ori Pra Qua Rho Sol Tri Vel Zan")
_FIRM_TWO: Final = _listed("bex cant dyne fex gora lith mont nova pact rix sant tara vane wyn xia zeta")
_TRADES: Final = _listed("Optics Printing Instruments Textiles Glassworks Shipping Ceramics Paper Tools Foundry")
_ADJECTIVES: Final = _listed(
    "Amber Broken Crimson Distant Empty Faded Gentle Hidden Ivory Jagged Kindled Lonely Marble Nightly Open "
    "Patient Quiet Restless Silver Tender Unwritten Velvet Winter Yellow"
)
_NOUNS: Final = _listed(
    "Anchor Bridge Compass Door Echo Forest Garden Harbour Island Journey Key Lantern Mirror Needle Orchard "
    "Pilgrim Quarry River Staircase Tide Umbrella Voyage Window Yard"
)
_FEASTS: Final = _listed("Regatta Festival Congress Prize Fair Games Biennale Marathon")
_SPANS: Final = _listed("Bridge Viaduct Crossing")
_BIRDS: Final = _listed(
    "Albatross Bittern Cormorant Curlew Dunlin Egret Falcon Gannet Godwit Heron Ibis Jackdaw Kestrel Lapwing Merlin "
    "Nightjar Osprey Petrel Plover Raven Skua Swan Tern Wagtail"
)
_DAYS: Final = _listed("Bell Candle Drum Feather Kite Ribbon Rose Sail Star Torch Violet Wheel")
PROFESSIONS: Final = _listed(
    "architect astronomer baker botanist cartographer chemist composer engraver geologist glazier historian "
    "jurist linguist mason navigator painter physician surveyor violinist weaver"
)


class Names:
    """Source of unused names. Every call returns a new one."""

    def __init__(self, rng: Stream) -> None:
        self._rng = rng
        self._given: set[str] = set()

    def _new(self, first: Sequence[str], second: Sequence[str], form: str = "{}{}") -> str:
        while True:
            name = form.format(self._rng.choice(first), self._rng.choice(second))
            if name not in self._given:
                self._given.add(name)
                return name

    def person(self) -> str:
        """A given name and a surname; also a pen name."""
        return self._new(GIVEN, _SURNAMES, "{} {}")

    def town(self) -> str:
        """A town, and its former name."""
        return self._new(_TOWN_ONE, _TOWN_TWO)

    def company(self) -> str:
        """A company with its trade."""
        return f"{self._new(_FIRM_ONE, _FIRM_TWO)} {self._rng.choice(_TRADES)}"

    def brand(self) -> str:
        """A company's name in the trade."""
        return f"{self._new(_FIRM_ONE, _FIRM_TWO)} House"

    def work(self) -> str:
        """The title of a book; also its working title."""
        return self._new(_ADJECTIVES, _NOUNS, "The {} {}")

    def event(self) -> str:
        """An event."""
        return self._new(_ADJECTIVES, _FEASTS, "{} {}")

    def days(self) -> str:
        """The popular name of an event."""
        return self._new(_ADJECTIVES, _DAYS, "{} {} Days")

    def bridge(self) -> str:
        """A bridge."""
        return self._new(_SURNAMES, _SPANS, "{} {}")

    def museum(self) -> str:
        """A museum."""
        return self._new(_ADJECTIVES, _NOUNS, "{} {} Museum")

    def ship(self) -> str:
        """A ship."""
        return self._new(_ADJECTIVES, _BIRDS, "{} {}")
