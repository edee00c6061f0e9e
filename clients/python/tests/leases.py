"""Looking at leases by the API itself, beside the client that holds them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from opledger import Client
from opledger.v1 import entity_pb2, lease_service_pb2
from opledger.v1.lease_service_pb2_grpc import LeaseServiceStub


def look(client: Client, order_id: str) -> lease_service_pb2.GetEntityLeaseResponse:
    """Read who holds or keeps an order."""
    stub: Any = LeaseServiceStub(client.channel)
    entity = entity_pb2.Entity(type="order", id=order_id)
    return stub.GetEntityLease(lease_service_pb2.GetEntityLeaseRequest(entity=entity), timeout=10.0)


def renewals(client: Client, order_id: str) -> int:
    """How often an order's lease was renewed."""
    response = look(client, order_id)
    assert response.HasField("lease")
    return response.lease.renew_count


def until(holds: Callable[[], bool], what: str) -> None:
    """Look until it holds. The bound ends a test that fails, and no test that passes."""
    end, tick = time.monotonic() + 20.0, threading.Event()
    while not holds():
        assert time.monotonic() < end, f"it never came about: {what}"
        tick.wait(0.002)


def renewers() -> list[str]:
    """The threads that renew leases."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("opledger lea_")]
