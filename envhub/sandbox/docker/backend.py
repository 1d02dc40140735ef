"""The ``docker`` backend.

Each slot is a container with the zygote as its first process.

Use it where namespaces cannot be created, and on systems other than Linux. It needs a Docker daemon and an image built by
``envhub sandbox image``. Jobs are sent over the attached streams; the daemon is only involved when the limits change between
jobs. A container that does anything unexpected is removed::

    ENVHUB_SANDBOX=docker DOCKER_HOST=unix:///run/docker.sock ENVHUB_SANDBOX_IMAGE=envhub-sandbox:latest
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from envhub.core.errors import MissingExtra
from envhub.sandbox.backend import Backend, Slot, SlotFailed
from envhub.sandbox.docker.daemon import Daemon
from envhub.sandbox.docker.image import COMMAND, Image, find
from envhub.sandbox.docker.profile import IDS, Shape, host_config, seccomp_profile, update
from envhub.sandbox.inside import seccomp
from envhub.sandbox.jobs import Limits
from envhub.sandbox.slots import bundle
from envhub.sandbox.slots.slot import START_S, Stream, StreamSlot

RUNTIME: Final = "ENVHUB_SANDBOX_RUNTIME"
"""Environment variable that names the container runtime."""
_PATIENCE_S: Final = 2.0


class DockerBackend(Backend):
    """Slots in containers.

    Args:
        runtime: Container runtime as configured in the daemon. Defaults to ``ENVHUB_SANDBOX_RUNTIME``, then to the
            daemon's default.

    Raises:
        MissingExtra: The client, the daemon or the image is missing; the message says which and what to do.
    """

    name = "docker"

    def __init__(self, runtime: str | None = None) -> None:
        self.daemon = Daemon()
        self._runtime = self._known(os.environ.get(RUNTIME, "") if runtime is None else runtime)
        self._machine = str(self.daemon.info.get("Architecture"))
        if self._machine not in seccomp.ARCHITECTURES:
            known = " and ".join(seccomp.ARCHITECTURES)
            raise MissingExtra(f"The docker sandbox supports {known} only; the Docker daemon runs on {self._machine}.")
        self.image: Image = find(self.daemon)
        self.daemon.clean()

    def slot(self, number: int) -> Slot:
        """See :meth:`Backend.slot`."""
        settings = {
            "isolation": "docker",
            "ids": [0, IDS[number % len(IDS)]],
            "cgroup": not self._unlimited,
            "spare": 4096,  # the control group counts exactly, and slots of other processes may have the same user
        }
        return DockerSlot(self.daemon, self.image.key, seccomp_profile(self._machine), settings, self._runtime)

    def _known(self, runtime: str) -> str:
        """Check the name of a runtime.

        Raises:
            MissingExtra: The daemon does not have it.
        """
        runtimes = sorted(self.daemon.info.get("Runtimes") or {})
        if runtime and runtime not in runtimes:
            raise MissingExtra(
                f"The Docker daemon has no runtime {runtime!r}; it has {', '.join(runtimes)}. Add it to the daemon's "
                f"configuration (dockerd --add-runtime), or change {RUNTIME}."
            )
        return runtime

    def languages(self) -> frozenset[str]:
        """See :meth:`Backend.languages`."""
        return self.image.languages

    def toolchains(self) -> frozenset[str]:
        """See :meth:`Backend.toolchains`."""
        return self.image.toolchains

    def layers(self) -> Mapping[str, str]:
        """See :meth:`Backend.layers`."""
        works = self._works or "active"  # a slot checks its container before it reports ready
        walls = ("namespaces", "filesystem", "network", "seccomp", "capabilities", "user")
        return {
            **dict.fromkeys(walls, works),
            "cgroup": self._unlimited or works,
            "rlimits": works,
            "users mapped": self._mapped(),
            "mandatory access": self._mandatory(),
        }

    def close(self) -> None:
        """See :meth:`Backend.close`."""
        self.daemon.close()

    @cached_property
    def _works(self) -> str:
        """Why slots do not start here; empty if they do."""
        slot = self.slot(0)
        try:
            slot.start()
        except SlotFailed as error:
            return str(error)
        finally:
            slot.close()
        return ""

    @property
    def _unlimited(self) -> str:
        """What the daemon cannot limit; empty if it can limit everything."""
        names = {
            "MemoryLimit": "memory",
            "SwapLimit": "swap",
            "PidsLimit": "processes",
            "CpuCfsQuota": "CPU time",
        }
        lacking = [what for name, what in names.items() if self.daemon.info.get(name) is False]
        return f"the Docker daemon cannot limit {', '.join(lacking)} on its machine" if lacking else ""

    def _options(self) -> set[str]:
        options = self.daemon.info.get("SecurityOptions") or []
        return {str(option).removeprefix("name=").partition(",")[0] for option in options}

    def _mapped(self) -> str:
        if self._options() & {"rootless", "userns"}:
            return "active"
        return (
            "the Docker daemon runs as root without user namespaces, so root inside a container (programs are not root) is the "
            "machine's root without capabilities; see Docker's userns-remap and rootless mode"
        )

    def _mandatory(self) -> str:
        if self._options() & {"apparmor", "selinux"}:
            return "active"
        return "the Docker daemon's machine has neither AppArmor nor SELinux"


class DockerSlot(StreamSlot):
    """One container."""

    def __init__(
        self, daemon: Daemon, image: str, profile: dict[str, Any], settings: dict[str, Any], runtime: str = ""
    ) -> None:
        super().__init__()
        self._runtime = runtime
        self._daemon = daemon
        self._image = image
        self._profile = profile
        self._settings = settings
        self._shape = Shape()
        self._limits = Limits()
        self._key: str | None = None
        self._ending = threading.RLock()

    @property
    def container(self) -> str | None:
        """The id of the container, or None."""
        return self._key

    def launch(self) -> Stream:
        """See :meth:`StreamSlot.launch`."""
        deadline = time.monotonic() + START_S
        self._limits = Limits()
        with self._ending:
            self._key = self._daemon.create(self._config())
        stream = self._daemon.attach(self._key)
        try:
            self._daemon.start(self._key)
            stream.send(bundle.first_message(self._settings), deadline)
        except BaseException:
            stream.close()
            raise
        return stream

    def kill(self) -> None:
        """See :meth:`StreamSlot.kill`."""
        with self._ending:
            key, self._key = self._key, None
            if key is not None:
                self._daemon.remove(key)

    def abandon(self) -> None:
        """See :meth:`StreamSlot.abandon`."""
        self._key = None
        self._ending = threading.RLock()

    def begin(self, limits: Limits) -> None:
        """See :meth:`StreamSlot.begin`."""
        if not self._shape.covers(limits):
            with self._ending:  # closing the slot meanwhile closes the new container
                self.close()
                self._shape = self._shape.enlarged(limits)
                self.start()
        wanted = update(limits)
        if wanted == update(self._limits) or self._key is None:
            return
        give_up = time.monotonic() + _PATIENCE_S
        while True:
            try:
                self._daemon.update(self._key, wanted)
                break
            except OSError:
                # memory can be lowered only after the files of the previous job are gone
                if time.monotonic() > give_up:
                    raise
            time.sleep(0.01)
        self._limits = limits

    def _config(self) -> dict[str, Any]:
        return {
            "Image": self._image,
            "Entrypoint": [COMMAND],
            "Cmd": [*bundle.FLAGS, "-c", bundle.BOOT],
            "Env": [f"{name}={value}" for name, value in bundle.ENVIRONMENT.items()],
            "Hostname": "jail",
            "User": "0:0",
            "WorkingDir": "/",
            "Tty": False,
            "OpenStdin": True,
            "StdinOnce": True,  # closing it ends the container
            "AttachStdin": True,
            "AttachStdout": True,
            "AttachStderr": True,
            "StopSignal": "SIGKILL",
            "Healthcheck": {"Test": ["NONE"]},
            "NetworkDisabled": True,
            "HostConfig": host_config(self._shape, self._limits, self._profile, self._runtime),
        }
