"""Rules of templates: values, filters, blocks and lines."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

VALUES: Final = Phrase(
    "{{{{name}}}} stands for the value of the field name, without quotation marks. Inside a repeated block it "
    "may be a field of the item.",
    "Replace {{{{name}}}} with the value of the field name; the quotation marks around a text are not part of it. "
    "In a repeated block, fields of the item can be used as well.",
    "A field in double braces, such as {{{{name}}}}, is replaced with its value. Do not write quotation marks around texts. "
    "Repeated blocks also know the fields of their item.",
    held_out="{{{{name}}}} denotes the value of field name, unquoted; within a repeated block, item fields are in scope.",
)
FILTERS: Final = Phrase(
    "{{{{name|filter}}}} changes the value: upper turns all letters into capital letters, and lower into small letters; "
    "euros turns cents into euros, 1205 into 12.05 EUR and 7 into 0.07 EUR; date turns 2027-03-05 into 5 March 2027; "
    "initials gives the first letter of each word with a full stop after it, without spaces, such as A.B.; html replaces "
    "& with &amp;, < with &lt; and > with &gt;.",
    "A filter after | changes a value, as in {{{{name|filter}}}}. With upper, all letters become capital letters, and with "
    "lower, small letters. With euros, 1205 (cents) becomes 12.05 EUR, and 7 becomes 0.07 EUR. With date, 2027-03-05 "
    "becomes 5 March 2027. With initials, a value becomes the first letters of its words, each with a full stop after it "
    "and without spaces, such as A.B. With html, & becomes &amp;, < becomes &lt; and > becomes &gt;.",
    "In {{{{name|filter}}}}, the filter is applied to the value. The filters are upper (all capital letters), lower (all "
    "small letters), euros (cents: 1205 to 12.05 EUR, 7 to 0.07 EUR), date (2027-03-05 to 5 March 2027), initials (the first "
    "letters of the words, each followed by a full stop, no spaces: A.B.) and html (& to &amp;, < to &lt;, > to &gt;).",
    held_out="Filters, {{{{name|filter}}}}: upper, all capital letters; lower, all small letters; euros, cents 1205 -> "
    "12.05 EUR, 7 -> 0.07 EUR; date, 2027-03-05 -> 5 March 2027; initials, Ada Brook -> A.B.; html, & -> &amp;, < -> "
    "&lt;, > -> &gt;.",
)
BLOCKS: Final = Phrase(
    "The lines between {{{{#if f}}}} and {{{{/if}}}} appear if the field f is true, those between {{{{#unless f}}}} and "
    "{{{{/unless}}}} if it is false. The lines between {{{{#each f}}}} and {{{{/each}}}} appear once for each item of the "
    "list f, in order.",
    "Lines from {{{{#if f}}}} to {{{{/if}}}} are kept if f is true and dropped otherwise; for {{{{#unless f}}}} and "
    "{{{{/unless}}}} it is the other way round. Lines from {{{{#each f}}}} to {{{{/each}}}} are repeated for all items of f "
    "in their order.",
    "Keep what is between {{{{#if f}}}} and {{{{/if}}}} only if f is true, and what is between {{{{#unless f}}}} and "
    "{{{{/unless}}}} only if f is false. Repeat what is between {{{{#each f}}}} and {{{{/each}}}} for every item of f, in "
    "order.",
    held_out="Blocks: {{{{#if f}}}} ... {{{{/if}}}} (f true), {{{{#unless f}}}} ... {{{{/unless}}}} (f false), {{{{#each "
    "f}}}} ... {{{{/each}}}} (once per item of f, in order).",
)
LINES: Final = Phrase(
    "A line that opens or closes a block disappears with its line break. Nothing else changes: every space and sign stays.",
    "The lines that begin or end a block leave no trace, not even an empty line. All other characters stay as they are.",
    "Remove the lines that mark the ends of blocks completely. Keep every other space, sign and line break.",
    held_out="Block delimiter lines vanish together with their line breaks; all other characters are preserved.",
)
