"""What stands in the way of a guarded tool is told in types: who must approve, who holds, what came before, and when."""

from __future__ import annotations

import uuid
from typing import Any

from opledger import (
    AwaitingApproval,
    Blocked,
    Client,
    Denied,
    Permit,
    RetryLater,
    Succeeded,
    Suppressed,
)
from opledger.v1 import entity_pb2, entity_service_pb2
from opledger.v1.entity_service_pb2_grpc import EntityServiceStub


def refund(order_id: str, amount: str) -> dict[str, Any]:
    return {"order_id": order_id, "customer_id": f"of_{order_id}", "amount": amount, "currency": "EUR"}


def note(board: str, topic: str, text: str) -> dict[str, Any]:
    return {"board": board, "topic": topic, "text": text}


def post(_: Permit) -> Succeeded:
    return Succeeded(provider_object_id=f"note_{uuid.uuid4().hex}")


def never(_: Permit) -> None:
    raise AssertionError("it acted without a permit")


def set_state(client: Client, order_id: str, state: str) -> int:
    """Set an order's state from outside; answers with its version."""
    stub: Any = EntityServiceStub(client.channel)
    entity = entity_pb2.Entity(type="order", id=order_id)
    request = entity_service_pb2.SetEntityStateRequest(
        request_id=str(uuid.uuid4()), entity=entity, state=state, reason="the test says so"
    )
    return stub.SetEntityState(request, timeout=10.0).entity_state.version


def test_awaiting_approval(ledger: Client, order_id: str) -> None:
    first = ledger.run("order.refund", refund(order_id, "250.00"), never).guarded
    assert isinstance(first, AwaitingApproval)
    assert first.approval_id.startswith("apr_") and (first.required_count, first.approved_count) == (2, 0)
    assert set(first.roles) == {"finance", "risk"} and first.expire_time is not None

    again = ledger.propose("order.refund", refund(order_id, "250.00"))
    assert again.permit is None and again.decision == "AWAITING_APPROVAL"
    assert isinstance(again.guarded, AwaitingApproval) and again.guarded.approval_id == first.approval_id


def test_denied_by_a_guard(ledger: Client, order_id: str) -> None:
    set_state(ledger, order_id, "refunded")
    result = ledger.run("order.refund", refund(order_id, "10.00"), never)
    denied = result.guarded
    assert isinstance(denied, Denied) and denied.entity_change is None
    assert denied.why.rule_id and denied.why.explanation and denied.why.decision_id.startswith("dec_")
    assert result.operation_id == "" and not result.done and result.model_message


def test_denied_as_stale(ledger: Client, order_id: str) -> None:
    seen = set_state(ledger, order_id, "paid")
    now = set_state(ledger, order_id, "packed")
    denied = ledger.run("order.refund", refund(order_id, "10.00"), never, entity_version=seen).guarded
    assert isinstance(denied, Denied) and denied.entity_change is not None
    change = denied.entity_change
    assert (change.entity, change.current_state) == (f"order/{order_id}", "packed")
    assert (change.stated_version, change.current_version) == (seen, now) and now > seen
    assert ledger.propose("order.refund", refund(order_id, "10.00"), entity_version=now).permit


def test_blocked_by_a_lease(ledger: Client, order_id: str) -> None:
    with ledger.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0):
        blocked = ledger.run("order.refund", refund(order_id, "10.00"), never).guarded
    assert isinstance(blocked, Blocked) and blocked.holder is not None
    holder = blocked.holder
    assert (holder.workflow_id, holder.run_id, holder.entity) == ("wf_1", "run_1", f"order/{order_id}")
    assert holder.since and holder.until and holder.until > holder.since
    assert blocked.retry_after is not None and 0.0 < blocked.retry_after <= 60.0
    assert ledger.propose("order.refund", refund(order_id, "10.00")).permit


def test_blocked_by_an_operation(ledger: Client, order_id: str) -> None:
    open_one = ledger.propose("order.refund", refund(order_id, "10.00"))
    blocked = ledger.propose("order.refund", refund(order_id, "9.99")).guarded
    assert isinstance(blocked, Blocked) and blocked.holder is not None
    assert blocked.holder.operation_id == open_one.result.operation_id


def test_suppressed(ledger: Client, order_id: str) -> None:
    done = ledger.run("note.post", note(order_id, "delay", "The parcel is late."), post)
    suppressed = ledger.run("note.post", note(order_id, "delay", "The parcel comes late."), never).guarded
    assert isinstance(suppressed, Suppressed) and suppressed.earlier is not None
    earlier = suppressed.earlier
    assert (earlier.operation_id, earlier.tool, earlier.state) == (done.operation_id, "note.post", "completed_success")
    assert earlier.effect_time is not None and suppressed.why.explanation


def test_retry_later(ledger: Client, order_id: str) -> None:
    for topic in ("one", "two"):
        assert ledger.run("note.post", note(order_id, topic, "A note."), post).done
    later = ledger.run("note.post", note(order_id, "three", "A note."), never).guarded
    assert isinstance(later, RetryLater)
    assert (
        later.retry_after is not None and later.retry_after > 86_000.0
    )  # a day, and a little so that not all come at once


def test_what_goes_its_way_is_not_guarded(ledger: Client, order_id: str) -> None:
    answer = ledger.propose("order.refund", refund(order_id, "10.00"))
    assert answer.permit is not None and answer.guarded is None
    assert ledger.propose("order.refund", refund(order_id, "10.00")).guarded is None  # it is in flight
