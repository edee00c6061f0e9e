"""Clocks for tests."""

from __future__ import annotations

import threading


class Hands:
    """Clocks whose hands are moved by the test."""

    def __init__(self) -> None:
        self.steady: float = 1_000.0
        self.on_wall: float = 1_700_000_000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.steady

    def wall(self) -> float:
        return self.on_wall

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.steady += seconds
        self.on_wall += seconds

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self.sleep(seconds)
        return event.is_set()


class Still(Hands):
    """Clocks that stand still unless the test moves them. Who waits on them goes on when they have moved far enough."""

    def __init__(self) -> None:
        super().__init__()
        self._moving = threading.Lock()
        self._alarms: list[float] = []

    def move(self, seconds: float) -> None:
        """Move the hands. Alarms that are reached by that are set no longer."""
        with self._moving:
            self.steady += seconds
            self.on_wall += seconds
            self._alarms = [alarm for alarm in self._alarms if alarm > self.steady]

    def waited_for(self) -> bool:
        """Whether somebody waits on these clocks for what has not come yet."""
        return bool(self._alarms)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        with self._moving:
            alarm = self.steady + seconds
            self._alarms.append(alarm)
        while not event.wait(0.002):
            if self.steady >= alarm:
                return False
        return True
