"""Sessions held for their clients: each has a slot for itself, and a count of the commands it has run.

A client names the session and how many commands it knows of. Only if that is how many there were does the next one run: a
client that takes over an old episode, or whose command ran without its hearing of it, is told that the session is lost to it
and builds another. So no command runs twice in one session, and two clients never share a state without knowing.

There are at most ``most`` of them. One more ends the one that has waited longest for a command, whose client will build it
again; when all are running commands, the answer is to come again::

    id = sessions.open(Setting("bash"))
    result = sessions.run(id, 0, "cd /tmp")
    result = sessions.run(id, 1, "pwd")
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from time import monotonic
from typing import Final, TypeVar

from envhub.core.errors import InvalidParameters, ResourceError, ResourceLost, TooBusy
from envhub.sandbox.backend import Backend, Listing, Setting, SlotFailed, SlotSession
from envhub.sandbox.jobs import Result
from envhub.sandbox.slots.pool import Place

T = TypeVar("T")
IDLE_S: Final = 1800.0
"""How long a session waits for its next command before it is ended."""


class SessionLost(ResourceLost):
    """There is no such session any more, or it is not where the caller believes it to be. It can be built again."""

    during = False


class SessionCrashed(SessionLost):
    """The session's slot was lost in the middle of the command, which may be the cause of that."""

    during = True


@dataclass(slots=True)
class _Held:
    place: Place
    live: SlotSession
    commands: int = 0
    used: float = 0.0
    busy: threading.Lock = field(default_factory=threading.Lock)


