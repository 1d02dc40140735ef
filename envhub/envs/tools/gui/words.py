"""Words of the pages: people, places, goods, and sentences made of them."""

from __future__ import annotations

from typing import Final

PEOPLE: Final = (
    "Ada Moor", "Ben Falk", "Clara Voss", "Dario Lind", "Elsa Brandt", "Finn Okafor", "Greta Holm", "Hugo Santos",
    "Ines Keller", "Jonas Pell", "Kira Novak", "Leo Marsh", "Mina Sato", "Nils Berg", "Olga Reyes", "Paul Teague",
    "Rosa Quinn", "Sven Adler", "Tara Iyer", "Uma Castell",
)  # fmt: skip
TOWNS: Final = (
    "Aldford", "Bellmoor", "Brenton", "Cinderby", "Dunhaven", "Elmstead", "Falkirk Bay", "Goldcrest", "Harrowgate",
    "Ironbridge", "Kestrel", "Larkhill", "Millport", "Netherby", "Oakham", "Pinewell", "Quarryton", "Ravensea",
    "Saltmere", "Thornley",
)  # fmt: skip
GOODS: Final = (
    "kettle", "lamp", "notebook", "umbrella", "backpack", "candle", "blanket", "teapot", "clock", "mirror", "basket",
    "hammer", "compass", "scarf", "mug", "lantern", "pillow", "radio", "ladder", "bucket",
)  # fmt: skip
COLOURS: Final = ("red", "green", "blue", "yellow", "purple", "orange")
SECTIONS: Final = (
    "Overview", "Billing", "Members", "Archive", "Reports", "Security", "Calendar", "Storage", "Messages", "Printing",
    "Orders", "Contacts",
)  # fmt: skip
COMMANDS: Final = (
    "Export",
    "Refresh",
    "Print",
    "Share",
    "Duplicate",
    "Lock",
    "Publish",
    "Rename",
    "Pin",
    "Mute",
    "Sync",
    "Merge",
)
SUBJECTS: Final = (
    "Budget", "Travel plan", "Garden party", "Broken printer", "New office", "Invoice", "Workshop", "Lost key", "Menu",
    "Team photo", "Delivery", "Survey",
)  # fmt: skip
FILES: Final = (
    "report.pdf", "photo.png", "notes.txt", "plan.pdf", "budget.csv", "letter.doc", "map.png", "draft.txt", "poster.pdf",
    "list.csv", "recipe.txt", "scan.png", "contract.pdf", "agenda.doc",
)  # fmt: skip
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
