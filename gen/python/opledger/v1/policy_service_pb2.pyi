from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from opledger.v1 import policy_pb2 as _policy_pb2
from opledger.v1 import proposal_pb2 as _proposal_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EvaluatePolicyRequest(_message.Message):
    __slots__ = ("tool", "tool_version", "arguments_json", "arguments_struct", "occurrence", "workflow_id", "run_id", "lease_token", "entity_version", "override_grant_ids", "as_principal", "candidate_rules", "world")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_STRUCT_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_VERSION_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_GRANT_IDS_FIELD_NUMBER: _ClassVar[int]
    AS_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_RULES_FIELD_NUMBER: _ClassVar[int]
    WORLD_FIELD_NUMBER: _ClassVar[int]
    tool: str
    tool_version: int
    arguments_json: str
    arguments_struct: _struct_pb2.Struct
    occurrence: str
    workflow_id: str
    run_id: str
    lease_token: str
    entity_version: int
    override_grant_ids: _containers.RepeatedScalarFieldContainer[str]
    as_principal: str
    candidate_rules: _containers.RepeatedCompositeFieldContainer[_policy_pb2.PolicyRule]
    world: ExampleWorld
    def __init__(self, tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., arguments_json: _Optional[str] = ..., arguments_struct: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., occurrence: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., entity_version: _Optional[int] = ..., override_grant_ids: _Optional[_Iterable[str]] = ..., as_principal: _Optional[str] = ..., candidate_rules: _Optional[_Iterable[_Union[_policy_pb2.PolicyRule, _Mapping]]] = ..., world: _Optional[_Union[ExampleWorld, _Mapping]] = ...) -> None: ...

class ExampleWorld(_message.Message):
    __slots__ = ("time", "entity_state", "entity_attributes_json", "roles", "counters")
    class CountersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    TIME_FIELD_NUMBER: _ClassVar[int]
    ENTITY_STATE_FIELD_NUMBER: _ClassVar[int]
    ENTITY_ATTRIBUTES_JSON_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    entity_state: str
    entity_attributes_json: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    counters: _containers.ScalarMap[str, int]
    def __init__(self, time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., entity_state: _Optional[str] = ..., entity_attributes_json: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ..., counters: _Optional[_Mapping[str, int]] = ...) -> None: ...

