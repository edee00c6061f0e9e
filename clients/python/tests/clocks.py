"""Clocks for tests."""

from __future__ import annotations


class Hands:
    """Clocks whose hands are moved by the test."""

    def __init__(self) -> None:
        self.steady, self.on_wall = 1_000.0, 1_700_000_000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.steady

    def wall(self) -> float:
        return self.on_wall

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.steady += seconds
        self.on_wall += seconds
