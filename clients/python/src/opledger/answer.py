"""The ledger's answer to a proposal."""

from __future__ import annotations

from dataclasses import dataclass

from opledger.clock import Clock, Moment
from opledger.evidence import Lookup
from opledger.guarded import Guarded, read_guarded
from opledger.permit import Permit
from opledger.result import Result, seconds
from opledger.v1 import proposal_pb2
from opledger.words import word


@dataclass(frozen=True)
class Answer:
    """The ledger's answer to a proposal. Act if `permit` is there, and only then, whatever the other fields say."""

    permit: Permit | None
    """The right to act. None: you must not act."""
    result: Result
    """How the operation stands, what to do next and what to say."""
    decision: str
    """The ledger's decision, such as "REPLAYED". For reading and logs, never for deciding to act: a newer server may
    answer a word that this release does not know."""
    retry_after: float | None
    """In how many seconds proposing again makes sense. None: no time is known."""
    lookup: Lookup | None
    """The lookup that you may make and hand in to `Client.reconcile`, where the outcome is unknown."""
    message: proposal_pb2.ProposeOperationResponse
    """The whole answer: successor, plan, what rules in shadow would have said."""

    @property
    def guarded(self) -> Guarded | None:
        """Why there is no permit, where a person, a lease, an earlier operation, a limit or a rule stands in the way:
        AwaitingApproval, Blocked, Suppressed, RetryLater or Denied. None: nothing of the kind."""
        return self.result.guarded

    @classmethod
    def read(cls, response: proposal_pb2.ProposeOperationResponse, clock: Clock, asked: Moment) -> Answer:
        return cls(
            permit=Permit(response.permit, clock, asked) if response.HasField("permit") else None,
            result=Result(response.result, read_guarded(response)),
            decision=word(proposal_pb2.Decision, response.decision, "DECISION_"),
            retry_after=seconds(response.retry_after) if response.HasField("retry_after") else None,
            lookup=Lookup(response.lookup) if response.HasField("lookup") else None,
            message=response,
        )

    def __repr__(self) -> str:
        return f"<Answer {self.decision} {self.result!r}{' with a permit' if self.permit else ''}>"


@dataclass(frozen=True)
class Revise:
    """Asks for a fresh try of an operation that is known to have ended without effect. Asked twice, it is one try."""

    operation_id: str
    """The operation that is to be succeeded."""
    reason: str
    """Why. It is recorded."""
