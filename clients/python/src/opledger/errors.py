"""What can go wrong with a call. No error ever permits anybody to act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from google.rpc import error_details_pb2, status_pb2

from opledger.holder import Holder
from opledger.result import Result, seconds
from opledger.v1 import errors_pb2

DOMAIN = "opledger"


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong with a request."""

    field: str
    """Where, such as "arguments_json/amount": the request's field, and a JSON Pointer into it."""
    description: str
    """What is wrong and what to do."""
    reason: str = ""
    """A stable name of the rule. Empty: none is stated."""


class OpledgerError(RuntimeError):
    """A call that the ledger refused, or whose answer was lost.

    A RuntimeError, so that frameworks which retry unknown exceptions by themselves leave this one alone.
    """

    code: str
    """The gRPC code, such as "FAILED_PRECONDITION"."""
    reason: str
    """The stable reason, such as "STALE_ATTEMPT". Empty: the ledger was not reached, or stated none."""
    message: str
    """What is wrong and what to do."""
    operation_id: str
    """The operation that it is about. Empty: none, or not known."""
    violations: tuple[Violation, ...]
    """What is wrong with the request, one by one."""
    retry_after: float | None
    """In how many seconds the same call makes sense again. None: the ledger does not say that it does."""
    result: Result | None
    """How the operation stands now, where the ledger said so."""
    metadata: Mapping[str, str]
    """Small facts beside the reason."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        reason: str = "",
        operation_id: str = "",
        violations: tuple[Violation, ...] = (),
        retry_after: float | None = None,
        result: Result | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.code, self.reason = message, code, reason
        self.operation_id, self.violations, self.retry_after = operation_id, violations, retry_after
        self.result, self.metadata = result, metadata or {}

    def __str__(self) -> str:
        return f"{self.reason or self.code}: {self.message}"


class InvalidArgumentError(OpledgerError):
    """The request is wrong, and nothing was recorded. `violations` says where. The same again is refused again."""


class TooLargeError(InvalidArgumentError):
    """The request exceeds a limit, which the message names. The same again is refused again."""


class KeyReusedError(OpledgerError):
    """The key belongs to an operation with other arguments. Propose the recorded ones, revise, or use another key."""

    recorded_fingerprint: str = ""
    proposed_fingerprint: str = ""
    differing_pointers: tuple[str, ...] = ()
    """JSON Pointers of the canonical arguments that differ. Empty: another component of the key does."""
    differing_components: tuple[str, ...] = ()
    """What differs besides arguments: "tool", "intent", "entity", "occurrence"."""


class StaleAttemptError(OpledgerError):
    """The report came after its permit had ended. It is kept as evidence, and `result` says how things stand. Do not
    send again."""

    evidence_id: str = ""
    """The statement under which the report was kept."""


class PermitLostError(OpledgerError):
    """The permit has ended or was withdrawn, or another process began it. Do not send; propose again."""


class LeaseLostError(OpledgerError):
    """The lease ran out, was broken, or was taken over. Stop; acquire anew, and look at its entities again."""


class RunSupersededError(LeaseLostError):
    """Another run of the workflow is the current one, and this one's leases are lost. Stop this run."""


class WorkflowEndedError(OpledgerError):
    """The workflow has ended: it gets no new operation or permit. Start another."""


class ClaimContradictedError(OpledgerError):
    """What the user was to be told is not what the ledger knows. Nothing ended."""

    conflicts: Mapping[str, str] = MappingProxyType({})
    """A true sentence to say in its place, by the operation that was claimed."""


class LeaseBlockedError(OpledgerError):
    """The lease was not granted within the wait. None of the entities is held."""

    holders: tuple[Holder, ...]
    """Who holds or keeps which entity. Empty: others wait before the caller."""
    waiting_before: int
    """How many wait before the caller."""

    def __init__(self, entities: Sequence[str], holders: Sequence[Holder], waiting_before: int) -> None:
        held = "; ".join(f"{h.entity} by {h}" for h in holders) or f"{waiting_before} wait before the caller"
        super().__init__(
            f"no lease on {', '.join(entities)} was granted in time: {held}",
            code="FAILED_PRECONDITION",
            retry_after=holders[0].remaining if holders else None,
        )
        self.holders, self.waiting_before = tuple(holders), waiting_before

    @property
    def holder(self) -> Holder | None:
        """The first of them."""
        return self.holders[0] if self.holders else None

    @property
    def since(self) -> datetime | None:
        """Since when that one holds, in UTC."""
        return self.holder.since if self.holder else None

    @property
    def until(self) -> datetime | None:
        """Until when it does at most, in UTC. None: until its operation is settled, which no time bounds."""
        return self.holder.until if self.holder else None


class NotFoundError(OpledgerError):
    """There is no such thing in this namespace."""


