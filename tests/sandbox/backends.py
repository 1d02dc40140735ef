"""A backend of slots that run nothing: what becomes of jobs and sessions is decided by the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from envhub.sandbox.backend import Backend, Entry, Listing, Setting, Slot, SlotFailed, SlotSession
from envhub.sandbox.jobs import Job, Result, Returned
from envhub.sandbox.slots.pool import PROBE, PROBED


class ScriptedSlot(Slot):
    """Answers what the test's function says; a probe is passed unless the backend is sick."""

    def __init__(self, backend: Scripted, number: int, warm: str = "") -> None:
        self.backend = backend
        self.number = number
        self.warm = warm
        self.log: list[str] = []
        self.session: ScriptedSession | None = None

    def start(self) -> None:
        if self.backend.sick == "start":
            raise SlotFailed("no room")
        self.log.append("start")

    def run(self, job: Job) -> tuple[Result, ...]:
        if job is PROBE:
            self.log.append("probe")
            return (Result(exit=0, values=() if self.backend.sick == "probe" else PROBED),)
        self.log.append("run")
        return self.backend.answer(self, job)

    def open(self, setting: Setting) -> SlotSession:
        self.log.append("open")
        self.session = ScriptedSession(self)
        return self.session

    def close(self) -> None:
        self.log.append("close")

    def disown(self) -> None:
        self.log.append("disown")


class ScriptedSession(SlotSession):
    """A session whose commands are remembered; ``die`` takes the slot along."""

    def __init__(self, slot: ScriptedSlot) -> None:
        self.slot = slot
        self.commands: list[str] = []
        self.closed = False

    def run(self, source: str, stdin: bytes = b"") -> Result:
        self.slot.backend.during(source)
        if source == "die":
            raise SlotFailed("gone")
        self.commands.append(source)
        return Result(exit=0, stdout=" ".join(self.commands).encode())

    def write(self, files: Mapping[str, bytes]) -> None:
        self.commands.append("write")

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        return dict.fromkeys(paths, b"x")

    def tree(self) -> Listing:
        return Listing((Entry("a", "file", 1),))

    def close(self) -> None:
        self.closed = True


class Scripted(Backend):
    """See the module."""

    name = "scripted"

    def __init__(self, answer: Callable[[ScriptedSlot, Job], tuple[Result, ...]] | None = None) -> None:
        self.answer = answer or (lambda slot, job: (Result(exit=0, values=(Returned(slot.number),)),) * job.results)
        self.made: list[ScriptedSlot] = []
        self.sick = ""
        self.during: Callable[[str], None] = lambda source: None

    def slot(self, number: int) -> Slot:
        return self.warm_slot(number, "")

    def warm_slot(self, number: int, program: str) -> Slot:
        self.made.append(ScriptedSlot(self, number, program))
        return self.made[-1]

    def languages(self) -> frozenset[str]:
        return frozenset({"python", "bash"})

    def layers(self) -> Mapping[str, str]:
        return {"script": "active"}
