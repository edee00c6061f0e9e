"""The client: propose, act on a permit and only on a permit, report."""

# pyright: reportPrivateUsage=false
# Permits and leases keep their secrets and countdowns from their users, and not from this module.

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any

import grpc

from opledger.answer import Answer, Revise
from opledger.calls import Calls, new_id, open_channel, refuse_coroutine, set_duration
from opledger.clock import Clock, SystemClock
from opledger.errors import (
    InvalidArgumentError,
    LeaseLostError,
    OpledgerError,
    PermitLostError,
    StaleAttemptError,
)
from opledger.evidence import Reconciliation
from opledger.jsontext import Arguments, encode_arguments
from opledger.lease import Lease
from opledger.leases import Leases, Wish
from opledger.outcomes import Ambiguous, NotSent, Outcome, RaisedOutcome, Succeeded
from opledger.permit import Permit
from opledger.result import Operation, Result
from opledger.v1 import evidence_pb2, operation_pb2, operation_service_pb2, proposal_pb2, workflow_service_pb2
from opledger.v1.operation_service_pb2_grpc import OperationServiceStub
from opledger.workflow import Event, Workflow, Workflows

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from opledger.options import RunOptions

DEFAULT_SERVER = "127.0.0.1:7117"
DEFAULT_TIMEOUT = 10.0
"""Seconds for one call, tries after lost answers included."""

GIVE_BACK_TIMEOUT = 2.0
"""Seconds for telling that a permit was not used. The ledger finds that out by itself in time."""

log = logging.getLogger("opledger")