class PermissionDeniedError(OpledgerError):
    """The credential may not do this. Trying again does not help."""


class UnauthenticatedError(OpledgerError):
    """There is no credential, or none that the server knows."""


class UnavailableError(OpledgerError):
    """The answer was lost, or the server could not answer in time. Whether the call took effect is found out by making
    it again; proposing again is always safe."""


BY_REASON: dict[str, type[OpledgerError]] = {
    "IDEMPOTENCY_KEY_REUSED": KeyReusedError,
    "STALE_ATTEMPT": StaleAttemptError,
    "PERMIT_EXPIRED": PermitLostError,
    "PERMIT_WITHDRAWN": PermitLostError,
    "CANCEL_WISHED": PermitLostError,
    "GREATEST_AGE_REACHED": PermitLostError,
    "BEGIN_NONCE_MISMATCH": PermitLostError,
    "LEASE_LOST": LeaseLostError,
    "RUN_SUPERSEDED": RunSupersededError,
    "WORKFLOW_ENDED": WorkflowEndedError,
    "CLAIM_CONTRADICTED": ClaimContradictedError,
    "OVERLOADED": UnavailableError,
    "TOO_LARGE": TooLargeError,
}

BY_CODE: dict[str, type[OpledgerError]] = {
    "INVALID_ARGUMENT": InvalidArgumentError,
    "NOT_FOUND": NotFoundError,
    "PERMISSION_DENIED": PermissionDeniedError,
    "UNAUTHENTICATED": UnauthenticatedError,
    "UNAVAILABLE": UnavailableError,
    "DEADLINE_EXCEEDED": UnavailableError,
    "RESOURCE_EXHAUSTED": TooLargeError,
}


def from_rpc_error(failed: Any) -> OpledgerError:
    """Read a failed gRPC call, with the details that the ledger sends along."""
    code, message = failed.code().name, failed.details() or "the call failed"
    facts = _Details(failed)
    kind = BY_REASON.get(facts.info.reason) or BY_CODE.get(code, OpledgerError)
    if code == "RESOURCE_EXHAUSTED" and facts.retry_after is not None:
        kind = UnavailableError  # a limit that passes by itself, not one of size
    error = kind(
        message,
        code=code,
        reason=facts.info.reason,
        operation_id=facts.operation_id,
        violations=facts.violations,
        retry_after=facts.retry_after,
        result=facts.result,
        metadata=dict(facts.info.metadata),
    )
    if isinstance(error, KeyReusedError) and facts.reuse:
        error.recorded_fingerprint = facts.reuse.recorded_fingerprint
        error.proposed_fingerprint = facts.reuse.proposed_fingerprint
        error.differing_pointers = tuple(facts.reuse.differing_pointers)
        error.differing_components = tuple(facts.reuse.differing_components)
    if isinstance(error, ClaimContradictedError):
        error.conflicts = facts.conflicts
    if isinstance(error, StaleAttemptError):
        error.evidence_id = facts.evidence_id
    return error


class _Details:
    """The details of a failed call, from the trailer in which gRPC carries them. A detail that this release does not
    know is left out."""

    def __init__(self, failed: Any) -> None:
        self.info = error_details_pb2.ErrorInfo()
        self.violations: tuple[Violation, ...] = ()
        self.retry_after: float | None = None
        self.operation_id = ""
        self.result: Result | None = None
        self.reuse: errors_pb2.KeyReuseDetail | None = None
        self.evidence_id = ""
        self.conflicts: dict[str, str] = {}
        for key, value in failed.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                for detail in status_pb2.Status.FromString(value).details:
                    self._take(detail)
        self.operation_id = self.operation_id or self.info.metadata.get("operation_id", "")

    def _take(self, detail: Any) -> None:
        info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
        reuse, stale, about = errors_pb2.KeyReuseDetail(), errors_pb2.StaleAttemptDetail(), errors_pb2.OperationDetail()
        claim = errors_pb2.ClaimConflictDetail()
        if detail.Unpack(info) and info.domain == DOMAIN:
            self.info = info
        elif detail.Unpack(claim):
            self.conflicts[claim.operation_id] = claim.safe_user_message
        elif detail.Unpack(bad):
            self.violations += tuple(Violation(v.field, v.description, v.reason) for v in bad.field_violations)
        elif detail.Unpack(retry):
            self.retry_after = seconds(retry.retry_delay)
        elif detail.Unpack(reuse):
            self.reuse, self.operation_id = reuse, reuse.operation_id
        elif detail.Unpack(stale):
            self.evidence_id = stale.evidence_id
            self._stands(stale)
        elif detail.Unpack(about):
            self.operation_id = about.operation_id
            self._stands(about)

    def _stands(self, detail: Any) -> None:
        if detail.HasField("result"):
            self.result = Result(detail.result)
            self.operation_id = self.operation_id or self.result.operation_id
