"""Sentences of the documents: attributes, rumours and filler.

``{s}`` is the thing, ``{o}`` the value. A paragraph names its thing in full before it uses a shorter reference.
"""

from __future__ import annotations

from typing import Final

from envhub.envs.search.archive.schema import Kind

CLAUSES: Final[dict[tuple[Kind, str], tuple[str, ...]]] = {
    ("person", "birthplace"): (
        "{s} was born in {o}",
        "{s} came into the world in {o}",
        "{o} is where {s} was born",
        "it was in {o} that the mother of {s} gave birth",
        "the house in which {s} was born still stands in {o}",
    ),
    ("person", "birth year"): (
        "{s} was born in {o}",
        "the church book has the birth of {s} under the year {o}",
        "{s} came into the world in {o}",
        "in {o} a child was born who would be known as {s}",
        "{o} was the year in which {s} was born",
    ),
    ("person", "assistant"): (
        "{s} had {o} as an assistant",
        "{o} worked for {s} as an assistant",
        "the assistant of {s} was {o}",
        "much of the daily work of {s} fell to an assistant, {o}",
        "{s} could rely on the help of an assistant named {o}",
    ),
    ("company", "founder"): (
        "{s} was founded by {o}",
        "{o} founded {s}",
        "the founder of {s} was {o}",
        "it was {o} who brought {s} into being",
        "{s} goes back to {o}, who founded the firm",
    ),
    ("company", "seat"): (
        "{s} has its head office in {o}",
        "the head office of {s} is in {o}",
        "{s} is run from {o}, where it has its seat",
        "{o} is the seat of {s}",
        "letters to {s} go to {o}, the town of its head office",
    ),
    ("company", "founding year"): (
        "{s} was founded in {o}",
        "the founding of {s} took place in {o}",
        "{s} has been in business since its founding in {o}",
        "{o} is the year in which {s} was founded",
        "the deed by which {s} was founded is from {o}",
    ),
    ("company", "starting capital"): (
        "{s} began with a capital of {o}",
        "{o} was the capital with which {s} began",
        "at its founding, {s} had {o} to spend",
        "the starting capital of {s} was {o}",
        "those who founded {s} had put together {o}",
    ),
    ("town", "honorary citizen"): (
        "{s} made {o} its first honorary citizen",
        "{o} was the first honorary citizen of {s}",
        "the first name in the book of honorary citizens of {s} is {o}",
        "no honorary citizen of {s} came before {o}",
        "when {s} began to name honorary citizens, it began with {o}",
    ),
    ("town", "mother town"): (
        "{s} was first settled by people from {o}",
        "the first settlers of {s} came from {o}",
        "{o} sent the first settlers to {s}",
        "{s} has {o} for a mother town, from which its first settlers came",
        "it was from {o} that the first settlers of {s} had come",
    ),
    ("town", "charter year"): (
        "{s} received its charter in {o}",
        "the charter of {s} is from {o}",
        "{s} has had the rights of a town since its charter of {o}",
        "{o} is the year of the charter of {s}",
        "by a charter of {o}, {s} became a town",
    ),
    ("bridge", "engineer"): (
        "{s} was designed by {o}",
        "{o} drew the plans of {s}",
        "the engineer of {s} was {o}",
        "the design of {s} came from {o}",
        "{s} follows the drawings of its engineer, {o}",
    ),
    ("bridge", "builder"): (
        "{s} was built by {o}",
        "{o} built {s}",
        "the building of {s} was given to {o}",
        "the company that built {s} was {o}",
        "{o} won the contract for {s} and carried it out",
    ),
    ("bridge", "location"): (
        "{s} stands in {o}",
        "{s} is to be found in {o}",
        "{o} is the town in which {s} stands",
        "whoever wants to see {s} has to travel to {o}, where it stands",
        "{s} belongs to the sights of {o}, in the middle of which it stands",
    ),
    ("bridge", "opening year"): (
        "{s} was opened in {o}",
        "the opening of {s} was in {o}",
        "{s} has been open to traffic since {o}",
        "in {o} the first carts crossed {s}, on the day of its opening",
        "{o} was the year in which {s} was opened",
    ),
    ("bridge", "length"): (
        "{s} is {o} long",
        "the length of {s} is {o}",
        "{s} has a length of {o}",
        "from one end to the other, {s} measures {o}",
        "whoever crosses {s} walks {o}, its full length",
    ),
    ("museum", "architect"): (
        "{s} has a building designed by {o}",
        "{o} designed the building of {s}",
        "the architect of {s} was {o}",
        "the plans for the building of {s} were drawn by {o}",
        "{s} stands as its architect, {o}, had drawn it",
    ),
    ("museum", "donor"): (
        "the building of {s} was paid for by {o}",
        "{o} paid for the building of {s}",
        "the donor of {s} was {o}",
        "{s} owes its building to a gift of {o}",
        "the money for the building of {s} came from {o}",
    ),
    ("museum", "location"): (
        "{s} stands in {o}",
        "{s} is to be found in {o}",
        "{o} is the town in which {s} stands",
        "whoever wants to see {s} has to travel to {o}, where it stands",
        "{s} is one of the sights of {o}, where it stands near the market",
    ),
    ("museum", "opening year"): (
        "{s} was opened in {o}",
        "the opening of {s} was in {o}",
        "{s} has been open to visitors since {o}",
        "in {o} the first visitors came to {s}, on the day of its opening",
        "{o} was the year in which {s} was opened",
    ),
    ("museum", "number of rooms"): (
        "{s} has {o}",
        "there are {o} in {s}",
        "a visitor to {s} walks through {o}",
        "the collection of {s} fills {o}",
        "{s} shows its treasures in {o}",
    ),
    ("ship", "owner"): (
        "{s} was ordered and owned by {o}",
        "{o} ordered {s} and owned it",
        "the owner of {s} was {o}",
        "{s} belonged to {o}, which had ordered it",
        "the flag of {o}, its owner, flew over {s}",
    ),
    ("ship", "first captain"): (
        "the first voyage of {s} was commanded by {o}",
        "{o} commanded the first voyage of {s}",
        "the first captain of {s} was {o}",
        "on its first voyage, {s} was under the command of {o}",
        "it was {o} who took {s} out to sea for the first time, as its captain",
    ),
    ("ship", "home port"): (
        "{s} was registered in {o}",
        "the home port of {s} was {o}",
        "{o} was the home port of {s}",
        "{s} had {o} as its home port",
        "under its name, the stern of {s} bore that of its home port, {o}",
    ),
    ("ship", "launch year"): (
        "{s} was launched in {o}",
        "the launch of {s} was in {o}",
        "{s} left the slipway in {o}",
        "{o} was the year in which {s} was launched",
        "in {o}, {s} touched the water for the first time",
    ),
    ("ship", "length"): (
        "{s} is {o} long",
        "the length of {s} is {o}",
        "{s} has a length of {o}",
        "from bow to stern, {s} measures {o}",
        "{s} was measured at {o} from bow to stern",
    ),
}

