from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LeaseNeed(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEASE_NEED_UNSPECIFIED: _ClassVar[LeaseNeed]
    LEASE_NEED_NONE: _ClassVar[LeaseNeed]
    LEASE_NEED_HELD: _ClassVar[LeaseNeed]

class ApprovalExpiry(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    APPROVAL_EXPIRY_UNSPECIFIED: _ClassVar[ApprovalExpiry]
    APPROVAL_EXPIRY_DENY: _ClassVar[ApprovalExpiry]
    APPROVAL_EXPIRY_ESCALATE: _ClassVar[ApprovalExpiry]
    APPROVAL_EXPIRY_NEEDS_HUMAN: _ClassVar[ApprovalExpiry]

class PeriodKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PERIOD_KIND_UNSPECIFIED: _ClassVar[PeriodKind]
    PERIOD_KIND_SLIDING: _ClassVar[PeriodKind]
    PERIOD_KIND_FIXED: _ClassVar[PeriodKind]
LEASE_NEED_UNSPECIFIED: LeaseNeed
LEASE_NEED_NONE: LeaseNeed
LEASE_NEED_HELD: LeaseNeed
APPROVAL_EXPIRY_UNSPECIFIED: ApprovalExpiry
APPROVAL_EXPIRY_DENY: ApprovalExpiry
APPROVAL_EXPIRY_ESCALATE: ApprovalExpiry
APPROVAL_EXPIRY_NEEDS_HUMAN: ApprovalExpiry
PERIOD_KIND_UNSPECIFIED: PeriodKind
PERIOD_KIND_SLIDING: PeriodKind
PERIOD_KIND_FIXED: PeriodKind

class ToolPolicy(_message.Message):
    __slots__ = ("approval", "guards", "limits", "dedupe_windows", "conflicts", "lease", "sets_entity_state", "shadow", "proposer_roles", "max_revisions", "loosen_reason")
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    GUARDS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    DEDUPE_WINDOWS_FIELD_NUMBER: _ClassVar[int]
    CONFLICTS_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    SETS_ENTITY_STATE_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_ROLES_FIELD_NUMBER: _ClassVar[int]
    MAX_REVISIONS_FIELD_NUMBER: _ClassVar[int]
    LOOSEN_REASON_FIELD_NUMBER: _ClassVar[int]
    approval: ApprovalTerms
    guards: _containers.RepeatedCompositeFieldContainer[Guard]
    limits: _containers.RepeatedCompositeFieldContainer[Limit]
    dedupe_windows: _containers.RepeatedCompositeFieldContainer[DedupeWindow]
    conflicts: _containers.RepeatedCompositeFieldContainer[Conflict]
    lease: LeaseNeed
    sets_entity_state: str
    shadow: bool
    proposer_roles: _containers.RepeatedScalarFieldContainer[str]
    max_revisions: int
    loosen_reason: str
    def __init__(self, approval: _Optional[_Union[ApprovalTerms, _Mapping]] = ..., guards: _Optional[_Iterable[_Union[Guard, _Mapping]]] = ..., limits: _Optional[_Iterable[_Union[Limit, _Mapping]]] = ..., dedupe_windows: _Optional[_Iterable[_Union[DedupeWindow, _Mapping]]] = ..., conflicts: _Optional[_Iterable[_Union[Conflict, _Mapping]]] = ..., lease: _Optional[_Union[LeaseNeed, str]] = ..., sets_entity_state: _Optional[str] = ..., shadow: bool = ..., proposer_roles: _Optional[_Iterable[str]] = ..., max_revisions: _Optional[int] = ..., loosen_reason: _Optional[str] = ...) -> None: ...

class ApprovalTerms(_message.Message):
    __slots__ = ("required", "waived")
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    WAIVED_FIELD_NUMBER: _ClassVar[int]
    required: ApprovalNeed
    waived: ApprovalWaived
    def __init__(self, required: _Optional[_Union[ApprovalNeed, _Mapping]] = ..., waived: _Optional[_Union[ApprovalWaived, _Mapping]] = ...) -> None: ...

class ApprovalNeed(_message.Message):
    __slots__ = ("count", "roles", "when", "expires_after", "on_expiry", "escalate_roles", "no_holds_for", "warning")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    WHEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_FIELD_NUMBER: _ClassVar[int]
    ON_EXPIRY_FIELD_NUMBER: _ClassVar[int]
    ESCALATE_ROLES_FIELD_NUMBER: _ClassVar[int]
    NO_HOLDS_FOR_FIELD_NUMBER: _ClassVar[int]
    WARNING_FIELD_NUMBER: _ClassVar[int]
    count: int
    roles: _containers.RepeatedScalarFieldContainer[str]
    when: str
    expires_after: _duration_pb2.Duration
    on_expiry: ApprovalExpiry
    escalate_roles: _containers.RepeatedScalarFieldContainer[str]
    no_holds_for: _duration_pb2.Duration
    warning: str
    def __init__(self, count: _Optional[int] = ..., roles: _Optional[_Iterable[str]] = ..., when: _Optional[str] = ..., expires_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., on_expiry: _Optional[_Union[ApprovalExpiry, str]] = ..., escalate_roles: _Optional[_Iterable[str]] = ..., no_holds_for: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., warning: _Optional[str] = ...) -> None: ...

class ApprovalWaived(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class Guard(_message.Message):
    __slots__ = ("name", "condition", "explanation", "shadow")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    name: str
    condition: str
    explanation: str
    shadow: bool
    def __init__(self, name: _Optional[str] = ..., condition: _Optional[str] = ..., explanation: _Optional[str] = ..., shadow: bool = ...) -> None: ...

class Limit(_message.Message):
    __slots__ = ("name", "per", "sum_of", "max", "period", "period_kind", "zone", "when", "shadow", "explanation")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PER_FIELD_NUMBER: _ClassVar[int]
    SUM_OF_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    PERIOD_KIND_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    WHEN_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    per: str
    sum_of: str
    max: int
    period: _duration_pb2.Duration
    period_kind: PeriodKind
    zone: str
    when: str
    shadow: bool
    explanation: str
    def __init__(self, name: _Optional[str] = ..., per: _Optional[str] = ..., sum_of: _Optional[str] = ..., max: _Optional[int] = ..., period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., period_kind: _Optional[_Union[PeriodKind, str]] = ..., zone: _Optional[str] = ..., when: _Optional[str] = ..., shadow: bool = ..., explanation: _Optional[str] = ...) -> None: ...

class DedupeWindow(_message.Message):
    __slots__ = ("name", "key_template", "period", "shadow", "explanation")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KEY_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    key_template: str
    period: _duration_pb2.Duration
    shadow: bool
    explanation: str
    def __init__(self, name: _Optional[str] = ..., key_template: _Optional[str] = ..., period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., shadow: bool = ..., explanation: _Optional[str] = ...) -> None: ...

class Conflict(_message.Message):
    __slots__ = ("name", "tools", "intents", "period", "shadow", "explanation")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    INTENTS_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    SHADOW_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    tools: _containers.RepeatedScalarFieldContainer[str]
    intents: _containers.RepeatedScalarFieldContainer[str]
    period: _duration_pb2.Duration
    shadow: bool
    explanation: str
    def __init__(self, name: _Optional[str] = ..., tools: _Optional[_Iterable[str]] = ..., intents: _Optional[_Iterable[str]] = ..., period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., shadow: bool = ..., explanation: _Optional[str] = ...) -> None: ...

class Playbook(_message.Message):
    __slots__ = ("steps", "precondition", "approval", "escalate_to")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    PRECONDITION_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    ESCALATE_TO_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[PlaybookStep]
    precondition: str
    approval: ApprovalTerms
    escalate_to: str
    def __init__(self, steps: _Optional[_Iterable[_Union[PlaybookStep, _Mapping]]] = ..., precondition: _Optional[str] = ..., approval: _Optional[_Union[ApprovalTerms, _Mapping]] = ..., escalate_to: _Optional[str] = ...) -> None: ...

class PlaybookStep(_message.Message):
    __slots__ = ("name", "tool", "arguments_template", "precondition")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    PRECONDITION_FIELD_NUMBER: _ClassVar[int]
    name: str
    tool: str
    arguments_template: str
    precondition: str
    def __init__(self, name: _Optional[str] = ..., tool: _Optional[str] = ..., arguments_template: _Optional[str] = ..., precondition: _Optional[str] = ...) -> None: ...
