"""What every answer of the ledger says of an operation."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from google.protobuf.duration_pb2 import Duration

from opledger.jsontext import decode
from opledger.v1 import operation_pb2
from opledger.words import word

if TYPE_CHECKING:
    from opledger.guarded import Guarded


def seconds(duration: Duration) -> float:
    """Read a duration as seconds."""
    delta: timedelta = duration.ToTimedelta()
    return delta.total_seconds()


class Result:
    """The normalized result of an operation, whatever its tool and provider. It says what is known, and no more.

    A result is to be read and told. It never lets anybody act.
    """

    def __init__(self, message: operation_pb2.ToolResult, guarded: Guarded | None = None) -> None:
        self.message = message
        """The whole message, for what has no property here."""
        self.guarded = guarded
        """Why the proposal that this answers got no permit, as `Answer.guarded` has it. None: nothing of the kind, or it
        answers no proposal."""

    @property
    def operation_id(self) -> str:
        """The operation. Empty where none exists: a denied proposal, a plan."""
        return self.message.operation_id

    @property
    def tool(self) -> str:
        """The tool, by name."""
        return self.message.tool

    @property
    def state(self) -> str:
        """Where the operation stands, such as "completed_success". "unspecified" where none exists.

        A reader that does not know a state takes the outcome as open.
        """
        return word(operation_pb2.Operation.State, self.message.state, "STATE_").lower()

    @property
    def done(self) -> bool:
        """Whether it is known that the effect stands: it happened, or was already so.

        False says that it failed, or is open, or was undone. `state` says which.
        """
        return self.state in ("completed_success", "completed_noop")

    @property
    def value(self) -> Any:
        """The recorded result, read from its JSON text. None: none is known, or this reader may not see it."""
        return decode(self.message.result_json)

    @property
    def replayed(self) -> bool:
        """Whether this answers from the record, so that no new effect was made."""
        return self.message.replayed

    @property
    def provider_object_id(self) -> str:
        """The provider's id of what was created or changed. Empty: not known."""
        return self.message.provider_object_id

    @property
    def next_action(self) -> str:
        """What to do next: "use_result", "wait", "ask_person", "report_outcome", "choose_other" or "stop".

        A reader that does not know the word waits and proposes the same again.
        """
        return word(operation_pb2.NextActionKind, self.message.next_action.kind, "NEXT_ACTION_KIND_").lower()

    @property
    def next_action_after(self) -> float | None:
        """In how many seconds that makes sense. None: at once, or it needs no time."""
        action = self.message.next_action
        return seconds(action.after) if action.HasField("after") else None

    @property
    def safe_user_message(self) -> str:
        """A sentence for the customer, which is true."""
        return self.message.safe_user_message

    @property
    def model_message(self) -> str:
        """A sentence for the model, after which it neither rephrases the call nor looks for another road."""
        return self.message.model_message

    @property
    def failure_code(self) -> str:
        """The provider's code of the failure, or a rule's name. Empty: it did not fail, or no code is known."""
        return self.message.failure.code

    def __repr__(self) -> str:
        return f"<Result {self.operation_id or 'of no operation'} {self.tool} {self.state}>"


class Operation:
    """An operation as it stands, with everything that is known of it."""

    def __init__(self, message: operation_pb2.Operation) -> None:
        self.message = message
        """The whole message: attempts, evidence, incidents, keys and times."""

    @property
    def operation_id(self) -> str:
        """The operation's id."""
        return self.message.operation_id

    @property
    def state(self) -> str:
        """Where it stands, such as "unknown_outcome"."""
        return word(operation_pb2.Operation.State, self.message.state, "STATE_").lower()

    @property
    def version(self) -> int:
        """The stamp of its newest change. A person's word names the version that it saw."""
        return self.message.version

    @property
    def idempotency_key(self) -> str:
        """Its stable business identity."""
        return self.message.idempotency_key

    @property
    def result(self) -> Result:
        """What it came to."""
        return Result(self.message.result)

    def __repr__(self) -> str:
        return f"<Operation {self.operation_id} {self.message.tool} {self.state}>"
