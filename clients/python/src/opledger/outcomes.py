"""What came of an attempt, in the words that all tools share.

A function that acts under a permit returns what happened and raises what did not:

    return  Succeeded (or any other value, which becomes its result), Noop, Acknowledged
    raise   NotSent, Rejected, RateLimited, Declined, Ambiguous

Any other exception is told as ambiguous, because it may have come after the effect. Say NotSent only of what failed
before the first byte left, and Rejected only of a provider's final no.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from google.protobuf.duration_pb2 import Duration

from opledger.jsontext import encode
from opledger.v1 import attempt_pb2
from opledger.v1.operation_service_pb2 import ReportAttemptRequest

AmbiguityKind = Literal["unspecified", "timeout", "connection_lost", "malformed_answer", "provider_error", "exception"]
"""Why an outcome cannot be told. "provider_error" is a 5xx that may have committed."""


@dataclass(frozen=True)
class Artifact:
    """A reference to something that an effect left behind: a receipt, a file. The ledger does not fetch it."""

    name: str
    uri: str
    media_type: str = ""
    sha256: str = ""


@dataclass(eq=False, kw_only=True)
class Outcome:
    """What came of an attempt, with what the provider answered. Leave out what is not known."""

    result: Any = None
    """The result, as JSON knows it. It is what a replay answers."""
    provider_object_id: str = ""
    """The provider's id of what was created or changed. It makes a report a receipt: give it wherever there is one."""
    provider_request_id: str = ""
    """The provider's id of the request."""
    effect_id: str = ""
    """The id of the change, where the tool says that it is not the object's."""
    provider_account: str = ""
    """The account at the provider that was used, where it is not the tool's."""
    raw_status_code: str = ""
    """The provider's status as it came, such as "201" or "card_declined"."""
    provider_replayed: bool | None = None
    """Whether the provider said that it answered from its own idempotency record. None: it said nothing of it."""
    artifacts: Sequence[Artifact] = ()
    """References to what the effect left behind."""
    message: str = ""
    """What happened, in your words, without secrets."""
    sender_returned: bool = True
    """Whether the code that sends has ended, so that nothing of it can leave any more. False where it may still run: a
    thread that was given up, a time-out around a call that goes on."""

    word: ClassVar[str] = ""

    def write(self, request: ReportAttemptRequest) -> None:
        """Write this into a report. Raises TypeError or ValueError where the result is not JSON."""
        request.sender_returned = self.sender_returned
        request.message = self.message
        getattr(request, self.word).CopyFrom(self.detail())
        answer = attempt_pb2.ProviderAnswer(
            provider_request_id=self.provider_request_id,
            provider_object_id=self.provider_object_id,
            effect_id=self.effect_id,
            provider_account=self.provider_account,
            raw_status_code=self.raw_status_code,
            result_json="" if self.result is None else encode(self.result),
            artifacts=[attempt_pb2.Artifact(**vars(artifact)) for artifact in self.artifacts],
        )
        if self.provider_replayed is not None:
            answer.provider_replayed = self.provider_replayed
        if answer.ByteSize():
            request.answer.CopyFrom(answer)

    def detail(self) -> Any:
        """The message of this outcome."""
        raise NotImplementedError


@dataclass(eq=False)
class Succeeded(Outcome):
    """It happened."""

    result: Any = None

    word: ClassVar[str] = "succeeded"

    def detail(self) -> attempt_pb2.OutcomeSucceeded:
        return attempt_pb2.OutcomeSucceeded()


@dataclass(eq=False)
class Noop(Outcome):
    """It was already so; there was nothing to do."""

    result: Any = None

    word: ClassVar[str] = "noop"

    def detail(self) -> attempt_pb2.OutcomeNoop:
        return attempt_pb2.OutcomeNoop()


@dataclass(eq=False)
class Acknowledged(Outcome):
    """The provider took it and will finish by itself."""

    finish_by: float | None = None
    """In how many seconds it is expected to be finished. None: the tool's own time."""

    word: ClassVar[str] = "acknowledged"

    def detail(self) -> attempt_pb2.OutcomeAcknowledged:
        return attempt_pb2.OutcomeAcknowledged(finish_by=_duration(self.finish_by))


class RaisedOutcome(Outcome, Exception):
    """An outcome that is raised rather than returned. Never raised itself."""

    def __str__(self) -> str:
        return f"{self.word}: {self.message or getattr(self, 'code', '') or 'no reason given'}"


@dataclass(eq=False)
class NotSent(RaisedOutcome):
    """The try failed before anything left: no name found, connection refused. After the first byte it is never this."""

    code: str = ""
    """Why, such as "connection_refused"."""

    word: ClassVar[str] = "not_sent"

    def detail(self) -> attempt_pb2.OutcomeNotSent:
        return attempt_pb2.OutcomeNotSent(code=self.code)


@dataclass(eq=False)
class Rejected(RaisedOutcome):
    """The provider refused for good, by what was asked. "Already exists" is never this: say Noop."""

    code: str = ""
    """The provider's code, such as "card_declined"."""

    word: ClassVar[str] = "rejected"

    def detail(self) -> attempt_pb2.OutcomeRejected:
        return attempt_pb2.OutcomeRejected(code=self.code)


@dataclass(eq=False)
class RateLimited(RaisedOutcome):
    """The write itself was refused by a rate limit."""

    retry_after: float | None = None
    """How many seconds the provider asks to wait. None: the tool's backoff."""

    word: ClassVar[str] = "rate_limited"

    def detail(self) -> attempt_pb2.OutcomeRateLimited:
        return attempt_pb2.OutcomeRateLimited(retry_after=_duration(self.retry_after))


@dataclass(eq=False)
class Declined(RaisedOutcome):
    """The provider says that it did nothing and may later: SMTP 451, a 5xx that is known not to commit."""

    code: str = ""
    """The provider's code."""
    retry_after: float | None = field(default=None, kw_only=True)
    """How many seconds the provider asks to wait. None: the tool's backoff."""

    word: ClassVar[str] = "declined"

    def detail(self) -> attempt_pb2.OutcomeDeclined:
        return attempt_pb2.OutcomeDeclined(code=self.code, retry_after=_duration(self.retry_after))


@dataclass(eq=False)
class Ambiguous(RaisedOutcome):
    """It cannot be told whether it happened."""

    kind: AmbiguityKind = "unspecified"
    """Why not. It changes nothing in how it is treated."""

    word: ClassVar[str] = "ambiguous"

    def __post_init__(self) -> None:
        self.detail()  # a kind that there is not is refused here, and not when the report is due

    def detail(self) -> attempt_pb2.OutcomeAmbiguous:
        return attempt_pb2.OutcomeAmbiguous(kind=f"AMBIGUITY_KIND_{self.kind.upper()}")


def _duration(value: float | None) -> Duration | None:
    if value is None:
        return None
    duration = Duration()
    duration.FromNanoseconds(round(value * 1_000_000_000))
    return duration
