"""Who holds a permit or an entity, and so who is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone

from google.protobuf.timestamp_pb2 import Timestamp

from opledger.result import seconds
from opledger.v1 import entity_pb2, operation_pb2


@dataclass(frozen=True)
class Holder:
    """Who holds a permit or an entity. It is never the reader's own right to act."""

    entity: str
    """The entity, such as "order/order_123". Empty: a permit is held, no entity."""
    workflow_id: str
    """The workflow. Empty: none was named."""
    run_id: str
    """The run of the workflow. Empty: none was named."""
    principal: str
    """The principal. Empty where the reader may not see it."""
    operation_id: str
    """The operation that holds, or keeps the entity. Empty: a lease alone holds."""
    attempt_id: str
    """The attempt that holds the permit. Empty: no permit is out."""
    since: datetime | None
    """Since when, by the ledger's clock, in UTC. None: not stated."""
    until: datetime | None
    """Until when at most. None: until the operation is settled, which no time bounds."""
    remaining: float | None
    """The same in seconds from the answer, for clocks that differ. None as `until`."""

    @classmethod
    def read(cls, message: operation_pb2.Holder) -> Holder:
        return cls(
            entity=entity_name(message.entity) if message.HasField("entity") else "",
            workflow_id=message.workflow_id,
            run_id=message.run_id,
            principal=message.principal,
            operation_id=message.operation_id,
            attempt_id=message.attempt_id,
            since=instant(message.since) if message.HasField("since") else None,
            until=instant(message.until) if message.HasField("until") else None,
            remaining=seconds(message.remaining) if message.HasField("remaining") else None,
        )

    def __str__(self) -> str:
        name = self.operation_id or self.workflow_id
        run = f" (run {self.run_id})" if self.run_id else ""
        until = f" until {self.until:%Y-%m-%dT%H:%M:%SZ}" if self.until else ", until it is settled"
        return f"{name}{run}{until}"


def entity_name(entity: entity_pb2.Entity) -> str:
    """Write an entity as people do: "order/order_123"."""
    return f"{entity.type}/{entity.id}"


def parse_entity(name: str) -> entity_pb2.Entity:
    """Read "order/order_123". Whatever follows the first stroke is the id, further strokes included."""
    kind, stroke, own_id = name.partition("/")
    if not (kind and stroke and own_id):
        raise ValueError(f'an entity is given as "type/id", such as "order/order_123", not as {name!r}')
    return entity_pb2.Entity(type=kind, id=own_id)


def instant(stamp: Timestamp) -> datetime:
    """Read an instant, in UTC."""
    return stamp.ToDatetime(tzinfo=timezone.utc)
