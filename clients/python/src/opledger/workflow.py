"""A run of a workflow: an agent's task, with what is done in it, until it is ended or another run takes over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

import grpc

from opledger.calls import Calls, new_id, set_duration
from opledger.errors import RunSupersededError
from opledger.jsontext import Arguments
from opledger.v1 import workflow_pb2, workflow_service_pb2
from opledger.v1.workflow_service_pb2_grpc import WorkflowServiceStub
from opledger.words import word

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from opledger.answer import Answer
    from opledger.client import Client
    from opledger.lease import Lease
    from opledger.options import ProposeOptions, RunOptions
    from opledger.permit import Permit
    from opledger.result import Result

Claim = Literal["done", "not_done", "open", "undone"]
"""What a user can be told of an operation. Of one that has not ended only "open" can be said."""

CLAIMS: dict[Claim, workflow_pb2.ClaimKind] = {
    "done": workflow_pb2.CLAIM_KIND_DONE,
    "not_done": workflow_pb2.CLAIM_KIND_NOT_DONE,
    "open": workflow_pb2.CLAIM_KIND_OPEN,
    "undone": workflow_pb2.CLAIM_KIND_UNDONE,
}


@dataclass(frozen=True)
class Event:
    """The event that brought a request. (source, event id) is unique: the same again is the same workflow."""

    source: str
    """The channel or system, such as "slack"."""
    event_id: str
    """The event's id there."""
    time: datetime | None = None
    """When the source sent it, with a time zone. None: not known."""


@dataclass(frozen=True)
class Projection:
    """What happened in a workflow, for a model's context. It says nothing that is not known."""

    json: str
    """As JSON text of the schema "opledger.projection/1"."""
    prose: str
    """The same in prose."""
    summarized: bool
    """Whether ended operations were summed up. Open ones never are."""
    message: workflow_pb2.Projection
    """The whole message, with the operations that it tells of."""


@dataclass(frozen=True)
class Ended:
    """How a workflow ended."""

    cancelled_operation_ids: tuple[str, ...]
    """What was undispatched and was cancelled with it."""
    open_operation_ids: tuple[str, ...]
    """What may have been sent; it is found out all the same."""
    message: workflow_pb2.Workflow
    """The workflow."""


