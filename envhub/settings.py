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
    """The server's data folder: ``envhub`` in ``XDG_DATA_HOME`` or ``~/.local/share``."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "envhub"


def beyond_loopback(host: str, keys: Path) -> str:
    """The error for a server without keys on a non-loopback address."""
    return (
        f"host {host!r} is beyond loopback, but {keys} holds no active API key: create one with "
        "'envhub keys create', or bind 127.0.0.1"
    )


class ServerSettings(BaseSettings):
    """Settings of ``envhub serve``."""

    model_config = SettingsConfigDict(env_prefix="ENVHUB_", toml_file="envhub.toml", extra="forbid", frozen=True)

    host: str = Field("127.0.0.1", description="address to bind; non-loopback addresses require API keys")
    port: int = Field(8420, ge=0, le=65_535, description="port to bind; 0 selects a free one")
    workers: int = Field(1, ge=1, le=256, description="number of server processes; crashed ones are restarted")
    episode_ttl_s: float = Field(3600.0, gt=0, description="seconds after which an idle episode is deleted")
    max_episodes: int = Field(
        20_000, ge=1, description="maximum number of open episodes; further requests get HTTP 429"
    )
    max_live: int = Field(
        4_096, ge=1, description="maximum number of episodes kept in memory; others are loaded when needed"
    )
    prefill: int = Field(
        8, ge=0, le=256, description="number of tasks drawn ahead for slow environments in use; 0 disables it"
    )
    prefill_processes: int = Field(
        2, ge=1, le=64, description="maximum number of low-priority processes that draw ahead, per server process"
    )
    draw_threads: int = Field(2, ge=1, le=64, description="threads that draw slow tasks, per environment")
    draw_queue: int = Field(
        512, ge=0, description="maximum number of requests that wait for these threads; further ones get HTTP 429"
    )
    max_body_bytes: int = Field(16 * 2**20, ge=1024, description="maximum size of a request body")
    files: bool = Field(False, description="allow clients to pass paths of files on this machine (dataset-v0)")
    opponents: str = Field(
        "", description="comma-separated addresses of models that clients may name as opponents or users"
    )
    solutions: bool = Field(
        False, description="let everybody see the oracle's moves in the playground of a server without keys"
    )
    max_batch: int = Field(4_096, ge=1, description="maximum number of tasks or responses per request")
    max_wall_s: float = Field(
        60.0, gt=0, description="maximum wall and CPU seconds that a client may allow one run of a program"
    )
    max_memory_mb: int = Field(
        4_096, ge=16, description="maximum memory in MiB that a client may allow one run of a program"
    )
    max_answer_bytes: int = Field(
        64 * 2**20, ge=1024, description="maximum size of a batch response; request the items that do not fit again"
    )
    sandbox: str = Field(
        "",
        description="sandbox for programs: namespace, docker or process, or unix:/path for the socket of a running broker; "
        "namespace if empty",
    )
    sandbox_slots: int = Field(
        0, ge=0, le=1024, description="maximum number of programs run at a time; 0 means one per processor"
    )
    sandbox_sessions: int = Field(
        64,
        ge=1,
        le=4096,
        description="maximum number of open interpreters and shells; the least recently used is closed for a new one",
    )
    sandbox_waiting: int = Field(
        4_096, ge=0, description="maximum number of programs that wait for a slot; further ones get HTTP 429"
    )
    journal: str = Field(
        "",
        description="where episodes are recorded: memory:, sqlite:///path or redis://host:port/db; "
        "journal.sqlite in the data folder if empty",
    )
    keys: str = Field("", description="file of API keys; keys.json in the data folder if empty")
    cors_origins: str = Field(
        "", description="comma-separated origins of web pages that may use the server; none by default"
    )
    pages: bool = Field(True, description="serve the web pages at /; without, / answers with JSON alone")
    access_log: bool = Field(False, description="log every request")
    log_format: Literal["text", "json"] = Field("text", description="format of the log")
    otel: bool = Field(False, description="send traces with OpenTelemetry, configured by its own variables")

    @property
    def journal_url(self) -> str:
        """URL of the journal."""
        return self.journal or f"sqlite:///{quote(str(data_folder() / 'journal.sqlite'))}"

    @property
    def keys_file(self) -> Path:
        """Path of the file of API keys."""
        return Path(self.keys).expanduser() if self.keys else data_folder() / "keys.json"

    @property
    def origins(self) -> tuple[str, ...]:
        """Origins of web pages that may use the server."""
        return tuple(origin.strip().rstrip("/") for origin in self.cors_origins.split(",") if origin.strip())

    @model_validator(mode="after")
    def _loopback(self) -> Self:
        # whether a key is active is checked when the server starts; see envhub.server.http.app
        if not is_loopback(self.host) and not (self.host.strip() == self.host != "" and os.path.exists(self.keys_file)):
            raise ValueError(beyond_loopback(self.host, self.keys_file))
        return self

    @model_validator(mode="after")
    def _shared_journal(self) -> Self:
        if self.workers > 1 and self.journal.partition(":")[0] == "memory":
            raise ValueError(
                f"{self.workers} workers need a shared journal, but {self.journal} is in the memory of one worker: "
                "use sqlite:///path or redis://host:port/db, or leave it empty for journal.sqlite in the data folder"
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