RUMOURS: Final = (
    "For a time {o} was named as the {noun} of {s}, but this was never more than talk.",
    "It is not true that the {noun} of {s} was {o}.",
    "A plan that would have made {o} the {noun} of {s} came to nothing.",
    "Some have guessed that the {noun} of {s} was {o}; nobody has shown it.",
    "A visitor once asked whether the {noun} of {s} was {o}, and received no answer.",
    "An older account with {o} as the {noun} of {s} has been withdrawn by its author.",
)
"""Sentences that state nothing."""

SHORT: Final[dict[Kind, tuple[str, ...]]] = {
    "company": ("the company", "the firm", "it"),
    "town": ("the town", "it"),
    "bridge": ("the bridge", "it"),
    "museum": ("the museum", "it"),
    "ship": ("the ship", "it"),
    "person": (),
}
"""References to a thing that a paragraph has named; for a person, the surname."""

LEADS: Final = (
    "A word on {s}.",
    "This paragraph is about {s}.",
    "Readers have asked about {s}.",
    "Something remains to be said of {s}.",
    "Now to {s}.",
    "The notes on {s} fill several sheets.",
)
AFTER: Final = (
    ", as the papers show",
    ", which is stated here without comment",
    ", and nobody in the room objected",
    ", a fact that is well known in these parts",
)
"""Endings of a sentence that states something."""
BEFORE: Final = ("As we know, ", "To begin with, ", "In short, ", "According to the file, ")

TITLES: Final[dict[str, tuple[str, ...]]] = {
    "register": ("Entry: {}", "{}, main entry", "Registered: {}"),
    "yearbook": ("On {}", "{}: a survey", "A chapter on {}"),
    "newspaper": ("{} revisited", "What we know about {}", "A visit: {}"),
    "memoir": ("How I remember {}", "{}, from memory", "My notes on {}"),
}
DIGESTS: Final[dict[str, tuple[str, ...]]] = {
    "register": ("Collected entries", "Entries of the week", "List of entries"),
    "yearbook": ("Miscellany", "Short chapters", "Supplement"),
    "newspaper": ("Notes of the week", "From all parts", "Letters and answers"),
    "memoir": ("People and places I knew", "Loose pages", "Recollections"),
}

