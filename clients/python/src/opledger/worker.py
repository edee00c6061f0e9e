"""A worker: takes up operations that others have proposed, acts on them, and reports."""

# pyright: reportPrivateUsage=false
# A worker does with a client's permits what the client does, and shares its ways.

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import grpc

from opledger.calls import new_id, refuse_coroutine, set_duration
from opledger.clock import Moment
from opledger.errors import OpledgerError, UnavailableError
from opledger.evidence import Lookup
from opledger.heartbeat import Heartbeat
from opledger.jsontext import decode
from opledger.permit import Permit
from opledger.result import seconds
from opledger.room import Room, Slot
from opledger.v1 import attempt_pb2, evidence_pb2, work_service_pb2
from opledger.v1.work_service_pb2_grpc import WorkServiceStub

if TYPE_CHECKING:
    from opledger.client import Client

DEFAULT_WAIT = 20.0
"""Seconds that the ledger may keep a poll waiting for work."""

DEFAULT_DRAIN_TIMEOUT = 30.0
"""Seconds that functions may go on when the worker is to end."""

DEFAULT_REPORT_TIMEOUT = 600.0
"""Seconds for which a report is told again to a ledger that does not answer. Its room stays taken meanwhile."""

POLL_GRACE = 2.0
"""Seconds in which polls that are under way may still bring work when the worker is to end."""

DRAIN_AGAIN = 0.1
"""Seconds after which the ledger is told once more that the worker goes, where polls are still open."""

log = logging.getLogger("opledger")

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Inquiry:
    """A question about one operation, to put to its provider. It permits no effect."""

    operation_id: str
    tool: str
    arguments: Any
    """The operation's canonical arguments."""
    lookup: Lookup
    """What to ask, and the methods that write the answer down: return what one of them returns."""


