"""How much more a worker can take: its flow control."""

from __future__ import annotations

import threading
from collections.abc import Mapping

Slot = tuple[str, str]
"""A kind of work and a tool: ("dispatch", "email.send")."""

SIGNALS = 1.0
"""Seconds that are waited at a time, so that signals are heeded on every system."""


class Room:
    """The room of each slot. Each is asked for by one poll at a time, so that nothing is asked for twice; what comes free
    while a poll for other work waits is asked for by a poll of its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._free: dict[Slot, int] = {}
        self._asked: set[Slot] = set()
        self._running = 0
        self._closed = False

    def open(self, slot: Slot, room: int) -> None:
        """Give a slot its room."""
        with self._changed:
            self._free[slot] = room

    def close(self) -> None:
        """Ask for nothing any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def unasked(self) -> dict[Slot, int] | None:
        """Wait for room that no poll asks for, and answer all of it, as asked for. None: it is closed."""
        with self._changed:
            while not self._closed:
                free = {slot: room for slot, room in self._free.items() if room > 0 and slot not in self._asked}
                if free:
                    self._asked.update(free)
                    return free
                self._changed.wait(SIGNALS)
            return None

    def answered(self, wish: Mapping[Slot, int]) -> None:
        """A poll was answered, and what it brought is taken."""
        with self._changed:
            self._asked.difference_update(wish)
            self._changed.notify_all()

    def take(self, slot: Slot) -> bool:
        """Use room. False: nothing here serves the slot."""
        with self._changed:
            if slot not in self._free:
                return False
            self._free[slot] -= 1
            self._running += 1
            return True

    def give_back(self, slot: Slot) -> None:
        """Room has come free."""
        with self._changed:
            self._free[slot] += 1
            self._running -= 1
            self._changed.notify_all()

    def closed_within(self, pause: float) -> bool:
        """Wait, at most until it is closed."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed, pause)

    def until_answered(self, timeout: float) -> bool:
        """Wait until no poll is under way. Says whether it came to that."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._asked, timeout)

    def until_idle(self, timeout: float) -> bool:
        """Wait until nothing runs. Says whether it came to that."""
        with self._changed:
            return self._changed.wait_for(lambda: self._running == 0, timeout)
