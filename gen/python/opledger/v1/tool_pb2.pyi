from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import http_adapter_pb2 as _http_adapter_pb2
from opledger.v1 import identity_rules_pb2 as _identity_rules_pb2
from opledger.v1 import provider_pb2 as _provider_pb2
from opledger.v1 import tool_policy_pb2 as _tool_policy_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ToolClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOOL_CLASS_UNSPECIFIED: _ClassVar[ToolClass]
    TOOL_CLASS_PURE_READ: _ClassVar[ToolClass]
    TOOL_CLASS_INTERNAL_DETERMINISTIC_WRITE: _ClassVar[ToolClass]
    TOOL_CLASS_EXTERNAL_IDEMPOTENT_WRITE: _ClassVar[ToolClass]
    TOOL_CLASS_EXTERNAL_NON_IDEMPOTENT_WRITE: _ClassVar[ToolClass]
    TOOL_CLASS_IRREVERSIBLE: _ClassVar[ToolClass]

class Executor(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXECUTOR_UNSPECIFIED: _ClassVar[Executor]
    EXECUTOR_INLINE: _ClassVar[Executor]
    EXECUTOR_WORKER: _ClassVar[Executor]
    EXECUTOR_SERVER_HTTP: _ClassVar[Executor]

class EffectIdentity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EFFECT_IDENTITY_UNSPECIFIED: _ClassVar[EffectIdentity]
    EFFECT_IDENTITY_CREATED_OBJECT: _ClassVar[EffectIdentity]
    EFFECT_IDENTITY_CHANGE: _ClassVar[EffectIdentity]
    EFFECT_IDENTITY_NONE: _ClassVar[EffectIdentity]

class ReconcileStrategy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECONCILE_STRATEGY_UNSPECIFIED: _ClassVar[ReconcileStrategy]
    RECONCILE_STRATEGY_LOOKUP: _ClassVar[ReconcileStrategy]
    RECONCILE_STRATEGY_WEBHOOK: _ClassVar[ReconcileStrategy]
    RECONCILE_STRATEGY_RESEND: _ClassVar[ReconcileStrategy]
    RECONCILE_STRATEGY_PERSON: _ClassVar[ReconcileStrategy]
TOOL_CLASS_UNSPECIFIED: ToolClass
TOOL_CLASS_PURE_READ: ToolClass
TOOL_CLASS_INTERNAL_DETERMINISTIC_WRITE: ToolClass
TOOL_CLASS_EXTERNAL_IDEMPOTENT_WRITE: ToolClass
TOOL_CLASS_EXTERNAL_NON_IDEMPOTENT_WRITE: ToolClass
TOOL_CLASS_IRREVERSIBLE: ToolClass
EXECUTOR_UNSPECIFIED: Executor
EXECUTOR_INLINE: Executor
EXECUTOR_WORKER: Executor
EXECUTOR_SERVER_HTTP: Executor
EFFECT_IDENTITY_UNSPECIFIED: EffectIdentity
EFFECT_IDENTITY_CREATED_OBJECT: EffectIdentity
EFFECT_IDENTITY_CHANGE: EffectIdentity
EFFECT_IDENTITY_NONE: EffectIdentity
RECONCILE_STRATEGY_UNSPECIFIED: ReconcileStrategy
RECONCILE_STRATEGY_LOOKUP: ReconcileStrategy
RECONCILE_STRATEGY_WEBHOOK: ReconcileStrategy
RECONCILE_STRATEGY_RESEND: ReconcileStrategy
RECONCILE_STRATEGY_PERSON: ReconcileStrategy

class ToolDefinition(_message.Message):
    __slots__ = ("name", "description", "title", "arguments_schema", "arguments_schema_json", "identity", "executor", "permit", "retry", "waiting", "exclusive", "effect_identity", "provider", "reconcile", "messages", "policy", "playbook", "http", "read_cache_for", "look_before_dispatch", "labels")
    class MessagesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: AnswerTexts
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[AnswerTexts, _Mapping]] = ...) -> None: ...
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLASS_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_SCHEMA_JSON_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    PERMIT_FIELD_NUMBER: _ClassVar[int]
    RETRY_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    EXCLUSIVE_FIELD_NUMBER: _ClassVar[int]
    EFFECT_IDENTITY_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    RECONCILE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    PLAYBOOK_FIELD_NUMBER: _ClassVar[int]
    HTTP_FIELD_NUMBER: _ClassVar[int]
    READ_CACHE_FOR_FIELD_NUMBER: _ClassVar[int]
    LOOK_BEFORE_DISPATCH_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    title: str
    arguments_schema: _struct_pb2.Struct
    arguments_schema_json: str
    identity: _identity_rules_pb2.IdentityRules
    executor: Executor
    permit: PermitTerms
    retry: RetryTerms
    waiting: WaitingTerms
    exclusive: ExclusiveTerms
    effect_identity: EffectIdentity
    provider: _provider_pb2.ProviderProfile
    reconcile: _containers.RepeatedScalarFieldContainer[ReconcileStrategy]
    messages: _containers.MessageMap[str, AnswerTexts]
    policy: _tool_policy_pb2.ToolPolicy
    playbook: _tool_policy_pb2.Playbook
    http: _http_adapter_pb2.HttpAdapter
    read_cache_for: _duration_pb2.Duration
    look_before_dispatch: bool
    labels: _containers.ScalarMap[str, str]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., title: _Optional[str] = ..., arguments_schema: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., arguments_schema_json: _Optional[str] = ..., identity: _Optional[_Union[_identity_rules_pb2.IdentityRules, _Mapping]] = ..., executor: _Optional[_Union[Executor, str]] = ..., permit: _Optional[_Union[PermitTerms, _Mapping]] = ..., retry: _Optional[_Union[RetryTerms, _Mapping]] = ..., waiting: _Optional[_Union[WaitingTerms, _Mapping]] = ..., exclusive: _Optional[_Union[ExclusiveTerms, _Mapping]] = ..., effect_identity: _Optional[_Union[EffectIdentity, str]] = ..., provider: _Optional[_Union[_provider_pb2.ProviderProfile, _Mapping]] = ..., reconcile: _Optional[_Iterable[_Union[ReconcileStrategy, str]]] = ..., messages: _Optional[_Mapping[str, AnswerTexts]] = ..., policy: _Optional[_Union[_tool_policy_pb2.ToolPolicy, _Mapping]] = ..., playbook: _Optional[_Union[_tool_policy_pb2.Playbook, _Mapping]] = ..., http: _Optional[_Union[_http_adapter_pb2.HttpAdapter, _Mapping]] = ..., read_cache_for: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., look_before_dispatch: bool = ..., labels: _Optional[_Mapping[str, str]] = ..., **kwargs) -> None: ...

