"""Templates of errands over mail, contacts, calendar, files, bank and shop.

A template adds its rows, with similar-looking rows beside them, and returns an :class:`Errand`: the request in words
and a plan, as stages of calls; later stages depend on the results of earlier ones. The request, or an earlier call,
states everything that the plan changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from envhub.envs.tools.apps.draft import CATEGORIES, COMPANIES, Draft, Person
from envhub.envs.tools.apps.tables import TODAY, euros, later

Step = tuple[str, dict[str, Any]]


class Errand(NamedTuple):
    """One request: in words, and as stages of calls."""

    text: str
    plan: list[list[Step]]


class Template(NamedTuple):
    """How to make an errand, and the number of its apps."""

    make: Callable[[Draft], Errand]
    apps: int


def _inbox(sender: Person) -> Step:
    return "mail_list", {"folder": "inbox", "sender": sender.email}


def _who(person: Person) -> Step:
    return "contacts_find", {"text": person.name, "group": ""}


def _send(to: list[str], subject: str, body: str) -> Step:
    return "mail_send", {"to": to, "subject": subject, "body": body}


def _days(first: str, last: str | None = None) -> Step:
    return "calendar_list", {"first": first, "last": last or first}


def _namesakes(d: Draft) -> tuple[Person, Person]:
    """Two contacts of one name in two groups; the first is meant."""
    one = d.person(d.group())
    other = d.listed(d.stranger(d.group(), one.name))
    return one, other


# -- one app -----------------------------------------------------------------------------------------------------------------


def mail_sort(d: Draft) -> Errand:
    """Move the mails of one sender to a folder."""
    sender, folder = d.stranger(), d.fresh("folder", ("archive", "receipts", "travel", "later"))
    mails = [d.mail(sender, d.topic(), "For your records.") for _ in range(d.rng.between(2, 4))]
    d.row(d.mail(sender, d.topic(), "An old one."))["folder"] = "trash"
    steps: list[Step] = [("mail_move", {"id": mail, "folder": folder}) for mail in mails]
    return Errand(f"Move every mail from {sender.email} that is in the inbox to {folder}.", [[_inbox(sender)], steps])


def contact_number(d: Draft) -> Errand:
    """Change the phone number of one of two namesakes."""
    person, _ = _namesakes(d)
    phone = d.phone()
    text = f"{person.name} of the group {person.group} has a new phone number, {phone}: change it in the contacts."
    change = {"id": d.contact(person), "field": "phone", "value": phone}
    return Errand(text, [[_who(person)], [("contacts_change", change)]])


def event_shift(d: Draft) -> Errand:
    """Move an event by some days."""
    title, day, start, days = d.topic(), d.day(), d.rng.between(8, 17), d.rng.between(2, 9)
    while not d.free(later(day, days)):
        days += 1
    event = d.event(title, day, start, [])
    row = d.row(event)
    moved = {"id": event, "date": later(day, days), "start": row["start"], "end": row["end"]}
    text = f'Move the event "{title}", which is on {day}, to the day {days} days later, at the same time.'
    return Errand(text, [[_days(day)], [("calendar_move", moved)]])


def file_total(d: Draft) -> Errand:
    """The sum of a list."""
    amounts = [d.rng.between(100, 9_999) for _ in range(d.rng.between(4, 8))]
    path = d.file("lists", d.topic(), [f"{d.topic()}: {euros(cents)}" for cents in amounts])
    out = f"results/total{d.rng.between(100, 999)}.txt"
    text = f"Add up the amounts in {path} and write the sum, with two decimals and nothing else, to the new file {out}."
    return Errand(
        text, [[("files_read", {"path": path})], [("files_write", {"path": out, "text": euros(sum(amounts))})]]
    )


def shop_best(d: Draft) -> Errand:
    """Order the cheapest product that is good enough."""
    category, stars, count = d.fresh("category", CATEGORIES), d.rng.between(3, 4), d.rng.between(2, 9)
    price = d.rng.between(1_000, 4_000)
    best = d.product(category, price, d.rng.between(stars, 5))
    d.product(category, price - d.rng.between(50, 900), stars - 1)
    for _ in range(d.rng.between(1, 3)):
        d.product(category, price + d.rng.between(50, 900), d.rng.between(1, 5))
    text = f'Order {count} pieces of the cheapest product of the category "{category}" that has {stars} stars or more.'
    return Errand(text, [[("shop_find", {"text": category})], [("shop_order", {"product": best, "quantity": count})]])


def shop_undo(d: Draft) -> Errand:
    """Cancel orders of a product that have not shipped."""
    product = d.product("parts", d.rng.between(500, 3_000), 4)
    name = d.row(product)["name"]
    placed = [_order(d, product, "placed") for _ in range(d.rng.between(1, 3))]
    for status in ("sent", "delivered"):
        _order(d, product, status)
    text = f"Cancel all orders of the product {name} that are still only placed."
    return Errand(text, [[("shop_orders", {})], [("shop_cancel", {"order": order}) for order in placed]])


def _order(d: Draft, product: Any, status: str) -> Any:
    row = {"product": product, "name": d.row(product)["name"], "quantity": d.rng.between(1, 9), "status": status}
    return d.add("orders", row)


def money_back(d: Draft) -> Errand:
    """Send the last incoming amount back."""
    account, reference, iban = d.rng.choice(("checking", "savings")), d.topic(), d.iban()
    days = sorted(d.rng.sample(range(2, 60), 3))
    amounts = [d.rng.between(1_000, 50_000) for _ in days]
    for ago, cents in zip(days, amounts, strict=True):
        d.transfer(account, cents, iban, reference, later(TODAY, -ago))
    text = (
        f'Under the reference "{reference}" money came into {account} several times. Send the latest of these amounts back '
        f'from {account} to the IBAN it came from, with the reference "returned".'
    )
    send = {"account": account, "iban": iban, "cents": amounts[0], "reference": "returned"}
    return Errand(text, [[("bank_list", {"account": account})], [("bank_send", send)]])


def event_off(d: Draft) -> Errand:
    """Cancel one of two events of a day."""
    title, day, start = d.topic(), d.day(), d.rng.between(8, 12)
    event = d.event(title, day, start, [])
    d.event(d.topic(), day, start + 3, [])
    text = f'Cancel the event "{title}", which is on {day}; nobody is to be written to.'
    return Errand(text, [[_days(day)], [("calendar_cancel", {"id": event})]])


def file_clear(d: Draft) -> Errand:
    """Delete the files of a folder, except one."""
    folder = f"{d.fresh('folder name', ('drafts', 'scraps', 'copies', 'scans'))}{d.rng.between(10, 99)}"
    paths = [d.file(folder, d.topic(), [f"about {d.rng.between(5, 90)}"]) for _ in range(d.rng.between(3, 5))]
    kept = d.rng.choice(paths)
    text = f"Delete all files in the folder {folder} except {kept}."
    deletes: list[Step] = [("files_delete", {"path": path}) for path in paths if path != kept]
    return Errand(text, [[("files_list", {})], deletes])


def contact_group(d: Draft) -> Errand:
    """Move everybody of one group to another."""
    old, new = (
        d.fresh("own group", ("carpool", "orchestra", "allotment", "jury")),
        d.group(),
    )  # nobody else is in the first
    people = [d.person(old) for _ in range(d.rng.between(2, 4))]
    d.person(new)
    text = f"Move every contact of the group {old} to the group {new}."
    changes: list[Step] = [
        ("contacts_change", {"id": d.contact(person), "field": "group", "value": new}) for person in people
    ]
    return Errand(text, [[("contacts_find", {"text": "", "group": old})], changes])


# -- two apps ----------------------------------------------------------------------------------------------------------------


def write_to(d: Draft) -> Errand:
    """A mail to one of two namesakes."""
    person, _ = _namesakes(d)
    subject, body = d.topic(), f"We meet at {d.rng.between(9, 19)}:30, {d.place()}."
    text = f'Write {person.name} of the group {person.group} a mail with the subject "{subject}" and the text "{body}"'
    return Errand(text, [[_who(person)], [_send([person.email], subject, body)]])


def number_by_mail(d: Draft) -> Errand:
    """A phone number stated twice, and differently."""
    person, days = d.person(), sorted(d.rng.sample(range(2, 40), 2))
    phones = [d.phone(), d.phone()]
    mails = [
        d.mail(person, d.topic(), f"Hello, my new phone number is {phone}.", later(TODAY, -ago))
        for ago, phone in zip(days, phones, strict=True)
    ]
    text = f"{person.name} wrote about a new phone number, more than once. Put the latest into the contacts."
    reads: list[Step] = [("mail_read", {"id": mail}) for mail in mails]
    change = {"id": d.contact(person), "field": "phone", "value": phones[0]}
    return Errand(text, [[_who(person)], [_inbox(person)], reads, [("contacts_change", change)]])


def invoice(d: Draft) -> Errand:
    """One invoice of several."""
    company, cents, iban = d.fresh("company", COMPANIES), d.rng.between(1_000, 90_000), d.iban()
    sender = d.stranger()._replace(email=f"office@{company.lower().replace(' ', '-')}.example")
    numbers = d.rng.sample(range(1000, 9999), 3)
    bodies = [(numbers[0], cents)] + [(number, d.rng.between(1_000, 90_000)) for number in numbers[1:]]
    mails = [
        d.mail(sender, f"Invoice {number}", f"Please pay {euros(due)} euros to IBAN {iban}.\n{company}")
        for number, due in bodies
    ]
    text = (
        f"Pay invoice {numbers[0]} of {company}, which came by mail, from the account checking, with the reference "
        f'"{numbers[0]}".'
    )
    send = {"account": "checking", "iban": iban, "cents": cents, "reference": str(numbers[0])}
    return Errand(text, [[_inbox(sender)], [("mail_read", {"id": mails[0]})], [("bank_send", send)]])


def shopping_list(d: Draft) -> Errand:
    """Order the products listed in a file."""
    products = [d.product("goods", d.rng.between(500, 3_000), 3) for _ in range(d.rng.between(2, 3))]
    counts = [d.rng.between(1, 9) for _ in products]
    names = [d.row(product)["name"] for product in products]
    path = d.file("lists", d.topic(), [f"{count} x {name}" for name, count in zip(names, counts, strict=True)])
    finds: list[Step] = [("shop_find", {"text": name}) for name in names]
    orders: list[Step] = [
        ("shop_order", {"product": product, "quantity": count}) for product, count in zip(products, counts, strict=True)
    ]
    text = f"Order everything that stands in {path}, with one order for each line."
    return Errand(text, [[("files_read", {"path": path})], finds, orders])


def contact_from_file(d: Draft) -> Errand:
    """Add one of a list of people to the contacts."""
    roles = d.rng.sample(("treasurer", "secretary", "chair", "coach", "editor"), 3)
    people, group = [d.stranger() for _ in roles], d.group()
    lines = [f"{role}: {p.name}, {p.email}, {p.phone}" for role, p in zip(roles, people, strict=True)]
    path = d.file("teams", d.topic(), lines)
    new = {"name": people[0].name, "email": people[0].email, "phone": people[0].phone, "group": group}
    text = f"Add the {roles[0]} named in {path}, and nobody else of it, to the contacts, in the group {group}."
    return Errand(text, [[("files_read", {"path": path})], [("contacts_add", new)]])


def birthday(d: Draft) -> Errand:
    """A birthday in the calendar."""
    person, _ = _namesakes(d)
    title = f"Birthday of {person.name}"
    text = (
        f'Put the birthday of {person.name} of the group {person.group} into the calendar of 2028, with the title "{title}", '
        "from 09:00 to 10:00, without place and guests."
    )
    event = {"title": title, "date": f"2028{person.birthday[4:]}", "start": "09:00", "end": "10:00", "place": ""}
    return Errand(text, [[_who(person)], [("calendar_add", {**event, "guests": []})]])


# -- three apps --------------------------------------------------------------------------------------------------------------


def call_off(d: Draft) -> Errand:
    """Cancel an event, notify its guests, and delete its file."""
    title, day = d.topic(), d.day()
    guests = [d.person() for _ in range(d.rng.between(2, 4))]
    event = d.event(title, day, d.rng.between(8, 17), guests)
    path = d.file("plans", title, ["to do: all of it"])
    d.file("plans", f"{title} 2026", ["done"])
    text = (
        f'Cancel the event "{title}" on {day}, write one mail to all its guests together with the subject "{title}" and the '
        f'text "It will not take place.", and delete the file {path}.'
    )
    emails = [guest.email for guest in guests]
    writes: list[Step] = [("calendar_cancel", {"id": event}), _send(emails, title, "It will not take place.")]
    return Errand(text, [[_days(day)], [*writes, ("files_delete", {"path": path})]])


def share_bill(d: Draft) -> Errand:
    """A bill from a file, shared by mail among an event's guests."""
    title, day = d.topic(), d.day()
    guests = [d.person() for _ in range(d.rng.between(2, 4))]
    d.event(title, day, 18, guests)
    share = d.rng.between(500, 4_000)
    extra = d.rng.between(100, share)
    total = [("food", share * len(guests) - extra), ("drinks", extra)]
    path = d.file("bills", d.topic(), [f"{what}: {euros(cents)}" for what, cents in total])
    text = (
        f'The guests of the event "{title}" on {day} share the bill in {path} equally, all of its lines, without me. Write '
        f'each of them a mail of their own with the subject "{title}" and, as the text, the share of each with two '
        "decimals and nothing else."
    )
    sends = [_send([guest.email], title, euros(share)) for guest in guests]
    return Errand(text, [[_days(day), ("files_read", {"path": path})], sends])


