"""A WebSocket protocol for uvicorn that bypasses the ASGI queue.

Plain ASGI takes 1.3 to 1.9 times the CPU per message. uvicorn passes each message through a queue and reads on once it
is fetched, which takes several iterations of the event loop. Here the application gives the connection a :class:`Sink`.
From then on each unfragmented message goes straight to it, and the answers are written together. Handshake, control
frames, fragments, errors, pings and closing remain uvicorn's. ::

    line = scope["extensions"].get(EXTENSION)          # missing under another server
    line.lend(sink)                                    # after websocket.accept; receive() then waits for the end
    line.answer(b"...")

Reading pauses while the sink is full or the client reads no answers, so memory is bounded. ``pyproject.toml`` limits uvicorn to
tested versions, because this extends private parts of its protocol.
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
    """Receiver of the messages of a connection.

    Attributes:
        full: Whether it takes no more messages for now; it calls ``go_on`` when it does again.
    """

    full: bool

    def take(self, message: str | bytes) -> None:
        """Take a message; must not raise."""
        ...


class DirectWebSocket(WebSocketsSansIOProtocol):
    """One connection, which behaves as uvicorn's until it has a sink."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sink: Sink | None = None
        self._left = bytearray()  # received but not processed; starts with a frame
        self._in_parts = False  # within a fragmented message
        self._unread = False  # the client reads no answers
        self._taking = False
        self._answers: list[bytes] = []

    def lend(self, sink: Sink) -> None:
        """Pass all messages to a sink, starting with those already queued."""
        self._sink = sink
        self._take_queued(sink)
        self.go_on()

    def answer(self, message: bytes) -> None:
        """Send a text message, unless the connection is closing."""
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
        """Process what was received meanwhile, and resume reading."""
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
        """Process received data."""
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
        """The client has stopped reading answers."""
        super().pause_writing()
        self._unread = True

    def resume_writing(self) -> None:
        """The client reads answers again."""
        super().resume_writing()
        self._unread = False
        if self._sink is not None:
            self.go_on()

    def handle_connect(self, event: Request) -> None:
        """Answer the handshake and offer the extension to the application."""
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:  # missing if the handshake was invalid
            scope["extensions"][EXTENSION] = self

    async def send(self, message: Any) -> None:
        """Send an ASGI message of the application."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused with a response; uvicorn would log that there was none

    # -- frames ------------------------------------------------------------------------------------------------------

    def _take(self, data: bytes | bytearray) -> None:
        """Process all complete frames and keep the rest."""
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
                if size < 0 or size > longest:  # uvicorn reports the error and ends the connection
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
                if isinstance(data, bytearray):  # in place: a long message in many pieces is copied once
                    del data[:begin]
                    self._left = data
                else:
                    self._left = bytearray(data[begin:])
            self._flush()

    def _hand_over(self, frame: bytes | bytearray, code: int) -> None:
        """Pass a frame to uvicorn, after sending the answers so far."""
        self._flush()
        if code in _BEGINS:
            self._in_parts = True
        elif code == _ENDS:
            self._in_parts = False
        if not self.transport.is_closing():
            super().data_received(bytes(frame))

    def send_receive_event_to_app(self) -> None:
        """Process a message that uvicorn has assembled, or whose text is invalid."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(b"".join(self.frames)):
            self.frames = []  # uvicorn would log a traceback, and any client could fill the log
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
        """Take the messages from uvicorn's queue, but leave the disconnect event."""
        for event in [self.queue.get_nowait() for _ in range(self.queue.qsize())]:
            if event["type"] == "websocket.receive":
                text = event.get("text")
                sink.take(event["bytes"] if text is None else text)  # type: ignore[arg-type]
            else:
                self.queue.put_nowait(event)

    def _flush(self) -> None:
        """Send the answers collected while frames were processed."""
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
