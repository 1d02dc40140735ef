"""A vLLM server as a child process on a free loopback port.

::

    with Server("path/to/model", python=".venvs/vllm/bin/python", context=4096) as server:
        policy = await VllmPolicy.connect(server.url, end_ids=frozenset({2}))

vLLM pins its own torch, so it usually has its own Python environment, which does not need envhub. The server ends with the
block, and also if this process is killed.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import httpx

from envhub_trainer.policy import PolicyError

_PROGRAM: Final = Path(__file__).with_name("vllm_server.py")
_POLL_S: Final = 0.2
_TAIL: Final = 3000


class Server:
    """Context manager that runs the server during its block.

    Attributes:
        url: The server's address.
        log: File with the server's output.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        python: str | Path = sys.executable,
        context: int | None = None,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        start_s: float = 900.0,
        stop_s: float = 20.0,
    ) -> None:
        """Prepare a server without starting it.

        Args:
            model: A folder with weights, configuration and tokenizer, or a name that vLLM knows.
            python: Python interpreter with vLLM.
            context: Maximum number of tokens in a row; by default the model's own.
            options: Extra options of ``vllm serve``, such as ``("--dtype", "float32")``.
            environment: Environment variables to set in addition to this process's.
            log: File to append its output to; by default a temporary one.
            start_s: Timeout for the start, in seconds.
            stop_s: Seconds to wait for it to end before it is killed.
        """
        self.url = ""
        self.log = log
        self._model = str(model)
        self._python = str(python)
        self._options = [*(() if context is None else ("--max-model-len", str(context))), *options]
        self._environment = dict(environment or {})
        self._start_s = start_s
        self._stop_s = stop_s
        self._process: subprocess.Popen[bytes] | None = None
        self._output: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it and wait until it is ready.

        Raises:
            PolicyError: It ended, was not ready in time, or the interpreter is missing; with the end of its output.
        """
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._output = (
            tempfile.NamedTemporaryFile(prefix="vllm-", suffix=".log") if self.log is None else self.log.open("ab")
        )
        self.log = Path(self._output.name)
        # -P: the program's folder contains a module called vllm.
        command = [self._python, "-P", str(_PROGRAM), self._model, "--port", str(port), "--stop-on-eof", *self._options]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self._environment},
                start_new_session=True,  # Ctrl-C must not reach it; its workers can be ended with it
            )
            self._wait(self._process)
        except OSError as error:
            self._end()
            raise PolicyError(f"The Python for vLLM cannot be started: {error}") from error
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + self._start_s
        with httpx.Client(base_url=self.url, trust_env=False, timeout=5.0) as http:
            while True:
                if process.poll() is not None:
                    raise PolicyError(f"vLLM ended with {process.returncode} before it was ready. {self._tail()}")
                with suppress(httpx.TransportError):
                    if http.get("/health").is_success:
                        return
                if time.monotonic() > deadline:
                    raise PolicyError(f"vLLM was not ready within {self._start_s:g} s. {self._tail()}")
                time.sleep(_POLL_S)

    def _tail(self) -> str:
        assert self.log is not None
        return f"The end of {self.log}:\n{self.log.read_bytes()[-_TAIL:].decode(errors='replace')}"

    def _end(self) -> None:
        """End the server gracefully, then kill its session with all workers."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(self._stop_s)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            assert process.stdin is not None
            process.stdin.close()
        if self._output is not None:
            self._output.close()
            self._output = None


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