FILLERS: Final[dict[str, tuple[str, ...]]] = {
    "register": (
        "The entry was copied from an older volume.",
        "A fee of two crowns was paid for this copy.",
        "The clerk has signed and dated the page.",
        "Two lines of this entry are crossed out and cannot be read.",
        "The volume is kept in the strong room and may not be taken away.",
        "Changes to this entry need the consent of the office.",
        "The seal on the back is damaged.",
        "For maps and drawings, see the cabinet on the first floor.",
        "The page was checked against the duplicate, and the two agree.",
        "Applications for a certified copy are answered within a month.",
        "A later hand has underlined the heading.",
        "The office was closed for repairs in the week of this entry.",
    ),
    "yearbook": (
        "The committee met four times in the year of this report.",
        "Members may order further copies from the secretary.",
        "The weather of the year was mild, and the harvest was good.",
        "A longer treatment is planned for a future volume.",
        "The editors thank the many readers who sent corrections.",
        "An exhibition of photographs was well attended.",
        "The printing of this volume was delayed by a shortage of paper.",
        "The annual excursion led to the lakes, and forty members took part.",
        "The library received three boxes of letters, which have yet to be sorted.",
        "The accounts were examined and found to be in order.",
        "A prize for young historians was announced, and nine essays arrived.",
        "The drawings that belong to this chapter could not be reproduced.",
    ),
    "newspaper": (
        "It rained all morning, and the square was empty.",
        "An old man at the inn had much to tell, most of it about his knee.",
        "Our reporter was given coffee and a chair by the stove.",
        "The mayor could not be reached before this paper went to press.",
        "Tickets for the concert on Saturday are almost sold out.",
        "The price of bread has gone up again, and so has that of coal.",
        "Children were seen skating on the canal, against the advice of the police.",
        "A reader from the coast has sent us a photograph of a remarkable turnip.",
        "The road was closed for two hours because of a cow.",
        "We shall return to the matter when there is more to report.",
        "The brass band played until the lamps were put out.",
        "A lost umbrella can be collected at our office.",
    ),
    "memoir": (
        "I was young then, and I believed whatever I was told.",
        "My aunt kept a parrot, which knew three words and used them all at once.",
        "We walked for hours, and I remember the dust better than the view.",
        "I have lost the letters, but I still see the handwriting.",
        "Nobody had any money, and nobody talked about it.",
        "In the evening there was soup, and after the soup there were speeches.",
        "I should have asked more questions while there was somebody to answer them.",
        "The winter was so cold that the ink froze on my desk.",
        "What I liked best was the smell of tar and of fresh bread.",
        "My brother says that I invent half of this, and he may be right about the weather.",
        "The train was late, as it always was, and we missed the first dance.",
        "I kept a diary in those days, but only on Sundays.",
    ),
}
"""Sentences about nothing that can be asked."""
WHO: Final = (
    "The secretary of the society",
    "A schoolmaster from the valley",
    "The widow next door",
    "A commercial traveller",
    "The stationmaster",
    "A party of students",
    "The choir",
    "An inspector of weights",
    "The gardener",
    "A retired sailor",
    "The postman",
    "A photographer with a wooden leg",
    "The youngest of the clerks",
    "A dealer in clocks",
)
DID: Final = (
    "counted the chairs",
    "asked for a second lamp",
    "sang two songs and forgot the third",
    "complained about the draught",
    "gave a talk on bees",
    "lost a glove and found a better one",
    "read aloud from an almanac",
    "offered everyone a pear",
    "mended the gate without being asked",
    "drew a map on the tablecloth",
    "told a story about a goose",
    "fell asleep during the speeches",
    "bought a barrel of herring",
    "set up a telescope and saw nothing",
)
WHEN: Final = (
    " on the following Tuesday",
    " before lunch",
    " after the rain",
    " during the holidays",
    " late in the evening",
    ", to the surprise of all",
    " for the second time that month",
    ", without a word of explanation",
    " while the kettle boiled",
    " at the request of the committee",
    ", as every year",
    " shortly before the doors were closed",
)
"""Who did what and when: more sentences about nothing that can be asked."""
