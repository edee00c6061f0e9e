"""A workflow is started once, taken up by one run at a time, and ended with what the ledger bears out."""

from __future__ import annotations

import json
import uuid

import pytest

from opledger import (
    Ambiguous,
    ClaimContradictedError,
    Client,
    Event,
    Permit,
    RunSupersededError,
    WorkflowEndedError,
)

NOTE = "note.post"


def event() -> Event:
    return Event("slack", uuid.uuid4().hex)


def mail(order_id: str) -> dict[str, object]:
    return {"template": "receipt", "ref": order_id, "to": ["kim@example.com"]}


def sent(_: Permit) -> dict[str, str]:
    return {"id": "msg_1"}


def lost(_: Permit) -> None:
    raise Ambiguous("timeout")


def test_one_event_is_one_workflow(ledger: Client) -> None:
    came = event()
    first = ledger.workflow(event=came, intent="send a receipt", requester="kim@example.com")
    assert first.acts and first.state == "open" and first.united_by == ""
    again = ledger.workflow(event=came)
    assert (again.workflow_id, again.run_id, again.acts) == (first.workflow_id, "", False)
    assert again.united_by == "source_event"
    with pytest.raises(RunSupersededError):
        again.propose("email.send", mail("order_1"))
    key = uuid.uuid4().hex
    one = ledger.workflow(event=event(), correlation_key=key, intent="a")
    assert ledger.workflow(event=event(), correlation_key=key, intent="a").united_by == "correlation_key"
    other = ledger.workflow(event=event(), correlation_key=key, intent="b", correlation_window=60.0)
    assert other.acts and other.workflow_id != one.workflow_id


def test_a_run_takes_over_and_is_told_what_happened(ledger: Client, order_id: str) -> None:
    with ledger.workflow(event=event(), user_request="Send me the receipt.") as task:
        result = task.run("email.send", mail(order_id), lost)
        assert result.state == "unknown_outcome"
    with pytest.raises(RunSupersededError):  # its block has ended
        task.propose("email.send", mail(order_id))

    with ledger.resume(task.workflow_id) as resumed:
        assert resumed.acts and resumed.run_id != task.run_id
        told = resumed.projection
        assert told is not None and not told.summarized
        account = json.loads(told.json)
        assert account["schema"] == "opledger.projection/1"
        assert [o["operation_id"] for o in account["open"]] == [result.operation_id]
        assert "Send me the receipt." in told.prose and "it may have happened" in told.prose
        with pytest.raises(RunSupersededError):  # at the ledger
            ledger.propose("email.send", mail(order_id + "_2"), workflow_id=task.workflow_id, run_id=task.run_id)

        with pytest.raises(ClaimContradictedError) as contradicted:
            resumed.complete("It was sent.", {result.operation_id: "done"})
        assert list(contradicted.value.conflicts) == [result.operation_id]
        assert contradicted.value.conflicts[result.operation_id]
        ended = resumed.complete("We are checking it.", {result.operation_id: "open"})
        assert ended.open_operation_ids == (result.operation_id,) and ended.cancelled_operation_ids == ()
    with pytest.raises(WorkflowEndedError):
        ledger.resume(task.workflow_id)


def test_a_lease_belongs_to_the_run_and_the_end_gives_it_back(ledger: Client, order_id: str) -> None:
    task = ledger.workflow(event=event())
    with task.lease(f"order/{order_id}", ttl=60.0) as lease:
        assert (lease.workflow_id, lease.run_id) == (task.workflow_id, task.run_id)
        done = task.run("order.cancel", {"order_id": order_id, "reason_code": "customer_wish"}, sent, lease=lease)
        assert done.done
        task.complete(claims={done.operation_id: "done"})
    other = ledger.workflow(event=event())
    with other.lease(f"order/{order_id}", ttl=60.0):
        other.complete(cancelled=True, reason="a test")
