"""Words, dates and amounts of clinical notes, as a reader of prompts knows them."""

from __future__ import annotations

import re
from datetime import date

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ALSO = {
    "tummy pain": "abdominal pain", "backache": "back pain", "pain in the chest": "chest pain", "loose stools": "diarrhoea",
    "light-headedness": "dizziness", "tiredness": "fatigue", "aching joints": "joint pain",
    "breathlessness": "shortness of breath", "bronchial asthma": "asthma", "acid reflux": "gastro-oesophageal reflux disease",
    "high blood pressure": "hypertension", "renal stones": "kidney stones", "heart attack": "myocardial infarction",
    "herpes zoster": "shingles", "type 2 diabetes mellitus": "type 2 diabetes", "removal of the appendix": "appendectomy",
    "chest radiograph": "chest x-ray", "removal of the gallbladder": "cholecystectomy",
    "ultrasound scan of the heart": "echocardiography", "swelling of the lips": "lip swelling",
}  # fmt: skip
OFTEN = {
    1: ("once a day", "once daily", "every morning", "every night"),
    2: ("twice a day", "twice daily", "every 12 hours", "morning and evening"),
    3: ("three times a day", "three times daily", "every eight hours", "with each of the three meals"),
    4: ("four times a day", "four times daily", "every six hours"),
}
HEADINGS = (
    "Reason for the visit|Past history|Allergies|Medication|Family|Social history|Examination|Results|Plan|Contact|SUBJECTIVE|"
    "BACKGROUND|ALLERGIES|DRUGS|FAMILY|HABITS AND HOME|OBJECTIVE|LABORATORY|PLAN|CONTACT"
)
OTHERS = re.compile(r"\b(husband|wife|colleagues?|cousin|a friend recommended)\b", re.IGNORECASE)
ADDED = re.compile(r"^(Addendum|Added later|After a second look)")
NOT_TAKEN = (
    "considered|decided against|no need|given up|never again|tried long ago"
    "|allerg|reaction|Allergy|Contact with|tolerates"
)
PAST = (
    "resolved|recovered|used to have|once had|in the past|Previous|History of|treated for"
    r"|^(?!.*diagnosed)\w[\w ]* in \d"
)
DAY = r"(?:\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4})"
SPAN = r"(\w+) (day|week|month)s?"
DOSE = r"(two tablets of |half a tablet of )?([\d.]+) (mg|g|micrograms)\b"


def note_of(prompt: str) -> str:
    for pattern in (
        r"The text:\n\n(.*?)\n\nThe JSON Schema:", r"<text>\n(.*?)\n</text>", r"```text\n(.*?)\n```", r"((?:^>[^\n]*\n)+)",
    ):  # fmt: skip
        if found := re.search(pattern, prompt, re.DOTALL | re.MULTILINE):
            return re.sub(r"^> ?", "", found[1], flags=re.MULTILINE)
    raise AssertionError("no note")


def full_date(text: str) -> date:
    if found := re.search(r"(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (\d{4})", text):
        day, month, year = found.groups()
    else:
        month, day, year = re.search(r"([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4})", text).groups()  # type: ignore[union-attr]
    return date(int(year), MONTHS.index(month.lower()) + 1, int(day))


def count_of(word: str) -> int:
    return NUMBERS.index(word) if word in NUMBERS else int(word)


def days_of(count: str, unit: str) -> int:
    return count_of(count) * {"day": 1, "week": 7, "month": 30}[unit]


def mg_of(found: re.Match[str] | tuple[str, ...]) -> float:
    twice, amount, unit = found.groups() if isinstance(found, re.Match) else found
    return round(
        float(amount) * {"mg": 1, "g": 1000, "micrograms": 0.001}[unit] * {"": 1, "t": 2, "h": 0.5}[(twice or "")[:1]],
        6,
    )


def per_day_of(text: str) -> int | None:
    return next((count for count, words in OFTEN.items() if any(word in text for word in words)), None)
