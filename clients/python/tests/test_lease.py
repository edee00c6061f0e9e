"""A lease is held for a block: renewed while it runs, given back when it ends, and lost for good once lost."""

from __future__ import annotations

import copy
import logging
import pickle
import threading
from collections.abc import Callable, Generator, Iterator

import pytest
from clocks import Still
from leases import look, renewals, renewers, until
from server import LossyProxy, Server

from opledger import (
    Client,
    Lease,
    LeaseBlockedError,
    LeaseLostError,
    OpledgerError,
    RunSupersededError,
    Succeeded,
)
from opledger.leases import Leases

CANCEL = {"reason_code": "customer_wish"}


@pytest.fixture
def clock() -> Still:
    return Still()


@pytest.fixture
def still(server: Server, clock: Still) -> Iterator[Client]:
    """A client whose time passes only when the test says so."""
    with Client(server.address, token="", timeout=30.0, clock=clock) as client:
        yield client


def test_a_block_holds_proves_and_gives_back(ledger: Client, order_id: str) -> None:
    with ledger.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
        assert not lease.lost and 0.0 < lease.time_left() <= 60.0
        assert (lease.workflow_id, lease.run_id) == ("wf_1", "run_1")
        assert lease.fencing_numbers == {f"order/{order_id}": 1}
        assert look(ledger, order_id).lease.lease_id == lease.lease_id

        with pytest.raises(OpledgerError) as unproven:
            ledger.propose("order.cancel", {"order_id": order_id, **CANCEL}, workflow_id="wf_1", run_id="run_1")
        assert unproven.value.reason == "LEASE_REQUIRED"
        assert lease.run("order.cancel", {"order_id": order_id, **CANCEL}, lambda _: Succeeded()).done
        # Another tool, and the lease stated as an option.
        refund = {"order_id": order_id, "amount": "1.00", "currency": "EUR"}
        assert ledger.propose("refund.create", refund, lease=lease, plan_only=True).message.plan.decision == 1
    assert not look(ledger, order_id).HasField("lease")
    assert not lease.lost and lease.time_left() == 0.0
    with pytest.raises(LeaseLostError, match=r"block of the lease .* has ended"):
        lease.propose("order.cancel", {"order_id": order_id, **CANCEL})


def test_it_is_renewed_at_each_third_of_its_time(still: Client, clock: Still, order_id: str) -> None:
    with still.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
        for times in (1, 2, 3):
            until(clock.waited_for, "the next renewal's being waited for")
            clock.move(19.0)
            assert renewals(still, order_id) == times - 1
            clock.move(1.5)
            until(lambda times=times: renewals(still, order_id) == times, "a renewal")
            until(lambda: lease.time_left() > 59.0, "the renewal's answer")
        assert lease.message.renew_count == 3


def lose(_: Leases, lease: Lease) -> None:
    """A giving back that never reaches the ledger."""
    assert lease.time_left() == 0.0


def by_exception(lease: Lease) -> None:
    raise ConnectionResetError(f"the task broke under {lease.lease_id}")


def by_cancellation(_: Lease) -> None:
    raise KeyboardInterrupt


def by_its_end(_: Lease) -> None:
    pass


def in_a_block(client: Client, order_id: str, task: Callable[[Lease], None]) -> Lease:
    """Run a task under a lease; what it raises goes by."""
    held: list[Lease] = []
    try:
        with client.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
            held.append(lease)
            task(lease)
    except (ConnectionResetError, KeyboardInterrupt):
        pass
    return held[0]


def in_a_generator(client: Client, order_id: str, _: Callable[[Lease], None]) -> Lease:
    """Take a lease in a generator that is closed before its end."""

    def tasks() -> Generator[Lease, None, None]:
        with client.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
            yield lease

    generator = tasks()
    lease = next(generator)
    generator.close()
    return lease


