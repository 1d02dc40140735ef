"""Reads clinical notes with rules that were written from prompts alone; it shares no code with the generator.

``NoteReader(prompt).document()`` is the document that the prompt asks for. It knows the names of the schema in the prompt, a
few synonyms, and how sentences of notes look; the schema decides which groups it looks for.
"""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

from tests.envs.instructions.note_words import (
    ADDED,
    ALSO,
    DAY,
    DOSE,
    HEADINGS,
    MONTHS,
    NOT_TAKEN,
    OTHERS,
    PAST,
    SPAN,
    count_of,
    days_of,
    full_date,
    mg_of,
    note_of,
    per_day_of,
)


class NoteReader:
    """Reads one prompt with a clinical note."""

    def __init__(self, prompt: str) -> None:
        found = re.search(r'\{\s*"type": "object"', prompt)
        assert found is not None
        self.schema = json.JSONDecoder().raw_decode(prompt[found.start() :])[0]["properties"]
        note = note_of(prompt)
        short = dict(re.findall(r"(?<![/\w])([A-Za-z0-9]{2,5}) = ([a-zA-Z][^;.\n]*)", prompt))
        note = re.sub(rf"^({HEADINGS}): (?!none\.)", "", note, flags=re.MULTILINE)
        self.body: list[str] = []
        self.added: list[str] = []
        into = self.body
        for line in note.split("\n"):
            for each in re.split(r"(?<=[.:])\s+(?=[A-Z])", line):
                if ADDED.match(each):
                    into = self.added
                for name, long in short.items():
                    each = re.sub(rf"\b{name}\b", long.replace("heart rate (pulse)", "pulse"), each)
                into.append(each) if each else None
        self.body += [each for each in self.added if "Dr " in each]
        joined = []
        for each in self.body:  # a colon does not end a sentence
            if joined and joined[-1].endswith(":"):
                joined[-1] += " " + each
            else:
                joined.append(each)
        self.body = joined
        self.text = " ".join(self.body)
        self.later = " ".join(self.added)
        self.opening = next(each for each in self.body if "-year-old" in each or each.startswith("Seen on"))
        day = re.search(DAY, self.text)
        assert day is not None
        self.seen = full_date(day[0])

    def document(self) -> Any:
        found = {"visit_date": self.seen.isoformat(), "patient": self.patient()}
        for name in self.schema:
            if name not in found:
                found[name] = getattr(self, name)()
        return found

    def own(self) -> list[str]:
        """Sentences about the patient."""
        return [each for each in self.body if not OTHERS.search(each)]

    def names(self, text: str, group: str, key: str = "name") -> list[tuple[int, int, str]]:
        """Where the names of a list of the schema occur in a text."""
        item = self.schema[group]["items"]
        wanted = item["enum"] if "enum" in item else item["properties"][key]["enum"]
        forms = {each.lower(): each for each in wanted if each}
        forms |= {also: forms[name] for also, name in ALSO.items() if name in forms}
        low, found, taken = text.lower(), [], [False] * (len(text) + 1)
        for form in sorted(forms, key=len, reverse=True):
            for at in re.finditer(rf"(?<![\w-]){re.escape(form)}(?![\w])", low):
                if not taken[at.start()]:
                    taken[at.start() : at.end()] = [True] * (at.end() - at.start())
                    found.append((at.start(), at.end(), forms[form]))
        return sorted(found)

    def when(self, text: str) -> date | None:
        if found := re.search(DAY, text):
            return full_date(found[0])
        if "yesterday" in text:
            return self.seen - timedelta(days=1)
        if "today" in text:
            return self.seen
        if found := re.search(r"(\w+) days ago", text):
            return self.seen - timedelta(days=count_of(found[1]))
        for pattern in (r"(?P<d>\d{1,2}) (?P<m>[A-Z][a-z]{2})", r"(?P<m>[A-Z][a-z]{2})[a-z]* (?P<d>\d{1,2})\b"):
            for found in re.finditer(pattern, text):
                if found["m"].lower() in MONTHS:
                    day = date(self.seen.year, MONTHS.index(found["m"].lower()) + 1, int(found["d"]))
                    return day if day <= self.seen else day.replace(year=day.year - 1)
        return None

    def patient(self) -> Any:
        age = re.search(r"(\d+)-year-old|Seen on .*?: M[rs] \w+, (\d+),", self.opening)
        assert age is not None
        return {"sex": "female" if "Ms " in self.text else "male", "age": int(age[1] or age[2])}

    def _lasting(self, text: str) -> int | None:
        if "since the day before yesterday" in text:
            return 2
        if re.search(r"since yesterday|for one day", text):
            return 1
        text = re.sub(r"the past fortnight|a fortnight", "two weeks", text)
        if found := re.search(r"for the past (week|month)\b", text):
            return days_of("1", found[1])
        if found := re.search(rf"(?:for the past|for|began) {SPAN}", text):
            return days_of(found[1], found[2])
        if " since " in f" {text}" and (day := self.when(text.split("since", 1)[1])):
            return (self.seen - day).days
        return None

    def _is_denial(self, text: str) -> bool:
        return bool(re.search(r"denies|^No |has not had any|has noticed no |reports no |says no|neither", text))

    def symptoms(self) -> Any:
        found: dict[str, int | None] = {}
        for text in self.own():
            if self._is_denial(text) or re.search(
                r"allerg|reaction|Contact with|^If |^Should|in case of|last winter|Last spring|last year", text
            ):
                continue
            names = self.names(text, "symptoms")
            for (_, end, name), after in zip(names, [*(at for at, _, _ in names[1:]), len(text)], strict=False):
                part = text if " both for " in text else text[end:after]
                found[name] = (
                    None if re.search("cannot say|does not remember|unknown|not known", text) else self._lasting(part)
                )
        for text in self.added:
            for _, _, name in self.names(text, "symptoms"):
                text = text.replace("a fortnight", "two weeks")
                span = re.search(rf": for {SPAN} by the diary|began {SPAN} ago", text)
                if span is not None:
                    found[name] = days_of(span[1] or span[3], span[2] or span[4])
        return [{"name": name, "days": days} for name, days in found.items()]

    def denied_symptoms(self) -> Any:
        denials = [text for text in self.own() if self._is_denial(text) and not re.search("No (relative|known)", text)]
        return list(dict.fromkeys(name for text in denials for _, _, name in self.names(text, "denied_symptoms")))

    def conditions(self) -> Any:
        found: dict[str, Any] = {}
        relatives = r"\b(aunt|brother|father|grandfather|grandmother|mother|sister|uncle|relative|in the family)\b"
        for text in self.own():
            if re.search(relatives, text) or re.search(r"no history of|never had|No known", text):
                continue
            for _, _, name in self.names(text, "conditions"):
                year = re.search(r"\b((?:19|20)\d\d)\b", text)
                if re.search(r"ruled out|excluded|not confirmed", text):
                    status = "ruled_out"
                elif re.search(PAST, text) or re.search(r"had (?:an? )?[\w ]+ in \d", text):
                    status = "past"
                else:
                    status = "current"
                found[name] = {"name": name, "status": status, "year": int(year[1]) if year else None}
        for text in self.added:
            for _, _, name in self.names(text, "conditions"):
                if re.search("never had|ignore", text):
                    found.pop(name, None)
                elif year := re.search(r"(?:it was|read|dates from) (\d{4})", text):
                    found[name]["year"] = int(year[1])
        return list(found.values())

    def family_history(self) -> Any:
        found: dict[str, Any] = {}
        last = ""
        for text in self.own():
            who = [name for _, _, name in self.names(text, "family_history", "relative")]
            if not who or "No relative" in text:
                continue
            named = self.names(text, "family_history", "condition")
            last = named[0][2] if named else last
            age = re.search(r"\b(?:[Aa]t|was|age of) (\d+)\b", text)
            found[who[0]] = {"relative": who[0], "condition": last, "age": int(age[1]) if age else None}
        for text in self.added:
            for _, _, name in self.names(text, "family_history", "relative"):
                age = re.search(r"was (\d+)", text)
                found[name]["age"] = int(age[1])  # type: ignore[index]
        return list(found.values())

    def _reaction(self, text: str) -> str | None:
        options = {
            "anaphylaxis": "anaphylaxis",
            "hives": "hives",
            "itching": "itching",
            "swelling of the lips": "lip swelling",
        }
        options |= {"vomiting": "vomiting", "wheeze": "wheeze"}
        hits = sorted((text.find(words), name) for words, name in options.items() if words in text)
        return hits[0][1] if hits else None

    def allergies(self) -> Any:
        found: dict[str, Any] = {}
        none = False
        for text in self.own():
            none |= bool(re.search(r"No known allergies|no allergies that|^Allergies: none|^none\.$", text))
            if re.search(r"negative|disproved", text):
                continue
            if re.search(r"allerg|Allerg|Contact with", text):
                for _, _, name in self.names(text, "allergies", "substance"):
                    found[name] = {"substance": name, "reaction": self._reaction(text)}
        for text in self.added:
            if "reaction" in text:
                for _, _, name in self.names(text, "allergies", "substance"):
                    found[name]["reaction"] = self._reaction(text)
        return list(found.values()) if found or none else None

    def medications(self) -> Any:
        found: dict[str, Any] = {}
        for text in self.own():
            names = [name for _, _, name in self.names(text, "medications", "drug")]
            if not names or re.search(NOT_TAKEN, text):
                continue
            doses = [mg_of(each) for each in re.findall(DOSE, text)]
            if len(names) > 1:
                for name, dose in zip(names, doses, strict=True):
                    found[name] = {"drug": name, "dose_mg": dose, "per_day": per_day_of(text), "status": "continued"}
                continue
            before = found.get(names[0])
            per_day = per_day_of(text) or (before["per_day"] if before else None)
            if re.search("raised|lowered|goes up|goes down|Instead of", text):
                status, dose = "changed", doses[-1]
            elif re.search("New today|prescribed|We start|From today on", text):
                status, dose = "started", doses[0]
            elif re.search("stopped|discontinued", text):
                status, dose = "stopped", doses[0]
            else:
                status, dose = "continued", doses[0]
            found[names[0]] = {"drug": names[0], "dose_mg": dose, "per_day": per_day, "status": status}
        for name in found:
            pattern = (
                rf"(?:[Tt]he dose of {name} is|wrong dose for {name}\. The right one is|[Ff]or {name}, read) {DOSE}"
            )
            if fixed := re.search(pattern, self.later):
                found[name]["dose_mg"] = mg_of(fixed)
        return list(found.values())

    def _kilograms(self, text: str) -> int | None:
        found = re.search(r"([\d.]+) (kg|lb)", text)
        return None if found is None else round(float(found[1]) * (1 if found[2] == "kg" else 0.4536))

    def vitals(self) -> Any:
        found: dict[str, Any] = dict.fromkeys(self.schema["vitals"]["properties"])
        for text in self.body:
            if not re.match(r"On examination|Measured today|Findings at this visit", text):
                continue
            if part := re.search(r"blood pressure (\d+)/(\d+)", text):
                found["systolic"], found["diastolic"] = int(part[1]), int(part[2])
            if part := re.search(r"pulse (\d+)", text):
                found["pulse"] = int(part[1])
            if part := re.search(r"temperature ([\d.]+) °([CF])", text):
                value = float(part[1])
                found["temperature_c"] = value if part[2] == "C" else round((value - 32) / 1.8, 1)
            if part := re.search(r"height (?:(\d+) cm|([\d.]+) m|(\d) ft (\d+) in)", text):
                inches = 12 * int(part[3] or 0) + int(part[4] or 0)
                found["height_cm"] = int(part[1] or 0) or round(100 * float(part[2] or 0)) or round(inches * 2.54)
            if part := re.search(r"weight .*", text):
                found["weight_kg"] = self._kilograms(part[0])
        for text in self.added:
            if re.match("The weight was misread|Weighed again", text):
                found["weight_kg"] = self._kilograms(text)
        return found

    def _value(self, test: str, text: str) -> float:
        found = re.match(r"\D*?([\d.]+) ([\w/%µ]+)", text)
        assert found is not None, text
        value, unit = float(found[1].rstrip(".")), found[2]
        factors = {("creatinine", "mg/dL"): 88.4, ("C-reactive protein", "mg/dL"): 10, ("glucose", "mg/dL"): 1 / 18}
        factors[("haemoglobin", "g/L")] = 0.1
        whole = test in ("creatinine", "C-reactive protein", "sodium")
        return round(value * factors.get((test, unit), 1), 0 if whole else 1)

    def labs(self) -> Any:
        found: dict[str, Any] = {}
        for text in self.body:
            if re.match(r"Blood taken|The laboratory reports|Values of a sample|In blood taken", text):
                head = (
                    re.split(r": |, we found", text, maxsplit=1)[0]
                    if "reports" not in text
                    else text.rsplit(": ", 1)[0]
                )
                taken = self.when(head)
                assert taken is not None, text
                for _, end, name in self.names(text, "labs", "test"):
                    value = self._value(name, text[end:])
                    found[name] = {"test": name, "value": value, "taken_on": taken.isoformat()}
        for text in self.added:
            for _, _, name in self.names(text, "labs", "test")[:1]:
                if part := re.search(r"(?: is|one is|read)( [\d.]+ .*)", text):
                    found[name]["value"] = self._value(name, part[1])
        return list(found.values())

    def habits(self) -> Any:
        own = " ".join(self.own())
        never = re.search(r"never smoked|non-smoker|never did", own)
        former = re.search(r"Ex-smoker|gave up smoking|no longer smokes|used to smoke|a day until \d|smoked", own)
        status = "never" if never else "former" if former else "current"
        amount = re.search(r"(?:(\d+) cigarettes|(half a|a|two) packs?)\b", own)
        smoked = None
        if amount is not None:
            smoked = int(amount[1]) if amount[1] else {"half a": 10, "a": 20, "two": 40}[amount[2]]
        year = re.search(r"(?:until|stopped in|smoking in) (\d{4})", own)
        alcohol = re.search(r"(\w+) units?(?: of alcohol)? a (day|week)", own)
        units = 0 if re.search(r"not drink alcohol|Alcohol: none|Teetotal", own) else None
        if alcohol is not None:
            units = count_of(alcohol[1]) * (7 if alcohol[2] == "day" else 1)
        quit_year = int(year[1]) if year else None
        return {
            "smoking": status,
            "cigarettes_per_day": smoked,
            "quit_year": quit_year,
            "alcohol_units_per_week": units,
        }

    def procedures(self) -> Any:
        found: dict[str, Any] = {}
        for text in self.own():
            if re.search("option for later|next year at the earliest|offered|declined|called off", text):
                continue
            for _, _, name in self.names(text, "procedures"):
                day = re.search(DAY, text)
                found[name] = {"name": name, "date": full_date(day[0]).isoformat() if day else None}
        for text in self.added:
            for _, _, name in self.names(text, "procedures"):
                day = re.search(DAY, text)
                found[name]["date"] = full_date(day[0]).isoformat()  # type: ignore[index]
        return list(found.values())

    def follow_up(self) -> Any:
        for text in self.body:
            if re.search(r"seen again|Next appointment|Follow-up|visit (?:on|in) .* with|come back (?:on|in)", text):
                if "none" in text:
                    break
                day = re.search(DAY, text)
                span = re.search(rf"\bin {SPAN}", text.replace("a fortnight", "two weeks"))
                when = full_date(day[0]) if day else self.seen + timedelta(days=days_of(span[1], span[2]))  # type: ignore[index]
                clinics = [
                    name for name in self.schema["follow_up"]["properties"]["clinic"]["enum"] if name and name in text
                ]
                return {"date": when.isoformat(), "clinic": clinics[0] if clinics else None}
        return {"date": None, "clinic": None}

    def emergency_contact(self) -> Any:
        text = next(each for each in self.body if re.search("emergency|Emergency|person to call|To be informed", each))
        relation = re.search(r"\b(daughter|son|neighbour|friend|flatmate)\b", text)
        name = re.search(
            r"(?:contact: |daughter,? |son,? |neighbour,? |friend,? |flatmate,? )([A-Z]\w+ [A-Z]\w+)", text
        )
        assert relation is not None
        assert name is not None
        phone = re.findall(r"555-\d{4}", text)[-1]
        for later in self.added:
            if name[1] in later:
                phone = re.findall(r"555-\d{4}", later)[0]
        return {"name": name[1], "relation": relation[1], "phone": phone}

    def written_by(self) -> Any:
        found = re.search(
            r"(?:Written by|Signed:) Dr (\w+ \w+)|Dr (\w+ \w+)(?:, [\w ]+)?, author", self.text + " " + self.later
        )
        assert found is not None
        return found[1] or found[2]
