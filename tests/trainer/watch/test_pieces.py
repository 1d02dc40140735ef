"""Token by token, and nothing of the text lost."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub_trainer.watch.pieces import Pieces
from tests.trainer.tokenizing import tokenizer

BYTES = tokenizer()


def encode(text: str) -> list[int]:
    ids: list[int] = BYTES.encode(text, add_special_tokens=False)
    return ids


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces(BYTES)


@given(text=st.text(alphabet=st.characters(codec="utf-8"), max_size=12))
def test_the_pieces_are_as_many_as_the_tokens_and_make_up_the_text(text: str, pieces: Pieces) -> None:
    found = pieces(encode(text))
    assert len(found) == len(encode(text))
    if "\ufffd" not in text:
        assert "".join(found) == text


def test_a_character_of_several_tokens_stands_at_the_first(pieces: Pieces) -> None:
    assert pieces(encode("aé€b")) == ["a", "é", "", "€", "", "", "b"]


def test_broken_bytes_stay_broken_and_leave_their_neighbours_alone(pieces: Pieces) -> None:
    first_byte = encode("€")[:1]
    assert pieces([*first_byte, *encode("a€")]) == ["\ufffd", "a", "€", "", ""]
    assert pieces(first_byte) == ["\ufffd"]
    assert pieces([]) == []


def test_special_tokens_are_written_out(pieces: Pieces) -> None:
    assert pieces([*encode("a"), BYTES.convert_tokens_to_ids("<|im_end|>")]) == ["a", "<|im_end|>"]
    assert pieces.text(encode("aé€b")) == "aé€b"


def test_the_space_that_a_token_begins_with_is_kept() -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    plain = Tokenizer(models.WordLevel({"▁a": 0, "▁cat": 1, "▁sat": 2, "?": 3}, unk_token="?"))
    plain.pre_tokenizer = pre_tokenizers.Metaspace()
    plain.decoder = decoders.Metaspace()
    spaced = PreTrainedTokenizerFast(tokenizer_object=plain)
    assert spaced.decode([1]) == "cat"  # alone, its space is lost
    assert Pieces(spaced)([1, 2]) == [" cat", " sat"]


def test_a_token_is_looked_up_once() -> None:
    class Counting:
        asked = 0

        def encode(self, text: str, add_special_tokens: bool) -> list[int]:
            return [ord(text)]

        def decode(self, ids: list[int], **options: bool) -> str:
            self.asked += 1
            return "".join(map(chr, ids))

    counting = Counting()
    pieces = Pieces(counting)
    begun = counting.asked
    assert pieces([98, 99] * 50) == ["b", "c"] * 50
    assert counting.asked == begun + 2
