"""Extending the permits of what runs, in the background."""

# pyright: reportPrivateUsage=false
# Permits keep their tokens and countdowns from their users, and not from this module.

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from google.rpc import code_pb2, error_details_pb2, status_pb2

from opledger.calls import Calls, new_id
from opledger.clock import Clock
from opledger.errors import OpledgerError
from opledger.permit import Permit
from opledger.v1 import work_service_pb2

TICK = 0.2
"""Seconds between two looks at the permits. The shortest permit lasts a second."""

MOST = 500
"""How many permits one call extends, by the API."""

LEAST_TIMEOUT, GREATEST_TIMEOUT = 0.2, 5.0

log = logging.getLogger("opledger")


class Heartbeat:
    """A thread that extends permits, each when a third of its time has passed, while what acts on them runs.

    It proves that this process lives, not that the work goes on: each permit has a greatest age that no heartbeat moves.
    """

    def __init__(self, calls: Calls, extend: Callable[..., Any], worker_id: str, clock: Clock) -> None:
        self._calls, self._extend, self._worker_id, self._clock = calls, extend, worker_id, clock
        self._lock = threading.Lock()
        self._permits: dict[str, Permit] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="opledger-heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def during(self, act: Callable[[Permit], Any]) -> Callable[[Permit], Any]:
        """Wrap what acts: its permit is extended for as long as it runs, and no longer."""

        def kept_alive(permit: Permit) -> Any:
            with self._lock:
                self._permits[permit.attempt_id] = permit
            try:
                return act(permit)
            finally:
                self._forget(permit)

        return kept_alive

    def _forget(self, permit: Permit) -> None:
        with self._lock:
            self._permits.pop(permit.attempt_id, None)

    def _run(self) -> None:
        while not self._clock.wait(self._stopped, TICK):
            self.beat()

    def beat(self) -> None:
        """Extend every permit that needs it."""
        with self._lock:
            due = [permit for permit in self._permits.values() if permit._worn()]
        for first in range(0, len(due), MOST):
            self._beat(due[first : first + MOST])

    def _beat(self, due: list[Permit]) -> None:
        request = work_service_pb2.ExtendWorkRequest(worker_id=self._worker_id)
        for permit in due:
            request.requests.add(
                operation_id=permit.operation_id,
                attempt_id=permit.attempt_id,
                attempt_token=permit.message.attempt_token,
                begin_nonce=permit._nonce if permit.begun else b"",
                request_id=new_id(),
            )
        least = min(permit.time_left() for permit in due)
        try:
            timeout = max(LEAST_TIMEOUT, min(GREATEST_TIMEOUT, least))
            response, asked = self._calls.call(self._extend, request, timeout=timeout)
        except OpledgerError as unheard:
            log.warning("a heartbeat failed, and permits last as long as they were given: %s", unheard)
            return
        for permit, item in zip(due, response.items, strict=False):
            if item.HasField("response"):
                permit._count(item.response.remaining, item.response.greatest_remaining, asked)
            elif item.HasField("error"):
                self._refused(permit, item.error)

    def _refused(self, permit: Permit, status: status_pb2.Status) -> None:
        """Take the ledger's refusal: what has been sent may come to its end within the time that is left."""
        if status.code not in (code_pb2.FAILED_PRECONDITION, code_pb2.PERMISSION_DENIED, code_pb2.NOT_FOUND):
            return  # it may work at the next look
        self._forget(permit)
        if _reason(status) == "PERMIT_EXPIRED":
            permit._lose()


def _reason(status: status_pb2.Status) -> str:
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info.reason
    return ""
