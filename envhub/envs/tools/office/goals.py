"""Goals over six apps: what shall be so, not which calls.

Like the templates of apps-v0, a goal adds its rows, with similar rows beside them, and returns the request with a plan. The
request and what the apps show determine every change; which rows it concerns is for the policy to find.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.envs.tools.apps import tasks
from envhub.envs.tools.apps.draft import CATEGORIES, COMPANIES, Draft, Person
from envhub.envs.tools.apps.tables import TODAY, euros, later
from envhub.envs.tools.apps.tasks import Errand, Step, Template


def _inbox(sender: str) -> Step:
    return "mail_list", {"folder": "inbox", "sender": sender, "page": 1}


def _open(mails: list[Any]) -> list[Step]:
    return [("mail_read", {"id": mail}) for mail in mails]


def _who(text: str, group: str = "") -> Step:
    return "contacts_find", {"text": text, "group": group, "page": 1}


def _days(first: str, last: str | None = None) -> Step:
    return "calendar_list", {"first": first, "last": last or first, "page": 1}


def _send(to: list[str], subject: str, body: str) -> Step:
    return "mail_send", {"to": to, "subject": subject, "body": body}


def _office(company: str) -> Person:
    """Somebody who writes for a company, and is no contact."""
    name = f"office@{company.lower().replace(' ', '-')}.example"
    return Person(company, name, "", "", "", "")


# -- one app -----------------------------------------------------------------------------------------------------------------


def clear_day(d: Draft) -> Errand:
    """Move a day's events to the first day that is free."""
    taken = d.rng.between(2, 4)
    days = d.days_in_a_row(taken + 2)
    starts = sorted(d.rng.sample(range(8, 18), d.rng.between(2, 3)))
    events = [d.event(d.topic(), days[0], start, []) for start in starts]
    for day in days[1:-1]:
        d.event(d.topic(), day, d.rng.between(8, 18), [])
    text = (
        f"I am away on {days[0]}. Move everything that is in the calendar on that day to the first later day on "
        f"which there "
        "is nothing at all. The times stay as they are."
    )
    moves: list[Step] = [
        ("calendar_move", {"id": event, "date": days[-1], "start": f"{start:02}:00", "end": f"{start + 1:02}:00"})
        for event, start in zip(events, starts, strict=True)
    ]
    return Errand(text, [[_days(days[0], later(days[0], 10))], moves])


def most_stars(d: Draft) -> Errand:
    """The best product that can be afforded."""
    category, most = d.fresh("category", CATEGORIES), d.rng.between(1_500, 6_000)
    stars, price = d.rng.between(3, 5), d.rng.between(700, most)
    best = d.product(category, price, stars)
    d.product(category, d.rng.between(price + 1, most + 1) if price < most else most + 1, stars)  # as good, dearer
    d.product(category, most + d.rng.between(1, 900), 5)
    for _ in range(d.rng.between(2, 5)):
        d.product(category, d.rng.between(300, most), d.rng.between(1, stars - 1))
    count = d.rng.between(1, 4)
    text = (
        f'Order {count} of the product of the category "{category}" that has the most stars among those which cost '
        f"{euros(most)} euros or less apiece. If several have as many stars, take the cheapest of them."
    )
    find = ("shop_find", {"text": category, "page": 1})
    return Errand(text, [[find], [("shop_order", {"product": best, "quantity": count})]])


def ordered_twice(d: Draft) -> Errand:
    """Undo both of two equal orders."""
    product, quantity = d.product("parts", d.rng.between(500, 3_000), 4), d.rng.between(2, 9)
    row = {"product": product, "name": d.row(product)["name"]}
    twice = [d.add("orders", {**row, "quantity": quantity, "status": "placed"}) for _ in range(2)]
    for count, status in ((quantity, "delivered"), (quantity + 1, "placed"), (quantity, "sent")):
        d.add("orders", {**row, "quantity": count, "status": status})
    text = (
        "There are two orders with the status placed for the same number of the same product, by mistake. Cancel "
        "both of them, and no other order."
    )
    cancel: list[Step] = [("shop_cancel", {"order": order}) for order in twice]
    return Errand(text, [[("shop_orders", {"page": 1})], cancel])


def paid_twice(d: Draft) -> Errand:
    """Send a second payment of the same bill back."""
    account, reference, iban = d.rng.choice(("checking", "savings")), d.topic(), d.iban()
    cents, days = d.rng.between(1_000, 50_000), d.rng.sample(range(2, 60), 4)
    for ago in days[:2]:
        d.transfer(account, cents, iban, reference, later(TODAY, -ago))
    d.transfer(account, cents + d.rng.between(1, 900), iban, reference, later(TODAY, -days[2]))
    d.transfer(account, cents, d.iban(), reference, later(TODAY, -days[3]))
    text = (
        f'Somebody has paid the same bill twice: two payments into {account} under the reference "{reference}" have '
        f"the "
        f'same amount and come from the same IBAN. Send one of them back from {account}, with the reference "paid '
        f'twice".'
    )
    send = {"account": account, "iban": iban, "cents": cents, "reference": "paid twice"}
    return Errand(text, [[("bank_list", {"account": account, "page": 1})], [("bank_send", send)]])


