"""The full cycle against a real server: propose, begin, report, replay."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest

from opledger import (
    Acknowledged,
    Answer,
    Artifact,
    Client,
    NotFoundError,
    NotSent,
    Permit,
    PermitLostError,
    Rejected,
    Revise,
    Succeeded,
)
from opledger.v1 import evidence_pb2


def mail(ref: str) -> dict[str, Any]:
    return {"template": "receipt", "ref": ref, "to": ["ada@example.com"]}


def capture(order_id: str) -> dict[str, Any]:
    return {"order_id": order_id, "amount": "49.00", "currency": "USD"}


def test_propose_begin_report_replay(ledger: Client, order_id: str) -> None:
    answer = ledger.propose("email.send", mail(order_id))
    permit = answer.permit
    assert permit is not None and answer.decision == "EXECUTE" and answer.result.state == "dispatched"
    assert permit.begin_required and not permit.begun and permit.attempt_number == 1
    assert permit.arguments == mail(order_id) and permit.client_reference
    assert 0.0 < permit.time_left() <= 60.0 < permit.greatest_time_left()

    ledger.begin(permit)
    ledger.begin(permit)  # the same nonce again is the same begin
    assert permit.begun and 0.0 < permit.time_left() <= 60.0

    receipt = Artifact("receipt", "https://mail.example/msg_1", media_type="message/rfc822")
    told = ledger.report(
        permit,
        Succeeded({"id": "msg_1"}, provider_object_id=f"msg_{order_id}", raw_status_code="202", artifacts=[receipt]),
    )
    assert told.done and not told.replayed and told.next_action == "use_result"

    replay = ledger.propose("email.send", {**mail(order_id), "variables": {"reworded": "by a model"}})
    assert replay.permit is None and replay.decision == "REPLAYED"
    assert replay.result.replayed and replay.result.done and replay.result.value == {"id": "msg_1"}
    assert replay.result.operation_id == permit.operation_id
    assert replay.result.provider_object_id == f"msg_{order_id}"
    assert replay.result.message.artifacts[0].uri == receipt.uri
    assert replay.result.safe_user_message and replay.result.model_message

    operation = ledger.get(permit.operation_id, wait=5.0)
    assert operation.state == "completed_success" and operation.version > 1
    assert operation.message.attempts[0].attempt_id == permit.attempt_id


def test_run_acts_once(ledger: Client, order_id: str) -> None:
    charges: list[str] = []

    def charge(permit: Permit) -> Succeeded:
        charges.append(permit.vendor_idempotency_key)
        assert permit.vendor_key_header == "Idempotency-Key"
        return Succeeded({"charge": "ch_1"}, provider_object_id=f"ch_{order_id}")

    first = ledger.run("payment.capture", capture(order_id), charge)
    second = ledger.run("payment.capture", {**capture(order_id), "amount": "49.0"}, charge)
    assert first.done and not first.replayed
    assert second.done and second.replayed and second.value == first.value == {"charge": "ch_1"}
    assert len(charges) == 1 and charges[0]


def test_what_a_function_returns_is_its_result(ledger: Client, order_id: str) -> None:
    arguments = {"contact_id": order_id, "name": "Ada"}
    assert ledger.run("contact.upsert", arguments, lambda _: ["written", None, 1.5]).done
    assert ledger.run("contact.upsert", arguments, lambda _: "never").value == ["written", None, 1.5]


def test_two_proposers_get_one_permit(ledger: Client, order_id: str) -> None:
    proposers = 16
    together = threading.Barrier(proposers)
    answers: list[Answer] = []

    def propose() -> None:
        together.wait()
        answers.append(ledger.propose("payment.capture", capture(order_id)))

    threads = [threading.Thread(target=propose) for _ in range(proposers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.decision for a in answers) == ["EXECUTE"] + ["IN_FLIGHT"] * (proposers - 1)
    assert [a.permit for a in answers if a.decision != "EXECUTE"] == [None] * (proposers - 1)
    assert len({a.result.operation_id for a in answers}) == 1


def test_one_process_speaks_for_a_permit_that_went_out_twice(ledger: Client, order_id: str) -> None:
    request_id = str(uuid.uuid4())
    original = ledger.propose("email.send", mail(order_id), request_id=request_id).permit
    restored = ledger.propose("email.send", mail(order_id), request_id=request_id).permit
    assert original is not None and restored is not None
    assert original.attempt_id == restored.attempt_id

    ledger.begin(restored)
    with pytest.raises(PermitLostError) as refused:
        ledger.begin(original)
    assert refused.value.reason == "BEGIN_NONCE_MISMATCH"
    assert original.time_left() == 0.0 < restored.time_left()


def test_a_heartbeat_lengthens_a_permit(ledger: Client, order_id: str) -> None:
    permit = ledger.propose("email.send", mail(order_id)).permit
    assert permit is not None
    ledger.begin(permit)
    ledger.extend(permit, 600.0)
    assert 60.0 < permit.time_left() <= 600.0


def test_outcomes_become_states(ledger: Client, order_id: str) -> None:
    def refuse(_: Permit) -> None:
        raise Rejected("card_declined")

    def fail(_: Permit) -> None:
        raise NotSent("connection_refused")

    rejected = ledger.run("payment.capture", capture(order_id), refuse)
    assert rejected.state == "failed_permanent" and rejected.failure_code == "card_declined"

    unsent = ledger.run("payment.capture", capture(f"{order_id}_2"), fail)
    assert unsent.state == "failed_retryable" and not unsent.done

    taken = ledger.run("payment.capture", capture(f"{order_id}_3"), lambda _: Acknowledged(finish_by=30.0))
    assert taken.state == "acknowledged" and not taken.done


def test_the_providers_object_makes_a_receipt(ledger: Client, order_id: str) -> None:
    charge = f"ch_{order_id}"
    done = ledger.run("payment.capture", capture(order_id), lambda _: Succeeded(provider_object_id=charge))
    assert done.message.grade == evidence_pb2.EVIDENCE_GRADE_RECEIPT and done.message.effect_id == charge
    assert [effect.effect_id for effect in ledger.get(done.operation_id).message.effects] == [charge]

    claimed = ledger.run("payment.capture", capture(f"{order_id}_2"), lambda _: None)
    assert claimed.done and claimed.message.grade == evidence_pb2.EVIDENCE_GRADE_CLAIM


def test_a_revision_is_a_fresh_try(ledger: Client, order_id: str) -> None:
    def refuse(_: Permit) -> None:
        raise Rejected("card_declined")

    old_card, new_card = ({**capture(order_id), "payment_method": card} for card in ("pm_old", "pm_new"))
    first = ledger.run("payment.capture", old_card, refuse)
    revise = Revise(first.operation_id, "the customer gave another card")
    second = ledger.run(
        "payment.capture", new_card, lambda _: Succeeded(provider_object_id=f"ch_{order_id}"), revise=revise
    )
    assert second.done and second.operation_id != first.operation_id


def test_plan_only_makes_nothing(ledger: Client, order_id: str) -> None:
    planned = ledger.propose("payment.capture", capture(order_id), plan_only=True)
    assert planned.decision == "PLANNED" and planned.permit is None and planned.result.operation_id == ""
    assert ledger.propose("payment.capture", capture(order_id)).decision == "EXECUTE"


def test_cancel_is_a_wish_while_a_permit_is_out(ledger: Client, order_id: str) -> None:
    permit = ledger.propose("email.send", mail(order_id)).permit
    assert permit is not None
    assert ledger.cancel(permit.operation_id, "the order was withdrawn").state == "dispatched"
    with pytest.raises(PermitLostError) as refused:
        ledger.begin(permit)
    assert refused.value.reason == "CANCEL_WISHED"
    ended = ledger.report(permit, NotSent("cancelled"))
    assert ended.state == "failed_permanent"


def test_explain_compares_two_calls(ledger: Client, order_id: str) -> None:
    same = ledger.explain("payment.capture", capture(order_id), {**capture(order_id), "amount": "49"})
    assert same.a.idempotency_key == same.b.idempotency_key
    assert order_id in same.a.idempotency_key
    with pytest.raises(NotFoundError):
        ledger.get("op_of_nobody")