class Workflow:
    """One run of a workflow. It carries the workflow and the run into what is proposed by it.

    As a context it bounds who acts: once its block has ended, however it ended, nothing more is proposed by it. The
    workflow itself stays open until it is completed, so that another run can take it up.
    """

    def __init__(
        self,
        workflows: Workflows,
        client: Client,
        message: workflow_pb2.Workflow,
        run_id: str,
        united_by: str = "",
        projection: Projection | None = None,
    ) -> None:
        self._workflows, self._client, self._left = workflows, client, False
        self.message = message
        """The workflow as it was when it was started or resumed."""
        self.run_id = run_id
        """The run that this process acts as. Empty: the request was united with another's, whose run acts."""
        self.united_by = united_by
        """By what it was united: "source_event", "correlation_key" or "workflow_id". Empty: it was not."""
        self.projection = projection
        """What happened so far, where it was resumed. None: it was started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._left = True

    @property
    def workflow_id(self) -> str:
        """The workflow."""
        return self.message.workflow_id

    @property
    def acts(self) -> bool:
        """Whether this process is the one that acts. Otherwise the task is another's, and nothing is to be done."""
        return self.run_id != "" and not self._left

    @property
    def state(self) -> str:
        """Where it stood: "open", "completed" or "cancelled"."""
        return word(workflow_pb2.Workflow.State, self.message.state, "STATE_").lower()

    def propose(
        self,
        tool: str,
        arguments: Arguments | None = None,
        *,
        lease: Lease | None = None,
        **options: Unpack[ProposeOptions],
    ) -> Answer:
        """`Client.propose` in this run."""
        self._acting(options)
        return self._client.propose(tool, arguments, lease=lease, **options)

    def run(
        self,
        tool: str,
        arguments: Arguments | None,
        act: Callable[[Permit], Any],
        *,
        lease: Lease | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """`Client.run` in this run."""
        self._acting(options)
        return self._client.run(tool, arguments, act, lease=lease, **options)

    def lease(
        self, *entities: str, ttl: float, wait: float = 0.0, timeout: float | None = None
    ) -> AbstractContextManager[Lease]:
        """`Client.lease` for this workflow, in the hands of this run. The workflow's end gives it back."""
        self._acting({})
        return self._client.lease(
            *entities, workflow_id=self.workflow_id, run_id=self.run_id, ttl=ttl, wait=wait, timeout=timeout
        )

    def complete(
        self,
        message: str = "",
        claims: Mapping[str, Claim] | None = None,
        *,
        cancelled: bool = False,
        reason: str = "",
        timeout: float | None = None,
    ) -> Ended:
        """End the workflow: what is undispatched is cancelled, leases are given back, and what the user was told is kept.

        message: what the user was told. claims: what that says of operations, by their ids; one that is left out was
        claimed open. Raises ClaimContradictedError, and ends nothing, where the ledger knows otherwise.
        """
        self._acting({})
        ended = self._workflows.complete(self, message, claims or {}, cancelled=cancelled, reason=reason, timeout=timeout)
        self._left = True
        return ended

    def _acting(self, options: Any) -> None:
        """Put workflow and run into a proposal, where this process is the one that acts."""
        if not self.acts:
            why = "its block has ended" if self._left else f"it was united by its {self.united_by}, and another run acts"
            raise RunSupersededError(
                f"workflow {self.workflow_id} is not this process's to act in: {why}",
                code="FAILED_PRECONDITION",
                reason="RUN_SUPERSEDED",
            )
        options.setdefault("workflow_id", self.workflow_id)
        options.setdefault("run_id", self.run_id)


class Workflows:
    """The workflows that one client works in."""

    def __init__(self, channel: grpc.Channel, calls: Calls) -> None:
        self._stub: Any = WorkflowServiceStub(channel)  # grpc's stubs carry no types
        self._calls = calls

    def start(
        self,
        client: Client,
        request: workflow_service_pb2.StartWorkflowRequest,
        event: Event | None,
        window: float,
        timeout: float | None,
    ) -> Workflow:
        """Start a workflow, or learn which one the request belongs to."""
        request.request_id = new_id()
        if event:
            request.source_event.source, request.source_event.event_id = event.source, event.event_id
            if event.time:
                request.source_event.time.FromDatetime(event.time)
        set_duration(request.correlation_window, window)
        response, _ = self._calls.call(self._stub.StartWorkflow, request, timeout=timeout)
        by: str | None = response.united_with.WhichOneof("by")
        return Workflow(self, client, response.workflow, response.run_id, united_by=by or "")

    def resume(
        self, client: Client, workflow_id: str, run_id: str, max_bytes: int | None, wait: float, timeout: float | None
    ) -> Workflow:
        """Take a workflow up as its current run."""
        request = workflow_service_pb2.ResumeWorkflowRequest(
            request_id=new_id(), workflow_id=workflow_id, run_id=run_id, max_projection_bytes=max_bytes
        )
        set_duration(request.wait, wait)
        response, _ = self._calls.call(self._stub.ResumeWorkflow, request, timeout=timeout, wait=wait)
        told = response.projection
        projection = Projection(told.json, told.prose, told.summarized, told)
        return Workflow(self, client, response.workflow, response.run_id, projection=projection)

    def complete(
        self,
        workflow: Workflow,
        message: str,
        claims: Mapping[str, Claim],
        *,
        cancelled: bool,
        reason: str,
        timeout: float | None,
    ) -> Ended:
        """End a workflow as its current run."""
        request = workflow_service_pb2.CompleteWorkflowRequest(
            request_id=new_id(),
            workflow_id=workflow.workflow_id,
            run_id=workflow.run_id,
            cancelled=cancelled,
            reason=reason,
        )
        if message or claims:
            told: Sequence[workflow_pb2.Claim] = [
                workflow_pb2.Claim(operation_id=operation, kind=CLAIMS[claim]) for operation, claim in claims.items()
            ]
            request.conclusion.CopyFrom(workflow_pb2.Conclusion(user_message=message, claims=told))
        response, _ = self._calls.call(self._stub.CompleteWorkflow, request, timeout=timeout)
        return Ended(tuple(response.cancelled_operation_ids), tuple(response.open_operation_ids), response.workflow)
