from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import attempt_pb2 as _attempt_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from opledger.v1 import provider_pb2 as _provider_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Decision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_UNSPECIFIED: _ClassVar[Decision]
    DECISION_EXECUTE: _ClassVar[Decision]
    DECISION_ENQUEUED: _ClassVar[Decision]
    DECISION_REPLAYED: _ClassVar[Decision]
    DECISION_IN_FLIGHT: _ClassVar[Decision]
    DECISION_RECONCILING: _ClassVar[Decision]
    DECISION_AWAITING_APPROVAL: _ClassVar[Decision]
    DECISION_BLOCKED: _ClassVar[Decision]
    DECISION_RETRY_LATER: _ClassVar[Decision]
    DECISION_SUPPRESSED: _ClassVar[Decision]
    DECISION_DENIED: _ClassVar[Decision]
    DECISION_PLANNED: _ClassVar[Decision]

class ProposalMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_MODE_UNSPECIFIED: _ClassVar[ProposalMode]
    PROPOSAL_MODE_EXECUTE: _ClassVar[ProposalMode]
    PROPOSAL_MODE_PLAN_ONLY: _ClassVar[ProposalMode]
DECISION_UNSPECIFIED: Decision
DECISION_EXECUTE: Decision
DECISION_ENQUEUED: Decision
DECISION_REPLAYED: Decision
DECISION_IN_FLIGHT: Decision
DECISION_RECONCILING: Decision
DECISION_AWAITING_APPROVAL: Decision
DECISION_BLOCKED: Decision
DECISION_RETRY_LATER: Decision
DECISION_SUPPRESSED: Decision
DECISION_DENIED: Decision
DECISION_PLANNED: Decision
PROPOSAL_MODE_UNSPECIFIED: ProposalMode
PROPOSAL_MODE_EXECUTE: ProposalMode
PROPOSAL_MODE_PLAN_ONLY: ProposalMode