class PermitTerms(_message.Message):
    __slots__ = ("duration", "greatest_age", "begin_required", "waive_reason", "stall_allowance", "max_concurrent")
    DURATION_FIELD_NUMBER: _ClassVar[int]
    GREATEST_AGE_FIELD_NUMBER: _ClassVar[int]
    BEGIN_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    WAIVE_REASON_FIELD_NUMBER: _ClassVar[int]
    STALL_ALLOWANCE_FIELD_NUMBER: _ClassVar[int]
    MAX_CONCURRENT_FIELD_NUMBER: _ClassVar[int]
    duration: _duration_pb2.Duration
    greatest_age: _duration_pb2.Duration
    begin_required: bool
    waive_reason: str
    stall_allowance: _duration_pb2.Duration
    max_concurrent: int
    def __init__(self, duration: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., greatest_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., begin_required: bool = ..., waive_reason: _Optional[str] = ..., stall_allowance: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., max_concurrent: _Optional[int] = ...) -> None: ...

class RetryTerms(_message.Message):
    __slots__ = ("max_attempts", "max_elapsed", "initial_backoff", "max_backoff", "multiplier")
    MAX_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    MAX_ELAPSED_FIELD_NUMBER: _ClassVar[int]
    INITIAL_BACKOFF_FIELD_NUMBER: _ClassVar[int]
    MAX_BACKOFF_FIELD_NUMBER: _ClassVar[int]
    MULTIPLIER_FIELD_NUMBER: _ClassVar[int]
    max_attempts: int
    max_elapsed: _duration_pb2.Duration
    initial_backoff: _duration_pb2.Duration
    max_backoff: _duration_pb2.Duration
    multiplier: float
    def __init__(self, max_attempts: _Optional[int] = ..., max_elapsed: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., initial_backoff: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., max_backoff: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., multiplier: _Optional[float] = ...) -> None: ...

