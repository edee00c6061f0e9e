from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import proposal_pb2 as _proposal_pb2
from opledger.v1 import tool_pb2 as _tool_pb2
from opledger.v1 import tool_policy_pb2 as _tool_policy_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GrantKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GRANT_KIND_UNSPECIFIED: _ClassVar[GrantKind]
    GRANT_KIND_OVERRIDE: _ClassVar[GrantKind]
    GRANT_KIND_REPEAT: _ClassVar[GrantKind]
    GRANT_KIND_REVISE: _ClassVar[GrantKind]
GRANT_KIND_UNSPECIFIED: GrantKind
GRANT_KIND_OVERRIDE: GrantKind
GRANT_KIND_REPEAT: GrantKind
GRANT_KIND_REVISE: GrantKind

class PolicyRule(_message.Message):
    __slots__ = ("rule_id", "description", "scope", "deny", "guard", "limit", "dedupe_window", "conflict", "approval", "shadow")
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    GUARD_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    DEDUPE_WINDOW_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    description: str
    scope: RuleScope
    deny: DenyRule
    guard: _tool_policy_pb2.Guard
    limit: _tool_policy_pb2.Limit
    dedupe_window: _tool_policy_pb2.DedupeWindow
    conflict: _tool_policy_pb2.Conflict
    approval: _tool_policy_pb2.ApprovalNeed
    shadow: bool
    def __init__(self, rule_id: _Optional[str] = ..., description: _Optional[str] = ..., scope: _Optional[_Union[RuleScope, _Mapping]] = ..., deny: _Optional[_Union[DenyRule, _Mapping]] = ..., guard: _Optional[_Union[_tool_policy_pb2.Guard, _Mapping]] = ..., limit: _Optional[_Union[_tool_policy_pb2.Limit, _Mapping]] = ..., dedupe_window: _Optional[_Union[_tool_policy_pb2.DedupeWindow, _Mapping]] = ..., conflict: _Optional[_Union[_tool_policy_pb2.Conflict, _Mapping]] = ..., approval: _Optional[_Union[_tool_policy_pb2.ApprovalNeed, _Mapping]] = ..., shadow: bool = ...) -> None: ...

class RuleScope(_message.Message):
    __slots__ = ("tools", "tool_classes", "intents", "entity_types")
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    TOOL_CLASSES_FIELD_NUMBER: _ClassVar[int]
    INTENTS_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPES_FIELD_NUMBER: _ClassVar[int]
    tools: _containers.RepeatedScalarFieldContainer[str]
    tool_classes: _containers.RepeatedScalarFieldContainer[_tool_pb2.ToolClass]
    intents: _containers.RepeatedScalarFieldContainer[str]
    entity_types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tools: _Optional[_Iterable[str]] = ..., tool_classes: _Optional[_Iterable[_Union[_tool_pb2.ToolClass, str]]] = ..., intents: _Optional[_Iterable[str]] = ..., entity_types: _Optional[_Iterable[str]] = ...) -> None: ...

class DenyRule(_message.Message):
    __slots__ = ("when", "explanation")
    WHEN_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    when: str
    explanation: str
    def __init__(self, when: _Optional[str] = ..., explanation: _Optional[str] = ...) -> None: ...

class AppliedRule(_message.Message):
    __slots__ = ("rule", "version", "applied_by", "apply_time", "remove_time", "etag")
    RULE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    APPLIED_BY_FIELD_NUMBER: _ClassVar[int]
    APPLY_TIME_FIELD_NUMBER: _ClassVar[int]
    REMOVE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    rule: PolicyRule
    version: int
    applied_by: str
    apply_time: _timestamp_pb2.Timestamp
    remove_time: _timestamp_pb2.Timestamp
    etag: str
    def __init__(self, rule: _Optional[_Union[PolicyRule, _Mapping]] = ..., version: _Optional[int] = ..., applied_by: _Optional[str] = ..., apply_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., remove_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class SwitchScope(_message.Message):
    __slots__ = ("whole_namespace", "tool_class", "tool")
    WHOLE_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TOOL_CLASS_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    whole_namespace: WholeNamespace
    tool_class: _tool_pb2.ToolClass
    tool: str
    def __init__(self, whole_namespace: _Optional[_Union[WholeNamespace, _Mapping]] = ..., tool_class: _Optional[_Union[_tool_pb2.ToolClass, str]] = ..., tool: _Optional[str] = ...) -> None: ...

class WholeNamespace(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Pause(_message.Message):
    __slots__ = ("scope", "principal", "reason", "time", "etag")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    scope: SwitchScope
    principal: str
    reason: str
    time: _timestamp_pb2.Timestamp
    etag: str
    def __init__(self, scope: _Optional[_Union[SwitchScope, _Mapping]] = ..., principal: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class Grant(_message.Message):
    __slots__ = ("grant_id", "kind", "tool", "fingerprint", "occurrence", "rule_id", "operation_id", "for_principal", "given_by", "reason", "create_time", "expire_time", "used_by_operation_id", "use_time", "revoke_time", "etag")
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    FOR_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    GIVEN_BY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    USED_BY_OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    USE_TIME_FIELD_NUMBER: _ClassVar[int]
    REVOKE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    grant_id: str
    kind: GrantKind
    tool: str
    fingerprint: str
    occurrence: str
    rule_id: str
    operation_id: str
    for_principal: str
    given_by: str
    reason: str
    create_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    used_by_operation_id: str
    use_time: _timestamp_pb2.Timestamp
    revoke_time: _timestamp_pb2.Timestamp
    etag: str
    def __init__(self, grant_id: _Optional[str] = ..., kind: _Optional[_Union[GrantKind, str]] = ..., tool: _Optional[str] = ..., fingerprint: _Optional[str] = ..., occurrence: _Optional[str] = ..., rule_id: _Optional[str] = ..., operation_id: _Optional[str] = ..., for_principal: _Optional[str] = ..., given_by: _Optional[str] = ..., reason: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., used_by_operation_id: _Optional[str] = ..., use_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., revoke_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class PolicyDecision(_message.Message):
    __slots__ = ("decision_id", "time", "principal", "tool", "tool_version", "decision", "verdicts", "idempotency_key", "fingerprint", "entity", "operation_id", "workflow_id")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    time: _timestamp_pb2.Timestamp
    principal: str
    tool: str
    tool_version: int
    decision: _proposal_pb2.Decision
    verdicts: _containers.RepeatedCompositeFieldContainer[_proposal_pb2.RuleVerdict]
    idempotency_key: str
    fingerprint: str
    entity: _entity_pb2.Entity
    operation_id: str
    workflow_id: str
    def __init__(self, decision_id: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., principal: _Optional[str] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., decision: _Optional[_Union[_proposal_pb2.Decision, str]] = ..., verdicts: _Optional[_Iterable[_Union[_proposal_pb2.RuleVerdict, _Mapping]]] = ..., idempotency_key: _Optional[str] = ..., fingerprint: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., operation_id: _Optional[str] = ..., workflow_id: _Optional[str] = ...) -> None: ...

class RuleStats(_message.Message):
    __slots__ = ("rule_id", "rule_version", "evaluations", "refusals", "shadow_refusals", "overrides", "period")
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    SHADOW_REFUSALS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    rule_version: int
    evaluations: int
    refusals: int
    shadow_refusals: int
    overrides: int
    period: _duration_pb2.Duration
    def __init__(self, rule_id: _Optional[str] = ..., rule_version: _Optional[int] = ..., evaluations: _Optional[int] = ..., refusals: _Optional[int] = ..., shadow_refusals: _Optional[int] = ..., overrides: _Optional[int] = ..., period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...