def pay_helpers(d: Draft) -> Errand:
    """Hours from a file, IBANs from the contacts, money from the bank."""
    people, rate, reference = [d.person() for _ in range(d.rng.between(2, 3))], d.rng.between(12, 30), d.topic()
    hours = [d.rng.between(2, 12) for _ in people]
    path = d.file("hours", reference, [f"{p.name}: {count} h" for p, count in zip(people, hours, strict=True)])
    text = (
        f"Pay everybody who stands in {path} {rate} euros an hour from the account savings, to the IBAN in the contacts, with "
        f'the reference "{reference}".'
    )
    sends: list[Step] = [
        ("bank_send", {"account": "savings", "iban": p.iban, "cents": 100 * rate * count, "reference": reference})
        for p, count in zip(people, hours, strict=True)
    ]
    return Errand(text, [[("files_read", {"path": path})], [_who(person) for person in people], sends])


def order_and_tell(d: Draft) -> Errand:
    """An order requested by mail, and its price in a reply."""
    person, count, subject = d.person(), d.rng.between(2, 9), d.topic()
    product = d.product("wares", d.rng.between(500, 3_000), 3)
    row = d.row(product)
    mail = d.mail(person, subject, f"Could you get {count} pieces of {row['name']} for us? What will they cost?")
    text = (
        f'Order what {person.name} asks for in the mail "{subject}", and write them a mail with the subject "Re: {subject}" '
        "and, as the text, the price of all pieces together in euros with two decimals and nothing else."
    )
    reads: list[list[Step]] = [[_who(person)], [_inbox(person)], [("mail_read", {"id": mail})]]
    writes = [("shop_order", {"product": product, "quantity": count})]
    told = _send([person.email], f"Re: {subject}", euros(row["price"] * count))
    return Errand(text, [*reads, [("shop_find", {"text": row["name"]})], [*writes, told]])


