"""Why a proposal got no permit, where a person, a lease, an earlier operation, a limit or a rule stands in the way.

These are to be read and told. None of them lets anybody act, and proposing the same again is always safe.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from opledger.holder import Holder, entity_name, instant
from opledger.result import seconds
from opledger.v1 import operation_pb2, proposal_pb2
from opledger.words import word


@dataclass(frozen=True)
class Why:
    """What decided."""

    rule_id: str
    """The rule, or a built-in name such as "exclusive_group". Empty: the record decided."""
    explanation: str
    """Why, in a sentence for people. Empty as `rule_id`."""
    override_hint: str
    """How a grant is asked for that would let it pass. Empty: none would."""
    decision_id: str
    """The stored decision, where no operation was made. Empty elsewhere."""


@dataclass(frozen=True)
class Guarded:
    """What all of them say."""

    why: Why
    """What decided."""
    retry_after: float | None
    """In how many seconds proposing again makes sense. None: no time is known."""


@dataclass(frozen=True)
class AwaitingApproval(Guarded):
    """People must decide. Propose the same again after they have; no process need wait for them."""

    approval_id: str
    """The approval that is waited for."""
    required_count: int
    """How many persons must approve."""
    approved_count: int
    """How many have approved."""
    roles: tuple[str, ...]
    """The roles whose bearers may approve."""
    expire_time: datetime | None
    """Until when it can be decided, in UTC. None: not stated."""


@dataclass(frozen=True)
class Blocked(Guarded):
    """Another workflow or operation holds the entity."""

    holder: Holder | None
    """Who. None: not stated."""


@dataclass(frozen=True)
class Earlier:
    """An earlier operation that a proposal runs into."""

    operation_id: str
    """The operation."""
    tool: str
    """Its tool, by name."""
    state: str
    """Where it stands, such as "completed_success"."""
    effect_time: datetime | None
    """When its effect happened, in UTC. None: no effect is known."""
    until: datetime | None
    """Until when it stands in the way, in UTC. None: until it is settled."""


@dataclass(frozen=True)
class Suppressed(Guarded):
    """A window holds an equivalent operation already, so this one was not made."""

    earlier: Earlier | None
    """That operation. None: not stated."""


@dataclass(frozen=True)
class EntityChange:
    """How an entity differs from the version that a proposal was reasoned from."""

    entity: str
    """The entity, such as "order/order_123"."""
    stated_version: int
    """The version that the proposal named."""
    current_version: int
    """The version now."""
    current_state: str
    """The state now."""
    operation_ids: tuple[str, ...]
    """Operations that have changed it in between, newest first."""


@dataclass(frozen=True)
class Denied(Guarded):
    """Policy said no."""

    earlier: Earlier | None
    """The earlier operation that excludes this one. None: none does."""
    entity_change: EntityChange | None
    """How the entity has changed since the `entity_version` that was proposed. None: that is not the reason."""


@dataclass(frozen=True)
class RetryLater(Guarded):
    """A limit or a backoff. `retry_after` says how long, where a time is known."""


def read_guarded(answer: proposal_pb2.ProposeOperationResponse) -> Guarded | None:
    """Read why there is no permit. None: nothing of this kind is in the way, or this release does not know it."""
    says = answer.decided_by
    why = Why(says.rule_id, says.explanation, says.override_hint, answer.decision_id)
    retry_after = seconds(answer.retry_after) if answer.HasField("retry_after") else None
    match answer.decision:
        case proposal_pb2.DECISION_AWAITING_APPROVAL:
            wanted = answer.approval
            expire_time = instant(wanted.expire_time) if wanted.HasField("expire_time") else None
            counts = wanted.required_count, wanted.approved_count
            return AwaitingApproval(why, retry_after, wanted.approval_id, *counts, tuple(wanted.roles), expire_time)
        case proposal_pb2.DECISION_BLOCKED:
            holder = Holder.read(answer.holder) if answer.HasField("holder") else None
            return Blocked(why, retry_after, holder)
        case proposal_pb2.DECISION_SUPPRESSED:
            return Suppressed(why, retry_after, _earlier(answer))
        case proposal_pb2.DECISION_DENIED:
            return Denied(why, retry_after, _earlier(answer), _entity_change(answer))
        case proposal_pb2.DECISION_RETRY_LATER:
            return RetryLater(why, retry_after)
        case _:
            return None


def _earlier(answer: proposal_pb2.ProposeOperationResponse) -> Earlier | None:
    if not answer.HasField("earlier"):
        return None
    earlier = answer.earlier
    return Earlier(
        operation_id=earlier.operation_id,
        tool=earlier.tool,
        state=word(operation_pb2.Operation.State, earlier.state, "STATE_").lower(),
        effect_time=instant(earlier.effect_time) if earlier.HasField("effect_time") else None,
        until=instant(earlier.until) if earlier.HasField("until") else None,
    )


def _entity_change(answer: proposal_pb2.ProposeOperationResponse) -> EntityChange | None:
    if not answer.HasField("entity_change"):
        return None
    change = answer.entity_change
    return EntityChange(
        entity=entity_name(change.entity),
        stated_version=change.stated_version,
        current_version=change.current_version,
        current_state=change.current_state,
        operation_ids=tuple(change.operation_ids),
    )
