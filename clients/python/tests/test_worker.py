"""Workers against a real server: taken up, acted on, kept alive, reported, looked up, drained."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from server import LossyProxy

from opledger import (
    Ambiguous,
    Client,
    Inquiry,
    InvalidArgumentError,
    NotSent,
    Permit,
    Succeeded,
    Worker,
)
from opledger.v1 import evidence_pb2


@contextmanager
def running(worker: Worker) -> Iterator[threading.Thread]:
    """Run a worker for a block, in a thread of its own."""
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield thread
    finally:
        worker.stop()
        thread.join(60.0)
        assert not thread.is_alive()


@pytest.fixture
def worker(ledger: Client) -> Worker:
    return Worker(ledger, f"w-{uuid.uuid4()}")


def push(ref: str) -> dict[str, str]:
    return {"device": "d", "ref": ref}


def enqueue(ledger: Client, tool: str, ref: str) -> str:
    answer = ledger.propose(tool, push(ref))
    assert answer.decision == "ENQUEUED" and answer.permit is None
    return answer.result.operation_id


def ended(ledger: Client, operation_id: str) -> str:
    return ledger.get(operation_id, wait=30.0).state


def test_a_worker_acts_once_and_reports(ledger: Client, worker: Worker, order_id: str) -> None:
    acted: list[str] = []

    @worker.acts("push.send", room=4)
    def send(permit: Permit) -> Succeeded:
        assert permit.begun and permit.client_reference and permit.time_left() > 0.0
        acted.append(permit.arguments["ref"])
        return Succeeded({"sent": permit.arguments["ref"]}, provider_object_id=f"push_{permit.arguments['ref']}")

    refs = [f"{order_id}_{n}" for n in range(8)]
    with running(worker):
        operations = [enqueue(ledger, "push.send", ref) for ref in refs]
        assert [ended(ledger, operation) for operation in operations] == ["completed_success"] * 8
    assert sorted(acted) == refs
    replay = ledger.propose("push.send", push(refs[0]))
    assert replay.decision == "REPLAYED" and replay.result.value == {"sent": refs[0]}


def test_no_more_runs_than_there_is_room_for(ledger: Client, worker: Worker, order_id: str) -> None:
    together, most, lock = threading.Barrier(2), 0, threading.Lock()
    now = 0

    @worker.acts("push.send", room=2)
    def send(_: Permit) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        together.wait(30.0)
        with lock:
            now -= 1

    with running(worker):
        operations = [enqueue(ledger, "push.send", f"{order_id}_{n}") for n in range(4)]
        assert [ended(ledger, operation) for operation in operations] == ["completed_success"] * 4
    assert most == 2


def test_what_runs_longer_than_its_permit_is_kept_alive(ledger: Client, worker: Worker, order_id: str) -> None:
    @worker.acts("push.send")
    def send(permit: Permit) -> None:
        attempt = ledger.get(permit.operation_id).message.attempts[0]
        while attempt.deadline_time.ToSeconds() - attempt.grant_time.ToSeconds() < 3:
            attempt = ledger.get(permit.operation_id).message.attempts[0]
        assert permit.time_left() > 0.0

    with running(worker):
        operation = enqueue(ledger, "push.send", order_id)
        assert ended(ledger, operation) == "completed_success"
    assert len(ledger.get(operation).message.attempts) == 1


def test_an_exception_is_ambiguous_and_is_looked_up(ledger: Client, worker: Worker, order_id: str) -> None:
    @worker.acts("push.send")
    def send(_: Permit) -> None:
        raise Ambiguous("timeout")

    @worker.looks_up("push.send")
    def find(inquiry: Inquiry) -> evidence_pb2.Evidence:
        question = inquiry.lookup.questions[0]
        assert inquiry.tool == "push.send" and inquiry.arguments == push(order_id)
        return inquiry.lookup.happened(question, client_reference=question.value, provider_object_id=f"push_{order_id}")

    with running(worker):
        operation = enqueue(ledger, "push.send", order_id)
        assert ended(ledger, operation) == "completed_success"
    assert len(ledger.get(operation).message.attempts) == 1


def test_what_was_not_sent_is_tried_again(ledger: Client, worker: Worker, order_id: str) -> None:
    numbers: list[int] = []

    @worker.acts("push.send")
    def send(permit: Permit) -> None:
        numbers.append(permit.attempt_number)
        if permit.attempt_number == 1:
            raise NotSent("connection_refused")

    with running(worker):
        assert ended(ledger, enqueue(ledger, "push.send", order_id)) == "completed_success"
    assert numbers == [1, 2]


def test_a_lost_answer_is_asked_for_again(ledger: Client, proxy: LossyProxy, order_id: str) -> None:
    operation = enqueue(ledger, "push.send", order_id)
    with Client(proxy.address, token="", timeout=30.0) as behind:
        worker = Worker(behind, f"w-{uuid.uuid4()}")
        worker.acts("push.send")(lambda _: None)
        proxy.lose_next_answer()
        with running(worker):
            assert ended(ledger, operation) == "completed_success"
    assert proxy.lost == 1
    attempts = ledger.get(operation).message.attempts
    assert len(attempts) == 1 and attempts[0].handed_again


def test_a_draining_worker_ends_what_it_has_begun(ledger: Client, worker: Worker, order_id: str) -> None:
    begun, end = threading.Event(), threading.Event()

    @worker.acts("push.send")
    def send(_: Permit) -> str:
        begun.set()
        assert end.wait(30.0)
        return "done"

    with running(worker) as thread:
        operation = enqueue(ledger, "push.send", order_id)
        assert begun.wait(30.0)
        worker.stop()
        end.set()
        thread.join(30.0)
        assert not thread.is_alive()
        assert ledger.get(operation).state == "completed_success"


def test_what_makes_no_sense_is_said(ledger: Client) -> None:
    worker = Worker(ledger, "w1")
    with pytest.raises(ValueError):
        worker.run()
    worker.acts("push.sent")(lambda _: None)
    with pytest.raises(InvalidArgumentError) as refused:
        worker.run()
    assert refused.value.reason == "UNKNOWN_TOOL"

    async def later(_: Permit) -> None: ...

    refuse: Callable[[], object] = lambda: worker.acts("push.send")(later)  # noqa: E731
    with pytest.raises(TypeError):
        refuse()
