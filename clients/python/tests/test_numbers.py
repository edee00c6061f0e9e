"""FC-309: large ids are rounded before anybody compares them. Here they arrive to the last digit, or are refused."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from opledger import Client, InvalidArgumentError

LONG = "2512292042121000001"
NEIGHBOUR = "2512292042121000000"


def contact(contact_id: Any, name: str) -> dict[str, Any]:
    return {"contact_id": contact_id, "name": name}


def test_strings_are_exact_to_the_last_digit(ledger: Client) -> None:
    name = uuid.uuid4().hex
    done = ledger.run("contact.upsert", contact(LONG, name), lambda permit: {"id": permit.arguments["contact_id"]})
    replay = ledger.propose("contact.upsert", contact(LONG, name)).result
    assert done.value == replay.value == {"id": LONG}
    operation = ledger.get(done.operation_id)
    assert operation.message.entity.id == LONG and f'"{LONG}"' in operation.message.canonical_arguments_json

    neighbour = ledger.propose("contact.upsert", contact(NEIGHBOUR, name))
    assert neighbour.permit is not None and neighbour.result.operation_id != done.operation_id


@pytest.mark.parametrize("number", [int(LONG), 9007199254740993])
def test_a_number_that_others_would_round_is_refused(ledger: Client, number: int) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        ledger.propose("contact.upsert", contact(number, uuid.uuid4().hex))
    (violation,) = refused.value.violations
    assert violation.field.endswith("/contact_id")
    assert "string" in violation.description


def test_json_text_goes_as_it_is(ledger: Client) -> None:
    name = uuid.uuid4().hex
    answer = ledger.propose("contact.upsert", f'{{"contact_id": "{LONG}", "name": "{name}"}}')
    assert answer.permit is not None and answer.permit.arguments == contact(LONG, name)


def test_what_json_does_not_know_is_refused_before_it_is_sent(ledger: Client) -> None:
    with pytest.raises(ValueError, match="JSON"):
        ledger.propose("contact.upsert", contact(float("nan"), "Ada"))
    with pytest.raises(TypeError, match="JSON"):
        ledger.propose("contact.upsert", contact({1, 2}, "Ada"))