class Sessions:
    """Live sessions by id.

    Args:
        backend: How programs are isolated.
        most: How many at a time.
        spare: How many slots stay warm for the next one.
        first: The number of the first slot.
        clock: Seconds.
    """

    def __init__(
        self, backend: Backend, most: int, spare: int = 2, first: int = 0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._backend = backend
        self._most = most
        self._spare = spare
        self._first = first
        self._clock = clock
        self.renew()

    def renew(self) -> None:
        """No session, and no lock that another process or thread could hold."""
        self._lock = threading.Lock()
        self._held: OrderedDict[str, _Held] = OrderedDict()  # the one that was used longest ago comes first
        self._opening = 0
        self._warm: list[Place] = []
        self._numbers: list[int] = []  # free ones
        self._next = self._first
        self._number_of: dict[Place, int] = {}

    def open(self, setting: Setting) -> str:
        """Begin a session; its id.

        Raises:
            TooBusy: All sessions are running commands.
            ResourceError: No slot is to be had.
        """
        place = self._take()
        try:
            live = place.ready().open(setting)
        except SlotFailed:
            live = self._open_again(place, setting)
        except BaseException:
            self._return(place, usable=False)
            raise
        key = token_hex(16)
        with self._lock:
            self._opening -= 1
            self._held[key] = _Held(place, live, used=self._clock())
        return key

    def holds(self, key: str, commands: int) -> bool:
        """Whether there is this session and it has run so many commands."""
        held = self._held.get(key)
        return held is not None and held.commands == commands

    def run(self, key: str, commands: int, source: str, stdin: bytes = b"") -> Result:
        """Run the next command.

        Raises:
            SessionLost: See :class:`SessionLost`; nothing was run that the caller could rely on.
        """

        def command(held: _Held) -> Result:
            held.commands += 1
            return held.live.run(source, stdin)

        return self._use(key, commands, command)

    def write(self, key: str, commands: int, files: Mapping[str, bytes]) -> None:
        """Put files into the working directory; counts as a command.

        Raises:
            SessionLost: As :meth:`run`.
            InvalidParameters: A path is not a plain relative one.
        """

        def command(held: _Held) -> None:
            held.commands += 1
            try:
                held.live.write(files)
            except InvalidParameters:  # the caller hears of it as of what did not happen
                held.commands -= 1
                raise

        self._use(key, commands, command)

    def read(self, key: str, commands: int, paths: Sequence[str]) -> dict[str, bytes]:
        """The contents of those that are regular files.

        Raises:
            SessionLost: As :meth:`run`.
        """
        return self._use(key, commands, lambda held: held.live.read(paths))

    def tree(self, key: str, commands: int) -> Listing:
        """The working directory.

        Raises:
            SessionLost: As :meth:`run`.
        """
        return self._use(key, commands, lambda held: held.live.tree())

    def close(self, key: str, commands: int) -> None:
        """End a session, unless somebody else has gone on with it; one that is not there is no error."""
        with self._lock:
            held = self._held.get(key)
            if held is None or held.commands != commands:
                return
            del self._held[key]
        self._end(held)

    def sweep(self) -> None:
        """End the sessions that have waited too long for a command."""
        late = self._clock() - IDLE_S
        with self._lock:
            idle = [key for key, held in self._held.items() if held.used < late and not held.busy.locked()]
            ended = [self._held.pop(key) for key in idle]
        for held in ended:
            self._end(held)

    def counts(self) -> dict[str, int]:
        """How many sessions there may be, and are."""
        return {"most": self._most, "open": len(self._held)}

    def close_all(self) -> None:
        """End every session and every warm slot."""
        with self._lock:
            places = [held.place for held in self._held.values()] + self._warm
            self._held.clear()
            self._warm.clear()
        for place in places:
            place.clear()

    def forked(self) -> None:
        """Begin anew in a forked process: the sessions are the parent's."""
        for held in self._held.values():
            held.place.disown()
        for place in self._warm:
            place.disown()
        self.renew()

    # -- one session ---------------------------------------------------------------------------------------------------

    def _use(self, key: str, commands: int, command: Callable[[_Held], T]) -> T:
        with self._lock:
            held = self._held.get(key)
            if held is None:
                raise SessionLost("The session has ended.")
            self._held.move_to_end(key)
        with held.busy:
            if held.commands != commands:
                raise SessionLost(f"The session has run {held.commands} commands, not {commands}.")
            try:
                return command(held)
            except SlotFailed as error:
                with self._lock:
                    gone = self._held.pop(key, None)
                if gone is not None:
                    self._return(held.place, usable=False, opening=False)
                raise SessionCrashed(f"The session was lost: {error}") from None
            finally:
                held.used = self._clock()

    def _end(self, held: _Held) -> None:
        if not held.busy.acquire(blocking=False):  # in the middle of a command, which then fails
            self._return(held.place, usable=False, opening=False)
            return
        try:
            held.live.close()
            self._return(held.place, usable=True, opening=False)
        finally:
            held.busy.release()

    # -- places --------------------------------------------------------------------------------------------------------

    def _take(self) -> Place:
        """A place for one more session, ending the one unused longest if there are too many."""
        with self._lock:
            oldest = None
            if len(self._held) + self._opening >= self._most:
                oldest = next((key for key, held in self._held.items() if not held.busy.locked()), None)
                if oldest is None:
                    raise TooBusy(f"All {self._most} sessions of the sandbox are running commands.")
            ended = self._held.pop(oldest) if oldest is not None else None
            self._opening += 1
        if ended is not None:
            self._end(ended)
        with self._lock:
            if self._warm:
                return self._warm.pop()
            if not self._numbers:
                self._numbers.append(self._next)
                self._next += 1
            number = self._numbers.pop()
            place = Place(self._backend, number)
            self._number_of[place] = number
            return place

    def _open_again(self, place: Place, setting: Setting) -> SlotSession:
        try:
            return place.proven().open(setting)
        except SlotFailed as error:
            self._return(place, usable=False)
            raise ResourceError(f"no session to be had: {error}") from None
        except BaseException:
            self._return(place, usable=False)
            raise

    def _return(self, place: Place, *, usable: bool, opening: bool = True) -> None:
        if not usable:
            place.clear()
        with self._lock:
            self._opening -= opening
            if usable and len(self._warm) < self._spare:
                self._warm.append(place)
                return
            self._numbers.append(self._number_of.pop(place))
        place.clear()