class Client:
    """A connection to the ledger. Safe to share among threads; made once, closed at the end.

    Every call has a deadline, and is made again with the same identity while the server cannot answer. What is raised is
    an `OpledgerError`. The one rule: when in doubt, propose again.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        clock: Clock | None = None,
    ) -> None:
        """Connect when first used.

        server: "host:port" (TLS unless on loopback), "http://host:port" (plain) or "https://host:port" (TLS). None:
            OPLEDGER_SERVER, else 127.0.0.1:7117.
        token: the credential. None: OPLEDGER_TOKEN, else none, which a server on loopback may allow.
        timeout: seconds for each call, where the call states none.
        """
        self._clock = clock or SystemClock()
        self._channel = open_channel(server or os.environ.get("OPLEDGER_SERVER") or DEFAULT_SERVER)
        credential = os.environ.get("OPLEDGER_TOKEN", "") if token is None else token
        self._calls = Calls(credential, timeout, self._clock)
        self._leases = Leases(self._channel, self._calls, self._clock)
        self._workflows = Workflows(self._channel, self._calls)
        self._operations: Any = OperationServiceStub(self._channel)  # grpc's stubs carry no types

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. Calls that are under way end with an error."""
        self._channel.close()

    @property
    def channel(self) -> grpc.Channel:
        """The channel, for the generated stubs of `opledger.v1` and what this client has no method for. Such calls bring
        their own deadline and credential."""
        return self._channel

    def run(
        self,
        tool: str,
        arguments: Arguments | None,
        act: Callable[[Permit], Any],
        *,
        lease: Lease | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Propose, and if the permit is given, act once and report. Returns how the operation stands.

        `act` is called at most once, with the permit. It acts on `permit.arguments`, carries the permit's vendor key and
        client reference, gives its request no more than `permit.time_left()`, and switches off the retries of the
        library that it sends with. What it returns is recorded as the result. It raises `NotSent`, `Rejected`,
        `RateLimited`, `Declined` or `Ambiguous` where it knows so: these become the result. Any other exception is
        reported as ambiguous, since it may have come after the effect, and passes on unchanged. It is a plain function:
        what a coroutine will do is not known when it returns.

        options: those of `RunOptions`. lease: as with `propose`.
        """
        refuse_coroutine(act, "nothing was proposed")
        answer = self.propose(tool, arguments, lease=lease, **options)
        if answer.permit is None:
            return answer.result
        return self._act(answer.permit, act, lease=lease)

    def _act(
        self,
        permit: Permit,
        act: Callable[[Permit], Any],
        *,
        lease: Lease | None = None,
        report_timeout: float | None = None,
    ) -> Result:
        """Act once under a permit, and report. `report_timeout`: seconds, as `timeout` is of a call."""
        try:
            if permit.begin_required:
                self.begin(permit)
            self._look(permit)
        except OpledgerError as lost:
            if lease and isinstance(lost, LeaseLostError):
                lease._lose(lost)
            return self._give_back(permit, lost)
        try:
            returned = act(permit)
            if inspect.isawaitable(returned):
                raise TypeError("act returned something to be awaited; whether it acts is not known")
        except RaisedOutcome as raised:
            return self._tell(permit, raised, timeout=report_timeout)
        except BaseException as error:
            self._tell_of_exception(permit, error, timeout=report_timeout)
            raise
        outcome = returned if isinstance(returned, Outcome) else Succeeded(returned)
        return self._tell(permit, outcome, timeout=report_timeout)

    def propose(
        self,
        tool: str,
        arguments: Arguments | None = None,
        *,
        tool_version: int | None = None,
        occurrence: str = "",
        idempotency_key: str = "",
        workflow_id: str = "",
        run_id: str = "",
        intent_note: str = "",
        correlation: Mapping[str, Any] | None = None,
        revise: Revise | None = None,
        lease: Lease | None = None,
        entity_version: int | None = None,
        override_grant_ids: Sequence[str] = (),
        repeat_grant_id: str = "",
        plan_only: bool = False,
        wait: float = 0.0,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Ask for one business operation. Always safe, from any process, at any time.

        arguments: a mapping, or JSON text. Long identifiers are strings.
        occurrence: tells a wanted repetition apart ("item_2"). From code that knows of a second item, never from a model.
        correlation: your ids of the model's turn (tool_call_id, thread_id, trace_id, turn, framework, labels). Recorded,
            and part of nothing.
        lease: a lease that this process holds. Its token goes along, and its workflow and run where none are stated.
        entity_version: the version of the entity's state that you reasoned from. Another one by now: denied, with what
            has changed.
        override_grant_ids, repeat_grant_id: grants ("gr_…") by which people let this proposal pass.
        wait: seconds to wait for an end before the current state is answered. A permit is answered at once.
        request_id: a UUID. None: one is made here, for this call and its tries. State one only where you keep it from
            before the first try, so that a lost answer can be asked for again.
        """
        request = proposal_pb2.ProposeOperationRequest(
            request_id=request_id or new_id(),
            tool=tool,
            tool_version=tool_version,
            arguments_json=encode_arguments(arguments),
            occurrence=occurrence,
            idempotency_key=idempotency_key,
            workflow_id=workflow_id or (lease.workflow_id if lease else ""),
            run_id=run_id or (lease.run_id if lease else ""),
            lease_token=lease._proof() if lease else "",
            entity_version=entity_version,
            override_grant_ids=override_grant_ids,
            repeat_grant_id=repeat_grant_id,
            intent_note=intent_note,
            mode=proposal_pb2.PROPOSAL_MODE_PLAN_ONLY if plan_only else proposal_pb2.PROPOSAL_MODE_EXECUTE,
        )
        if correlation:
            request.correlation.CopyFrom(operation_pb2.Correlation(**correlation))
        if revise:
            request.revise.operation_id, request.revise.reason = revise.operation_id, revise.reason
        set_duration(request.wait, wait)
        try:
            response, asked = self._calls.call(self._operations.ProposeOperation, request, timeout=timeout, wait=wait)
        except LeaseLostError as lost:
            if lease:
                lease._lose(lost)
            raise
        return Answer.read(response, self._clock, asked)

    def lease(
        self,
        *entities: str,
        workflow_id: str,
        run_id: str,
        ttl: float,
        wait: float = 0.0,
        timeout: float | None = None,
    ) -> AbstractContextManager[Lease]:
        """Hold entities, such as "order/order_123", for a block: all of them or none.

            with ledger.lease("order/order_123", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
                lease.run("order.cancel", {...}, cancel)

        A thread renews it at each third of `ttl` until the block ends, however it ends; then it is given back. An exception
        of the block passes on unchanged. Raises LeaseBlockedError where it is not granted within `wait`.

        ttl: seconds that it lasts without renewal, 1 to 3600. If this process dies, others wait for so long.
        wait: seconds to wait for the entities to become free, at most 60. Those who wait are served in order of arrival.
        timeout: seconds for acquiring, besides `wait`.
        """
        return self._leases.hold(self, Wish(entities, ttl, wait, workflow_id, run_id, timeout))

    def workflow(
        self,
        *,
        event: Event | None = None,
        correlation_key: str = "",
        correlation_window: float = 0.0,
        intent: str = "",
        user_request: str = "",
        requester: str = "",
        workflow_id: str = "",
        run_id: str = "",
        labels: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Workflow:
        """Start a task, or learn which one its event, its own id or its correlation key belongs to.

            with ledger.workflow(event=Event("slack", "ev_1"), intent="refund order_123") as task:
                if task.acts:
                    task.run("refund.create", {...}, refund)

        event: what brought the request; the same again is the same workflow.
        correlation_key: unites one intent across channels, for `correlation_window` seconds after the last event that was
            united (0: ten minutes), and always while the workflow is open.
        intent: normalized by your code, so that one request through two channels reads the same.
        requester: the person who asks, who can approve nothing in it.
        workflow_id, run_id: your own. Empty: the ledger makes them.
        """
        request = workflow_service_pb2.StartWorkflowRequest(
            workflow_id=workflow_id,
            run_id=run_id,
            user_request=user_request,
            normalized_intent=intent,
            requester=requester,
            correlation_key=correlation_key,
            labels=labels or {},
        )
        return self._workflows.start(self, request, event, correlation_window, timeout)

    def resume(
        self,
        workflow_id: str,
        *,
        run_id: str = "",
        max_projection_bytes: int | None = None,
        wait: float = 0.0,
        timeout: float | None = None,
    ) -> Workflow:
        """Take a workflow up again: this run becomes the current one, and `Workflow.projection` tells what happened.

        wait: seconds to wait for what workers and the server have under way. Raises WorkflowEndedError where it has ended,
        and RunSupersededError where `run_id` was superseded before.
        """
        return self._workflows.resume(self, workflow_id, run_id, max_projection_bytes, wait, timeout)

    def begin(self, permit: Permit, *, timeout: float | None = None) -> None:
        """Say that the first byte is about to leave. Where it raises, nothing may be sent.

        Repeated, it is one begin. A permit that another process has begun is refused.
        """
        self._look(permit)
        request = operation_service_pb2.BeginAttemptRequest(
            operation_id=permit.operation_id,
            attempt_id=permit.attempt_id,
            attempt_token=permit.message.attempt_token,
            begin_nonce=permit._born_nonce(),
        )
        try:
            response, asked = self._calls.call(self._operations.BeginAttempt, request, timeout=timeout)
        except (PermitLostError, LeaseLostError):
            permit._lose()
            raise
        permit._accepted(response.begun, asked)

    def extend(self, permit: Permit, seconds: float | None = None, *, timeout: float | None = None) -> None:
        """Make a live permit last that long from now, at most to its greatest age. None: the tool's own duration."""
        request = operation_service_pb2.ExtendAttemptRequest(
            operation_id=permit.operation_id,
            attempt_id=permit.attempt_id,
            attempt_token=permit.message.attempt_token,
            begin_nonce=permit._nonce if permit.begun else b"",
            request_id=new_id(),
        )
        if seconds is not None:
            set_duration(request.extend_by, seconds)
        try:
            response, asked = self._calls.call(self._operations.ExtendAttempt, request, timeout=timeout)
        except (PermitLostError, LeaseLostError):
            permit._lose()
            raise
        permit._count(response.remaining, response.greatest_remaining, asked)

    def report(
        self, permit: Permit, outcome: Outcome, *, report_id: str | None = None, timeout: float | None = None
    ) -> Result:
        """Tell what came of an attempt. Its first report stands.

        Raises StaleAttemptError where the permit had ended: what was told is kept as evidence. Raises TypeError or
        ValueError, and tells nothing, where the result cannot be written as JSON.
        """
        request = operation_service_pb2.ReportAttemptRequest(
            operation_id=permit.operation_id,
            attempt_id=permit.attempt_id,
            attempt_token=permit.message.attempt_token,
            begin_nonce=permit._nonce,
            report_id=report_id or new_id(),
        )
        outcome.write(request)
        response, _ = self._calls.call(self._operations.ReportAttempt, request, timeout=timeout)
        return Result(response.result)

    def get(self, operation_id: str, *, wait: float = 0.0, timeout: float | None = None) -> Operation:
        """Read an operation, after waiting at most `wait` seconds for its end."""
        request = operation_service_pb2.GetOperationRequest(operation_id=operation_id)
        set_duration(request.wait, wait)
        response, _ = self._calls.call(self._operations.GetOperation, request, timeout=timeout, wait=wait)
        return Operation(response.operation)

    def reconcile(
        self,
        operation_id: str,
        evidence: evidence_pb2.Evidence | None = None,
        *,
        wait: float = 0.0,
        timeout: float | None = None,
    ) -> Reconciliation:
        """Settle an operation: by the evidence that a lookup gave (`Answer.lookup`), or by the tool's strategies now."""
        request = operation_service_pb2.ReconcileRequest(
            operation_id=operation_id, request_id=new_id(), evidence=evidence
        )
        set_duration(request.wait, wait)
        response, _ = self._calls.call(self._operations.Reconcile, request, timeout=timeout, wait=wait)
        return Reconciliation.read(response)

    def cancel(self, operation_id: str, reason: str = "", *, timeout: float | None = None) -> Result:
        """Wish that an operation be cancelled. Only the state "failed_permanent" says that it did not happen; until then
        the outcome is open, and the wish stands."""
        request = operation_service_pb2.CancelOperationRequest(
            operation_id=operation_id, request_id=new_id(), reason=reason
        )
        response, _ = self._calls.call(self._operations.CancelOperation, request, timeout=timeout)
        return Result(response.result)

    def explain(
        self, tool: str, a: Arguments, b: Arguments | None = None, *, timeout: float | None = None
    ) -> operation_service_pb2.ExplainIdentityResponse:
        """Show how the identity of a call is made, and whether two calls are one operation. Nothing is recorded."""
        request = operation_service_pb2.ExplainIdentityRequest(tool=tool)
        request.a.arguments_json = encode_arguments(a)
        if b is not None:
            request.b.arguments_json = encode_arguments(b)
        response, _ = self._calls.call(self._operations.ExplainIdentity, request, timeout=timeout)
        return response

    def _look(self, permit: Permit) -> None:
        """Look at the clocks once more, right before acting."""
        if permit.time_left() <= 0.0:
            raise PermitLostError(
                "the permit's time has passed; nothing was sent. Propose again",
                code="FAILED_PRECONDITION",
                reason="PERMIT_EXPIRED",
                operation_id=permit.operation_id,
            )

    def _give_back(self, permit: Permit, lost: OpledgerError) -> Result:
        """Tell that nothing was sent under a permit, and how things stand then."""
        try:
            return self._tell(permit, NotSent(lost.reason.lower() or lost.code.lower()), timeout=GIVE_BACK_TIMEOUT)
        except OpledgerError:
            raise lost from None

    def _tell(self, permit: Permit, outcome: Outcome, *, timeout: float | None = None) -> Result:
        """Report, where a late report is no failure: it is kept, and the ledger says how things stand."""
        try:
            return self.report(permit, outcome, timeout=timeout)
        except StaleAttemptError as stale:
            if stale.result is None:
                raise
            return stale.result
        except (InvalidArgumentError, TypeError, ValueError):
            if outcome.result is None and not outcome.artifacts:
                raise
            # The result cannot be recorded. That the effect happened must be, before anybody hears of the defect.
            outcome.result, outcome.artifacts = None, ()
            self._tell(permit, outcome, timeout=timeout)
            raise

    def _tell_of_exception(self, permit: Permit, error: BaseException, *, timeout: float | None = None) -> None:
        """Report that the outcome cannot be told. The exception's own words stay here: they may hold secrets.

        Nothing says that all has ended that the function started, so the ledger is not told so.
        """
        kind = type(error)
        outcome = Ambiguous("exception", message=f"{kind.__module__}.{kind.__qualname__}", sender_returned=False)
        try:
            self._tell(permit, outcome, timeout=timeout)
        except OpledgerError as unheard:
            log.warning("%s: the ledger could not be told that an attempt failed: %s", permit.operation_id, unheard)