class EvaluatePolicyResponse(_message.Message):
    __slots__ = ("plan", "result", "holder")
    PLAN_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    plan: _proposal_pb2.Plan
    result: _operation_pb2.ToolResult
    holder: _operation_pb2.Holder
    def __init__(self, plan: _Optional[_Union[_proposal_pb2.Plan, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ..., holder: _Optional[_Union[_operation_pb2.Holder, _Mapping]] = ...) -> None: ...

class ApplyRuleRequest(_message.Message):
    __slots__ = ("request_id", "rule", "etag", "validate_only")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    rule: _policy_pb2.PolicyRule
    etag: str
    validate_only: bool
    def __init__(self, request_id: _Optional[str] = ..., rule: _Optional[_Union[_policy_pb2.PolicyRule, _Mapping]] = ..., etag: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class ApplyRuleResponse(_message.Message):
    __slots__ = ("rule", "created")
    RULE_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    rule: _policy_pb2.AppliedRule
    created: bool
    def __init__(self, rule: _Optional[_Union[_policy_pb2.AppliedRule, _Mapping]] = ..., created: bool = ...) -> None: ...

class GetRuleRequest(_message.Message):
    __slots__ = ("rule_id", "rule_version")
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    rule_version: int
    def __init__(self, rule_id: _Optional[str] = ..., rule_version: _Optional[int] = ...) -> None: ...

class GetRuleResponse(_message.Message):
    __slots__ = ("rule",)
    RULE_FIELD_NUMBER: _ClassVar[int]
    rule: _policy_pb2.AppliedRule
    def __init__(self, rule: _Optional[_Union[_policy_pb2.AppliedRule, _Mapping]] = ...) -> None: ...

class ListRulesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "tool", "shadow", "include_removed")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_REMOVED_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    tool: str
    shadow: bool
    include_removed: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., tool: _Optional[str] = ..., shadow: bool = ..., include_removed: bool = ...) -> None: ...

class ListRulesResponse(_message.Message):
    __slots__ = ("rules", "next_page_token")
    RULES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rules: _containers.RepeatedCompositeFieldContainer[_policy_pb2.AppliedRule]
    next_page_token: str
    def __init__(self, rules: _Optional[_Iterable[_Union[_policy_pb2.AppliedRule, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RemoveRuleRequest(_message.Message):
    __slots__ = ("request_id", "rule_id", "reason", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    rule_id: str
    reason: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., rule_id: _Optional[str] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class RemoveRuleResponse(_message.Message):
    __slots__ = ("rule",)
    RULE_FIELD_NUMBER: _ClassVar[int]
    rule: _policy_pb2.AppliedRule
    def __init__(self, rule: _Optional[_Union[_policy_pb2.AppliedRule, _Mapping]] = ...) -> None: ...

class PauseScopeRequest(_message.Message):
    __slots__ = ("request_id", "scope", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    scope: _policy_pb2.SwitchScope
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., scope: _Optional[_Union[_policy_pb2.SwitchScope, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class PauseScopeResponse(_message.Message):
    __slots__ = ("pause",)
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    pause: _policy_pb2.Pause
    def __init__(self, pause: _Optional[_Union[_policy_pb2.Pause, _Mapping]] = ...) -> None: ...

class ResumeScopeRequest(_message.Message):
    __slots__ = ("request_id", "scope", "reason", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    scope: _policy_pb2.SwitchScope
    reason: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., scope: _Optional[_Union[_policy_pb2.SwitchScope, _Mapping]] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class ResumeScopeResponse(_message.Message):
    __slots__ = ("pause",)
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    pause: _policy_pb2.Pause
    def __init__(self, pause: _Optional[_Union[_policy_pb2.Pause, _Mapping]] = ...) -> None: ...

class ListPausesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPausesResponse(_message.Message):
    __slots__ = ("pauses", "next_page_token")
    PAUSES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    pauses: _containers.RepeatedCompositeFieldContainer[_policy_pb2.Pause]
    next_page_token: str
    def __init__(self, pauses: _Optional[_Iterable[_Union[_policy_pb2.Pause, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SetShadowRequest(_message.Message):
    __slots__ = ("request_id", "scope", "shadow", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    scope: _policy_pb2.SwitchScope
    shadow: bool
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., scope: _Optional[_Union[_policy_pb2.SwitchScope, _Mapping]] = ..., shadow: bool = ..., reason: _Optional[str] = ...) -> None: ...

class SetShadowResponse(_message.Message):
    __slots__ = ("scope", "shadow")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    scope: _policy_pb2.SwitchScope
    shadow: bool
    def __init__(self, scope: _Optional[_Union[_policy_pb2.SwitchScope, _Mapping]] = ..., shadow: bool = ...) -> None: ...

class CreateGrantRequest(_message.Message):
    __slots__ = ("request_id", "kind", "tool", "fingerprint", "occurrence", "rule_id", "operation_id", "for_principal", "expires_after", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    FOR_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    kind: _policy_pb2.GrantKind
    tool: str
    fingerprint: str
    occurrence: str
    rule_id: str
    operation_id: str
    for_principal: str
    expires_after: _duration_pb2.Duration
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., kind: _Optional[_Union[_policy_pb2.GrantKind, str]] = ..., tool: _Optional[str] = ..., fingerprint: _Optional[str] = ..., occurrence: _Optional[str] = ..., rule_id: _Optional[str] = ..., operation_id: _Optional[str] = ..., for_principal: _Optional[str] = ..., expires_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class CreateGrantResponse(_message.Message):
    __slots__ = ("grant",)
    GRANT_FIELD_NUMBER: _ClassVar[int]
    grant: _policy_pb2.Grant
    def __init__(self, grant: _Optional[_Union[_policy_pb2.Grant, _Mapping]] = ...) -> None: ...

class GetGrantRequest(_message.Message):
    __slots__ = ("grant_id",)
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    grant_id: str
    def __init__(self, grant_id: _Optional[str] = ...) -> None: ...

class GetGrantResponse(_message.Message):
    __slots__ = ("grant",)
    GRANT_FIELD_NUMBER: _ClassVar[int]
    grant: _policy_pb2.Grant
    def __init__(self, grant: _Optional[_Union[_policy_pb2.Grant, _Mapping]] = ...) -> None: ...

class ListGrantsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "tool", "usable")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    USABLE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    tool: str
    usable: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., tool: _Optional[str] = ..., usable: bool = ...) -> None: ...

class ListGrantsResponse(_message.Message):
    __slots__ = ("grants", "next_page_token")
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    grants: _containers.RepeatedCompositeFieldContainer[_policy_pb2.Grant]
    next_page_token: str
    def __init__(self, grants: _Optional[_Iterable[_Union[_policy_pb2.Grant, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeGrantRequest(_message.Message):
    __slots__ = ("request_id", "grant_id", "reason", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    grant_id: str
    reason: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class RevokeGrantResponse(_message.Message):
    __slots__ = ("grant",)
    GRANT_FIELD_NUMBER: _ClassVar[int]
    grant: _policy_pb2.Grant
    def __init__(self, grant: _Optional[_Union[_policy_pb2.Grant, _Mapping]] = ...) -> None: ...

class LiftExclusionRequest(_message.Message):
    __slots__ = ("request_id", "entity", "group", "operation_id", "seen_operation_version", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    SEEN_OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    entity: _entity_pb2.Entity
    group: str
    operation_id: str
    seen_operation_version: int
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., group: _Optional[str] = ..., operation_id: _Optional[str] = ..., seen_operation_version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class LiftExclusionResponse(_message.Message):
    __slots__ = ("lifted",)
    LIFTED_FIELD_NUMBER: _ClassVar[int]
    lifted: _operation_pb2.Holder
    def __init__(self, lifted: _Optional[_Union[_operation_pb2.Holder, _Mapping]] = ...) -> None: ...

class GetDecisionRequest(_message.Message):
    __slots__ = ("decision_id",)
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    def __init__(self, decision_id: _Optional[str] = ...) -> None: ...

class GetDecisionResponse(_message.Message):
    __slots__ = ("decision",)
    DECISION_FIELD_NUMBER: _ClassVar[int]
    decision: _policy_pb2.PolicyDecision
    def __init__(self, decision: _Optional[_Union[_policy_pb2.PolicyDecision, _Mapping]] = ...) -> None: ...

class ListDecisionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "tool", "decisions", "rule_id", "operation_id", "workflow_id", "entity", "time_from", "time_until")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TIME_FROM_FIELD_NUMBER: _ClassVar[int]
    TIME_UNTIL_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    tool: str
    decisions: _containers.RepeatedScalarFieldContainer[_proposal_pb2.Decision]
    rule_id: str
    operation_id: str
    workflow_id: str
    entity: _entity_pb2.Entity
    time_from: _timestamp_pb2.Timestamp
    time_until: _timestamp_pb2.Timestamp
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., tool: _Optional[str] = ..., decisions: _Optional[_Iterable[_Union[_proposal_pb2.Decision, str]]] = ..., rule_id: _Optional[str] = ..., operation_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., time_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., time_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[_policy_pb2.PolicyDecision]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[_policy_pb2.PolicyDecision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetPolicyStatsRequest(_message.Message):
    __slots__ = ("period", "rule_id")
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    period: _duration_pb2.Duration
    rule_id: str
    def __init__(self, period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., rule_id: _Optional[str] = ...) -> None: ...

class GetPolicyStatsResponse(_message.Message):
    __slots__ = ("rules",)
    RULES_FIELD_NUMBER: _ClassVar[int]
    rules: _containers.RepeatedCompositeFieldContainer[_policy_pb2.RuleStats]
    def __init__(self, rules: _Optional[_Iterable[_Union[_policy_pb2.RuleStats, _Mapping]]] = ...) -> None: ...
