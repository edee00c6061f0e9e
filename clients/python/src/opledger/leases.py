"""Taking leases, renewing them while their blocks run, and giving them back."""

# pyright: reportPrivateUsage=false
# A lease keeps token and countdown from its users, and not from this module.

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc

from opledger.calls import Calls, new_id, set_duration
from opledger.clock import Clock, Moment
from opledger.errors import LeaseBlockedError, LeaseLostError, OpledgerError
from opledger.holder import Holder, parse_entity
from opledger.lease import Lease, lost
from opledger.renewal import Renewal, Stopped
from opledger.result import seconds
from opledger.v1 import lease_pb2, lease_service_pb2
from opledger.v1.lease_service_pb2_grpc import LeaseServiceStub

if TYPE_CHECKING:
    from opledger.client import Client

RENEW_TIMEOUT = 10.0
"""Seconds for one renewal, its tries included, where the lease lasts that long."""

RELEASE_TIMEOUT = 2.0
"""Seconds for giving a lease back. The ledger takes it back by itself when its time is over."""

log = logging.getLogger("opledger")


@dataclass(frozen=True)
class Wish:
    """What is wanted of a lease."""

    entities: Sequence[str]
    ttl: float
    wait: float
    workflow_id: str
    run_id: str
    timeout: float | None

    def request(self) -> lease_service_pb2.AcquireEntityLeaseRequest:
        """Write it as a request, whose id is made here, once, before its first try."""
        request = lease_service_pb2.AcquireEntityLeaseRequest(
            request_id=new_id(),
            entities=[parse_entity(name) for name in self.entities],
            workflow_id=self.workflow_id,
            run_id=self.run_id,
        )
        set_duration(request.ttl, self.ttl)
        set_duration(request.wait, self.wait)
        return request


class Leases:
    """The leases that one client takes."""

    def __init__(self, channel: grpc.Channel, calls: Calls, clock: Clock) -> None:
        self._stub: Any = LeaseServiceStub(channel)  # grpc's stubs carry no types
        self._calls = calls
        self._clock = clock

    @contextmanager
    def hold(self, client: Client, wish: Wish) -> Generator[Lease, None, None]:
        """Hold a lease for a block. However the block ends, no renewal is sent after it."""
        lease = self._acquire(client, wish)
        renewal = Renewal(self._clock, f"opledger {lease.lease_id}")
        try:
            renewal.start(lease._renew_in, lambda: self._renew(lease, renewal))
            yield lease
        finally:
            renewal.stop()
            lease._end()
            self._release(lease)

    def _acquire(self, client: Client, wish: Wish) -> Lease:
        response, asked = self._calls.call(
            self._stub.AcquireEntityLease, wish.request(), timeout=wish.timeout, wait=wish.wait
        )
        if not response.HasField("grant"):
            holders = [Holder.read(holder) for holder in response.holders]
            raise LeaseBlockedError(wish.entities, holders, response.waiting_before)
        grant: lease_pb2.LeaseGrant = response.grant
        if asked.elapsed(self._clock) > seconds(grant.remaining) / 3:
            # It was waited for, and its time is counted from before that: a renewal answers at once.
            grant, asked = self._ask_for_more(grant.lease_token, wish.timeout)
        return Lease(client, grant, self._clock, asked)

    def _ask_for_more(
        self, token: str, timeout: float | None, renewal: Renewal | None = None
    ) -> tuple[lease_pb2.LeaseGrant, Moment]:
        request = lease_service_pb2.RenewEntityLeaseRequest(request_id=new_id(), lease_token=token)
        method = self._stub.RenewEntityLease
        response, asked = self._calls.call(renewal.guarded(method) if renewal else method, request, timeout=timeout)
        return response.grant, asked

    def _renew(self, lease: Lease, renewal: Renewal) -> None:
        """Renew once. What fails and is no loss is tried again while there is time."""
        if lease.lost:
            return
        try:
            timeout = min(RENEW_TIMEOUT, lease.time_left())
            lease._renewed(*self._ask_for_more(lease._token, timeout, renewal))
        except LeaseLostError as loss:
            lease._lose(loss)
        except Stopped:
            pass
        except (OpledgerError, ValueError) as failed:  # ValueError: the client was closed
            lease._not_renewed()
            if not renewal.stopped:
                log.warning("the lease %s could not be renewed: %s", lease.lease_id, failed)

    def _release(self, lease: Lease) -> None:
        """Give a lease back. That it fails is no failure of the block: the ledger takes it back when its time is over."""
        request = lease_service_pb2.ReleaseEntityLeaseRequest(request_id=new_id(), lease_token=lease._token)
        try:
            response, _ = self._calls.call(self._stub.ReleaseEntityLease, request, timeout=RELEASE_TIMEOUT)
        except LeaseLostError as loss:
            lease._lose(loss)
        except (OpledgerError, ValueError) as failed:
            log.warning("the lease %s could not be given back, and ends by itself: %s", lease.lease_id, failed)
        else:
            if response.was_lost:
                lease._lose(lost(f"the lease {lease.lease_id} had been lost before it was given back"))
