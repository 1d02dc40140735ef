"""WebSockets whose messages go straight to whoever answers them, and whose answers go straight to the socket.

uvicorn hands an application each message through a queue, and reads on when it has been fetched: turns of the event loop and
dozens of calls for what is answered in a few microseconds. Here the application lends a connection its :class:`Sink`; from then
on every message that comes in one plain frame is given to it at once, and what is answered meanwhile goes out in one piece.
Everything else is uvicorn's still: the handshake, control frames, fragments, errors, pings, the end. ::

    line = scope["extensions"].get(EXTENSION)          # not there under another server
    line.lend(sink)                                    # after websocket.accept; receive() then tells of the end
    line.answer(b"...")

Nothing is read while the sink is full or the client takes no answers, so nobody can make us hold more and more.
"""

from __future__ import annotations

from struct import Struct
from typing import Any, Final, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

EXTENSION: Final = "envhub.line"
_TEXT: Final = 0x81  # the whole message in one frame
_BYTES: Final = 0x82
_MASKED: Final = 0x80
_BEGINS: Final = (0x01, 0x02)  # a message in several frames
_ENDS: Final = 0x80  # the last of them
_SHORT: Final = Struct("!BB").pack
_MEDIUM: Final = Struct("!BBH").pack
_LONG: Final = Struct("!BBQ").pack


class Sink(Protocol):
    """Who answers the messages of a connection.

    Attributes:
        full: Whether it takes no more for now. When it does again it tells the line to go on.
    """

    full: bool

    def take(self, message: str | bytes) -> None:
        """Take a message; nothing is raised."""
        ...


class DirectWebSocket(WebSocketsSansIOProtocol):
    """One connection: uvicorn's, until it is lent a sink."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sink: Sink | None = None
        self._left = bytearray()  # what has come and was not taken; a frame begins with it
        self._in_parts = False  # a message in several frames has begun
        self._unread = False  # the client takes no answers
        self._taking = False
        self._answers: list[bytes] = []

    def lend(self, sink: Sink) -> None:
        """Have every message taken by a sink, those first that have come already."""
        self._sink = sink
        self._take_queued(sink)
        self.go_on()

    def answer(self, message: bytes) -> None:
        """Send a text, unless the connection is at its end."""
        size = len(message)
        if size < 126:
            head = _SHORT(_TEXT, size)
        elif size < 65_536:
            head = _MEDIUM(_TEXT, 126, size)
        else:
            head = _LONG(_TEXT, 127, size)
        if self._taking:
            self._answers.append(head + message)
        elif not self.close_sent and not self.transport.is_closing():
            self.transport.write(head + message)

    def go_on(self) -> None:
        """Take what has come meanwhile, and read on."""
        if self._taking:
            return
        if self._left:
            came, self._left = self._left, bytearray()
            self._take(came)
        held_up = self._sink is not None and (self._sink.full or self._unread)
        if self.read_paused and not held_up and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    # -- for the transport -------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        if self.transport.is_closing():
            return
        if not self.handshake_initiated:
            super().data_received(data)
        elif self._left:
            self._left += data
            came, self._left = self._left, bytearray()
            self._take(came)
        else:
            self._take(data)

    def pause_writing(self) -> None:
        """The client takes no answers."""
        super().pause_writing()
        self._unread = True

    def resume_writing(self) -> None:
        """The client takes answers again."""
        super().resume_writing()
        self._unread = False
        if self._sink is not None:
            self.go_on()

    def handle_connect(self, event: Request) -> None:
        """The handshake has come."""
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:  # else it was none
            scope["extensions"][EXTENSION] = self

    async def send(self, message: Any) -> None:
        """Send what the application says."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused with an answer; uvicorn would log that there was none

    # -- frames ------------------------------------------------------------------------------------------------------

    def _take(self, data: bytes | bytearray) -> None:
        """Take every frame that has come whole; what follows them is left."""
        begin, end, sink, longest = 0, len(data), self._sink, self.config.ws_max_size
        self._taking = sink is not None
        try:
            while end - begin >= 2:
                if sink is not None and (sink.full or self._unread) and not self.close_sent:
                    if not self.read_paused:
                        self.read_paused = True
                        self.transport.pause_reading()
                    break
                code, size, at = data[begin], data[begin + 1] - _MASKED, begin + 6
                if size >= 126:
                    at += 2 if size == 126 else 8
                    if end < at:
                        break
                    size = int.from_bytes(data[begin + 2 : at - 4], "big")
                if size < 0 or size > longest:  # uvicorn says what is wrong with it, and ends the connection
                    self._hand_over(data[begin:], code)
                    begin = end
                    break
                after = at + size
                if end < after:
                    break
                if sink is None or (code != _TEXT and code != _BYTES) or self._in_parts or self.close_sent:
                    self._hand_over(data[begin:after], code)
                else:
                    message = apply_mask(data[at:after], data[at - 4 : at])
                    try:
                        sink.take(str(message, "utf-8") if code == _TEXT else message)
                    except UnicodeDecodeError:
                        self._hand_over(data[begin:after], code)
                begin = after
        finally:
            self._taking = False
            if begin < end:
                if isinstance(data, bytearray):  # cut where it is: a long message in many pieces is copied once
                    del data[:begin]
                    self._left = data
                else:
                    self._left = bytearray(data[begin:])
            self._flush()

    def _hand_over(self, frame: bytes | bytearray, code: int) -> None:
        """Leave a frame to uvicorn; what was answered before goes out before."""
        self._flush()
        if code in _BEGINS:
            self._in_parts = True
        elif code == _ENDS:
            self._in_parts = False
        if not self.transport.is_closing():
            super().data_received(bytes(frame))

    def send_receive_event_to_app(self) -> None:
        """A message has come that uvicorn has put together, or is not text as it should be."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(b"".join(self.frames)):
            self.frames = []  # uvicorn would log a traceback for it, and any client could fill the log
            self.conn.send_close(1007)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()
        if self._sink is not None:
            self._take_queued(self._sink)
            if self.read_paused and not self.transport.is_closing():
                self.read_paused = False
                self.transport.resume_reading()

    def _take_queued(self, sink: Sink) -> None:
        """Take the messages that are in uvicorn's queue; leave the end there."""
        for event in [self.queue.get_nowait() for _ in range(self.queue.qsize())]:
            if event["type"] == "websocket.receive":
                text = event.get("text")
                sink.take(event["bytes"] if text is None else text)  # type: ignore[arg-type]
            else:
                self.queue.put_nowait(event)

    def _flush(self) -> None:
        """Send what was answered while frames were taken."""
        if self._answers:
            data, self._answers = b"".join(self._answers), []
            if not self.close_sent and not self.transport.is_closing():
                self.transport.write(data)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
