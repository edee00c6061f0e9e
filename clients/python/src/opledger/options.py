"""What a proposal can carry besides tool and arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from opledger.answer import Revise


class RunOptions(TypedDict, total=False):
    """What `run` takes besides tool, arguments and function."""

    occurrence: str
    """Tells a wanted repetition apart ("item_2"). From code that knows of a second item, never from a model."""
    workflow_id: str
    """The workflow that it belongs to. With a lease: the lease's, unless stated."""
    run_id: str
    """The run of the workflow. With a lease: the lease's, unless stated."""
    correlation: Mapping[str, Any] | None
    """Your ids of the model's turn (tool_call_id, thread_id, trace_id, turn, framework, labels). Recorded, and part of
    nothing."""
    revise: Revise | None
    """Asks for the successor of an ended operation."""
    entity_version: int | None
    """The version of the entity's state that you reasoned from. Another one by now: denied, with what has changed."""
    override_grant_ids: Sequence[str]
    """Grants ("gr_…") by which people let this proposal pass a rule. Each is used once."""
    repeat_grant_id: str
    """The grant that allows the occurrence."""
    wait: float
    """Seconds to wait for an end before the current state is answered. A permit is answered at once."""


class ProposeOptions(RunOptions, total=False):
    """What `propose` takes besides tool and arguments."""

    tool_version: int | None
    """The version of the tool. None: the newest."""
    idempotency_key: str
    """Your own key, where the tool takes one."""
    intent_note: str
    """What you call your intent. Recorded, part of nothing."""
    plan_only: bool
    """Says what would happen, and makes nothing."""
    request_id: str | None
    """A UUID. None: one is made, for this call and its tries. State one only where you keep it from before the first try,
    so that a lost answer can be asked for again."""
    timeout: float | None
    """Seconds for the call. None: the client's."""
