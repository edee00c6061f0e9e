"""Makes the tool calls of LLM agents safe to repeat: the client of Opledger.

    from opledger import Client

    with Client() as ledger:
        result = ledger.run("payment.capture", {"order_id": "order_123", ...}, capture)

`Client` is all that most code needs. `opledger.v1` holds the generated messages and stubs of the whole API.
"""

from opledger.answer import Answer, Revise
from opledger.client import Client
from opledger.errors import (
    ClaimContradictedError,
    InvalidArgumentError,
    KeyReusedError,
    LeaseBlockedError,
    LeaseLostError,
    NotFoundError,
    OpledgerError,
    PermissionDeniedError,
    PermitLostError,
    RunSupersededError,
    StaleAttemptError,
    TooLargeError,
    UnauthenticatedError,
    UnavailableError,
    Violation,
    WorkflowEndedError,
)
from opledger.evidence import Lookup, Question, Reconciliation
from opledger.guarded import (
    AwaitingApproval,
    Blocked,
    Denied,
    Earlier,
    EntityChange,
    Guarded,
    RetryLater,
    Suppressed,
    Why,
)
from opledger.holder import Holder
from opledger.lease import Lease
from opledger.outcomes import (
    Acknowledged,
    Ambiguous,
    Artifact,
    Declined,
    Noop,
    NotSent,
    Outcome,
    RateLimited,
    Rejected,
    Succeeded,
)
from opledger.permit import Permit
from opledger.result import Operation, Result
from opledger.workflow import Claim, Ended, Event, Projection, Workflow
from opledger.worker import Inquiry, Worker

__all__ = [
    "Acknowledged",
    "Ambiguous",
    "Answer",
    "Artifact",
    "AwaitingApproval",
    "Blocked",
    "Claim",
    "ClaimContradictedError",
    "Client",
    "Declined",
    "Denied",
    "Earlier",
    "Ended",
    "EntityChange",
    "Event",
    "Guarded",
    "Holder",
    "Inquiry",
    "InvalidArgumentError",
    "KeyReusedError",
    "Lease",
    "LeaseBlockedError",
    "LeaseLostError",
    "Lookup",
    "Noop",
    "NotFoundError",
    "NotSent",
    "Operation",
    "OpledgerError",
    "Outcome",
    "PermissionDeniedError",
    "Permit",
    "Projection",
    "PermitLostError",
    "Question",
    "RateLimited",
    "Reconciliation",
    "Rejected",
    "Result",
    "RetryLater",
    "Revise",
    "RunSupersededError",
    "StaleAttemptError",
    "Succeeded",
    "Suppressed",
    "TooLargeError",
    "UnauthenticatedError",
    "UnavailableError",
    "Violation",
    "Why",
    "Worker",
    "Workflow",
    "WorkflowEndedError",
]