@pytest.mark.parametrize(
    ("block", "task"),
    [
        (in_a_block, by_exception),
        (in_a_block, by_cancellation),
        (in_a_block, by_its_end),
        (in_a_generator, by_its_end),
    ],
)
def test_fc_504_nobody_renews_for_a_task_that_is_gone(
    still: Client,
    clock: Still,
    order_id: str,
    monkeypatch: pytest.MonkeyPatch,
    block: Callable[[Client, str, Callable[[Lease], None]], Lease],
    task: Callable[[Lease], None],
) -> None:
    """The giving back is lost as well, so that only the end of the renewing can free the order."""
    monkeypatch.setattr(Leases, "_release", lose)

    def work(lease: Lease) -> None:
        assert renewers() == [f"opledger {lease.lease_id}"]
        until(clock.waited_for, "the renewal's being waited for")
        clock.move(20.0)
        until(lambda: renewals(still, order_id) == 1, "a renewal while the task works")
        task(lease)

    block(still, order_id, work)
    before = renewals(still, order_id)
    clock.move(3600.0)
    assert renewers() == [] and renewals(still, order_id) == before


def test_fc_504_a_dead_tasks_entity_is_free_when_its_time_is_over(
    ledger: Client, order_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By this machine's clocks and the ledger's: the next owner gets the order although it was never given back."""
    monkeypatch.setattr(Leases, "_release", lose)
    order = f"order/{order_id}"
    brief = ledger.lease(order, workflow_id="wf_1", run_id="run_1", ttl=1.0)
    with pytest.raises(ConnectionResetError), brief as lease:
        until(lambda: renewals(ledger, order_id) >= 1, "a renewal")
        by_exception(lease)
    with ledger.lease(order, workflow_id="wf_2", run_id="run_1", ttl=60.0, wait=30.0) as next_owner:
        assert next_owner.fencing_numbers == {order: 2}


def test_an_exception_passes_on_although_nothing_can_be_given_back(server: Server, order_id: str) -> None:
    client = Client(server.address, token="")
    with (
        pytest.raises(ConnectionResetError),
        client.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease,
    ):
        client.close()
        by_exception(lease)
    assert renewers() == []


def test_another_run_takes_over(still: Client, clock: Still, ledger: Client, order_id: str) -> None:
    with still.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
        with ledger.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_2", ttl=60.0) as taken:
            until(clock.waited_for, "the renewal's being waited for")
            clock.move(20.0)
            until(lambda: lease.lost, "the renewal that is refused")
            until(lambda: f"opledger {lease.lease_id}" not in renewers(), "the end of the renewing")
            for _ in range(2):
                with pytest.raises(RunSupersededError) as refused:
                    lease.propose("order.cancel", {"order_id": order_id, **CANCEL})
                assert refused.value.reason == "RUN_SUPERSEDED" and lease.time_left() == 0.0
            assert not taken.lost
            assert taken.run("order.cancel", {"order_id": order_id, **CANCEL}, lambda _: None).done
        assert lease.lost


def test_a_refused_proposal_tells_of_the_loss(still: Client, ledger: Client, order_id: str) -> None:
    """No renewal was due yet: the ledger's word at a proposal is enough, for this use and all later ones."""
    order = f"order/{order_id}"
    taking = ledger.lease(order, workflow_id="wf_1", run_id="run_2", ttl=60.0)
    with still.lease(order, workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease, taking:
        assert not lease.lost
        with pytest.raises(RunSupersededError):
            lease.propose("order.cancel", {"order_id": order_id, **CANCEL})
        assert lease.lost
        with pytest.raises(RunSupersededError):
            lease.check()


def test_a_process_that_stood_still_wakes_without_a_lease(still: Client, ledger: Client, order_id: str) -> None:
    """Its own clocks did not move, so the ledger tells it, at its next proposal."""
    order = f"order/{order_id}"
    next_owner = ledger.lease(order, workflow_id="wf_2", run_id="run_1", ttl=60.0, wait=30.0)
    with still.lease(order, workflow_id="wf_1", run_id="run_1", ttl=1.0) as lease, next_owner:
        assert not lease.lost
        with pytest.raises(LeaseLostError) as refused:
            lease.propose("order.cancel", {"order_id": order_id, **CANCEL})
        assert refused.value.reason == "LEASE_LOST" and lease.lost


def test_a_loss_is_also_seen_when_it_is_given_back(still: Client, ledger: Client, order_id: str) -> None:
    order = f"order/{order_id}"
    with still.lease(order, workflow_id="wf_1", run_id="run_1", ttl=1.0) as lease:
        with ledger.lease(order, workflow_id="wf_2", run_id="run_1", ttl=60.0, wait=30.0):
            pass
        assert not lease.lost
    assert lease.lost


def test_no_renewal_in_time(still: Client, clock: Still, order_id: str) -> None:
    """The machine slept over the whole time: nothing is asked of the ledger any more, and no renewal revives it."""
    with still.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
        clock.move(60.0)
        assert lease.lost and lease.time_left() == 0.0
        with pytest.raises(LeaseLostError, match=r"no renewal .* in time") as refused:
            lease.propose("order.cancel", {"order_id": order_id, **CANCEL})
        assert refused.value.reason == "LEASE_LOST"
        until(lambda: renewers() == [], "the end of the renewing")
        assert renewals(still, order_id) == 0


def test_somebody_else_holds_it(ledger: Client, order_id: str) -> None:
    free = f"order/{order_id}_2"
    with ledger.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
        second = ledger.lease(free, f"order/{order_id}", workflow_id="wf_2", run_id="run_7", ttl=60.0)
        with pytest.raises(LeaseBlockedError) as blocked, second:
            raise AssertionError("two hold one order")
        error, holder = blocked.value, blocked.value.holder
        assert holder and (holder.workflow_id, holder.run_id, holder.entity) == ("wf_1", "run_1", f"order/{order_id}")
        assert error.since and error.since == holder.since and error.until and error.until > error.since
        assert error.retry_after and 0.0 < error.retry_after <= 60.0
        assert "wf_1" in str(error) and order_id in str(error) and not lease.lost
    with ledger.lease(free, f"order/{order_id}", workflow_id="wf_2", run_id="run_7", ttl=60.0) as both:
        assert list(both.fencing_numbers) == [free, f"order/{order_id}"]


def test_a_long_wait_leaves_a_whole_lease(still: Client, clock: Still, ledger: Client, order_id: str) -> None:
    """Its time is counted from before the wait, which lasted for longer than the lease."""
    got = threading.Event()

    def wait() -> None:
        with still.lease(f"order/{order_id}", workflow_id="wf_2", run_id="run_1", ttl=10.0, wait=30.0) as lease:
            if lease.time_left() == 10.0 and renewals(still, order_id) == 1:
                got.set()

    waiting = threading.Thread(target=wait)
    with ledger.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0):
        waiting.start()
        until(lambda: look(ledger, order_id).waiting_count == 1, "somebody in line")
        clock.move(25.0)
    waiting.join()
    assert got.is_set()


def test_lost_answers_take_one_lease(proxy: LossyProxy, ledger: Client, order_id: str) -> None:
    with Client(proxy.address, token="", timeout=30.0) as far:
        proxy.lose_next_answer()
        with far.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
            assert proxy.lost == 1 and lease.fencing_numbers == {f"order/{order_id}": 1}
            proxy.lose_next_answer()
        assert proxy.lost == 2
    assert not look(ledger, order_id).HasField("lease") and not lease.lost


def test_the_token_is_shown_nowhere(ledger: Client, order_id: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ledger.lease(f"order/{order_id}", workflow_id="wf_1", run_id="run_1", ttl=60.0) as lease:
        shown = [repr(lease), str(lease), str(lease.message), repr(ledger)]
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="stays in the process"):
                copied(lease)
    assert lease.lease_id in shown[0] and order_id in shown[0]
    assert all("oll1." not in text for text in [*shown, caplog.text])


@pytest.mark.parametrize("entity", ["order", "/order_1", "order/", ""])
def test_an_entity_that_is_none(ledger: Client, entity: str) -> None:
    with pytest.raises(ValueError, match="type/id"), ledger.lease(entity, workflow_id="wf_1", run_id="run_1", ttl=60.0):
        pass
