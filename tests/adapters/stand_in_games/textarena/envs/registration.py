from textarena import Guess, Heap, Missing, Tally

ENV_REGISTRY = {
    "GuessTheNumber-v0": Guess,
    "GuessTheNumber-v0-raw": Guess,
    "GuessTheNumber-v0-hardcore-raw": Guess,
    "Nim-v0-raw": Heap,
    "Tally-v0-raw": Tally,
    "Bandit-v0-raw": Guess,
    "Missing-v0-raw": Missing,
}