def large_receipts(d: Draft) -> Errand:
    """File the mails of a company that name a large amount."""
    company, limit = d.fresh("company", COMPANIES), d.rng.between(100, 400)
    sender = _office(company)
    amounts = [limit * 100 + d.rng.between(1, 90_000) for _ in range(d.rng.between(1, 3))]
    amounts += [d.rng.between(500, limit * 100) for _ in range(d.rng.between(2, 3))]
    mails = [
        d.mail(
            sender,
            f"Receipt {d.rng.between(1000, 9999)}",
            f"Thank you. We have received {euros(cents)} euros.\n{company}",
        )
        for cents in amounts
    ]
    text = (
        f"The inbox holds receipts from {company}. Move those for more than {limit} euros to the folder receipts, "
        f"and leave "
        "the others where they are."
    )
    large: list[Step] = [
        ("mail_move", {"id": mail, "folder": "receipts"})
        for mail, cents in zip(mails, amounts, strict=True)
        if cents > limit * 100
    ]
    return Errand(text, [[_inbox(sender.email)], _open(mails), large])


# -- two apps ----------------------------------------------------------------------------------------------------------------


def new_addresses(d: Draft) -> Errand:
    """People who wrote from a new address."""
    known = [d.person() for _ in range(d.rng.between(1, 3))]
    changes: list[Step] = []
    for person in known:
        address = f"{person.name.lower().replace(' ', '.')}{d.rng.between(100, 999)}@new.example"
        d.mail(person._replace(email=address), d.topic(), f"This is my new address.\n{person.name}")
        changes.append(("contacts_change", {"id": d.contact(person), "field": "email", "value": address}))
    other = d.stranger()
    d.mail(other, d.topic(), f"This is my new address.\n{other.name}")
    kept = d.person()
    d.mail(kept, d.topic(), f"My address has not changed.\n{kept.name}")
    text = (
        'Several people have sent a mail that says "This is my new address." and have signed it. For those of them '
        "who are in the contacts, change the mail address to the one they wrote from. Do not add anybody."
    )
    look: list[Step] = [_inbox(""), *(_who(person.name) for person in known)]
    return Errand(text, [look, changes])


def missing_stock(d: Draft) -> Errand:
    """Order what an inventory lacks."""
    kinds = d.rng.between(3, 5)
    products = [d.product("supplies", d.rng.between(300, 3_000), d.rng.between(1, 5)) for _ in range(kinds)]
    lacking = d.rng.between(1, kinds - 1)
    rows = []
    for number in range(kinds):
        need = d.rng.between(6, 12)
        rows.append((need - d.rng.between(1, 5) if number < lacking else need + d.rng.between(0, 3), need))
    lines = [
        f"{d.row(product)['name']}: have {have}, need {need}"
        for product, (have, need) in zip(products, rows, strict=True)
    ]
    path = d.file("stock", d.topic(), d.rng.sample(lines, len(lines)))
    text = (
        f"The file {path} says how many pieces of each product there are and how many are needed. Order what is "
        f"missing, one "
        "order for each product, and no more than that."
    )
    finds: list[Step] = [("shop_find", {"text": d.row(product)["name"], "page": 1}) for product in products[:lacking]]
    orders: list[Step] = [
        ("shop_order", {"product": product, "quantity": need - have})
        for product, (have, need) in zip(products[:lacking], rows, strict=False)
    ]
    return Errand(text, [[("files_read", {"path": path})], finds, orders])


def unpaid_invoices(d: Draft) -> Errand:
    """Pay what has not been paid."""
    company, iban = d.fresh("company", COMPANIES), d.iban()
    sender, numbers = _office(company), d.rng.sample(range(1000, 9999), d.rng.between(3, 5))
    dues = [d.rng.between(1_000, 60_000) for _ in numbers]
    unpaid = d.rng.between(1, len(numbers) - 1)
    mails = [
        d.mail(sender, f"Invoice {number}", f"Please pay {euros(cents)} euros to IBAN {iban}.\n{company}")
        for number, cents in zip(numbers, dues, strict=True)
    ]
    for number, cents in list(zip(numbers, dues, strict=True))[unpaid:]:
        d.transfer("checking", -cents, iban, str(number))
    text = (
        f"Pay the invoices of {company} that came by mail and have not been paid yet, from the account checking, "
        f"each with "
        "its number alone as the reference. What has been paid went out of the same account, with the number as the "
        "reference."
    )
    look: list[Step] = [_inbox(sender.email), ("bank_list", {"account": "checking", "page": 1})]
    sends: list[Step] = [
        ("bank_send", {"account": "checking", "iban": iban, "cents": cents, "reference": str(number)})
        for number, cents in list(zip(numbers, dues, strict=True))[:unpaid]
    ]
    return Errand(text, [look, _open(mails), sends])


