"""Open sessions by id.

Each has its own slot and counts the commands it has run. A client sends the session's id and the number of commands it
knows of. The next command runs only if that number is current. A client that resumes an old episode, or missed the
result of a command, gets :class:`SessionLost` and opens a new session. So no command runs twice in one session, and two
clients never share a state unknowingly.

At most ``most`` sessions are open. Opening another ends the one that has been idle longest; its client will rebuild it. If all
are running commands, :class:`TooBusy` is raised::

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
from envhub.sandbox.slots.pool import ManagedSlot

T = TypeVar("T")
IDLE_S: Final = 1800.0
"""Seconds after which an idle session is ended."""


class SessionLost(ResourceLost):
    """The session has ended or was used by another client.

    It has then run other commands than the caller knows of. It can be rebuilt.
    """

    during = False


class SessionCrashed(SessionLost):
    """The session's slot failed during a command, possibly because of it."""

    during = True


@dataclass(slots=True)
class _Held:
    place: ManagedSlot
    live: SlotSession
    commands: int = 0
    used: float = 0.0
    busy: threading.Lock = field(default_factory=threading.Lock)


class Sessions:
    """Live sessions by id.

    Args:
        backend: The backend of the slots.
        most: Maximum number of open sessions.
        spare: Number of idle slots to keep warm.
        first: Number of the first slot.
        clock: Clock in seconds.
    """

    def __init__(
        self, backend: Backend, most: int, spare: int = 2, first: int = 0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._backend = backend
        self._most = most
        self._spare = spare
        self._first = first
        self._clock = clock
        self.reset()

    def reset(self) -> None:
        """Start without sessions, and with new locks."""
        self._lock = threading.Lock()
        self._held: OrderedDict[str, _Held] = OrderedDict()  # least recently used first
        self._opening = 0
        self._warm: list[ManagedSlot] = []
        self._numbers: list[int] = []  # free slot numbers
        self._next = self._first
        self._number_of: dict[ManagedSlot, int] = {}

    def open(self, setting: Setting) -> str:
        """Open a session and return its id.

        Raises:
            TooBusy: All sessions are running commands.
            ResourceError: No slot could be started.
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
        """Whether the session is open and has run exactly this many commands."""
        held = self._held.get(key)
        return held is not None and held.commands == commands

    def run(self, key: str, commands: int, source: str, stdin: bytes = b"") -> Result:
        """Run the next command.

        Raises:
            SessionLost: See :class:`SessionLost`. The caller cannot rely on anything that ran.
        """

        def command(held: _Held) -> Result:
            held.commands += 1
            return held.live.run(source, stdin)

        return self._use(key, commands, command)

    def write(self, key: str, commands: int, files: Mapping[str, bytes]) -> None:
        """Write files into the working directory. Counts as a command.

        Raises:
            SessionLost: As :meth:`run`.
            InvalidParameters: A path is not a plain relative path.
        """

        def command(held: _Held) -> None:
            held.commands += 1
            try:
                held.live.write(files)
            except InvalidParameters:  # reported as not done, so it does not count
                held.commands -= 1
                raise

        self._use(key, commands, command)

    def read(self, key: str, commands: int, paths: Sequence[str]) -> dict[str, bytes]:
        """Contents of the paths that are regular files.

        Raises:
            SessionLost: As :meth:`run`.
        """
        return self._use(key, commands, lambda held: held.live.read(paths))

    def tree(self, key: str, commands: int) -> Listing:
        """List the working directory.

        Raises:
            SessionLost: As :meth:`run`.
        """
        return self._use(key, commands, lambda held: held.live.tree())

    def close(self, key: str, commands: int) -> None:
        """End a session, unless another client has used it since.

        Unknown ids are ignored.
        """
        with self._lock:
            held = self._held.get(key)
            if held is None or held.commands != commands:
                return
            del self._held[key]
        self._end(held)

    def sweep(self) -> None:
        """End the sessions that have been idle for too long."""
        late = self._clock() - IDLE_S
        with self._lock:
            idle = [key for key, held in self._held.items() if held.used < late and not held.busy.locked()]
            ended = [self._held.pop(key) for key in idle]
        for held in ended:
            self._end(held)

    def counts(self) -> dict[str, int]:
        """The maximum and the current number of sessions."""
        return {"most": self._most, "open": len(self._held)}

    def close_all(self) -> None:
        """End every session and every warm slot."""
        with self._lock:
            places = [held.place for held in self._held.values()] + self._warm
            self._held.clear()
            self._warm.clear()
        for place in places:
            place.clear()

    def after_fork(self) -> None:
        """Reset in a forked child: the sessions belong to the parent."""
        for held in self._held.values():
            held.place.disown()
        for place in self._warm:
            place.disown()
        self.reset()

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
        if not held.busy.acquire(blocking=False):  # a command is running, and will fail
            self._return(held.place, usable=False, opening=False)
            return
        try:
            held.live.close()
            self._return(held.place, usable=True, opening=False)
        finally:
            held.busy.release()

    # -- slots ---------------------------------------------------------------------------------------------------------

    def _take(self) -> ManagedSlot:
        """A slot for a new session.

        Ends the session idle longest if there are too many.
        """
        with self._lock:
            oldest = None
            if len(self._held) + self._opening >= self._most:
                oldest = next((key for key, held in self._held.items() if not held.busy.locked()), None)
                if oldest is None:
                    raise TooBusy(f"All {self._most} sessions of the sandbox are running commands. Try again later.")
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
            place = ManagedSlot(self._backend, number)
            self._number_of[place] = number
            return place

    def _open_again(self, place: ManagedSlot, setting: Setting) -> SlotSession:
        try:
            return place.probed().open(setting)
        except SlotFailed as error:
            self._return(place, usable=False)
            raise ResourceError(f"no session could be opened: {error}") from None
        except BaseException:
            self._return(place, usable=False)
            raise

    def _return(self, place: ManagedSlot, *, usable: bool, opening: bool = True) -> None:
        if not usable:
            place.clear()
        with self._lock:
            self._opening -= opening
            if usable and len(self._warm) < self._spare:
                self._warm.append(place)
                return
            self._numbers.append(self._number_of.pop(place))
        place.clear()
