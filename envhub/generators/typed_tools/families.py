"""Families of requests, the tool for each, and similar-looking rivals.

A :class:`Family` has slots, each of a kind of :mod:`envhub.generators.values`. A rival has the same slots and another
effect, stated in its description; if the right tool is left out, no rival serves the request::

    family = FAMILIES["heating"]
    family.says                    # "Set the heating in the {room} to {temperature}."
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Slot(NamedTuple):
    """An argument: its kind, its possible schema names, and its description."""

    kind: str
    names: tuple[str, ...]
    role: str


class Family(NamedTuple):
    """A family of requests.

    Attributes:
        tools: Possible names of the tool.
        does: Its description.
        says: The request, with a placeholder for every slot.
        slots: Slots by placeholder name.
        rivals: Name and description of tools with the same slots that do something else.
        flag: An optional argument (name, description, the sentence that asks for it); false unless it is asked for.
    """

    tools: tuple[str, ...]
    does: str
    says: str
    slots: dict[str, Slot]
    rivals: tuple[tuple[str, str], ...]
    flag: tuple[str, str, str] | None = None


FAMILIES: Final[dict[str, Family]] = {
    "heating": Family(
        ("set_heating", "adjust_heating", "heating_set"),
        "Sets the temperature that a room is heated to from now on.",
        "Set the heating in the {room} to {temperature}, for {hold}.",
        {
            "room": Slot("room", ("room", "zone", "where"), "the room"),
            "temperature": Slot("temperature", ("temperature", "target", "level"), "the temperature"),
            "hold": Slot("duration", ("hold", "duration", "keep_for"), "for how long"),
        },
        (
            ("set_heating_default", "Sets what a room is heated to when nothing else is set. Changes nothing now."),
            ("set_cooling", "Sets the temperature that a room is cooled to by the air conditioning."),
            ("set_oven", "Heats the oven that stands in a room."),
        ),
        ("silent", "whether the room's display stays dark", "Its display is to stay dark."),
    ),
    "payment": Family(
        ("send_payment", "pay_person", "transfer_money"),
        "Sends money to a person at once.",
        "Pay {amount} to {person} with the reference {reference}.",
        {
            "amount": Slot("money", ("amount", "sum", "value"), "how much money"),
            "person": Slot("person", ("payee", "to", "recipient"), "the other person"),
            "reference": Slot("text", ("reference", "note", "purpose"), "the reference"),
        },
        (
            ("request_payment", "Asks a person to send money to you."),
            ("schedule_monthly_payment", "Sends money to a person every month from the next first of the month on."),
            ("refuse_payment", "Refuses a payment that a person asked you for."),
        ),
        ("receipt", "whether a receipt is sent to you", "Have a receipt sent to me."),
    ),
    "event": Family(
        ("create_event", "add_appointment", "event_new"),
        "Puts a new event into the calendar.",
        "Put {title} into my calendar on {date} at {time}, for {duration}.",
        {
            "title": Slot("text", ("title", "name", "subject"), "the title"),
            "date": Slot("date", ("date", "day", "on"), "the day"),
            "time": Slot("time", ("start", "time", "at"), "when it begins"),
            "duration": Slot("duration", ("duration", "length", "lasts"), "how long it takes"),
        },
        (
            ("create_event_draft", "Notes an idea for an event. It does not appear in the calendar."),
            ("create_room_booking", "Books a meeting room. It makes no event in the calendar."),
            ("decline_event", "Declines an event that somebody else has put into the calendar."),
        ),
        ("private", "whether others see only that you are busy", "Others are to see only that I am busy."),
    ),
    "parcel": Family(
        ("send_parcel", "ship_parcel", "parcel_create"),
        "Has a parcel picked up here and taken to an address.",
        "Have a parcel of {mass} that is {length} long picked up and taken to {address}.",
        {
            "mass": Slot("mass", ("weight", "mass", "heavy"), "how heavy the parcel is"),
            "length": Slot("length", ("length", "longest_side", "size"), "how long the parcel is"),
            "address": Slot("address", ("address", "destination", "to"), "the address"),
        },
        (
            ("quote_parcel", "Has an offer for a parcel sent to you by letter. Nothing is picked up."),
            ("collect_parcel", "Has a parcel that waits at an address brought to you."),
            ("report_lost_parcel", "Reports that a parcel to an address was lost."),
        ),
        ("insured", "whether the parcel is insured", "It is to be insured."),
    ),
    "light": Family(
        ("set_light", "dim_light", "light_level"),
        "Sets how bright the lamps of a room are.",
        "Set the lamps in the {room} to {percent} of their brightness over {duration}.",
        {
            "room": Slot("room", ("room", "zone", "where"), "the room"),
            "percent": Slot("percent", ("brightness", "level", "value"), "the brightness or opening"),
            "duration": Slot("duration", ("fade", "over", "transition"), "how long the change takes"),
        },
        (
            ("set_light_limit", "Sets how bright the lamps of a room may be at most. Does not change them now."),
            ("set_screen_brightness", "Sets how bright the screen in a room is."),
            ("set_blinds", "Sets how far the blinds of a room are open."),
        ),
    ),
    "task": Family(
        ("assign_task", "create_task", "task_add"),
        "Gives a new task to a person.",
        "Give {person} the task {title} with {priority} priority, due on {date}.",
        {
            "person": Slot("person", ("assignee", "person", "owner"), "the person"),
            "title": Slot("text", ("title", "task", "summary"), "the title"),
            "priority": Slot("priority", ("priority", "urgency", "rank"), "the priority"),
            "date": Slot("date", ("due", "deadline", "due_date"), "when it is due"),
        },
        (
            ("assign_task_template", "Stores a pattern from which tasks can be made later. Nobody is given a task."),
            ("suggest_task", "Suggests to a person's manager a task for that person. Nobody is given a task."),
            ("complete_task", "Marks a task of a person as done."),
        ),
    ),
    "ride": Family(
        ("book_train", "train_reserve", "reserve_train_seat"),
        "Books seats on a train, one way.",
        "Book {count} seats on the train from {start} to {city} on {date}, {class} class.",
        {
            "count": Slot("count", ("seats", "travellers", "count"), "the number of seats"),
            "start": Slot("city", ("from_city", "origin", "start"), "the city it starts in"),
            "city": Slot("city", ("to_city", "destination", "target"), "the city it goes to"),
            "date": Slot("date", ("date", "day", "travel_date"), "the day"),
            "class": Slot("class", ("travel_class", "category", "comfort"), "the class"),
        },
        (
            ("book_coach", "Books seats on a coach, which is a bus, one way."),
            ("watch_train", "Tells you when seats on a train become cheaper. Books nothing."),
            ("cancel_train", "Gives booked seats on a train back."),
        ),
    ),
    "meeting": Family(
        ("invite_people", "send_invitation", "invite_group"),
        "Invites people to a meeting.",
        "Invite {people} to a meeting about {topic} on {date} at {time}.",
        {
            "people": Slot("people", ("people", "guests", "attendees"), "the people"),
            "topic": Slot("text", ("topic", "subject", "about"), "what it is about"),
            "date": Slot("date", ("date", "day", "when_day"), "the day of the meeting"),
            "time": Slot("time", ("time", "start", "when_time"), "when it begins"),
        },
        (
            ("poll_people", "Asks people whether they would have time. Invites nobody."),
            ("uninvite_people", "Takes the invitation to a meeting back."),
            ("send_minutes", "Sends people the minutes of a meeting that has taken place."),
        ),
        ("online", "whether the meeting is held online", "The meeting is online."),
    ),
    "expense": Family(
        ("file_expense", "submit_expense", "expense_claim"),
        "Hands in an expense of yours, to be paid back.",
        "Hand in an expense of {amount} for {category}, paid on {date}.",
        {
            "amount": Slot("money", ("amount", "total", "cost"), "how much it is"),
            "category": Slot("category", ("category", "kind", "account"), "what it was for"),
            "date": Slot("date", ("paid_on", "date", "day"), "when it was paid"),
        },
        (
            ("plan_expense", "Notes that you will have an expense. Nothing is paid back."),
            ("approve_expense", "Approves an expense that somebody else has handed in."),
            ("tag_expense", "Marks an expense that was paid back already."),
        ),
    ),
    "alarm": Family(
        ("set_alarm", "alarm_once", "wake_me"),
        "Rings once, in a room, on a day at a time.",
        "Let the alarm in the {room} ring on {date} at {time}, with a volume of {percent}.",
        {
            "room": Slot("room", ("room", "where", "device"), "the room"),
            "date": Slot("date", ("date", "day", "on"), "the day"),
            "time": Slot("time", ("time", "at", "rings_at"), "when it rings"),
            "percent": Slot("percent", ("volume", "loudness", "level"), "how loud or bright"),
        },
        (
            ("set_daily_alarm", "Rings in a room every day from a day on, at a time."),
            ("mute_alarm", "Keeps an alarm from ringing on a day at a time."),
            ("set_reminder_light", "Blinks in a room on a day at a time. Does not ring."),
        ),
    ),
    "order": Family(
        ("order_wood", "buy_boards", "order_boards"),
        "Orders wooden boards, cut to length, for delivery.",
        "Order {count} boards of {length}, delivered to {address} on {date}.",
        {
            "count": Slot("count", ("pieces", "quantity", "count"), "the number of boards"),
            "length": Slot("length", ("length", "cut", "board_length"), "how long each is"),
            "address": Slot("address", ("address", "deliver_to", "site"), "the address"),
            "date": Slot("date", ("date", "delivery_day", "on"), "the day"),
        },
        (
            ("order_board_samples", "Orders samples of boards, a hand wide. They cannot be used to build."),
            ("return_boards", "Has boards that were delivered picked up again."),
            ("offer_boards", "Asks for an offer for wooden boards. Orders nothing."),
        ),
        ("treated", "whether the boards are treated against rain", "They are to be treated against rain."),
    ),
    "access": Family(
        ("grant_access", "allow_entry", "access_give"),
        "Lets a person enter a room from a day on, for a time.",
        "Let {person} into the {room} from {date} on; every visit may last {duration}.",
        {
            "person": Slot("person", ("person", "visitor", "who"), "the person"),
            "room": Slot("room", ("room", "area", "door"), "the room"),
            "date": Slot("date", ("from_day", "start", "valid_from"), "the first day"),
            "duration": Slot("duration", ("visit", "stay", "at_most"), "how long a visit may last"),
        },
        (
            ("request_access", "Asks that you may enter a room that belongs to a person."),
            ("revoke_access", "Keeps a person from entering a room from a day on."),
            ("log_access", "Writes down that a person has been in a room. Lets nobody in."),
        ),
    ),
}
