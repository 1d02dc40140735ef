"""Sentences of the constraints on texts of listed words."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

SENTENCES: Final = {
    "prime_lengths": Phrase(
        "The number of letters of each word must be a prime number.",
        "Each word must have a prime number of letters.",
        "Only words whose length is a prime number may occur.",
        held_out="Length of every word: prime.",
    ),
    "rising_lengths": Phrase(
        "Within a sentence, no word may be shorter than the word before it.",
        "In each sentence, every word must be at least as long as the word before it.",
        "The lengths of the words in a sentence may not decrease from left to right.",
        held_out="Word lengths within each sentence: non-decreasing.",
    ),
    "falling_lengths": Phrase(
        "Within a sentence, no word may be longer than the word before it.",
        "In each sentence, every word must be at most as long as the word before it.",
        "The lengths of the words in a sentence may not increase from left to right.",
        held_out="Word lengths within each sentence: non-increasing.",
    ),
    "parity": Phrase(
        "Within a sentence, words with an even and with an odd number of letters must alternate. Either kind may come first.",
        "In each sentence, a word of even length may only be next to words of odd length, and the reverse.",
        "Of two neighbouring words in a sentence, one must have an even and one an odd number of letters.",
        held_out="Parity of word lengths within each sentence: alternating.",
    ),
    "lipogram": Phrase(
        'The letter "{letter}" may not occur.',
        'Do not use the letter "{letter}".',
        'No word may contain the letter "{letter}".',
        held_out='Excluded letter: "{letter}".',
    ),
    "univocalic": Phrase(
        "Of the vowels a, e, i, o and u, only {spaced} may occur.",
        "The only vowels allowed are {spaced}. The vowels are a, e, i, o and u.",
        "No vowel (a, e, i, o, u) may occur except {spaced}.",
        held_out="Permitted vowels out of a, e, i, o, u: {spaced}.",
    ),
    "alphabetical": Phrase(
        "The words of each sentence must be in alphabetical order.",
        "Within a sentence, put the words in alphabetical order.",
        "In every sentence, each word must come after the word before it in the alphabet.",
        held_out="Order of the words within each sentence: alphabetical.",
    ),
    "alliteration": Phrase(
        "All words of a sentence must begin with the same letter. Different sentences may use different letters.",
        "Within each sentence, every word must start with one and the same letter, which may differ between sentences.",
        "In a sentence, all first letters of words must be equal. Each sentence may choose its letter.",
        held_out="Initial letters: equal within each sentence, free between sentences.",
    ),
    "chain": Phrase(
        "Within a sentence, each word after the first must begin with the last letter of the word before it.",
        "In each sentence, the last letter of a word must be the first letter of the next word.",
        "The words of a sentence form a chain: each one starts with the letter on which the one before it ends.",
        held_out="Within each sentence: last letter of a word = first letter of its successor.",
    ),
    "new_initials": Phrase(
        "Within a sentence, two neighbouring words may not begin with the same letter.",
        "In each sentence, every word must start with another letter than the word before it.",
        "Neighbouring words of a sentence must have different first letters.",
        held_out="Initial letters of adjacent words within a sentence: different.",
    ),
    "letter_total": Phrase(
        "The text must have {counted}. Full stops and spaces do not count.",
        "All words together must have {counted}.",
        "Counted over the whole text, there must be {counted}.",
        held_out="Total: {counted}.",
    ),
    "vowel_total": Phrase(
        "The text must have {counted}. The vowels are a, e, i, o and u.",
        "All words together must have {counted} (a, e, i, o or u).",
        "Counted over the whole text, there must be {counted}, where a, e, i, o and u are vowels.",
        held_out="Total: {counted} (a, e, i, o, u).",
    ),
    "letter_times": Phrase(
        'The letter "{letter}" must occur {counted} in the text.',
        'Use the letter "{letter}" {counted}, counted over all words.',
        'In all words together, the letter "{letter}" must appear {counted}.',
        held_out='Letter "{letter}": {counted}.',
    ),
    "initial_times": Phrase(
        'The text must have {counted} with the first letter "{letter}".',
        'Use {counted} beginning with "{letter}".',
        'There must be {counted} whose first letter is "{letter}".',
        held_out='Words with the initial "{letter}": {counted}.',
    ),
    "length_times": Phrase(
        "The text must have {counted} with {length} letters.",
        "Use {counted} of length {length}.",
        "There must be {counted} whose number of letters is {length}.",
        held_out="Words of length {length}: {counted}.",
    ),
    "sentence_lengths": Phrase(
        "The numbers of words in the sentences must be {list}, in this order.",
        "From the first sentence to the last, the sentences must have these numbers of words: {list}.",
        "The sentences must have, one after the other, this many words: {list}.",
        held_out="Words per sentence, in order: {list}.",
    ),
    "acrostic": Phrase(
        "The first letters of the sentences must be, in order: {spaced}.",
        "The sentences must begin with the letters {spaced}, in this order.",
        "From the first sentence to the last, the first letters must be {spaced}.",
        held_out="Initial letters of the sentences, in order: {spaced}.",
    ),
    "last_letters": Phrase(
        "The last letters of the sentences must be, in order: {spaced}.",
        "The sentences must end with the letters {spaced}, in this order. The full stop does not count.",
        "From the first sentence to the last, the last letters must be {spaced}.",
        held_out="Final letters of the sentences, in order: {spaced}.",
    ),
    "letter_set": Phrase(
        "Each of these letters must occur at least once: {spaced}.",
        "The text must contain all of the letters {spaced}.",
        "None of the letters {spaced} may be missing from the text.",
        held_out="Required letters: {spaced}.",
    ),
    "doubled": Phrase(
        'The text must have {counted} with a double letter: the same letter twice in a row, as in "letter".',
        "Use {counted} in which some letter is directly followed by itself.",
        "There must be {counted} with two equal letters next to each other.",
        held_out="Words with a letter that directly repeats: {counted}.",
    ),
}
"""The sentence of each law and measure, by name."""
