"""What cannot be told is a state: nothing is sent again, and a later truth is kept and used."""

from __future__ import annotations

from typing import Any

import pytest
from server import Server

from opledger import Ambiguous, Client, NotSent, Permit, StaleAttemptError, Succeeded


def mail(ref: str) -> dict[str, Any]:
    return {"template": "receipt", "ref": ref, "to": ["ada@example.com"]}


class MailServer:
    """Counts what it has sent, and can fail after it."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send_and_fail(self, permit: Permit) -> None:
        self.sent.append(permit.client_reference)
        raise ConnectionResetError("the answer was lost; token=secret")


def test_fc_108_a_function_that_raises_after_the_effect(ledger: Client, order_id: str) -> None:
    provider = MailServer()
    with pytest.raises(ConnectionResetError, match="the answer was lost"):
        ledger.run("email.send", mail(order_id), provider.send_and_fail)

    # The framework calls the guarded function five more times.
    again = [ledger.run("email.send", mail(order_id), provider.send_and_fail) for _ in range(5)]
    assert [result.state for result in again] == ["unknown_outcome"] * 5
    assert len(provider.sent) == 1
    answer = ledger.propose("email.send", mail(order_id))
    assert answer.decision == "RECONCILING" and answer.permit is None
    assert answer.result.safe_user_message == "We are checking whether your e-mail was sent."

    operation = ledger.get(answer.result.operation_id)
    assert "ConnectionResetError" in str(operation.message)
    assert "token=secret" not in str(operation.message)


def test_a_lookup_settles_it(ledger: Client, order_id: str) -> None:
    provider = MailServer()
    with pytest.raises(ConnectionResetError):
        ledger.run("email.send", mail(order_id), provider.send_and_fail)
    answer = ledger.propose("email.send", mail(order_id))
    assert answer.lookup is not None
    (question,) = answer.lookup.questions
    assert question.by == "client_reference" and question.value == provider.sent[0]

    found = answer.lookup.happened(
        question, client_reference=question.value, provider_object_id=f"msg_{order_id}", result={"id": "msg_1"}
    )
    settled = ledger.reconcile(answer.result.operation_id, found)
    assert settled.evidence_effect == "applied" and settled.result.done

    replay = ledger.run("email.send", mail(order_id), provider.send_and_fail)
    assert replay.done and replay.replayed and len(provider.sent) == 1


def test_not_found_at_once_settles_nothing(ledger: Client, order_id: str) -> None:
    with pytest.raises(ConnectionResetError):
        ledger.run("email.send", mail(order_id), MailServer().send_and_fail)
    answer = ledger.propose("email.send", mail(order_id))
    assert answer.lookup is not None and answer.lookup.not_found_counts_after > 0.0
    absent = answer.lookup.did_not_happen(answer.lookup.questions[0], note="asked at once")
    too_early = ledger.reconcile(answer.result.operation_id, absent)
    assert too_early.result.state == "unknown_outcome" and too_early.evidence_effect != "applied"


def test_a_stale_report_is_kept_as_evidence(ledger: Client, order_id: str) -> None:
    permit = ledger.propose("email.send", mail(order_id)).permit
    assert permit is not None
    ledger.begin(permit)
    assert ledger.report(permit, Ambiguous("timeout")).state == "unknown_outcome"

    with pytest.raises(StaleAttemptError) as stale:
        ledger.report(permit, Succeeded({"id": "msg_1"}, provider_object_id=f"msg_{order_id}"))
    assert stale.value.reason == "STALE_ATTEMPT" and stale.value.operation_id == permit.operation_id
    assert stale.value.result is not None and stale.value.result.state == "completed_success"

    operation = ledger.get(permit.operation_id)
    assert operation.state == "completed_success"
    assert [kept.attempt_number for kept in operation.message.evidence] == [1]
    assert ledger.propose("email.send", mail(order_id)).decision == "REPLAYED"


def test_a_result_that_is_not_json_does_not_lose_the_effect(ledger: Client, order_id: str) -> None:
    arguments = {"contact_id": order_id}
    with pytest.raises(TypeError, match="JSON"):
        ledger.run("contact.upsert", arguments, lambda _: {1, 2, 3})
    replay = ledger.propose("contact.upsert", arguments)
    assert replay.decision == "REPLAYED" and replay.result.done and replay.result.value is None


def test_a_coroutine_is_no_success(ledger: Client, order_id: str) -> None:
    async def later(_: Permit) -> None: ...

    with pytest.raises(TypeError, match="nothing was proposed"):
        ledger.run("email.send", mail(order_id), later)
    pending: list[Any] = []

    def hidden(permit: Permit) -> Any:
        pending.append(later(permit))
        return pending[0]

    with pytest.raises(TypeError, match="not known"):
        ledger.run("email.send", mail(order_id), hidden)
    pending[0].close()
    assert ledger.propose("email.send", mail(order_id)).result.state == "unknown_outcome"


def test_a_result_that_is_too_large_does_not_lose_the_effect(ledger: Client, order_id: str) -> None:
    arguments = {"contact_id": order_id}
    with pytest.raises(Exception, match="result"):
        ledger.run("contact.upsert", arguments, lambda _: "x" * (2 << 20))
    assert ledger.propose("contact.upsert", arguments).result.done


def test_no_function_is_called_without_its_begin(server: Server, ledger: Client, order_id: str) -> None:
    """Between the permit and its begin somebody wishes to cancel: nothing is sent, and the permit is given back."""
    sent: list[Permit] = []

    class Interrupted(Client):
        def begin(self, permit: Permit, *, timeout: float | None = None) -> None:
            ledger.cancel(permit.operation_id)
            super().begin(permit, timeout=timeout)

    with Interrupted(server.address, token="") as interrupted:
        result = interrupted.run("email.send", mail(order_id), sent.append)
    assert result.state == "failed_permanent" and sent == []


def test_not_sent_is_tried_again(ledger: Client, order_id: str) -> None:
    permit = ledger.propose("email.send", mail(order_id)).permit
    assert permit is not None
    assert ledger.report(permit, NotSent("connection_refused")).state == "failed_retryable"
