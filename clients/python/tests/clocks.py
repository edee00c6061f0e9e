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

    def move(self, seconds: float) -> None:
        self.steady += seconds
        self.on_wall += seconds

    def wait(self, event: threading.Event, seconds: float) -> bool:
        until = self.steady + seconds
        while not event.wait(0.002):
            if self.steady >= until:
                return False
        return True
