"""Phrases and renderings of customer-service-v0, with the policy of each domain."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants
from envhub.core.types import JSON
from envhub.envs.tools.service.people import TODAY

_TASK: Final = Phrase(
    "You are a customer service agent of {company}. Help the user as far as the policy allows. Today is {today}.",
    "Today is {today}. You work in the customer service of {company}. Serve the user, and follow the policy.",
    "You answer the customers of {company}. Do for the user what the policy permits, and nothing else. Today is "
    "{today}.",
    held_out="Role: customer service of {company}. Date: {today}. Fulfil the user's requests within the policy.",
)
_SAY: Final = Phrase(
    "Call say to talk to the user. The user knows only what a customer knows, and answers questions about it.",
    "You talk to the user with say. Ask for what you need to know; the user can answer what a customer would know.",
    "Everything that you want to tell or ask the user goes through say. The user answers questions as a customer can.",
    held_out="Communication with the user: say only. The user answers what a customer knows.",
)
_VERIFY: Final = Phrase(
    "Before you use a record, ask the user for the customer number and the postcode, and call verify_customer.",
    "No record is available before verify_customer. Ask the user for the customer number and the postcode.",
    "First identify the user: ask for the customer number and the postcode, and pass them to verify_customer.",
    held_out="Identification precedes any record: customer number and postcode from the user, then verify_customer.",
)
_CONFIRM: Final = Phrase(
    "Before each change, ask the user to agree. Send one message that contains the word confirm, the id of the "
    "booking, order or line, and the amount as the policy gives it, such as $12, or $0 if it is free. Ask about one "
    "change per message. Make the change only if the user says yes.",
    "The user must agree to each change before you make it. Say its id (booking, order or line), its amount, such as "
    "$12, or $0 for a free change, and the word confirm in one message about this change alone. Without a yes, do not "
    "make the change.",
    "Make a change only after the user has agreed to it with a yes. To ask, use one message with the word confirm, "
    "the id of the booking, order or line, and the amount by the policy: $12, for example, or $0 if nothing is due. "
    "Ask for each change separately.",
    held_out="Consent is required per change: one message with the word confirm, the id (booking, order, line) and "
    "the policy's amount ($12, say; $0 if free). Only a yes permits the change.",
)
_DECLINED: Final = Phrase(
    "If the user says no to an amount that follows the policy, leave things as they are and continue.",
    "A user who declines the amount of the policy does not want the change. Do not make it, and continue.",
    "When the user does not accept the policy's amount, skip that change.",
    held_out="Declined amounts: no change; proceed.",
)
_CANNOT: Final = Phrase(
    "If the policy does not allow a request, tell the user: say its id and the word cannot in one message. You may "
    "not take this back.",
    "Turn down a request that the policy does not allow, in one message with its id and the word cannot. A message "
    "with both is final.",
    "Requests that are against the policy must be turned down. Say the id together with the word cannot; this is a "
    "refusal that stays.",
    held_out="Refusal of a request outside the policy: one message with its id and the word cannot; irrevocable.",
)
_MORE: Final = Phrase(
    "Ask whether there is anything else when a request is settled. When the user says that this is all, call "
    "close_case. It ends the task.",
    'The user may have more requests: ask "anything else?" after each one. Call close_case after the user has said '
    "that there is nothing else; the task ends with it.",
    "After each request, ask the user if there is anything else. As soon as the user has nothing else, end the task "
    "with close_case.",
    held_out='After every request: "anything else?". After the user\'s final no: close_case, which ends the task.',
)
_FAIL: Final = Phrase(
    "You fail if a record is not as the policy and the user's wishes require at the end, if a change was made without "
    "a yes, if the user was not asked about an amount or not told about a refusal, or if you refuse what the policy "
    "allows.",
    "At the end, the records must be exactly what the policy and the user's wishes lead to. You also fail if you made "
    "a change without a yes, did not ask about an amount, did not tell the user about a refusal, or refused something "
    "that the policy allows.",
    "Success requires the right records, a yes for every change, every amount and every refusal told to the user, and "
    "no refusal of something that the policy allows.",
    held_out="Failure: wrong records at the end, a change without consent, an amount or a refusal that was not told, "
    "an allowed request refused.",
)
_DEVICE: Final = Phrase(
    "Only the user can see and change the settings of the phone: airplane mode, mobile data, data roaming, VPN, APN "
    "and SIM card. Tell the user to check, turn on, turn off, reset or reinsert one of them per sentence. You fail if "
    "one of them is wrong at the end.",
    "The phone has six settings that only the user can reach: airplane mode, mobile data, data roaming, VPN, APN, SIM "
    "card. In each sentence, ask the user to check one, to turn it on or off, or to reset or reinsert it. None of "
    "them may be wrong at the end.",
    "You cannot see the phone. Instruct the user, one setting per sentence, to check, turn on, turn off, reset or "
    "reinsert airplane mode, mobile data, data roaming, VPN, APN or SIM card. All of them must be right at the end.",
    held_out="User-side settings (one per sentence: check, turn on, turn off, reset, reinsert): airplane mode, mobile "
    "data, data roaming, VPN, APN, SIM card. A wrong setting at the end is a failure.",
)
_AIRLINE: Final = (
    Phrase(
        "A booking that was booked at most {days} days ago, a business booking, and an insured booking whose customer is "
        "ill can be cancelled for a full refund of its price.",
        "Refund the full price of a cancelled booking if it was booked {days} days ago or later, if its cabin is "
        "business, or if it is insured and the reason is illness.",
        "Cancellations with a full refund of the price: bookings made within the last {days} days, business bookings, and "
        "insured bookings if the customer has fallen ill.",
        held_out="Full refund upon cancellation if any holds: booked <= {days} days ago; cabin business; insured and "
        "reason illness.",
    ),
    Phrase(
        "Any other economy booking can be cancelled for {percent}% of its price, rounded down to whole dollars. Any other "
        "basic booking cannot be cancelled.",
        "For all other cancellations: economy gets {percent}% of the price back (rounded down to dollars), and basic "
        "cannot be cancelled at all.",
        "Otherwise an economy booking is refunded at {percent}% of the price, in whole dollars rounded down, and a basic "
        "booking may not be cancelled.",
        held_out="Remaining cases: economy -> {percent}% of the price, floor to dollars; basic -> no cancellation.",
    ),
    Phrase(
        "Another date costs ${fee} in economy, or half of it, rounded down, for gold customers. It is free in business "
        "and not allowed in basic.",
        "Changing the date is free in business, not allowed in basic, and costs ${fee} in economy. Gold customers pay "
        "half, rounded down.",
        "Economy bookings can be moved to another date for ${fee} (gold customers: half, rounded down), business bookings "
        "for free, and basic bookings not at all.",
        held_out="Date change: economy ${fee} (gold: half, floor); business free; basic excluded.",
    ),
    Phrase(
        "A booking includes {regular} free bags for regular, {silver} for silver and {gold} for gold customers, counting "
        "the bags that it already has. Each added bag beyond that costs ${bag}.",
        "Free bags per booking, with those it already has: regular customers {regular}, silver {silver}, gold {gold}. "
        "Charge ${bag} for each added bag beyond them.",
        "Each added bag costs ${bag} unless the booking still has free bags. Regular customers have {regular}, silver "
        "{silver} and gold {gold} free bags per booking, including bags already booked.",
        held_out="Bag allowance per booking (existing bags included): regular {regular}, silver {silver}, gold {gold}; "
        "excess added bags ${bag} each.",
    ),
    Phrase(
        "If an economy or business booking is delayed by {hours} hours or more, pay ${delay} per passenger. Otherwise "
        "there is no compensation.",
        "Compensation is ${delay} per passenger from a delay of {hours} hours on. Basic bookings and shorter delays get "
        "none.",
        "For delays of at least {hours} hours, economy and business customers get ${delay} for each passenger. There is "
        "no other compensation.",
        held_out="Delay compensation: ${delay} x passengers if delay >= {hours} hours and the cabin is not basic; else "
        "none.",
    ),
)
_SHOP: Final = (
    Phrase(
        "A delivered order can be returned or exchanged this number of days after delivery, at most: electronics "
        "{electronics}, clothing {clothing}, kitchen {kitchen}, toys {toys}.",
        "Returns and exchanges are possible for delivered orders only, up to {electronics} days after delivery for "
        "electronics, {clothing} for clothing, {kitchen} for kitchen and {toys} for toys.",
        "Only delivered orders can be returned or exchanged. The last day is {electronics} days after delivery for "
        "electronics, {clothing} for clothing, {kitchen} for kitchen, {toys} for toys.",
        held_out="Window after delivery for returns and exchanges (delivered orders only), in days: electronics "
        "{electronics}, clothing {clothing}, kitchen {kitchen}, toys {toys}.",
    ),
    Phrase(
        "A sealed return is refunded in full to the card. A return that was opened is refunded as store credit, less "
        "{restocking}% of the price, rounded down to whole dollars. Ask the user whether it was opened.",
        "Ask whether the item was opened. If not, refund the price to the card; if so, give store credit of the price "
        "less {restocking}%, rounded down to dollars.",
        "The refund of a return is the price, to the card, if the item is still sealed. Otherwise deduct {restocking}% of "
        "the price, round down to whole dollars and refund it as credit. The user knows whether it was opened.",
        held_out="Return refund: sealed -> price, card; opened -> price less {restocking}%, floor to dollars, credit. Ask "
        "the user.",
    ),
    Phrase(
        "An exchange is possible only if the item is sealed. It is free for members and costs ${charge} for others.",
        "Members exchange for free, others for ${charge}. Opened items cannot be exchanged.",
        "Only sealed items can be exchanged, by members for free and by other customers for ${charge}.",
        held_out="Exchange: sealed items only; members free, others ${charge}.",
    ),
    Phrase(
        "A pending order is cancelled for a full refund, a packed one for the price less ${packing}, but not less than "
        "$0. Shipped and delivered orders cannot be cancelled.",
        "Cancel pending orders with a full refund and packed orders with a refund of the price less ${packing}, at least "
        "$0. It is too late for shipped or delivered orders.",
        "Shipped or delivered orders may not be cancelled. Refund pending orders in full, and packed orders with a "
        "deduction of ${packing}, never less than $0.",
        held_out="Cancellation: pending -> full price; packed -> price - ${packing} (minimum $0); shipped, delivered -> "
        "refused.",
    ),
    Phrase(
        "The address of a pending order can be changed for free. For a packed order it is free for members and costs "
        "${address} for others. Later it is not possible.",
        "Change the address of pending orders for free, and of packed orders for ${address}, or for free if the customer "
        "is a member. Refuse it for shipped or delivered orders.",
        "An address change is free while the order is pending. While it is packed, members pay nothing and others "
        "${address}. Once it is shipped or delivered, refuse.",
        held_out="Address change: pending free; packed members free, others ${address}; shipped, delivered refused.",
    ),
)
_TELECOM: Final = (
    Phrase(
        "A suspended line is resumed for its bill plus ${resume}. If the bill is more than ${most_bill}, you cannot "
        "resume the line and must turn the request down without any change.",
        "To resume a suspended line, charge the bill and ${resume} on top. With a bill of more than ${most_bill} the "
        "request has to be turned down, and nothing else is changed.",
        "If a line is suspended, charge ${resume} plus the bill and resume it, unless the bill exceeds ${most_bill}: then "
        "turn the request down and change nothing.",
        held_out="Suspended line: resume for bill + ${resume}; bill > ${most_bill}: refuse the request, no changes.",
    ),
    Phrase(
        "If a line has no data left, ask how many gigabytes the user wants, and add them for ${small} each on the plan "
        "small, ${medium} on medium and ${large} on large.",
        "Add data to a line only if none is left. A gigabyte costs ${small} on small, ${medium} on medium and ${large} on "
        "large; the user decides how many.",
        "A line without data left is refuelled with the gigabytes that the user asks for. The price per gigabyte is "
        "${small} (small), ${medium} (medium) or ${large} (large).",
        held_out="Data refuel (only at 0 left; amount chosen by the user), per gigabyte: small ${small}, medium "
        "${medium}, large ${large}.",
    ),
    Phrase(
        "If the user is abroad and roaming is off for the line, enable it. It is free from the plan {free_roaming} "
        "upwards, and costs ${roaming} otherwise.",
        "Enable roaming for a line whose user is abroad, unless it is on. Charge ${roaming}, or nothing from the plan "
        "{free_roaming} upwards.",
        "A user abroad needs roaming on the line. Enable it if it is off: for free on {free_roaming} or a larger plan, "
        "else for ${roaming}.",
        held_out="Roaming on the line: enable if the user is abroad and it is off; free from plan {free_roaming} up, else "
        "${roaming}.",
    ),
    Phrase(
        "On the phone, airplane mode and VPN must be off, mobile data must be on, the APN must be the default, the SIM "
        "card inserted, and abroad data roaming must be on. Ask the user where they are.",
        "The phone needs mobile data on, airplane mode and VPN off, the default APN and an inserted SIM card; abroad it "
        "also needs data roaming on. Ask whether the user is abroad.",
        "Right settings: airplane mode off, VPN off, mobile data on, APN default, SIM card inserted, and data roaming on "
        "if the user is abroad, which you have to ask.",
        held_out="Required phone state: airplane mode off; VPN off; mobile data on; APN default; SIM card inserted; "
        "abroad: data roaming on (ask).",
    ),
)
_COMPANIES: Final = {"airline": "an airline", "shop": "an online shop", "telecom": "a telephone company"}


def statement(problem: JSON) -> Statement:
    """The rules, the policy, and what the user says first."""
    domain, rules = problem["domain"], problem["rules"]
    policy = {"airline": _AIRLINE, "shop": _SHOP, "telecom": _TELECOM}[domain]
    general = [_SAY, _VERIFY, _CONFIRM, _DECLINED, _CANNOT, _MORE, *([_DEVICE] if domain == "telecom" else []), _FAIL]
    values = {**_values(domain, rules), "company": _COMPANIES[domain], "today": TODAY.isoformat()}
    return Statement(_TASK, _DATA, problem, rules=(*general, *policy), values=values, frames=GAME_FRAMES)


def _values(domain: str, rules: JSON) -> dict[str, JSON]:
    if domain == "airline":
        regular, silver, gold = rules["free"]
        return {**rules, "regular": regular, "silver": silver, "gold": gold}
    return {**rules, **rules["window"]} if domain == "shop" else {**rules, **rules["gigabyte"]}


def _quoted(problem: JSON) -> str:
    return f"The user begins:\nUser: {problem['opening']}"


def _chat(problem: JSON) -> str:
    return f"[conversation opened]\nUser: {problem['opening']}"


def _reported(problem: JSON) -> str:
    return f'FIRST MESSAGE OF THE USER = "{problem["opening"]}"'


_DATA: Final[Variants[Rendering]] = Variants(_quoted, _chat, held_out=_reported, name="data")
