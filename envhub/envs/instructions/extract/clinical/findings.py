"""Sentences on measurements and laboratory results."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.vocabulary import TESTS
from envhub.envs.instructions.extract.voice import Told, Voice

_SHORT_TESTS = {"C-reactive protein": "CRP", "haemoglobin": "Hb"}
_NEAR = Decimal("0.4")


def temperature(voice: Voice, value: str) -> str:
    """A temperature in either unit."""
    if not voice.vary():
        return f"{value} °C"
    voice.units.add("°C")
    fahrenheit = (Decimal(value) * Decimal("1.8") + 32).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{fahrenheit} °F"


def weight(voice: Voice, kilograms: int) -> str:
    """A weight in either unit."""
    if not voice.vary():
        return f"{kilograms} kg"
    voice.units.add("kg")
    return f"{(Decimal(kilograms) / Decimal('0.4536')).quantize(Decimal(1), ROUND_HALF_UP)} lb"


def height(voice: Voice, centimetres: int) -> str:
    """A height in centimetres, metres, or feet and inches."""
    inches = round(centimetres / 2.54)
    exact = abs(Decimal(inches) * Decimal("2.54") - centimetres) < _NEAR
    if not voice.vary():
        return f"{centimetres} cm"
    if not exact or voice.rng.below(2):
        return f"{centimetres / 100:.2f} m"
    voice.units.add("cm")
    return f"{inches // 12} ft {inches % 12} in"


def vitals(voice: Voice, about: JSON) -> Told:
    """Measurements of the visit, in one sentence or several."""
    parts: list[str] = []
    if about["systolic"]:
        pressure = f"{about['systolic']}/{about['diastolic']}"
        name = voice.abbreviated("BP", "blood pressure")
        parts.append(f"{name} {pressure} mmHg")
    if about["pulse"]:
        rate = voice.abbreviated("HR", "pulse")
        parts.append(f"{rate} {about['pulse']}/min" if voice.terse else f"{rate} {about['pulse']} beats per minute")
    if about["temperature_c"]:
        parts.append(f"temperature {temperature(voice, about['temperature_c'])}")
    if about["height_cm"]:
        parts.append(f"height {height(voice, about['height_cm'])}")
    if about["weight_kg"]:
        parts.append(f"weight {weight(voice, about['weight_kg'])}")
    if not parts:
        return []
    repeated = _earlier(voice, about)
    text = voice.say(
        "On examination: {all}.", "Measured today: {all}.", "Findings at this visit: {all}.", all=voice.listed(parts)
    )
    return [*(("exam", each) for each in repeated), ("exam", text)]


def _earlier(voice: Voice, about: JSON) -> list[str]:
    """A first measurement that a later one replaces."""
    if not (about["systolic"] and voice.vary()):
        return []
    high, low = about["systolic"] + voice.rng.between(6, 22), about["diastolic"] + voice.rng.between(2, 9)
    return [
        voice.say(
            "On arrival the blood pressure was {high}/{low} mmHg; it was measured again after ten minutes of rest.",
            "The nurse first measured a blood pressure of {high}/{low} mmHg, before the consultation.",
            high=high,
            low=low,
        )
    ]


def result(voice: Voice, name: str, value: str) -> str:
    """A value of a laboratory test with its unit."""
    about = TESTS[name]
    plain = f"{value} {about.unit}"
    if not (about.other and voice.vary()):
        return plain
    step = Decimal(1).scaleb(-about.other_places)
    other = (Decimal(value) / about.factor).quantize(step, ROUND_HALF_UP)
    if abs(other * about.factor - Decimal(value)) >= _NEAR.scaleb(-about.places):
        return plain
    voice.units.add(f"{about.unit} {name}")
    return f"{other} {about.other}"


def labs(voice: Voice, items: list[JSON]) -> Told:
    """Results, those of one day together; some with an older value."""
    told: Told = []
    by_day: dict[str, list[JSON]] = {}
    for each in items:
        by_day.setdefault(each["taken_on"], []).append(each)
    for taken, results in by_day.items():
        when = voice.recent(date.fromisoformat(taken))
        parts = []
        for each in results:
            name = each["test"]
            shown = voice.abbreviated(_SHORT_TESTS.get(name, ""), name)
            parts.append(f"{shown} {result(voice, name, each['value'])}")
        listed = voice.listed(parts)
        templates = (
            "Blood taken {when}: {all}.",
            "The laboratory reports, from blood taken {when}: {all}.",
            "Values of a sample taken {when}: {all}.",
            "In blood taken {when}, we found {all}.",
        )
        told.append(("results", voice.say(*templates, when=when, all=listed)))
        if voice.vary() and voice.rng.below(2):
            older = results[0]
            before = Decimal(older["value"]) + Decimal(voice.rng.between(2, 9)).scaleb(-TESTS[older["test"]].places)
            text = voice.say(
                "Half a year earlier the {x} had been {v}.", "For comparison, last year's {x}: {v}.",
                x=older["test"], v=f"{before} {TESTS[older['test']].unit}",
            )  # fmt: skip
            told.append(("results", text))
    return told