def free_hour(d: Draft) -> Errand:
    """The first free hour of a day, with a guest notified."""
    person, _ = _namesakes(d)
    title, day = d.topic(), d.day()
    free = d.rng.between(10, 15)
    for hour in range(9, free):
        d.event(d.topic(), day, hour, [])
    if free < 15:
        d.event(d.topic(), day, free + 1, [], hours=2)
    text = (
        f'Put "{title}" into the calendar on {day}, in the first full hour from 09:00 on in which nothing is, without a place '
        f"and with {person.name} of the group {person.group} as the guest, and write them a mail with the subject "
        f'"{title}" and, as the text, the time it begins as HH:MM and nothing else.'
    )
    start, end = f"{free:02}:00", f"{free + 1:02}:00"
    event = {"title": title, "date": day, "start": start, "end": end, "place": "", "guests": [person.email]}
    return Errand(text, [[_days(day), _who(person)], [("calendar_add", event), _send([person.email], title, start)]])


def event_by_mail(d: Draft) -> Errand:
    """An event proposed by mail."""
    person, title, day, start, place = d.person(), d.topic(), d.day(), d.rng.between(8, 17), d.place()
    hours = d.rng.between(1, 3)
    body = f"Shall we meet for the {title.lower()} on {day} at {start:02}:00, for {hours} h? Place: {place}."
    mail = d.mail(person, f"Invitation: {title}", body)
    d.mail(person, f"Photos: {title}", "See attachment.")
    text = (
        f'Put what {person.name} proposes by mail into the calendar, with the title "{title}", the place that is named, and '
        "no guests."
    )
    event = {"title": title, "date": day, "start": f"{start:02}:00", "end": f"{start + hours:02}:00", "place": place}
    reads: list[list[Step]] = [[_who(person)], [_inbox(person)], [("mail_read", {"id": mail})]]
    return Errand(text, [*reads, [("calendar_add", {**event, "guests": []})]])


