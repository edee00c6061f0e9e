"""Clocks, and how the time of a permit is counted on them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Protocol


class Clock(Protocol):
    """What this package asks of time. Tests bring their own."""

    def monotonic(self) -> float:
        """Seconds on a clock that nobody can set. It may stand still while the machine is suspended."""
        ...

    def wall(self) -> float:
        """Seconds on the clock of the wall, which somebody may set."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait for that long."""
        ...

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait for an event, at most that long. Says whether it is set."""
        ...


class SystemClock:
    """The clocks of this machine."""

    def monotonic(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        return event.wait(seconds)


@dataclass(frozen=True)
class Moment:
    """One moment, read from both clocks of a machine. Comparable with later moments of that machine only."""

    monotonic: float
    wall: float

    @classmethod
    def now(cls, clock: Clock) -> Moment:
        return cls(clock.monotonic(), clock.wall())

    def later(self, seconds: float) -> Moment:
        """The moment so many seconds after this one."""
        return Moment(self.monotonic + seconds, self.wall + seconds)

    def elapsed(self, clock: Clock) -> float:
        """Seconds since this moment, on whichever clock has run further.

        A suspended machine stops its monotonic clock, and a wall clock can be set back: each alone can make a permit
        look alive after it has ended. Together they can only end it too early, which is safe.
        """
        return max(clock.monotonic() - self.monotonic, clock.wall() - self.wall)
