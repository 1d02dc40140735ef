"""A clerk who knows the goals and questions of apps-v1 by their words alone, and the apps by their functions.

``work(apis, text)`` makes the changes that a text asks for, or returns the answer to it. Nothing of envhub is imported: the
same source runs beside the environment and inside a program of apps-code-v0.
"""

import re
from datetime import date, timedelta


def pages(function, name, **arguments):
    rows, page = [], 1
    while True:
        told = function(**arguments, page=page)
        rows += told[name]
        if page >= told["pages"]:
            return rows
        page += 1


def cents(text):
    whole, _, part = text.replace("-", "").partition(".")
    return (int(whole) * 100 + int(part or 0)) * (-1 if "-" in text else 1)


def money(amount):
    return f"{amount // 100}.{amount % 100:02}"


def days_after(day, count):
    return (date.fromisoformat(day) + timedelta(count)).isoformat()


class Clerk:
    def __init__(self, apis):
        self.apis = apis

    def mails(self, sender="", folder="inbox"):
        return pages(self.apis.mail_list, "mails", folder=folder, sender=sender)

    def body(self, mail):
        return self.apis.mail_read(id=mail["id"])["body"]

    def contact(self, name, group=""):
        found = pages(self.apis.contacts_find, "contacts", text=name, group=group)
        return [row for row in found if row["name"] == name]

    def events(self, first, last):
        return pages(self.apis.calendar_list, "events", first=first, last=last)

    def products(self, text):
        return pages(self.apis.shop_find, "products", text=text)

    def product(self, name):
        (row,) = [row for row in self.products(name) if row["name"] == name]
        return row

    def orders(self):
        return pages(self.apis.shop_orders, "orders")

    def transfers(self, account):
        return pages(self.apis.bank_list, "transfers", account=account)

    def lines(self, path):
        return self.apis.files_read(path=path)["text"].splitlines()

    def send(self, to, subject, body):
        self.apis.mail_send(to=to, subject=subject, body=body)

    def free(self, first):
        day = first
        while self.events(day, day):
            day = days_after(day, 1)
        return day

    # -- goals ---------------------------------------------------------------------------------------------------------

    def away(self, day):
        to = self.free(days_after(day, 1))
        for row in self.events(day, day):
            self.apis.calendar_move(id=row["id"], date=to, start=row["start"], end=row["end"])

    def stars(self, count, category, most):
        rows = [
            row for row in self.products(category) if row["category"] == category and cents(row["price"]) <= cents(most)
        ]
        best = min(rows, key=lambda row: (-row["stars"], cents(row["price"])))
        self.apis.shop_order(product=best["id"], quantity=int(count))

    def twice(self):
        placed = [row for row in self.orders() if row["status"] == "placed"]
        for row in placed:
            if sum((other["product"], other["quantity"]) == (row["product"], row["quantity"]) for other in placed) == 2:
                self.apis.shop_cancel(order=row["id"])

    def back(self, account, reference):
        rows = [row for row in self.transfers(account) if row["reference"] == reference and cents(row["euros"]) > 0]
        double = {
            (r["iban"], r["euros"])
            for r in rows
            if sum((r["iban"], r["euros"]) == (o["iban"], o["euros"]) for o in rows) == 2
        }
        ((iban, amount),) = double
        self.apis.bank_send(account=account, iban=iban, cents=cents(amount), reference="paid twice")

    def receipts(self, company, limit):
        for mail in self.mails(f"office@{company.lower().replace(' ', '-')}.example"):
            if cents(re.search(r"received (\S+) euros", self.body(mail))[1]) > int(limit) * 100:
                self.apis.mail_move(id=mail["id"], folder="receipts")

    def addresses(self):
        for mail in self.mails():
            body = self.body(mail).split("\n")
            if body[0] == "This is my new address.":
                for row in self.contact(body[1]):
                    self.apis.contacts_change(id=row["id"], field="email", value=mail["from"])

    def stock(self, path):
        for line in self.lines(path):
            name, have, need = re.fullmatch(r"(.*): have (\d+), need (\d+)", line).groups()
            if int(have) < int(need):
                self.apis.shop_order(product=self.product(name)["id"], quantity=int(need) - int(have))

    def invoices(self, company):
        paid = {row["reference"] for row in self.transfers("checking") if cents(row["euros"]) < 0}
        for mail in self.mails(f"office@{company.lower().replace(' ', '-')}.example"):
            number = re.fullmatch(r"Invoice (\d+)", mail["subject"])
            if number and number[1] not in paid:
                amount, iban = re.search(r"pay (\S+) euros to IBAN (\S+)\.", self.body(mail)).groups()
                self.apis.bank_send(account="checking", iban=iban, cents=cents(amount), reference=number[1])

    def team(self, path, group):
        names = self.lines(path)[0].removeprefix("Members: ").split(", ")
        for row in pages(self.apis.contacts_find, "contacts", text="", group=group):
            if row["name"] not in names:
                self.apis.contacts_change(id=row["id"], field="group", value="former")
        for name in names:
            (row,) = self.contact(name)
            if row["group"] != group:
                self.apis.contacts_change(id=row["id"], field="group", value=group)

    def overlap(self, day, to):
        rows = self.events(day, day)
        (later,) = [b for a in rows for b in rows if a["start"] < b["start"] < a["end"]]
        self.apis.calendar_move(id=later["id"], date=to, start=later["start"], end=later["end"])
        self.send(later["guests"], later["title"], f"It is on {to} now.")

    def remind(self, title, day):
        (event,) = [row for row in self.events(day, day) if row["title"] == title]
        for guest in event["guests"]:
            if not any(mail["subject"] == f"Re: {title}" for mail in self.mails(guest)):
                self.send([guest], title, "Are you coming?")

    def debt(self, path, name, account, reference):
        (owed,) = [cents(line.split(": ")[1]) for line in self.lines(path) if line.startswith(f"{name}: ")]
        (row,) = self.contact(name)
        sent = [t for t in self.transfers(account) if (t["iban"], t["reference"]) == (row["iban"], reference)]
        left = owed + sum(cents(t["euros"]) for t in sent if cents(t["euros"]) < 0)
        self.apis.bank_send(account=account, iban=row["iban"], cents=left, reference=reference)

    def ordered(self, name, subject):
        (row,) = self.contact(name)
        (mail,) = [mail for mail in self.mails(row["email"]) if mail["subject"] == subject]
        count, what = re.search(r"get (\d+) pieces of (.*) for us", self.body(mail)).groups()
        product = self.product(what)
        self.apis.shop_order(product=product["id"], quantity=int(count))
        self.send([row["email"]], f"Re: {subject}", money(int(count) * cents(product["price"])))

    def bill(self, title, day, path):
        (event,) = [row for row in self.events(day, day) if row["title"] == title]
        total = sum(cents(line.split(": ")[1]) for line in self.lines(path))
        for guest in event["guests"]:
            self.send([guest], title, money(total // len(event["guests"])))

    def wages(self, path, rate, reference):
        for line in self.lines(path):
            name, hours = re.fullmatch(r"(.*): (\d+) h", line).groups()
            (row,) = self.contact(name)
            amount = 100 * int(rate) * int(hours)
            self.apis.bank_send(account="savings", iban=row["iban"], cents=amount, reference=reference)

    def hour(self, title, day, name, group):
        (row,) = self.contact(name, group)
        taken = [(event["start"], event["end"]) for event in self.events(day, day)]
        at = next(h for h in range(9, 24) if all(f"{h + 1:02}:00" <= a or b <= f"{h:02}:00" for a, b in taken))
        guests = [row["email"]]
        self.apis.calendar_add(title=title, date=day, start=f"{at:02}:00", end=f"{at + 1:02}:00", guests=guests)
        self.send(guests, title, f"{at:02}:00")

    def proposal(self, name):
        (row,) = self.contact(name)
        (mail,) = [mail for mail in self.mails(row["email"]) if mail["subject"].startswith("Invitation: ")]
        day, start, hours, place = re.search(
            r" on (\S+) at (\d\d):00, for (\d) h\? Place: (.*)\.", self.body(mail)
        ).groups()
        end = f"{int(start) + int(hours):02}:00"
        self.apis.calendar_add(
            title=mail["subject"].removeprefix("Invitation: "), date=day, start=f"{start}:00", end=end, place=place
        )

    # -- questions -----------------------------------------------------------------------------------------------------

    def spent(self, account, name, since):
        (row,) = self.contact(name)
        sent = [t for t in self.transfers(account) if t["iban"] == row["iban"] and t["date"] >= since]
        return money(-sum(cents(t["euros"]) for t in sent if cents(t["euros"]) < 0))

    def birthday(self, group):
        rows = pages(self.apis.contacts_find, "contacts", text="", group=group)
        return min(rows, key=lambda row: (row["birthday"][5:] <= "03-10", row["birthday"][5:]))["name"]

    def invited(self, first, last, name):
        (row,) = self.contact(name)
        return str(sum(row["email"] in event["guests"] for event in self.events(first, last)))

    def writer(self, folder):
        senders = [mail["from"] for mail in self.mails(folder=folder)]
        return max(senders, key=senders.count)

    def worth(self, category):
        prices = {row["id"]: cents(row["price"]) for row in self.products(category) if row["category"] == category}
        placed = [row for row in self.orders() if row["status"] == "placed" and row["product"] in prices]
        return money(sum(prices[row["product"]] * row["quantity"] for row in placed))

    def phone(self, subject):
        (mail,) = [mail for mail in self.mails() if mail["subject"] == subject]
        (row,) = pages(self.apis.contacts_find, "contacts", text=mail["from"])
        return row["phone"]

    def mentions(self, folder, name):
        paths = [row["path"] for row in pages(self.apis.files_list, "files", folder=folder)]
        (path,) = [path for path in paths if name in "\n".join(self.lines(path))]
        return path

    def cheaper(self, category, limit):
        rows = [row for row in self.products(category) if row["category"] == category]
        return str(sum(cents(row["price"]) < cents(limit) for row in rows))

    def asked(self, company):
        mails = self.mails(f"office@{company.lower().replace(' ', '-')}.example")
        bodies = [self.body(mail) for mail in mails if mail["subject"].startswith("Invoice")]
        return money(sum(cents(re.search(r"pay (\S+) euros", body)[1]) for body in bodies))


DAY = r"(\d{4}-\d\d-\d\d)"
KNOWN = (
    ("away", f"I am away on {DAY}\\."),
    ("stars", r'Order (\d+) of the product of the category "(.*)" that has the most stars .* cost (\S+) euros or less'),
    ("twice", "There are two orders with the status placed"),
    ("back", r'two payments into (\w+) under the reference "(.*?)"'),
    ("receipts", r"receipts from (.*?)\. Move those for more than (\d+) euros"),
    ("addresses", "Several people have sent a mail that says"),
    ("stock", r"The file (\S+) says how many pieces of each product"),
    ("invoices", r"Pay the invoices of (.*?) that came by mail"),
    ("team", r"The file (\S+) lists who belongs to the (.*?) now"),
    ("overlap", f"Two events of {DAY} overlap\\. .* to {DAY}, at the same times"),
    ("remind", f'guests of the event "(.*?)" on {DAY} have answered'),
    (
        "debt",
        r'^(\S+) says how many euros I owed to each person\. To (.*?) I have .* from (\w+), under the reference "(.*?)"',
    ),
    ("ordered", r'Order what (.*?) asks for in the mail "(.*?)"'),
    ("bill", f'The guests of the event "(.*?)" on {DAY} share the bill in (\\S+) equally'),
    ("wages", r'Pay everybody who stands in (\S+) (\d+) euros an hour .* reference "(.*?)"'),
    (
        "hour",
        f'Put "(.*?)" into the calendar on {DAY}, in the first full hour .* with (.*?) of the group (.*?) as the guest',
    ),
    ("proposal", r"Put what (.*?) proposes by mail into the calendar"),
    ("spent", f"have I sent from (\\w+) to the IBAN of (.*?) since {DAY}"),
    ("birthday", r"Which contact of the group (.*?) has a birthday next"),
    ("invited", f"To how many events from {DAY} to {DAY}, both days included, is (.*?) invited"),
    ("writer", r"From which address do the most mails in the folder (\w+) come"),
    ("free", f"What is the first day from {DAY} on on which nothing"),
    ("worth", r'all my orders of products of the category "(.*?)" cost'),
    ("phone", r'phone number of the person who wrote the mail "(.*?)"'),
    ("mentions", r"Which file of the folder (\S+) mentions (.*?)\? "),
    ("cheaper", r'How many products of the category "(.*?)" cost less than (\S+) euros'),
    ("asked", r"do the invoices of (.*?) in the inbox come to"),
)


def work(apis, text):
    ((name, found),) = [(name, found) for name, pattern in KNOWN if (found := re.search(pattern, text))]
    return getattr(Clerk(apis), name)(*found.groups())
