"""Settings of the server and the command line.

Precedence, highest first: flags, environment variables ``ENVHUB_*``, ``envhub.toml`` in the working directory, the defaults
below.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

from pydantic import Field, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from envhub.core.loopback import is_loopback


def data_folder() -> Path:
    """The folder of what a server keeps: ``envhub`` in ``XDG_DATA_HOME`` or ``~/.local/share``."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "envhub"


def beyond_loopback(host: str, keys: Path) -> str:
    """Why a server without keys does not bind an address."""
    return (
        f"host {host!r} is beyond loopback, and {keys} holds no API key that could be used: make one with "
        "'envhub keys create', or bind 127.0.0.1"
    )


class ServerSettings(BaseSettings):
    """What ``envhub serve`` goes by."""

    model_config = SettingsConfigDict(env_prefix="ENVHUB_", toml_file="envhub.toml", extra="forbid", frozen=True)

    host: str = Field("127.0.0.1", description="address to bind; beyond loopback only with an API key")
    port: int = Field(8420, ge=0, le=65_535, description="port to bind; 0 takes a free one")
    workers: int = Field(1, ge=1, le=256, description="processes that serve, with a journal that they share")
    episode_ttl_s: float = Field(3600.0, gt=0, description="seconds after which an idle episode is forgotten")
    max_episodes: int = Field(20_000, ge=1, description="episodes held at once; more are answered 429")
    max_live: int = Field(4_096, ge=1, description="episodes kept folded in memory; others are folded when needed")
    prefill: int = Field(
        8, ge=0, le=256, description="tasks of a slow kind drawn ahead, while it is asked for; 0: none"
    )
    draw_threads: int = Field(2, ge=1, le=64, description="threads that draw slow tasks of one environment")
    draw_queue: int = Field(
        512, ge=0, description="requests that wait for the threads of one environment; more are answered 429"
    )
    max_body_bytes: int = Field(16 * 2**20, ge=1024, description="longest request body")
    files: bool = Field(False, description="let clients name files of this machine (dataset-v0)")
    opponents: str = Field(
        "", description="addresses of models that clients may name as opponents in games, separated by commas"
    )
    max_batch: int = Field(4_096, ge=1, description="most tasks or responses in one request")
    max_wall_s: float = Field(
        60.0, gt=0, description="largest limit of wall and CPU seconds that a client may set for one run of a program"
    )
    max_memory_mb: int = Field(
        4_096, ge=16, description="largest limit of memory that a client may set for one run of a program, in MiB"
    )
    max_answer_bytes: int = Field(
        64 * 2**20, ge=1024, description="longest answer to many; what does not fit is to be asked for again"
    )
    sandbox: str = Field(
        "",
        description="how programs are isolated: namespace, docker or process; or unix:/path, the socket of a broker that "
        "runs already. namespace when empty",
    )
    sandbox_slots: int = Field(0, ge=0, le=1024, description="programs run at a time; 0: as many as processors")
    sandbox_sessions: int = Field(
        64, ge=1, le=4096, description="interpreters and shells held for episodes; the next ends the one unused longest"
    )
    sandbox_waiting: int = Field(4_096, ge=0, description="programs that wait for a slot; more are answered 429")
    journal: str = Field(
        "",
        description="where episodes are recorded: memory:, sqlite:///path or redis://host:port/db; when empty, "
        "journal.sqlite in the data folder",
    )
    keys: str = Field("", description="file of API keys; keys.json in the data folder when empty")
    cors_origins: str = Field("", description="web pages that may call, comma-separated origins; none by default")
    access_log: bool = Field(False, description="log every request")
    log_format: Literal["text", "json"] = Field("text", description="how the log is written")
    otel: bool = Field(False, description="send traces with OpenTelemetry, which its own variables configure")

    @property
    def journal_url(self) -> str:
        """Where episodes are recorded."""
        return self.journal or f"sqlite:///{quote(str(data_folder() / 'journal.sqlite'))}"

    @property
    def keys_file(self) -> Path:
        """Where the API keys are."""
        return Path(self.keys).expanduser() if self.keys else data_folder() / "keys.json"

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins of web pages that may call."""
        return tuple(origin.strip().rstrip("/") for origin in self.cors_origins.split(",") if origin.strip())

    @model_validator(mode="after")
    def _loopback(self) -> Self:
        # whether one of the keys may be used is asked when the server starts; see envhub.server.http.app
        if not is_loopback(self.host) and not (self.host.strip() == self.host != "" and os.path.exists(self.keys_file)):
            raise ValueError(beyond_loopback(self.host, self.keys_file))
        return self

    @model_validator(mode="after")
    def _shared_journal(self) -> Self:
        if self.workers > 1 and self.journal.partition(":")[0] == "memory":
            raise ValueError(
                f"{self.workers} workers need a journal that they share, and {self.journal} is in the memory of one: "
                "name sqlite:///path or redis://host:port/db, or none for journal.sqlite in the data folder"
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then the environment, then the TOML file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)
