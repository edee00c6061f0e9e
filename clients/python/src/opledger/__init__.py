"""Makes the tool calls of LLM agents safe to repeat: the client of Opledger.

    from opledger import Client

    with Client() as ledger:
        result = ledger.run("payment.capture", {"order_id": "order_123", ...}, capture)

`Client` is all that most code needs. `opledger.v1` holds the generated messages and stubs of the whole API.
"""

from opledger.answer import Answer, Revise
from opledger.client import Client
from opledger.errors import (
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

__all__ = [
    "Acknowledged",
    "Ambiguous",
    "Answer",
    "Artifact",
    "AwaitingApproval",
    "Blocked",
    "Client",
    "Declined",
    "Denied",
    "Earlier",
    "EntityChange",
    "Guarded",
    "Holder",
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
]
