"""Calls are made again with the very same request, when and as the server says. Against a gRPC server that refuses."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent import futures
from typing import Any

import grpc
import pytest
from clocks import Hands
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from opledger import Client, OpledgerError, TooLargeError, UnavailableError
from opledger.v1 import operation_service_pb2_grpc as stubs
from opledger.v1 import proposal_pb2


class Refusing(stubs.OperationServiceServicer):
    """Answers each proposal with the next of its refusals, and then with its answer."""

    def __init__(self) -> None:
        self.answer = proposal_pb2.ProposeOperationResponse(decision=proposal_pb2.DECISION_ENQUEUED)
        self.refusals: list[tuple[grpc.StatusCode, list[Any]]] = []
        self.requests: list[bytes] = []
        self.metadata: dict[str, str] = {}

    def ProposeOperation(self, request: Any, context: grpc.ServicerContext) -> Any:
        self.requests.append(request.SerializeToString(deterministic=True))
        self.metadata = {str(key): str(value) for key, value in context.invocation_metadata()}
        if self.refusals:
            code, details = self.refusals.pop(0)
            context.set_trailing_metadata((("grpc-status-details-bin", packed(code, details)),))
            context.abort(code, "not now")
        return self.answer


def packed(code: grpc.StatusCode, details: list[Any]) -> bytes:
    status = status_pb2.Status(code=code.value[0], message="not now")
    for detail in details:
        wrapped = AnyMessage()
        wrapped.Pack(detail)
        status.details.append(wrapped)
    return status.SerializeToString()


def retry_in(seconds: int) -> list[Any]:
    return [error_details_pb2.RetryInfo(retry_delay=Duration(seconds=seconds))]


@pytest.fixture
def refusing() -> Iterator[tuple[Refusing, str]]:
    service = Refusing()
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    stubs.add_OperationServiceServicer_to_server(service, server)  # pyright: ignore[reportUnknownMemberType]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield service, f"127.0.0.1:{port}"
    server.stop(None).wait()


def test_the_same_request_goes_again_after_the_stated_time(refusing: tuple[Refusing, str]) -> None:
    service, address = refusing
    service.refusals = [(grpc.StatusCode.UNAVAILABLE, retry_in(3)), (grpc.StatusCode.RESOURCE_EXHAUSTED, retry_in(2))]
    clock = Hands()
    with Client(address, token="opl_secret", timeout=30.0, clock=clock) as client:
        assert client.propose("payment.capture", {"amount": 1}).decision == "ENQUEUED"
    assert clock.slept == [3.0, 2.0]
    assert len(service.requests) == 3 and len(set(service.requests)) == 1
    assert service.metadata["authorization"] == "Bearer opl_secret"


def test_without_a_stated_time_the_wait_grows_and_is_bounded(refusing: tuple[Refusing, str]) -> None:
    service, address = refusing
    service.refusals = [(grpc.StatusCode.UNAVAILABLE, []) for _ in range(8)]
    clock = Hands()
    with Client(address, token="", timeout=60.0, clock=clock) as client:
        client.propose("payment.capture")
    bounds = [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]
    assert len(clock.slept) == 8
    assert all(0.0 <= slept <= bound for slept, bound in zip(clock.slept, bounds, strict=True))


def test_it_ends_with_the_deadline(refusing: tuple[Refusing, str]) -> None:
    service, address = refusing
    service.refusals = [(grpc.StatusCode.UNAVAILABLE, retry_in(4)) for _ in range(9)]
    clock = Hands()
    with Client(address, token="", timeout=10.0, clock=clock) as client, pytest.raises(UnavailableError) as failed:
        client.propose("payment.capture")
    assert clock.slept == [4.0, 4.0] and failed.value.retry_after == 4.0


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.RESOURCE_EXHAUSTED, TooLargeError),  # no time is stated: it is a matter of size
        (grpc.StatusCode.FAILED_PRECONDITION, OpledgerError),
        (grpc.StatusCode.ABORTED, OpledgerError),
    ],
)
def test_what_does_not_pass_by_itself_is_not_tried_again(
    refusing: tuple[Refusing, str], code: grpc.StatusCode, kind: type[OpledgerError]
) -> None:
    service, address = refusing
    service.refusals = [(code, [])]
    with Client(address, token="", clock=Hands()) as client, pytest.raises(kind):
        client.propose("payment.capture")
    assert len(service.requests) == 1


def test_a_defect_of_the_server_is_given_one_more_try(refusing: tuple[Refusing, str]) -> None:
    service, address = refusing
    service.refusals = [(grpc.StatusCode.INTERNAL, []) for _ in range(3)]
    with Client(address, token="", clock=Hands()) as client, pytest.raises(OpledgerError) as failed:
        client.propose("payment.capture")
    assert failed.value.code == "INTERNAL"
    assert len(service.requests) == 2 and len(set(service.requests)) == 1


def test_versions_and_grants_go_along(refusing: tuple[Refusing, str]) -> None:
    service, address = refusing
    with Client(address, token="") as client:
        client.run("a", {}, print, entity_version=0, override_grant_ids=["gr_1", "gr_2"], repeat_grant_id="gr_3")
        client.propose("a")
    stated, unstated = (proposal_pb2.ProposeOperationRequest.FromString(request) for request in service.requests)
    assert stated.HasField("entity_version") and stated.entity_version == 0
    assert list(stated.override_grant_ids) == ["gr_1", "gr_2"] and stated.repeat_grant_id == "gr_3"
    assert not unstated.HasField("entity_version") and unstated.lease_token == unstated.repeat_grant_id == ""
    assert not unstated.override_grant_ids


def test_an_answer_of_a_newer_server_gives_no_permit(refusing: tuple[Refusing, str]) -> None:
    service, address = refusing
    decision_999, state_999 = b"\x08\xe7\x07", b"\x1a\x03\x20\xe7\x07"
    service.answer = proposal_pb2.ProposeOperationResponse.FromString(decision_999 + state_999)
    with Client(address, token="") as client:
        answer = client.propose("payment.capture")
    assert answer.permit is None and answer.decision == "UNKNOWN_999" and answer.guarded is None
    assert answer.result.state == "unknown_999" and not answer.result.done
