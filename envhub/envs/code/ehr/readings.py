"""How ehr-v0 reads notions that can be read in several ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.authoring.wording import Phrase

READINGS: Final[Mapping[str, Phrase]] = {
    "active": Phrase(
        "A diagnosis is active from its onset date until the day before its resolved date. Without a resolved date it "
        "stays active.",
        "On its onset date a diagnosis is active, on its resolved date it is not any more. If there is no resolved "
        "date, it never ends.",
        "An entry of a diagnosis is active on a day if its onset is on or before it and its resolved date is missing or later.",
        held_out="Active on day D: onset_date <= D and (no resolved_date or resolved_date > D).",
    ),
    "after": Phrase(
        "Within so many days after an event includes the day of the event itself, and nothing before it.",
        "The period of so many days after an event begins with the day of the event; earlier days do not count.",
        "Something is within n days after an event if it is on the same day or up to n days later, not earlier.",
        held_out="Within n days after: 0 to n days after, day 0 included.",
    ),
    "age": Phrase(
        "Ages are completed years, whether or not the patient is alive on the day. A birthday counts on the day itself.",
        "An age is the number of birthdays up to and including the day, counted for living and deceased patients alike.",
        "The age on a day is in whole years: it rises on the birthday. It is counted even after a death.",
        held_out="Age: completed years on the day (birthday included), regardless of death.",
    ),
    "alive": Phrase(
        "A patient who died on a day had died by that day.",
        "The day of death itself counts: on it the patient has died.",
        "By the date of death, the patient has died.",
        held_out="Died by D: death_date <= D.",
    ),
    "allergy": Phrase(
        "Allergies stand in notes only. A patient is allergic if some note states it of the patient. Denials and "
        "allergies of relatives do not "
        "count. Such a statement is one of a few sentences, which are the same in all databases.",
        "Only notes state allergies. Count those that a note states of the patient, not what is denied or said of "
        "relatives. All databases use the "
        "same few sentences for it.",
        "An allergy of a patient is known from notes alone, in a few sentences that do not differ between databases. "
        "A denied allergy, or one of a "
        "relative, is not meant.",
        held_out="Allergy source: notes; the patient's own, stated in any note; denials and relatives excluded; fixed "
        "small set of sentences.",
    ),
    "days": Phrase(
        "The number of days between two events is the difference of their dates. The time of day does not matter.",
        "Days are counted by date, without the time of day: from one day to the next is one day.",
        "To count days between events, subtract their calendar dates and ignore the time of day.",
        held_out="Day counts: difference of calendar dates, time of day ignored.",
    ),
    "diagnosis": Phrase(
        "A recorded diagnosis counts at any time, whether or not it has been resolved.",
        "Every recorded diagnosis counts, resolved or not, whenever it began.",
        "It does not matter when a diagnosis was recorded, nor whether it has been resolved.",
        held_out="Recorded diagnosis: any entry, any time, resolved or not.",
    ),
    "dose": Phrase(
        "The daily dose is the dose of one intake times the number of intakes per day.",
        "Multiply the dose of an intake by the intakes per day to get the daily dose.",
        "A daily dose is what all intakes of a day add up to.",
        held_out="Daily dose = dose of one intake x intakes per day.",
    ),
    "final": Phrase(
        "Only laboratory results with the status final count. Cancelled ones are ignored everywhere.",
        "Ignore cancelled laboratory results. A result always means one with the status final.",
        "Wherever results are meant, those with the status final are meant, and cancelled ones are left out.",
        held_out="Results: status final only.",
    ),
    "groups": Phrase(
        "Groups to which nothing belongs are left out.",
        "Leave out groups that are empty.",
        "There is no row for a group without members.",
        held_out="Empty groups: omitted.",
    ),
    "median": Phrase(
        "The median of an even number of values is the mean of the two in the middle.",
        "If the number of values is even, the median is the average of the two middle ones.",
        "For an even count, average the two middle values to get the median.",
        held_out="Median, even count: mean of the two middle values.",
    ),
    "open": Phrase(
        "Inpatient stays are encounters of the kind inpatient. A stay that has not ended is left out. Its length is "
        "the number of days from "
        "admission to discharge.",
        "An inpatient stay is an encounter of the kind inpatient, its length the number of days from admission to "
        "discharge. Stays without an end "
        "are left out.",
        "The length of an inpatient stay (an encounter of the kind inpatient) is its number of days from admission to "
        "discharge. Leave out stays "
        "that have not ended.",
        held_out="Length of stay: discharge date - admission date, encounters of kind inpatient, open stays omitted.",
    ),
    "percent": Phrase(
        "Give percentages as numbers from 0 to 100.",
        "A percentage is a number between 0 and 100, not a fraction.",
        "Percentages range from 0 to 100.",
        held_out="Percentages: 0 to 100.",
    ),
    "range": Phrase(
        "The reference range depends on the patient's sex, and both ends belong to it.",
        "Use the reference range of the patient's sex. A value equal to one of its ends is inside.",
        "Women and men have their own reference ranges. Their ends are inside.",
        held_out="Reference range: by sex, ends included.",
    ),
    "readmission": Phrase(
        "Days are counted from the discharge of an inpatient stay (an encounter of the kind inpatient) to the start "
        "of a later inpatient stay. A stay "
        "that has not ended has no readmission.",
        "A readmission is the start of a later inpatient stay, counted in days from the discharge of the earlier one. "
        "Inpatient stays are encounters "
        "of the kind inpatient, and one that has not ended has no readmission.",
        "Count from the discharge to the next admissions: a later encounter of the kind inpatient is a readmission. "
        "An inpatient stay without an end "
        "has none.",
        held_out="Readmission: later encounter of kind inpatient; days from discharge to its start; none for open stays.",
    ),
    "smoking": Phrase(
        "Smoking stands in notes only: the latest note that states whether the patient smokes, smoked formerly or has "
        "never smoked decides. What is "
        "said of others does not count. A patient without such a note counts for no status. The sentences are the "
        "same few in all databases.",
        "Only notes state who smokes. Take the latest one that says whether the patient smokes now, smoked formerly "
        "or never did; ignore what is said of "
        "others. Without such a note, a patient has no status. All databases use the same few sentences.",
        "Whether patients smoke, smoked formerly or never smoked is known from notes alone, by the latest note that "
        "states it of the patient, in a few "
        "sentences that do not differ between databases. Patients without such a note have none of these statuses.",
        held_out="Smoking source: latest note that states the patient's own status (current, former, never); no such "
        "note: no status; fixed small set "
        "of sentences.",
    ),
    "stay": Phrase(
        "An inpatient stay is an encounter of the kind inpatient, and its start is the admission.",
        "Admission as an inpatient means the start of an encounter of the kind inpatient.",
        "Encounters of the kind inpatient are inpatient stays. They begin with the admission.",
        held_out="Inpatient stay: encounter of kind inpatient; admission = its start.",
    ),
    "taking": Phrase(
        "A patient is on a drug from the first to the last day of a prescription, both included. Without a last day, "
        "the prescription goes on.",
        "During a prescription, from its first day to its last day inclusive, the patient is on the drug. A "
        "prescription without a last day has not ended.",
        "To be on a drug on a day means that a prescription has begun by that day and has no last day before it. One "
        "without a last day continues.",
        held_out="On a drug on day D: start_date <= D and (no stop_date or stop_date >= D).",
    ),
    "ties": Phrase(
        "If several patients share the first place, return all of them.",
        "Return every patient who shares the maximum.",
        "Patients with an equal maximum are all part of the answer.",
        held_out="Ties for the maximum: return all.",
    ),
    "units": Phrase(
        "Some results are given in other units. Convert each value to the standard unit of its test before you use it, with "
        "the factors of the table unit_factors.",
        "Results of a test may be in different units. Use values in the standard unit of the test, converted by the factors in "
        "unit_factors where necessary.",
        "Values must be in the standard unit of their test. Some results are in another unit and have to be multiplied by "
        "their factor in unit_factors.",
        held_out="Units: mixed; convert every value to the standard unit of its test by unit_factors.",
    ),
}
"""One rule per notion."""
