"""Write the transcripts of worlds/original-data.md: ``python docs/original_data.py``.

They are played on the data of the tests, which is written in the formats of the originals. The page marks each with
``<!-- played NAME -->``, up to ``<!-- end -->``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import envhub
from envhub.adapters.bfcl import environments as bfcl
from envhub.adapters.tau2 import desk, environments as tau2
from envhub.adapters.webshop import environments as webshop
from tests.adapters.bfcl import copies
from tests.adapters.tau2 import checkouts
from tests.adapters.webshop import stores

PAGE: Final = Path(__file__).parent / "worlds" / "original-data.md"
PLAYED: Final = re.compile(r"(<!-- played (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@contextmanager
def interpreter() -> Iterator[None]:
    """This interpreter plays the stand-in of tau2's code."""
    before = os.environ.get(desk.INTERPRETER)
    os.environ[desk.INTERPRETER] = sys.executable
    try:
        yield
    finally:
        desk.end_all()
        del os.environ[desk.INTERPRETER]
        if before is not None:
            os.environ[desk.INTERPRETER] = before


def _bfcl(folder: Path) -> Any:
    bfcl.register()
    return envhub.make(bfcl.ID, path=str(copies.write(folder / "data")), category="parallel_multiple", wording=0)


def _tau2(folder: Path) -> Any:
    tau2.register()
    path = str(checkouts.write(folder / "checkout"))
    return envhub.make(tau2.ID, path=path, domain="library", task="lend_1", wording=0)


def _webshop(folder: Path) -> Any:
    webshop.register()
    return envhub.make(webshop.ID, **stores.write(folder), difficulty=8, wording=0)


MADE: Final[dict[str, Callable[[Path], Any]]] = {"bfcl": _bfcl, "tau2": _tau2, "webshop": _webshop}


def transcript(name: str) -> str:
    """A whole episode that the oracle solves: prompt, actions and observations.

    The path of the data is a parameter, so it is the same each time.
    """
    with TemporaryDirectory() as folder, chdir(folder), interpreter(), closing(MADE[name](Path("own"))) as env:
        observation, _ = env.reset(seed=1)
        lines, reward = [str(observation)], 0.0
        while not env.episode.over:
            action = env.solve()
            observation, reward, *_ = env.step(action)
            lines += ["", f"> {action}", "", str(observation)]
    if reward != 1.0:
        raise RuntimeError(f"The oracle does not solve {name}.")
    return "\n".join(["````text", *lines, "````"])


def filled(text: str) -> str:
    """The page with its episodes played again."""
    return PLAYED.sub(lambda found: f"{found[1]}{transcript(found[2])}\n{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text()))
