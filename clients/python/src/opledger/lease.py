"""A lease in the hands of the block that took it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from opledger.answer import Answer
from opledger.clock import Clock, Moment
from opledger.errors import LeaseLostError
from opledger.holder import entity_name
from opledger.jsontext import Arguments
from opledger.permit import Permit
from opledger.result import Result, seconds
from opledger.v1 import lease_pb2

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opledger.client import Client
    from opledger.options import ProposeOptions, RunOptions


class Lease:
    """The right of one run to mutate some entities, for as long as its block runs and it is renewed in time.

    Its token stays inside: it goes with each proposal that is made by `propose` and `run`, and is shown nowhere. Once lost,
    a lease stays lost, and each use raises LeaseLostError.
    """

    def __init__(self, client: Client, grant: lease_pb2.LeaseGrant, clock: Clock, asked: Moment) -> None:
        self._client = client
        self._clock = clock
        self._token = grant.lease_token
        self._changing = threading.Lock()
        self._loss: LeaseLostError | None = None
        self._ended = False
        self._take(grant, asked)

    def _take(self, grant: lease_pb2.LeaseGrant, asked: Moment) -> None:
        """Take the ledger's word of how long it lasts, counted from before that word was asked for."""
        self._message = grant.lease
        self._asked, self._remaining = asked, seconds(grant.remaining)
        self._renew_at = self._remaining / 3
        """Seconds after `_asked`."""
        self._grows = grant.remaining.ToNanoseconds() < grant.greatest_remaining.ToNanoseconds()
        """Whether a renewal can lengthen it. At its greatest total age none can."""

    def _renewed(self, grant: lease_pb2.LeaseGrant, asked: Moment) -> None:
        """A renewal was granted. One that comes after the time was over changes nothing: somebody may have seen that."""
        with self._changing:
            if not self._is_lost():
                self._take(grant, asked)

    def _not_renewed(self) -> None:
        """A renewal failed: when to try again. Failures that pass were tried for a while already."""
        with self._changing:
            self._renew_at = self._asked.elapsed(self._clock) + self._remaining / 9

    def _renew_in(self) -> float | None:
        """In how many seconds to renew. None: never again."""
        with self._changing:
            if self._is_lost() or not self._grows:
                return None
            return max(0.0, self._renew_at - self._asked.elapsed(self._clock))

    def _lose(self, loss: LeaseLostError) -> None:
        """The ledger says that it is lost. The first word stands."""
        with self._changing:
            self._loss = self._loss or loss

    def _is_lost(self) -> bool:
        """Also whether its time has run out, which is then kept: no later renewal revives what was seen as lost."""
        if self._loss is None and not self._ended and self._remaining <= self._asked.elapsed(self._clock):
            self._loss = lost(f"no renewal of the lease {self.lease_id} came in time")
        return self._loss is not None

    def _end(self) -> None:
        """Its block has ended. What is known of its loss then is kept as it is."""
        with self._changing:
            self._is_lost()
            self._ended = True

    @property
    def lost(self) -> bool:
        """Whether it is lost: it ran out, was broken, or another run took the workflow over. It never comes back."""
        with self._changing:
            return self._is_lost()

    def check(self) -> None:
        """Raise LeaseLostError if the lease is lost, or its block has ended. Look before an act of your own.

        It is the client's knowledge, and a later moment can be different: what must not be done by a former holder carries
        the fencing number to a store that refuses older ones.
        """
        with self._changing:
            if self._is_lost() and (loss := self._loss):
                raise type(loss)(loss.message, code=loss.code, reason=loss.reason, metadata=loss.metadata)
            if self._ended:
                raise lost(f"the block of the lease {self.lease_id} has ended")

    def _proof(self) -> str:
        """The token, while it proves something."""
        self.check()
        return self._token

    def time_left(self) -> float:
        """Seconds until it ends unless it is renewed; zero once it is lost. Counted as a permit's time is."""
        with self._changing:
            if self._is_lost() or self._ended:
                return 0.0
            return max(0.0, self._remaining - self._asked.elapsed(self._clock))

    def propose(self, tool: str, arguments: Arguments | None = None, **options: Unpack[ProposeOptions]) -> Answer:
        """`Client.propose` in this lease's workflow and run, with its proof."""
        return self._client.propose(tool, arguments, lease=self, **options)

    def run(
        self, tool: str, arguments: Arguments | None, act: Callable[[Permit], Any], **options: Unpack[RunOptions]
    ) -> Result:
        """`Client.run` in this lease's workflow and run, with its proof."""
        return self._client.run(tool, arguments, act, lease=self, **options)

    @property
    def lease_id(self) -> str:
        """The lease's id, "lea_…". It proves nothing."""
        return self._message.lease_id

    @property
    def workflow_id(self) -> str:
        """The workflow that owns it."""
        return self._message.workflow_id

    @property
    def run_id(self) -> str:
        """The run in whose hands it is."""
        return self._message.run_id

    @property
    def fencing_numbers(self) -> dict[str, int]:
        """The number of this grant for each entity, such as {"order/order_123": 7}. Numbers only grow: hand them to the
        stores that you write to."""
        return {entity_name(fence.entity): fence.number for fence in self._message.fencing_numbers}

    @property
    def message(self) -> lease_pb2.EntityLease:
        """The lease as everybody sees it, as of the last renewal."""
        return self._message

    def __repr__(self) -> str:
        return f"<Lease {self.lease_id} of {', '.join(self.fencing_numbers)} {self.time_left():.1f} s left>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a lease stays in the process that took it")


def lost(why: str) -> LeaseLostError:
    """Say that a lease is lost, where the ledger did not say it itself."""
    message = f"{why}; another may act on its entities. Acquire anew"
    return LeaseLostError(message, code="FAILED_PRECONDITION", reason="LEASE_LOST")
