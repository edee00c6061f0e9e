"""A lost answer is asked for again with the same identity, by the client itself or by a caller that kept it."""

from __future__ import annotations

import uuid
from typing import Any

from server import LossyProxy

from opledger import Client, Permit, Succeeded


def mail(ref: str) -> dict[str, Any]:
    return {"template": "receipt", "ref": ref, "to": ["ada@example.com"]}


def test_each_lost_answer_of_a_cycle(proxy: LossyProxy, order_id: str) -> None:
    with Client(proxy.address, token="", timeout=30.0) as ledger:
        proxy.lose_next_answer()
        answer = ledger.propose("email.send", mail(order_id))
        permit = answer.permit
        assert permit is not None and permit.attempt_number == 1  # the same permit again, none of its answers was begun

        proxy.lose_next_answer()
        ledger.begin(permit)
        assert permit.begun

        proxy.lose_next_answer()
        assert ledger.report(permit, Succeeded(provider_object_id=f"msg_{order_id}")).done
        assert proxy.lost == 3

        operation = ledger.get(permit.operation_id)
        assert operation.state == "completed_success"
        assert len(operation.message.attempts) == 1 and not operation.message.incidents


def test_run_through_a_lossy_network_acts_once(proxy: LossyProxy, order_id: str) -> None:
    sent: list[str] = []

    def send(permit: Permit) -> None:
        sent.append(permit.attempt_id)
        proxy.lose_next_answer()  # that of the report

    with Client(proxy.address, token="", timeout=30.0) as ledger:
        proxy.lose_next_answer()
        assert ledger.run("email.send", mail(order_id), send).done
    assert len(sent) == 1 and proxy.lost == 2


def test_a_kept_request_id_asks_for_the_same_answer(ledger: Client, order_id: str) -> None:
    request_id = str(uuid.uuid4())
    charge = {"order_id": order_id, "amount": "49.00", "currency": "USD"}
    original = ledger.propose("payment.capture", charge, request_id=request_id).permit
    again = ledger.propose("payment.capture", charge, request_id=request_id).permit
    assert original is not None and again is not None
    # A resend under the same vendor key is safe whoever makes it, so both may act: it is one attempt and one key.
    assert again.attempt_id == original.attempt_id
    assert again.vendor_idempotency_key == original.vendor_idempotency_key


def test_another_request_gets_no_permit(ledger: Client, order_id: str) -> None:
    charge = {"order_id": order_id, "amount": "49.00", "currency": "USD"}
    assert ledger.propose("payment.capture", charge).permit is not None
    assert ledger.propose("payment.capture", charge).permit is None
