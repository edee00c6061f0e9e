"""Renewing in the background, for as long as a block runs and no longer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from opledger.clock import Clock

STOP_TIMEOUT = 2.0
"""Seconds that stopping waits for a renewal which is under way. In any case no other try is sent."""


class Stopped(Exception):
    """Nothing is sent any more."""


class Renewal:
    """A thread that renews until it is stopped.

    A heartbeat proves that a timer lives, not that the work does. So it is tied to a block, and is stopped first of all
    when the block is left.
    """

    def __init__(self, clock: Clock, name: str) -> None:
        self._clock = clock
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self, due: Callable[[], float | None], renew: Callable[[], None]) -> None:
        """Begin. `due` says in how many seconds `renew` is called next; None: never again."""
        self._due, self._renew = due, renew
        self._thread.start()

    @property
    def stopped(self) -> bool:
        """Whether it was stopped."""
        return self._stopped.is_set()

    def guarded(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a call's method: each single try asks whether it may still be sent."""

        def tried(*args: Any, **options: Any) -> Any:
            if self.stopped:
                raise Stopped
            return method(*args, **options)

        return tried

    def stop(self) -> None:
        """Stop, and wait a little for a try that is under way."""
        self._stopped.set()
        if self._thread.ident is not None:  # it was started
            self._thread.join(STOP_TIMEOUT)

    def _run(self) -> None:
        while (pause := self._due()) is not None and not self._clock.wait(self._stopped, pause):
            self._renew()
