"""The time of a permit, counted from before it was asked for on whichever clock has run further."""

from __future__ import annotations

import copy
import pickle

import pytest
from clocks import Hands
from google.protobuf.duration_pb2 import Duration

from opledger import Permit
from opledger.clock import Moment
from opledger.v1 import attempt_pb2


def permit(clock: Hands, seconds: int = 60, answered_after: float = 0.0) -> Permit:
    asked = Moment.now(clock)
    clock.sleep(answered_after)
    message = attempt_pb2.Permit(
        operation_id="op_1",
        attempt_id="att_1",
        attempt_token="olt1.secret",
        remaining=Duration(seconds=seconds),
        greatest_remaining=Duration(seconds=3600),
    )
    return Permit(message, clock, asked)


def test_it_counts_from_before_the_ledger_was_asked() -> None:
    clock = Hands()
    assert permit(clock, answered_after=5.0).time_left() == 55.0


def test_a_suspended_machine_is_seen_on_the_wall() -> None:
    clock = Hands()
    held = permit(clock)
    clock.on_wall += 59.0
    assert held.time_left() == 1.0
    clock.on_wall += 2.0
    assert held.time_left() == 0.0


def test_a_wall_clock_that_is_set_back_gives_no_time() -> None:
    clock = Hands()
    held = permit(clock)
    clock.on_wall -= 3600.0
    clock.steady += 59.0
    assert held.time_left() == 1.0


def test_its_greatest_age_is_counted_in_the_same_way() -> None:
    clock = Hands()
    held = permit(clock)
    clock.on_wall += 600.0
    assert held.greatest_time_left() == 3000.0


def test_it_stays_in_its_process() -> None:
    held = permit(Hands())
    for leave in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="propose again"):
            leave(held)


def test_it_shows_no_token() -> None:
    assert "secret" not in repr(permit(Hands())) and "op_1" in repr(permit(Hands()))