def changed_team(d: Draft) -> Errand:
    """Make a group what a list says."""
    group = d.fresh("own group", ("quartet", "crew", "night shift", "orchard", "panel"))
    staying, leaving = d.person(group), [d.person(group) for _ in range(d.rng.between(1, 2))]
    joining = [d.person() for _ in range(d.rng.between(1, 2))]
    listed = d.rng.sample([person.name for person in (staying, *joining)], len(joining) + 1)
    path = d.file("teams", d.topic(), [f"Members: {', '.join(listed)}"])
    text = (
        f"The file {path} lists who belongs to the {group} now. Make the contacts fit it: those on the list get the "
        f"group "
        f'"{group}", those who have this group and are not on the list get the group "former".'
    )
    look: list[Step] = [_who("", group), *(_who(person.name) for person in joining)]
    changes: list[Step] = [
        ("contacts_change", {"id": d.contact(person), "field": "group", "value": value})
        for people, value in ((joining, group), (leaving, "former"))
        for person in people
    ]
    return Errand(text, [[("files_read", {"path": path})], look, changes])


# -- three apps --------------------------------------------------------------------------------------------------------------


def remind_guests(d: Draft) -> Errand:
    """Write to the guests who have not answered."""
    title, day = d.topic(), d.day()
    guests = [d.person() for _ in range(d.rng.between(3, 5))]
    d.event(title, day, d.rng.between(9, 18), guests)
    silent = d.rng.between(1, len(guests) - 1)
    for guest in guests[silent:]:
        d.mail(guest, f"Re: {title}", d.rng.choice(("I will be there.", "I cannot come.", "Gladly!")))
    d.mail(guests[0], d.topic(), f"Thank you for the photos.\n{guests[0].name}")
    text = (
        f'Some of the guests of the event "{title}" on {day} have answered by a mail with the subject "Re: '
        f'{title}". Write to '
        f'each of the others a mail of their own with the subject "{title}" and the text "Are you coming?"'
    )
    asks = [_send([guest.email], title, "Are you coming?") for guest in guests[:silent]]
    return Errand(text, [[_days(day)], [_inbox(guest.email) for guest in guests], asks])


def rest_of_a_debt(d: Draft) -> Errand:
    """Pay what is left of a debt."""
    topic, account = d.topic(), d.rng.choice(("checking", "savings"))
    person, other = d.person(), d.person()
    owed = d.rng.between(10_000, 60_000)
    parts = [d.rng.between(500, 4_500) for _ in range(d.rng.between(1, 2))]
    path = d.file(
        "debts", topic, [f"{person.name}: {euros(owed)}", f"{other.name}: {euros(d.rng.between(900, 60_000))}"]
    )
    for cents in parts:
        d.transfer(account, -cents, person.iban, topic)
    d.transfer(account, -d.rng.between(500, 9_000), other.iban, topic)
    d.transfer(account, -d.rng.between(500, 9_000), person.iban, d.topic())
    text = (
        f"{path} says how many euros I owed to each person. To {person.name} I have already paid a part from "
        f"{account}, under the "
        f'reference "{topic}". Pay what is left, from the same account, with the same reference, to the IBAN in the '
        f"contacts."
    )
    send = {"account": account, "iban": person.iban, "cents": owed - sum(parts), "reference": topic}
    look: list[Step] = [_who(person.name), ("bank_list", {"account": account, "page": 1})]
    return Errand(text, [[("files_read", {"path": path})], look, [("bank_send", send)]])


def overlapping(d: Draft) -> Errand:
    """Move one of two events that overlap, and tell its guests."""
    day, free = d.days_in_a_row(2)
    start, title = d.rng.between(9, 15), d.topic()
    d.event(d.topic(), day, start, [d.person()], hours=2)
    guests = [d.person() for _ in range(d.rng.between(1, 3))]
    event = d.event(title, day, start + 1, guests)
    d.event(d.topic(), day, start + 3, [d.person()])
    text = (
        f"Two events of {day} overlap. Move the one that begins later to {free}, at the same times, and write one "
        f"mail to all "
        f'its guests together, with the title of the event as the subject and the text "It is on {free} now."'
    )
    move = {"id": event, "date": free, "start": f"{start + 1:02}:00", "end": f"{start + 2:02}:00"}
    tell = _send([guest.email for guest in guests], title, f"It is on {free} now.")
    return Errand(text, [[_days(day)], [("calendar_move", move), tell]])


_OWN: Final = (
    (1, (clear_day, most_stars, ordered_twice, paid_twice, large_receipts)),
    (2, (new_addresses, missing_stock, unpaid_invoices, changed_team, overlapping, remind_guests)),
    (3, (rest_of_a_debt,)),
)
_KEPT: Final = ("order_and_tell", "share_bill", "pay_helpers", "free_hour", "event_by_mail")
"""Errands of apps-v0 that say what shall be so, and leave the way open."""
GOALS: Final[dict[str, Template]] = {
    **{make.__name__: Template(make, apps) for apps, made in _OWN for make in made},
    **{name: tasks.TEMPLATES[name] for name in _KEPT},
}