def spent_on(d: Draft) -> Errand:
    """The total spent on one account, written to a file."""
    account, person = d.rng.choice(("checking", "savings")), d.person()
    amounts = [d.rng.between(1_000, 30_000) for _ in range(d.rng.between(3, 5))]
    for cents in amounts:
        d.transfer(account, -cents, person.iban, d.topic())
    d.transfer(account, d.rng.between(1_000, 9_000), person.iban, d.topic())
    out = f"results/spent{d.rng.between(100, 999)}.txt"
    text = (
        f"Write to the new file {out} how many euros have been sent from {account} to the IBAN of {person.name} in all, with "
        "two decimals and nothing else. What came from there does not matter."
    )
    stages: list[list[Step]] = [[_who(person)], [("bank_list", {"account": account})]]
    return Errand(text, [*stages, [("files_write", {"path": out, "text": euros(sum(amounts))})]])


TEMPLATES: Final[dict[str, Template]] = {
    make.__name__: Template(make, apps)
    for apps, made in (
        (
            1,
            (
                mail_sort,
                contact_number,
                event_shift,
                file_total,
                shop_best,
                shop_undo,
                money_back,
                event_off,
                file_clear,
                contact_group,
            ),
        ),
        (2, (write_to, number_by_mail, invoice, shopping_list, contact_from_file, birthday)),
        (3, (call_off, share_bill, pay_helpers, order_and_tell, free_hour, event_by_mail, spent_on)),
    )
    for make in made
}
