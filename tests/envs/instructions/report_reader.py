"""Reads incident reports with rules that were written from prompts alone; it shares no code with the generator."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

from tests.envs.instructions.note_reader import NoteReader
from tests.envs.instructions.note_words import DAY, MONTHS, SPAN, count_of, days_of, full_date, note_of

HEADINGS = r"^(What happened|People|Injuries|Damage and costs|Causes|Actions): "
ENDS = r"(?<=\.)\s+(?=[A-Z])|(?<=Corrections:)\s+|(?<=meeting:)\s+|(?<=wrong:)\s+"
ADDED = "Addendum|Corrections|Added after|What this report"
NAME = r"([A-Z]\w+ [A-Z]\w+)"
AT = r"(\d{1,2}:\d\d(?: [ap]\.m\.)?)"
MONEY = r"(?:\$([\d,]+)|([\d.]+) (thousand )?dollars)"
CAUSES = {
    "exit": "blocked exit", "guard": "missing guard", "rack": "overloaded rack", "lighting": "poor lighting",
    "speeding": "speeding", "driving too fast": "speeding", "wet floor": "wet floor", "water on the floor": "wet floor",
    "brakes": "worn brakes",
}  # fmt: skip
COSTS = {
    "clean": "cleaning",
    "goods": "goods",
    "overtime": "overtime",
    "rent": "rental",
    "repair": "repair",
    "replacement": "rental",
}
DONE = {
    "exit has been cleared": "clear the exit", "floor has been marked": "mark the floor",
    "lamps have been ordered": "order new lamps",
    "gate has been repaired": "repair the gate", "guard has been replaced": "replace the guard",
    "alarm has been tested": "test the alarm", "drivers have been trained": "train the drivers",
}  # fmt: skip
SPILT = {"oil of the hydraulics": "hydraulic oil", "hydraulic oil": "hydraulic oil", "diesel": "diesel", "coolant": "coolant",
         "paint": "paint", "water": "water"}  # fmt: skip
ROLES = {
    "first_aider": "first aid|First aid|looked after", "injured": "hurt|injured", "witness": "saw it happen|watched it|witness",
    "supervisor": "in charge|supervis",
}  # fmt: skip


def read_prompt(prompt: str) -> Any:
    """The document of a prompt, with a note or a report."""
    return (ReportReader(prompt) if '"incident_date"' in prompt else NoteReader(prompt)).document()


def clock(text: str) -> str:
    """A time on the 24-hour clock."""
    hour, minute = (int(part) for part in re.findall(r"\d+", text))
    if "m." in text:
        hour = hour % 12 + 12 * ("p.m." in text)
    return f"{hour:02}:{minute:02}"


def dollars(text: str) -> int:
    found = re.search(MONEY, text)
    assert found is not None, text
    return round(float((found[1] or found[2]).replace(",", "")) * (1000 if found[3] else 1))


def litres(text: str) -> int | None:
    found = re.search(r"([\d.]+) (litres|gallons)", text)
    return None if found is None else round(float(found[1]) * (3.785 if found[2] == "gallons" else 1))


class ReportReader:
    """Reads one prompt with an incident report."""

    def __init__(self, prompt: str) -> None:
        found = re.search(r'\{\s*"type": "object"', prompt)
        assert found is not None
        self.schema = json.JSONDecoder().raw_decode(prompt[found.start() :])[0]["properties"]
        text = re.sub(HEADINGS, "", note_of(prompt), flags=re.MULTILINE)
        lines = [each for line in text.split("\n") for each in re.split(ENDS, line) if each]
        start = next((at for at, each in enumerate(lines) if re.match(ADDED, each)), len(lines))
        self.body, self.added = lines[:start], lines[start:]
        self.body += [each for each in self.added if re.match("Written by|Signed", each) or "author of" in each]
        self.written = full_date(re.search(DAY, self.body[0])[0])  # type: ignore[index]

    def document(self) -> Any:
        happened = next(each for each in self.body if re.search(r"[aA]t \d+:\d\d", each))
        found: dict[str, Any] = {"incident_date": self.when(happened).isoformat()}
        found["incident_time"] = clock(re.search(AT, happened)[1])  # type: ignore[index]
        for name in self.schema:
            if name not in found:
                found[name] = getattr(self, name)()
        return found

    def when(self, text: str) -> date:
        if found := re.search(DAY, text):
            return full_date(found[0])
        if "esterday" in text or "oday" in text:
            return self.written - timedelta(days="esterday" in text)
        if found := re.search(r"(\w+) days ago", text):
            return self.written - timedelta(days=count_of(found[1].lower()))
        found = re.search(
            r"(\d{1,2}) ([A-Z][a-z]{2})|([A-Z][a-z]{2})[a-z]* (\d{1,2})\b(?!:)", text.replace("On ", "on ")
        )
        assert found is not None, text
        day = date(self.written.year, MONTHS.index((found[2] or found[3]).lower()) + 1, int(found[1] or found[4]))
        return day if day <= self.written else day.replace(year=day.year - 1)

    def place(self) -> Any:
        text = next(each for each in self.body if re.search("happened in the|^The place|^Location", each))
        options = self.schema["place"]["properties"]
        floor = re.search(r"floor (\d)", text)
        return {
            "site": next(each for each in options["site"]["enum"] if each in text),
            "area": next(each for each in options["area"]["enum"] if each in text),
            "floor": int(floor[1]) if floor else None,
        }

    def people(self) -> Any:
        found = []
        for text in self.body:
            role = next((role for role, words in ROLES.items() if re.search(words, text)), None)
            name = re.search(NAME, text.replace("The injured", "the injured").replace("First aid", "first aid"))
            if role and name and not re.search("not hurt|Nobody|fracture|family", text):
                jobs = [job for job in self.schema["people"]["items"]["properties"]["job"]["enum"] if job]
                job = re.search(rf"\b({'|'.join(jobs)})\b", text)
                found.append({"name": name[1], "role": role, "job": job[1] if job else None})
        return found

    def injuries(self) -> Any:
        found: dict[str, Any] = {}
        for text in self.body:
            where = re.search(r"of the (?:(left|right) )?(ankle|arm|hand|knee|shoulder|wrist)", text)
            if where is None:
                continue
            person = re.search(NAME, text)
            kind = re.findall(r"\ban? (bruise|burn|cut|fracture|sprain)", text)[-1]
            found[person[1]] = {"person": person[1], "kind": kind, "part": where[2], "side": where[1]}  # type: ignore[index]
        for text in self.added:
            if side := re.search(r"(?:the|on the) (left|right) side", text):
                found[re.search(NAME, text.removeprefix("For "))[1]]["side"] = side[1]  # type: ignore[index]
        return list(found.values())

    def equipment(self) -> Any:
        found: dict[str, Any] = {}
        for text in self.body:
            if (about := re.search(r"the (\w+) ([A-Z]{1,2}-\d+)", text, re.IGNORECASE)) and not re.search(
                "parked|service", text
            ):
                fine = re.search("not damaged|without a scratch|no damage", text)
                found[about[2]] = {"item": about[1], "id": about[2], "damaged": not fine}
        for text in self.added:
            for id in re.findall(r"\b[A-Z]{1,2}-\d\d\b", text):
                found[id]["damaged"] = not re.search("not damaged|undamaged", text)
        return list(found.values())

    def costs(self) -> Any:
        found: dict[str, int] = {}
        for text in self.body:
            if re.search(MONEY, text) and not re.search("would cost|offer|once priced", text):
                low = text.lower()
                what = next(
                    name
                    for word, name in COSTS.items()
                    if word in low and not (word == "repair" and "replacement" in low)
                )
                found[what] = dollars(text)
        for text in self.added:
            if re.search(MONEY, text):
                found[next(name for word, name in COSTS.items() if word in text.lower())] = dollars(text)
        return [{"what": what, "dollars": amount} for what, amount in found.items()]

    def _named(self, text: str) -> list[str]:
        low = text.lower()
        return list(dict.fromkeys(name for word, name in CAUSES.items() if re.search(rf"\b{word}\b", low)))

    def causes(self) -> Any:
        words = r"cause was|causes were|came about|was due to|led to the incident|played a part"
        texts = [each for each in self.body if re.search(words, each) and not re.search("last year|earlier case", each)]
        return [name for text in texts for name in self._named(text)]

    def excluded_causes(self) -> Any:
        words = "ruled out|not due to|without any finding|can be excluded"
        return [name for text in self.body if re.search(words, text) for name in self._named(text)]

    def work(self) -> Any:
        text = next(each for each in self.body if re.search("[Ww]ork (stopped|stood)|stopped work", each))
        times = [clock(each) for each in re.findall(AT, text)]
        resumed = times[1] if len(times) > 1 else None
        if span := re.search(r"(?:on|for) (?:(\w+) hours?)?(?: and )?(?:(\d+) minutes)?(?: later|\.)", text):
            total = count_of(span[1] or "zero") * 60 + int(span[2] or 0) + int(times[0][:2]) * 60 + int(times[0][3:])
            resumed = f"{total // 60:02}:{total % 60:02}" if span[1] or span[2] else resumed
        for later in self.added:
            if "ork went on at" in later:
                resumed = clock(re.findall(AT, later)[0])
        return {"stopped": times[0], "resumed": resumed}

    def spills(self) -> Any:
        found: dict[str, Any] = {}
        for text in [*self.body, *self.added]:
            if re.search("^No |stayed tight", text) or not re.search(
                "leaked|ran out|lost .* of|ran over|amount of|litres|gallons", text
            ):
                continue
            name = next((name for word, name in SPILT.items() if word in text), None) or next(
                (name for word, name in SPILT.items() if text.lower().startswith(word)), None
            )
            if name:
                found[name] = litres(text)
        return [{"substance": name, "litres": amount} for name, amount in found.items()]

    def actions(self) -> Any:
        found: dict[str, Any] = {}
        known = self.schema["actions"]["items"]["properties"]["action"]["enum"]
        for text in self.body:
            if re.search("suggested|Whether", text):
                continue
            owner = re.search(NAME, re.sub(r"^(New lamps|The \w+)|It is", "", text))
            for words, name in DONE.items():
                if words in text:
                    found[name] = {"action": name, "done": True, "owner": owner[1] if owner else None, "due": None}
            for name in known:
                if name in text:
                    due = re.search(DAY, text)
                    span = re.search(rf"within {SPAN}", text.replace("a fortnight", "two weeks"))
                    day = (
                        full_date(due[0])
                        if due
                        else self.written + timedelta(days=days_of(span[1], span[2]))
                        if span
                        else None
                    )
                    shown = day.isoformat() if day else None
                    found[name] = {"action": name, "done": False, "owner": owner[1] if owner else None, "due": shown}
        for text in self.added:
            for name in known:
                if name in text:
                    found[name]["due"] = full_date(re.search(DAY, text)[0]).isoformat()  # type: ignore[index]
        return list(found.values())

    def informed(self) -> Any:
        found: dict[str, Any] = dict.fromkeys(self.schema["informed"]["properties"])
        for text in self.body:
            for word, name in (("inspectorate", "authority"), ("family of the", "family"), ("insurer", "insurer")):
                if word in text:
                    found[name] = not re.search("not|Nobody", text)
        return found

    def report_number(self) -> Any:
        found = [each for text in (*self.body, *self.added) for each in re.findall(r"IR-\d{4}-\d{3}", text)[:1]]
        return found[-1]

    def written_by(self) -> Any:
        text = next(each for each in self.body if re.search("Written by|Signed|author of", each))
        return re.search(NAME, text.replace("Written", "written").replace("Signed", "signed"))[1]  # type: ignore[index]
