"""BabyAI's levels by difficulty, for one release of the library."""

from __future__ import annotations

from typing import Final

RELEASE: Final = "3.2.0"

LEVELS: Final = (
    ("GoToRedBallGrey", "GoToRedBall", "GoToObj"),
    ("GoToLocal", "GoToDoor", "OpenDoor"),
    ("PickupLoc", "PickupDist", "OpenDoorLoc"),
    ("PutNextLocal", "OpenTwoDoors", "OpenDoorsOrderN4"),
    ("FindObjS7", "UnlockLocal", "KeyInBox"),
    ("UnlockPickup", "BlockedUnlockPickup", "UnlockToUnlock"),
    ("GoToSeqS5R2", "PutNextS7N4", "KeyCorridorS6R3"),
    ("GoToObjMaze", "GoTo", "Pickup"),
    ("Open", "Unlock", "UnblockPickup"),
    ("Synth", "SynthSeq", "BossLevel"),
)
"""Three levels for each difficulty, in the order of the tasks and of the length of the bot's solutions."""
NAMES: Final = tuple(name for names in LEVELS for name in names)
