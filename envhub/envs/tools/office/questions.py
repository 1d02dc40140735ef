"""Questions about the apps; answering them changes nothing.

The answer is a number, an amount, a day, a name, an address or a path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from envhub.envs.tools.apps.draft import CATEGORIES, COMPANIES, Draft
from envhub.envs.tools.apps.tables import TODAY, euros, later
from envhub.envs.tools.apps.tasks import Step


class Question(NamedTuple):
    """What is asked, the answer, and calls that show it."""

    text: str
    answer: str
    plan: list[list[Step]]


def _days(first: str, last: str) -> Step:
    return "calendar_list", {"first": first, "last": last, "page": 1}


def spent_with(d: Draft) -> Question:
    """A sum of transfers since a day."""
    account, person, since = d.rng.choice(("checking", "savings")), d.person(), later(TODAY, -d.rng.between(15, 30))
    recent = [d.rng.between(1_000, 30_000) for _ in range(d.rng.between(2, 4))]
    for number, cents in enumerate(recent):
        d.transfer(
            account, -cents, person.iban, d.topic(), since if not number else later(TODAY, -d.rng.between(1, 14))
        )
    d.transfer(account, -d.rng.between(1_000, 9_000), person.iban, d.topic(), later(since, -1))
    d.transfer(account, d.rng.between(1_000, 9_000), person.iban, d.topic(), TODAY)
    text = (
        f"How many euros, with two decimals, have I sent from {account} to the IBAN of {person.name} since {since}, that day "
        "included?"
    )
    who: Step = ("contacts_find", {"text": person.name, "group": "", "page": 1})
    return Question(text, euros(sum(recent)), [[who], [("bank_list", {"account": account, "page": 1})]])


def next_birthday(d: Draft) -> Question:
    """The member of a group whose birthday comes first."""
    group = d.fresh("birthday group", ("bowling", "pottery", "sailing", "debating"))
    people = []
    for day in d.rng.sample(range(1, 350), d.rng.between(3, 5)):  # before 29 February
        born = f"{d.rng.between(1950, 2005)}{later(TODAY, day)[4:]}"
        people.append((day, d.listed(d.stranger(group)._replace(birthday=born))))
    text = f"Which contact of the group {group} has a birthday next, counted from tomorrow? Give the full name."
    find: Step = ("contacts_find", {"text": "", "group": group, "page": 1})
    return Question(text, min(people)[1].name, [[find]])


def evenings_with(d: Draft) -> Question:
    """The number of events with a guest."""
    person, days = d.person(), [d.day() for _ in range(d.rng.between(3, 6))]
    first, last = sorted(d.rng.sample(days, 2))
    for number, day in enumerate(days):
        guests = [person, d.person()] if number % 3 or day in (first, last) else [d.person()]
        d.event(d.topic(), day, d.rng.between(9, 19), guests)
    counted = sum(first <= day <= last for n, day in enumerate(days) if n % 3 or day in (first, last))
    text = f"To how many events from {first} to {last}, both days included, is {person.name} invited?"
    who: Step = ("contacts_find", {"text": person.name, "group": "", "page": 1})
    return Question(text, str(counted), [[who], [_days(first, last)]])


def most_mails(d: Draft) -> Question:
    """Who wrote the most mails in a folder."""
    folder = d.fresh("asked folder", ("travel", "later", "archive"))
    counts = [d.rng.between(3, 5), *(d.rng.between(1, 2) for _ in range(d.rng.between(2, 3)))]
    people = [d.stranger() for _ in counts]
    for person, count in zip(people, counts, strict=True):
        for _ in range(count):
            d.row(d.mail(person, d.topic(), "For your records."))["folder"] = folder
    text = f"From which address do the most mails in the folder {folder} come?"
    listing: Step = ("mail_list", {"folder": folder, "sender": "", "page": 1})
    return Question(text, people[0].email, [[listing]])


def free_day(d: Draft) -> Question:
    """The first day with nothing in the calendar."""
    days = d.days_in_a_row(d.rng.between(3, 7))
    for day in days[:-1]:
        d.event(d.topic(), day, d.rng.between(8, 18), [])
    text = f"What is the first day from {days[0]} on on which nothing is in the calendar? Write it as YYYY-MM-DD."
    return Question(text, days[-1], [[_days(days[0], days[-1])]])


def worth_of_orders(d: Draft) -> Question:
    """What the orders of a category cost that have not left."""
    category, total = d.fresh("category", CATEGORIES), 0
    for number in range(d.rng.between(3, 5)):
        price, quantity = d.rng.between(300, 4_000), d.rng.between(1, 9)
        status = "placed" if number < 2 else d.rng.choice(("placed", "sent", "delivered"))
        product = d.product(category, price, d.rng.between(1, 5))
        row = {"product": product, "name": d.row(product)["name"], "quantity": quantity, "status": status}
        d.add("orders", row)
        total += price * quantity * (status == "placed")
    text = (
        f'How many euros, with two decimals, do all my orders of products of the category "{category}" cost together that are '
        "still only placed?"
    )
    look: list[Step] = [("shop_orders", {"page": 1}), ("shop_find", {"text": category, "page": 1})]
    return Question(text, euros(total), [look])


def phone_of(d: Draft) -> Question:
    """The phone number of the author of a mail."""
    person, subject = d.person(), d.topic()
    d.mail(person, subject, "Call me back, please.")
    d.mail(d.person(), f"Re: {subject}", "I was asked to forward this.")
    text = f'What is the phone number of the person who wrote the mail "{subject}" in the inbox?'
    listing: Step = ("mail_list", {"folder": "inbox", "sender": "", "page": 1})
    return Question(
        text, person.phone, [[listing], [("contacts_find", {"text": person.email, "group": "", "page": 1})]]
    )


def file_about(d: Draft) -> Question:
    """The file that names somebody."""
    folder = f"{d.fresh('asked files', ('minutes', 'reports', 'letters'))}{d.rng.between(10, 99)}"
    people = [d.stranger() for _ in range(d.rng.between(3, 6))]
    paths = [d.file(folder, d.topic(), [f"present: {person.name}, {d.stranger().name}"]) for person in people]
    at = d.rng.below(len(people))
    text = f"Which file of the folder {folder} mentions {people[at].name}? Give its whole path."
    reads: list[Step] = [("files_read", {"path": path}) for path in paths]
    return Question(text, paths[at], [[("files_list", {"folder": folder, "page": 1})], reads])


def cheaper_than(d: Draft) -> Question:
    """The number of products below a price."""
    category, limit = d.fresh("category", CATEGORIES), d.rng.between(1_000, 4_000)
    below = d.rng.between(2, 9)
    for number in range(below + d.rng.between(2, 5)):
        price = d.rng.between(300, limit - 1) if number < below else d.rng.between(limit, 9_000)
        d.product(category, price, d.rng.between(1, 5))
    text = f'How many products of the category "{category}" cost less than {euros(limit)} euros?'
    return Question(text, str(below), [[("shop_find", {"text": category, "page": 1})]])


def invoiced(d: Draft) -> Question:
    """The sum of a company's invoices."""
    company, iban = d.fresh("company", COMPANIES), d.iban()
    name = f"office@{company.lower().replace(' ', '-')}.example"
    sender = d.stranger()._replace(email=name)
    amounts = [d.rng.between(1_000, 60_000) for _ in range(d.rng.between(2, 4))]
    mails = [
        d.mail(
            sender,
            f"Invoice {d.rng.between(1000, 9999)}",
            f"Please pay {euros(cents)} euros to IBAN {iban}.\n{company}",
        )
        for cents in amounts
    ]
    d.mail(
        sender,
        f"Offer {d.rng.between(1000, 9999)}",
        f"For {euros(d.rng.between(900, 9_000))} euros more, we clean.\n{company}",
    )
    text = (
        f"How many euros, with two decimals, do the invoices of {company} in the inbox come to? Offers are no invoices."
    )
    reads: list[Step] = [("mail_read", {"id": mail}) for mail in mails]
    return Question(text, euros(sum(amounts)), [[("mail_list", {"folder": "inbox", "sender": name, "page": 1})], reads])


QUESTIONS: Final[dict[str, Callable[[Draft], Question]]] = {
    make.__name__: make
    for make in (
        *(spent_with, next_birthday, evenings_with, most_mails, free_day),
        *(worth_of_orders, phone_of, file_about, cheaper_than, invoiced),
    )
}