class Worker:
    """Takes up operations of the tools that it serves, each in a thread of its own.

        worker = Worker(ledger, "mail-7")

        @worker.acts("email.send", room=8)
        def send(permit):
            ...

        worker.run()

    What acts is written as for `Client.run`, and serves both: the begin is said right before it is called, its permit is
    extended while it runs, and what it returns or raises is reported until the ledger has it. It acts on
    `permit.arguments`, carries the vendor key and the client reference, hands `permit.message.fencing_numbers` to stores
    of its own, gives its one request no more than `permit.time_left()`, and retries nothing.
    """

    def __init__(
        self,
        ledger: Client,
        worker_id: str,
        *,
        wait: float = DEFAULT_WAIT,
        drain_timeout: float = DEFAULT_DRAIN_TIMEOUT,
        report_timeout: float = DEFAULT_REPORT_TIMEOUT,
    ) -> None:
        """worker_id: its name among the workers of its credential, such as "mail-7". It proves nothing.
        wait, drain_timeout, report_timeout: seconds, as the constants of this module say."""
        self._ledger, self._worker_id = ledger, worker_id
        self._wait, self._drain_timeout, self._report_timeout = wait, drain_timeout, report_timeout
        self._work: Any = WorkServiceStub(ledger.channel)  # grpc's stubs carry no types
        self._acts: dict[str, Callable[[Permit], Any]] = {}
        self._look_ups: dict[str, Callable[[Inquiry], evidence_pb2.Evidence]] = {}
        self._room = Room()
        self._polls: dict[str, Any] = {}  # under way, by request
        self._ended = False
        self._failed: OpledgerError | None = None
        self._heartbeat = Heartbeat(ledger._calls, self._work.ExtendWork, worker_id, ledger._clock)

    def acts(self, tool: str, *, room: int = 1) -> Callable[[Function], Function]:
        """Say what acts on a tool's permits, at most `room` at a time. It is a plain function."""

        def take(act: Function) -> Function:
            refuse_coroutine(act, "the worker does not serve it")
            self._acts[tool] = act
            self._room.open(("dispatch", tool), room)
            return act

        return take

    def looks_up(self, tool: str, *, room: int = 1) -> Callable[[Function], Function]:
        """Say what puts questions about a tool's operations to the provider, and returns what `Inquiry.lookup` wrote."""

        def take(look_up: Function) -> Function:
            self._look_ups[tool] = look_up
            self._room.open(("lookup", tool), room)
            return look_up

        return take

    def stop(self) -> None:
        """Take nothing more on. `run` returns when what runs has ended. May be called from any thread."""
        self._room.close()

    def run(self) -> None:
        """Work until `stop` is called, or an exception such as KeyboardInterrupt comes up here.

        Raises an OpledgerError where working makes no sense: a credential without the right, a tool that is not there.
        """
        if not self._acts and not self._look_ups:
            raise ValueError("the worker serves no tool")
        self._heartbeat.start()
        try:
            while (wish := self._room.unasked()) is not None:
                threading.Thread(target=self._poll, args=(wish,), name="opledger-poll", daemon=True).start()
        finally:
            self._room.close()
            self._drain()
            self._heartbeat.stop()
        if self._failed is not None:
            raise self._failed

    def _drain(self) -> None:
        """Let polls that wait be answered, and what runs end."""
        if self._failed is None:
            self._tell_of_drain()
        self._ended = True
        for poll in list(self._polls.values()):
            poll.cancel()  # what comes now would be acted on by a worker that has ended
        if not self._room.until_idle(self._drain_timeout):
            log.warning("%s ends while functions of its still run", self._worker_id)

    def _tell_of_drain(self) -> None:
        """Tell the ledger that the worker goes, and again where a poll was on its way meanwhile."""
        request = work_service_pb2.DrainWorkerRequest(request_id=new_id(), worker_id=self._worker_id)
        deadline = self._ledger._clock.monotonic() + POLL_GRACE
        while True:
            try:
                self._ledger._calls.call(self._work.DrainWorker, request, timeout=POLL_GRACE)
            except OpledgerError as unheard:
                log.warning("the ledger could not be told that %s drains: %s", self._worker_id, unheard)
                return
            if self._room.until_answered(DRAIN_AGAIN) or self._ledger._clock.monotonic() >= deadline:
                return

    def _call_poll(self, request: work_service_pb2.PollWorkRequest, **options: Any) -> Any:
        """Poll in a way that can be cancelled."""
        if self._ended:
            raise grpc.FutureCancelledError
        poll = self._polls[request.request_id] = self._work.PollWork.future(request, **options)
        return poll.result()

    def _poll(self, wish: dict[Slot, int]) -> None:
        """Ask for work once, and begin with what comes. The same request is made again until it is answered: so permits
        whose answer was lost come again, where that is safe."""
        request = work_service_pb2.PollWorkRequest(request_id=new_id(), worker_id=self._worker_id)
        for tool in sorted({tool for _, tool in wish}):
            dispatches, lookups = wish.get(("dispatch", tool), 0), wish.get(("lookup", tool), 0)
            request.credits.add(tool=tool, dispatches=dispatches, lookups=lookups)
        set_duration(request.wait, self._wait)
        try:
            while True:
                try:
                    answer, asked = self._ledger._calls.call(self._call_poll, request, wait=self._wait)
                    break
                except UnavailableError as unheard:
                    log.warning("%s could not poll: %s", self._worker_id, unheard)
                    if self._room.closed_within(unheard.retry_after or 1.0):
                        return
            self._start(answer, asked)
            self._room.closed_within(seconds(answer.poll_after))
        except grpc.FutureCancelledError:
            pass
        except OpledgerError as failed:
            self._failed = self._failed or failed
            self._room.close()
        finally:
            self._polls.pop(request.request_id, None)
            self._room.answered(wish)

    def _start(self, answer: work_service_pb2.PollWorkResponse, asked: Moment) -> None:
        """Begin with what was handed out. What this release does not know is left; it comes back."""
        since = asked.later(seconds(answer.waited))
        for item in answer.items:
            if item.HasField("dispatch"):
                self._spawn(("dispatch", item.dispatch.tool), self._dispatch, item.dispatch, since)
            elif item.HasField("lookup"):
                self._spawn(("lookup", item.lookup.tool), self._look_up, item.lookup)

    def _spawn(self, slot: Slot, target: Callable[..., None], *arguments: Any) -> None:
        def run() -> None:
            try:
                target(*arguments)
            finally:
                self._room.give_back(slot)

        if self._room.take(slot):
            threading.Thread(target=run, name=f"opledger-{slot[1]}", daemon=True).start()

    def _dispatch(self, message: attempt_pb2.Permit, since: Moment) -> None:
        act = self._acts[message.tool]
        permit = Permit(message, self._ledger._clock, since)
        try:
            self._ledger._act(permit, self._heartbeat.during(act), report_timeout=self._report_timeout)
        except Exception:  # it was reported where it could be; here it is only told to whoever runs the worker
            log.exception("%s failed", permit)

    def _look_up(self, work: work_service_pb2.LookupWork) -> None:
        look_up = self._look_ups[work.tool]
        lookup = Lookup(work.instruction)
        if not lookup.questions:
            return
        try:
            found = look_up(Inquiry(work.operation_id, work.tool, decode(work.canonical_arguments_json), lookup))
        except Exception as error:
            log.exception("looking up %s failed", work.operation_id)
            found = lookup.still_unknown(lookup.questions[0], note=f"the lookup failed: {type(error).__qualname__}")
        request = work_service_pb2.AnswerLookupRequest(
            request_id=new_id(), operation_id=work.operation_id, evidence=found
        )
        try:
            self._ledger._calls.call(self._work.AnswerLookup, request, timeout=self._report_timeout)
        except OpledgerError as unheard:
            log.warning("%s: a lookup's answer was not taken, and is asked for again: %s", work.operation_id, unheard)