class WaitingTerms(_message.Message):
    __slots__ = ("pending_max_age", "retry_max_age", "human_after", "lookup_wait", "human_owner", "human_due", "human_escalate", "blocked_human_after")
    PENDING_MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    RETRY_MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    HUMAN_AFTER_FIELD_NUMBER: _ClassVar[int]
    LOOKUP_WAIT_FIELD_NUMBER: _ClassVar[int]
    HUMAN_OWNER_FIELD_NUMBER: _ClassVar[int]
    HUMAN_DUE_FIELD_NUMBER: _ClassVar[int]
    HUMAN_ESCALATE_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_HUMAN_AFTER_FIELD_NUMBER: _ClassVar[int]
    pending_max_age: _duration_pb2.Duration
    retry_max_age: _duration_pb2.Duration
    human_after: _duration_pb2.Duration
    lookup_wait: _duration_pb2.Duration
    human_owner: str
    human_due: _duration_pb2.Duration
    human_escalate: str
    blocked_human_after: _duration_pb2.Duration
    def __init__(self, pending_max_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., retry_max_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., human_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., lookup_wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., human_owner: _Optional[str] = ..., human_due: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., human_escalate: _Optional[str] = ..., blocked_human_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ExclusiveTerms(_message.Message):
    __slots__ = ("group", "none")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    NONE_FIELD_NUMBER: _ClassVar[int]
    group: str
    none: NotExclusive
    def __init__(self, group: _Optional[str] = ..., none: _Optional[_Union[NotExclusive, _Mapping]] = ...) -> None: ...

class NotExclusive(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class AnswerTexts(_message.Message):
    __slots__ = ("safe_user_message", "model_message")
    SAFE_USER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    MODEL_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    safe_user_message: str
    model_message: str
    def __init__(self, safe_user_message: _Optional[str] = ..., model_message: _Optional[str] = ...) -> None: ...

class Tool(_message.Message):
    __slots__ = ("name", "version", "definition", "effective", "digest", "applied_by", "apply_time", "newest", "disabled", "etag", "continues_versions", "loosened")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    APPLIED_BY_FIELD_NUMBER: _ClassVar[int]
    APPLY_TIME_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    CONTINUES_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    LOOSENED_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    definition: ToolDefinition
    effective: ToolDefinition
    digest: str
    applied_by: str
    apply_time: _timestamp_pb2.Timestamp
    newest: bool
    disabled: ToolSwitch
    etag: str
    continues_versions: _containers.RepeatedScalarFieldContainer[int]
    loosened: _containers.RepeatedCompositeFieldContainer[LoosenedSetting]
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ..., definition: _Optional[_Union[ToolDefinition, _Mapping]] = ..., effective: _Optional[_Union[ToolDefinition, _Mapping]] = ..., digest: _Optional[str] = ..., applied_by: _Optional[str] = ..., apply_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., newest: bool = ..., disabled: _Optional[_Union[ToolSwitch, _Mapping]] = ..., etag: _Optional[str] = ..., continues_versions: _Optional[_Iterable[int]] = ..., loosened: _Optional[_Iterable[_Union[LoosenedSetting, _Mapping]]] = ...) -> None: ...

class ToolSwitch(_message.Message):
    __slots__ = ("principal", "reason", "time")
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    principal: str
    reason: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, principal: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LoosenedSetting(_message.Message):
    __slots__ = ("path", "class_default", "reason")
    PATH_FIELD_NUMBER: _ClassVar[int]
    CLASS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    path: str
    class_default: str
    reason: str
    def __init__(self, path: _Optional[str] = ..., class_default: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
