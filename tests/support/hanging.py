"""A sandbox in which some programs hang."""

from __future__ import annotations

from envhub.sandbox import Job, LocalSandbox, Result


class Hanging(LocalSandbox):
    """What holds a word hangs: as often as ``times`` says, and always if that is negative."""

    def __init__(self, word: str, times: int) -> None:
        super().__init__(slots=1)
        self.word, self.times = word.encode(), times

    def run(self, job: Job) -> tuple[Result, ...]:
        if self.times and any(self.word in text for text in job.program.files.values()):
            self.times -= 1
            return (Result(limit="wall"),)
        return super().run(job)