class ProposeOperationRequest(_message.Message):
    __slots__ = ("request_id", "workflow_id", "run_id", "lease_token", "tool", "tool_version", "arguments_json", "arguments_struct", "occurrence", "entity", "touches", "entity_version", "idempotency_key", "intent_note", "correlation", "mode", "wait", "revise", "override_grant_ids", "repeat_grant_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_STRUCT_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TOUCHES_FIELD_NUMBER: _ClassVar[int]
    ENTITY_VERSION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    INTENT_NOTE_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    REVISE_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_GRANT_IDS_FIELD_NUMBER: _ClassVar[int]
    REPEAT_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    workflow_id: str
    run_id: str
    lease_token: str
    tool: str
    tool_version: int
    arguments_json: str
    arguments_struct: _struct_pb2.Struct
    occurrence: str
    entity: _entity_pb2.Entity
    touches: _containers.RepeatedCompositeFieldContainer[_entity_pb2.Entity]
    entity_version: int
    idempotency_key: str
    intent_note: str
    correlation: _operation_pb2.Correlation
    mode: ProposalMode
    wait: _duration_pb2.Duration
    revise: Revise
    override_grant_ids: _containers.RepeatedScalarFieldContainer[str]
    repeat_grant_id: str
    def __init__(self, request_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., arguments_json: _Optional[str] = ..., arguments_struct: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., occurrence: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., touches: _Optional[_Iterable[_Union[_entity_pb2.Entity, _Mapping]]] = ..., entity_version: _Optional[int] = ..., idempotency_key: _Optional[str] = ..., intent_note: _Optional[str] = ..., correlation: _Optional[_Union[_operation_pb2.Correlation, _Mapping]] = ..., mode: _Optional[_Union[ProposalMode, str]] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., revise: _Optional[_Union[Revise, _Mapping]] = ..., override_grant_ids: _Optional[_Iterable[str]] = ..., repeat_grant_id: _Optional[str] = ...) -> None: ...

class Revise(_message.Message):
    __slots__ = ("revision", "operation_id", "reason", "grant_id")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    revision: int
    operation_id: str
    reason: str
    grant_id: str
    def __init__(self, revision: _Optional[int] = ..., operation_id: _Optional[str] = ..., reason: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class ProposeOperationResponse(_message.Message):
    __slots__ = ("decision", "permit", "result", "holder", "lookup", "retry_after", "decided_by", "decision_id", "earlier", "successor", "ignored_differences", "approval", "plan", "entity_change", "shadow_verdicts", "revision", "operation_version")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    PERMIT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    LOOKUP_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_FIELD_NUMBER: _ClassVar[int]
    DECIDED_BY_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    EARLIER_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    IGNORED_DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_CHANGE_FIELD_NUMBER: _ClassVar[int]
    SHADOW_VERDICTS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    decision: Decision
    permit: _attempt_pb2.Permit
    result: _operation_pb2.ToolResult
    holder: _operation_pb2.Holder
    lookup: LookupInstruction
    retry_after: _duration_pb2.Duration
    decided_by: RuleVerdict
    decision_id: str
    earlier: EarlierOperation
    successor: SuccessorPointer
    ignored_differences: _containers.RepeatedScalarFieldContainer[str]
    approval: ApprovalReference
    plan: Plan
    entity_change: EntityChange
    shadow_verdicts: _containers.RepeatedCompositeFieldContainer[RuleVerdict]
    revision: int
    operation_version: int
    def __init__(self, decision: _Optional[_Union[Decision, str]] = ..., permit: _Optional[_Union[_attempt_pb2.Permit, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ..., holder: _Optional[_Union[_operation_pb2.Holder, _Mapping]] = ..., lookup: _Optional[_Union[LookupInstruction, _Mapping]] = ..., retry_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., decided_by: _Optional[_Union[RuleVerdict, _Mapping]] = ..., decision_id: _Optional[str] = ..., earlier: _Optional[_Union[EarlierOperation, _Mapping]] = ..., successor: _Optional[_Union[SuccessorPointer, _Mapping]] = ..., ignored_differences: _Optional[_Iterable[str]] = ..., approval: _Optional[_Union[ApprovalReference, _Mapping]] = ..., plan: _Optional[_Union[Plan, _Mapping]] = ..., entity_change: _Optional[_Union[EntityChange, _Mapping]] = ..., shadow_verdicts: _Optional[_Iterable[_Union[RuleVerdict, _Mapping]]] = ..., revision: _Optional[int] = ..., operation_version: _Optional[int] = ...) -> None: ...

class LookupInstruction(_message.Message):
    __slots__ = ("lookup_ticket", "questions", "provider", "provider_account", "not_found_counts_after", "ticket_remaining")
    LOOKUP_TICKET_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    NOT_FOUND_COUNTS_AFTER_FIELD_NUMBER: _ClassVar[int]
    TICKET_REMAINING_FIELD_NUMBER: _ClassVar[int]
    lookup_ticket: str
    questions: _containers.RepeatedCompositeFieldContainer[LookupQuestion]
    provider: str
    provider_account: str
    not_found_counts_after: _duration_pb2.Duration
    ticket_remaining: _duration_pb2.Duration
    def __init__(self, lookup_ticket: _Optional[str] = ..., questions: _Optional[_Iterable[_Union[LookupQuestion, _Mapping]]] = ..., provider: _Optional[str] = ..., provider_account: _Optional[str] = ..., not_found_counts_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., ticket_remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class LookupQuestion(_message.Message):
    __slots__ = ("by", "value", "search", "how")
    BY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    HOW_FIELD_NUMBER: _ClassVar[int]
    by: _provider_pb2.LookupBy
    value: str
    search: bool
    how: str
    def __init__(self, by: _Optional[_Union[_provider_pb2.LookupBy, str]] = ..., value: _Optional[str] = ..., search: bool = ..., how: _Optional[str] = ...) -> None: ...

class RuleVerdict(_message.Message):
    __slots__ = ("rule_id", "rule_version", "decision", "explanation", "inputs", "shadow", "override_hint")
    class InputsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_HINT_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    rule_version: int
    decision: Decision
    explanation: str
    inputs: _containers.ScalarMap[str, str]
    shadow: bool
    override_hint: str
    def __init__(self, rule_id: _Optional[str] = ..., rule_version: _Optional[int] = ..., decision: _Optional[_Union[Decision, str]] = ..., explanation: _Optional[str] = ..., inputs: _Optional[_Mapping[str, str]] = ..., shadow: bool = ..., override_hint: _Optional[str] = ...) -> None: ...

class EarlierOperation(_message.Message):
    __slots__ = ("operation_id", "tool", "state", "effect_time", "until")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EFFECT_TIME_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    tool: str
    state: _operation_pb2.Operation.State
    effect_time: _timestamp_pb2.Timestamp
    until: _timestamp_pb2.Timestamp
    def __init__(self, operation_id: _Optional[str] = ..., tool: _Optional[str] = ..., state: _Optional[_Union[_operation_pb2.Operation.State, str]] = ..., effect_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SuccessorPointer(_message.Message):
    __slots__ = ("operation_id", "revision", "state")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    revision: int
    state: _operation_pb2.Operation.State
    def __init__(self, operation_id: _Optional[str] = ..., revision: _Optional[int] = ..., state: _Optional[_Union[_operation_pb2.Operation.State, str]] = ...) -> None: ...

class ApprovalReference(_message.Message):
    __slots__ = ("approval_id", "required_count", "approved_count", "roles", "expire_time")
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    APPROVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    required_count: int
    approved_count: int
    roles: _containers.RepeatedScalarFieldContainer[str]
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, approval_id: _Optional[str] = ..., required_count: _Optional[int] = ..., approved_count: _Optional[int] = ..., roles: _Optional[_Iterable[str]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Plan(_message.Message):
    __slots__ = ("decision", "idempotency_key", "fingerprint", "canonical_arguments_json", "entity", "verdicts", "operation_id")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    decision: Decision
    idempotency_key: str
    fingerprint: str
    canonical_arguments_json: str
    entity: _entity_pb2.Entity
    verdicts: _containers.RepeatedCompositeFieldContainer[RuleVerdict]
    operation_id: str
    def __init__(self, decision: _Optional[_Union[Decision, str]] = ..., idempotency_key: _Optional[str] = ..., fingerprint: _Optional[str] = ..., canonical_arguments_json: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., verdicts: _Optional[_Iterable[_Union[RuleVerdict, _Mapping]]] = ..., operation_id: _Optional[str] = ...) -> None: ...

class EntityChange(_message.Message):
    __slots__ = ("entity", "stated_version", "current_version", "current_state", "operation_ids")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    STATED_VERSION_FIELD_NUMBER: _ClassVar[int]
    CURRENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    CURRENT_STATE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    entity: _entity_pb2.Entity
    stated_version: int
    current_version: int
    current_state: str
    operation_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., stated_version: _Optional[int] = ..., current_version: _Optional[int] = ..., current_state: _Optional[str] = ..., operation_ids: _Optional[_Iterable[str]] = ...) -> None: ...
