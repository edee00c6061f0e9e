"""The right to run one attempt, once."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple, NoReturn

from google.protobuf.duration_pb2 import Duration

from opledger.clock import Clock, Moment
from opledger.jsontext import decode
from opledger.result import seconds
from opledger.v1 import attempt_pb2, operation_service_pb2

NONCE_BYTES = 32


class _Lasting(NamedTuple):
    """How long a permit lasts, in seconds from a moment."""

    asked: Moment
    remaining: float
    greatest: float


class Permit:
    """The right to run one attempt, once. Whoever holds it may act until its time is up; without it nobody may.

    It stays in the process that got it: the nonce of its begin is what tells this process from a copy that was restored
    from a checkpoint. So it is neither copied nor pickled, and it shows no token.
    """

    def __init__(self, message: attempt_pb2.Permit, clock: Clock, asked: Moment) -> None:
        self._message = message
        self._clock = clock
        self._nonce = b""
        self._begun = False
        self._count(message.remaining, message.greatest_remaining, asked)

    def _count(self, remaining: Duration, greatest: Duration, asked: Moment) -> None:
        """Take the ledger's word of how long it lasts, counted from before that word was asked for.

        It is one value, since a heartbeat takes it in another thread than the one that looks.
        """
        self._lasting = _Lasting(asked, seconds(remaining), seconds(greatest))

    def _accepted(self, begun: operation_service_pb2.BegunPermit, asked: Moment) -> None:
        """The ledger has accepted this process's begin."""
        self._begun = True
        self._count(begun.remaining, begun.greatest_remaining, asked)

    def _lose(self) -> None:
        """The ledger says that it is lost."""
        self._lasting = _Lasting(self._lasting.asked, 0.0, 0.0)

    def _worn(self) -> bool:
        """Whether a third of its time has passed, and an extension can lengthen it."""
        lasting = self._lasting
        elapsed = lasting.asked.elapsed(self._clock)
        return lasting.remaining / 3 <= elapsed < lasting.remaining < lasting.greatest

    def _born_nonce(self) -> bytes:
        """The nonce of this process's begin, made at the first try and kept in its repeats."""
        self._nonce = self._nonce or secrets.token_bytes(NONCE_BYTES)
        return self._nonce

    def time_left(self) -> float:
        """Seconds until the permit ends, never below zero. Look right before you send, and give no request more time.

        Counted from before the ledger was asked, on the monotonic clock and on the clock of the wall; whichever has run
        further is heeded. So no two machines' clocks need agree, and a machine that slept does not act late.
        """
        lasting = self._lasting
        return max(0.0, lasting.remaining - lasting.asked.elapsed(self._clock))

    def greatest_time_left(self) -> float:
        """Seconds until no extension can lengthen it any more, counted in the same way."""
        lasting = self._lasting
        return max(0.0, lasting.greatest - lasting.asked.elapsed(self._clock))

    @property
    def operation_id(self) -> str:
        """The operation. What a tool of the class INTERNAL_DETERMINISTIC_WRITE keys its transaction by."""
        return self._message.operation_id

    @property
    def attempt_id(self) -> str:
        """The attempt."""
        return self._message.attempt_id

    @property
    def attempt_number(self) -> int:
        """The attempt's number within the operation, from 1."""
        return self._message.attempt_number

    @property
    def begin_required(self) -> bool:
        """Whether a begin must be accepted right before the first byte."""
        return self._message.begin_required

    @property
    def begun(self) -> bool:
        """Whether this process's begin was accepted."""
        return self._begun

    @property
    def arguments(self) -> Any:
        """The arguments to act on, in place of whatever you hold: a resend carries those of the first attempt."""
        return decode(self._message.dispatch_arguments_json)

    @property
    def arguments_json(self) -> str:
        """The same as JSON text."""
        return self._message.dispatch_arguments_json

    @property
    def vendor_idempotency_key(self) -> str:
        """The idempotency key that the request must carry to the provider. Empty: the provider has none."""
        return self._message.vendor_idempotency_key

    @property
    def vendor_key_header(self) -> str:
        """The header for that key. Empty: none is known."""
        return self._message.vendor_key_header

    @property
    def client_reference(self) -> str:
        """The reference that the request must carry, so that its effect can be found."""
        return self._message.client_reference

    @property
    def resend(self) -> bool:
        """Whether this is the same request once more: same key, same account, same arguments."""
        return self._message.resend

    @property
    def message(self) -> attempt_pb2.Permit:
        """The whole message: fencing numbers, provider and account, the tool's version. It holds the attempt's token."""
        return self._message

    def __repr__(self) -> str:
        return f"<Permit {self.operation_id} {self.attempt_id} {self.time_left():.1f} s left>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a permit stays in the process that got it; in another one, propose again")
