"""Reasons, violations and details arrive."""

from __future__ import annotations

import uuid

import pytest
from server import Server

from opledger import Client, InvalidArgumentError, KeyReusedError, NotFoundError, OpledgerError, UnavailableError


def test_unknown_tool(ledger: Client) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        ledger.propose("payment.captrue", {})
    error = refused.value
    assert (error.code, error.reason) == ("INVALID_ARGUMENT", "UNKNOWN_TOOL")
    assert [v.field for v in error.violations] == ["tool"]
    assert "payment.captrue" in str(error)


def test_one_violation_for_each_fault(ledger: Client) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        ledger.propose("payment.capture", {"order_id": "", "amount": "4900", "currency": "dollars"})
    assert refused.value.reason == "INVALID_ARGUMENTS"
    assert {v.field.removeprefix("arguments_json") for v in refused.value.violations} == {"/order_id", "/currency"}
    assert all(v.description for v in refused.value.violations)


def test_a_key_with_other_arguments(ledger: Client, order_id: str) -> None:
    charge = {"order_id": order_id, "amount": "49.00", "currency": "USD", "payment_method": "pm_1"}
    recorded = ledger.propose("payment.capture", charge).result
    with pytest.raises(KeyReusedError) as refused:
        ledger.propose("payment.capture", {**charge, "payment_method": "pm_2"})
    error = refused.value
    assert (error.code, error.reason) == ("FAILED_PRECONDITION", "IDEMPOTENCY_KEY_REUSED")
    assert error.operation_id == recorded.operation_id
    assert error.differing_pointers == ("/payment_method",)
    assert error.recorded_fingerprint != error.proposed_fingerprint
    assert error.recorded_fingerprint.startswith("sha256:") and error.proposed_fingerprint.startswith("sha256:")


def test_a_request_id_with_another_proposal(ledger: Client, order_id: str) -> None:
    request_id = str(uuid.uuid4())
    charge = {"order_id": order_id, "amount": "49.00", "currency": "USD"}
    ledger.propose("payment.capture", charge, request_id=request_id)
    with pytest.raises(OpledgerError) as refused:
        ledger.propose("payment.capture", {**charge, "amount": "50.00"}, request_id=request_id)
    assert refused.value.reason == "REQUEST_ID_REUSED"


def test_a_request_that_breaks_a_rule_names_the_field(ledger: Client) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        ledger.propose("payment.capture", {}, request_id="no uuid")
    assert refused.value.reason == "INVALID_REQUEST"
    assert [v.field for v in refused.value.violations] == ["request_id"]


def test_an_operation_of_nobody(ledger: Client) -> None:
    with pytest.raises(NotFoundError) as refused:
        ledger.get("op_of_nobody")
    assert refused.value.reason == "OPERATION_NOT_FOUND"


def test_nobody_listens() -> None:
    with Client("127.0.0.1:1", timeout=0.3) as nobody, pytest.raises(UnavailableError) as failed:
        nobody.get("op_1")
    assert failed.value.code in ("UNAVAILABLE", "DEADLINE_EXCEEDED") and failed.value.reason == ""


@pytest.mark.parametrize("server", ["7117", "example.com", "ftp://example.com:1", "http://example.com:1/path"])
def test_an_address_that_is_none(server: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        Client(server)


def test_settings_come_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPLEDGER_SERVER", f"http://{server.address}")
    monkeypatch.setenv("OPLEDGER_TOKEN", "")
    with Client() as client, pytest.raises(NotFoundError):
        client.get("op_of_nobody")
