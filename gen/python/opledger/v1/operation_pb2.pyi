from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import attempt_pb2 as _attempt_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import evidence_pb2 as _evidence_pb2
from opledger.v1 import tool_pb2 as _tool_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WorkKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WORK_KIND_UNSPECIFIED: _ClassVar[WorkKind]
    WORK_KIND_DISPATCH: _ClassVar[WorkKind]
    WORK_KIND_LOOKUP: _ClassVar[WorkKind]

class FailureCategory(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAILURE_CATEGORY_UNSPECIFIED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_VALIDATION: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_POLICY_DENIED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_APPROVAL_DENIED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_EXPIRED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_CANCELLED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_NOT_SENT: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_RATE_LIMITED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_PROVIDER_REJECTED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_PROVIDER_ERROR: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_TIMEOUT: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_CONNECTION_LOST: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_CRASH: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_ATTEMPTS_EXHAUSTED: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_MALFORMED_ANSWER: _ClassVar[FailureCategory]
    FAILURE_CATEGORY_LOST_BY_LEDGER: _ClassVar[FailureCategory]

class IncidentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INCIDENT_KIND_UNSPECIFIED: _ClassVar[IncidentKind]
    INCIDENT_KIND_CONTRADICTION: _ClassVar[IncidentKind]
    INCIDENT_KIND_DUPLICATE_EFFECT: _ClassVar[IncidentKind]
    INCIDENT_KIND_EFFECT_OF_ANOTHER_OPERATION: _ClassVar[IncidentKind]
    INCIDENT_KIND_EVIDENCE_AGAINST_SUCCESS: _ClassVar[IncidentKind]
    INCIDENT_KIND_PRESENCE_NOT_ATTRIBUTABLE: _ClassVar[IncidentKind]
    INCIDENT_KIND_LIMIT_EXCEEDED: _ClassVar[IncidentKind]
    INCIDENT_KIND_CLAIM_CONTRADICTED: _ClassVar[IncidentKind]
    INCIDENT_KIND_GROUP_COLLISION: _ClassVar[IncidentKind]
    INCIDENT_KIND_POSSIBLE_DUPLICATE: _ClassVar[IncidentKind]

class DispatchStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISPATCH_STATUS_UNSPECIFIED: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_NOT_DISPATCHED: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_PERMIT_OUT: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_NOT_SENT: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_MAY_HAVE_BEEN_SENT: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_ANSWERED: _ClassVar[DispatchStatus]

class RetryRecommendation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RETRY_RECOMMENDATION_UNSPECIFIED: _ClassVar[RetryRecommendation]
    RETRY_RECOMMENDATION_NO_RETRY: _ClassVar[RetryRecommendation]
    RETRY_RECOMMENDATION_PROPOSE_AGAIN: _ClassVar[RetryRecommendation]
    RETRY_RECOMMENDATION_LEDGER_RETRIES: _ClassVar[RetryRecommendation]
    RETRY_RECOMMENDATION_ASK_PERSON: _ClassVar[RetryRecommendation]

class NextActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NEXT_ACTION_KIND_UNSPECIFIED: _ClassVar[NextActionKind]
    NEXT_ACTION_KIND_USE_RESULT: _ClassVar[NextActionKind]
    NEXT_ACTION_KIND_WAIT: _ClassVar[NextActionKind]
    NEXT_ACTION_KIND_ASK_PERSON: _ClassVar[NextActionKind]
    NEXT_ACTION_KIND_REPORT_OUTCOME: _ClassVar[NextActionKind]
    NEXT_ACTION_KIND_CHOOSE_OTHER: _ClassVar[NextActionKind]
    NEXT_ACTION_KIND_STOP: _ClassVar[NextActionKind]

class OperationEventType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPERATION_EVENT_TYPE_UNSPECIFIED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_CREATED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_PERMIT_GRANTED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_PERMIT_HANDED_AGAIN: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ATTEMPT_BEGUN: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_PERMIT_EXTENDED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_PERMIT_ENDED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ATTEMPT_REPORTED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_EVIDENCE_KEPT: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ATTEMPT_CLEARED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_STATE_CHANGED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_INCIDENT: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_NEEDS_HUMAN: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_NEEDS_HUMAN_ESCALATED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_CANCEL_WISHED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_REVISED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_GROUP_REJOINED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_EFFECT_ATTRIBUTED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ACKNOWLEDGEMENT_LAPSED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_NEEDS_HUMAN_ACKNOWLEDGED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_APPROVAL_CHANGED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_HELD_BACK: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_COMPENSATION_CHANGED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_HOLD_LIFTED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ERASED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ATTEMPT_REOPENED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_RULE_OVERRIDDEN: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_BLOCKING: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_ENTITY_STATE_SET: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_DISPATCH_POSTPONED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_LOOKUP_HANDED_OUT: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_LOOKED_BEFORE_DISPATCH: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_NEXT_STEP_HURRIED: _ClassVar[OperationEventType]
    OPERATION_EVENT_TYPE_WORKFLOW_ENDED: _ClassVar[OperationEventType]
WORK_KIND_UNSPECIFIED: WorkKind
WORK_KIND_DISPATCH: WorkKind
WORK_KIND_LOOKUP: WorkKind
FAILURE_CATEGORY_UNSPECIFIED: FailureCategory
FAILURE_CATEGORY_VALIDATION: FailureCategory
FAILURE_CATEGORY_POLICY_DENIED: FailureCategory
FAILURE_CATEGORY_APPROVAL_DENIED: FailureCategory
FAILURE_CATEGORY_EXPIRED: FailureCategory
FAILURE_CATEGORY_CANCELLED: FailureCategory
FAILURE_CATEGORY_NOT_SENT: FailureCategory
FAILURE_CATEGORY_RATE_LIMITED: FailureCategory
FAILURE_CATEGORY_PROVIDER_REJECTED: FailureCategory
FAILURE_CATEGORY_PROVIDER_ERROR: FailureCategory
FAILURE_CATEGORY_TIMEOUT: FailureCategory
FAILURE_CATEGORY_CONNECTION_LOST: FailureCategory
FAILURE_CATEGORY_CRASH: FailureCategory
FAILURE_CATEGORY_ATTEMPTS_EXHAUSTED: FailureCategory
FAILURE_CATEGORY_MALFORMED_ANSWER: FailureCategory
FAILURE_CATEGORY_LOST_BY_LEDGER: FailureCategory
INCIDENT_KIND_UNSPECIFIED: IncidentKind
INCIDENT_KIND_CONTRADICTION: IncidentKind
INCIDENT_KIND_DUPLICATE_EFFECT: IncidentKind
INCIDENT_KIND_EFFECT_OF_ANOTHER_OPERATION: IncidentKind
INCIDENT_KIND_EVIDENCE_AGAINST_SUCCESS: IncidentKind
INCIDENT_KIND_PRESENCE_NOT_ATTRIBUTABLE: IncidentKind
INCIDENT_KIND_LIMIT_EXCEEDED: IncidentKind
INCIDENT_KIND_CLAIM_CONTRADICTED: IncidentKind
INCIDENT_KIND_GROUP_COLLISION: IncidentKind
INCIDENT_KIND_POSSIBLE_DUPLICATE: IncidentKind
DISPATCH_STATUS_UNSPECIFIED: DispatchStatus
DISPATCH_STATUS_NOT_DISPATCHED: DispatchStatus
DISPATCH_STATUS_PERMIT_OUT: DispatchStatus
DISPATCH_STATUS_NOT_SENT: DispatchStatus
DISPATCH_STATUS_MAY_HAVE_BEEN_SENT: DispatchStatus
DISPATCH_STATUS_ANSWERED: DispatchStatus
RETRY_RECOMMENDATION_UNSPECIFIED: RetryRecommendation
RETRY_RECOMMENDATION_NO_RETRY: RetryRecommendation
RETRY_RECOMMENDATION_PROPOSE_AGAIN: RetryRecommendation
RETRY_RECOMMENDATION_LEDGER_RETRIES: RetryRecommendation
RETRY_RECOMMENDATION_ASK_PERSON: RetryRecommendation
NEXT_ACTION_KIND_UNSPECIFIED: NextActionKind
NEXT_ACTION_KIND_USE_RESULT: NextActionKind
NEXT_ACTION_KIND_WAIT: NextActionKind
NEXT_ACTION_KIND_ASK_PERSON: NextActionKind
NEXT_ACTION_KIND_REPORT_OUTCOME: NextActionKind
NEXT_ACTION_KIND_CHOOSE_OTHER: NextActionKind
NEXT_ACTION_KIND_STOP: NextActionKind
OPERATION_EVENT_TYPE_UNSPECIFIED: OperationEventType
OPERATION_EVENT_TYPE_CREATED: OperationEventType
OPERATION_EVENT_TYPE_PERMIT_GRANTED: OperationEventType
OPERATION_EVENT_TYPE_PERMIT_HANDED_AGAIN: OperationEventType
OPERATION_EVENT_TYPE_ATTEMPT_BEGUN: OperationEventType
OPERATION_EVENT_TYPE_PERMIT_EXTENDED: OperationEventType
OPERATION_EVENT_TYPE_PERMIT_ENDED: OperationEventType
OPERATION_EVENT_TYPE_ATTEMPT_REPORTED: OperationEventType
OPERATION_EVENT_TYPE_EVIDENCE_KEPT: OperationEventType
OPERATION_EVENT_TYPE_ATTEMPT_CLEARED: OperationEventType
OPERATION_EVENT_TYPE_STATE_CHANGED: OperationEventType
OPERATION_EVENT_TYPE_INCIDENT: OperationEventType
OPERATION_EVENT_TYPE_NEEDS_HUMAN: OperationEventType
OPERATION_EVENT_TYPE_NEEDS_HUMAN_ESCALATED: OperationEventType
OPERATION_EVENT_TYPE_CANCEL_WISHED: OperationEventType
OPERATION_EVENT_TYPE_REVISED: OperationEventType
OPERATION_EVENT_TYPE_GROUP_REJOINED: OperationEventType
OPERATION_EVENT_TYPE_EFFECT_ATTRIBUTED: OperationEventType
OPERATION_EVENT_TYPE_ACKNOWLEDGEMENT_LAPSED: OperationEventType
OPERATION_EVENT_TYPE_NEEDS_HUMAN_ACKNOWLEDGED: OperationEventType
OPERATION_EVENT_TYPE_APPROVAL_CHANGED: OperationEventType
OPERATION_EVENT_TYPE_HELD_BACK: OperationEventType
OPERATION_EVENT_TYPE_COMPENSATION_CHANGED: OperationEventType
OPERATION_EVENT_TYPE_HOLD_LIFTED: OperationEventType
OPERATION_EVENT_TYPE_ERASED: OperationEventType
OPERATION_EVENT_TYPE_ATTEMPT_REOPENED: OperationEventType
OPERATION_EVENT_TYPE_RULE_OVERRIDDEN: OperationEventType
OPERATION_EVENT_TYPE_BLOCKING: OperationEventType
OPERATION_EVENT_TYPE_ENTITY_STATE_SET: OperationEventType
OPERATION_EVENT_TYPE_DISPATCH_POSTPONED: OperationEventType
OPERATION_EVENT_TYPE_LOOKUP_HANDED_OUT: OperationEventType
OPERATION_EVENT_TYPE_LOOKED_BEFORE_DISPATCH: OperationEventType
OPERATION_EVENT_TYPE_NEXT_STEP_HURRIED: OperationEventType
OPERATION_EVENT_TYPE_WORKFLOW_ENDED: OperationEventType

class Operation(_message.Message):
    __slots__ = ("operation_id", "state", "version", "etag", "tool", "tool_version", "tool_class", "executor", "intent", "entity", "touches", "occurrence", "idempotency_key", "keys", "revision", "fingerprint", "canonical_arguments_json", "redacted_pointers", "erased", "supersedes_operation_id", "superseded_by_operation_id", "revise_reason", "workflow_id", "run_id", "proposer", "intent_note", "correlation", "create_time", "update_time", "state_time", "end_time", "attempts", "permit_holder", "presence_said", "effects", "evidence", "incidents", "vendor_idempotency_key", "client_reference", "vendor_key_expire_time", "result", "failure", "retry_time", "finish_time", "cancel_wish", "needs_human", "approval_id", "compensates_operation_id", "compensation_steps", "next_work")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Operation.State]
        STATE_PLANNED: _ClassVar[Operation.State]
        STATE_PENDING_DISPATCH: _ClassVar[Operation.State]
        STATE_DISPATCHED: _ClassVar[Operation.State]
        STATE_ACKNOWLEDGED: _ClassVar[Operation.State]
        STATE_COMPLETED_SUCCESS: _ClassVar[Operation.State]
        STATE_COMPLETED_NOOP: _ClassVar[Operation.State]
        STATE_FAILED_RETRYABLE: _ClassVar[Operation.State]
        STATE_FAILED_PERMANENT: _ClassVar[Operation.State]
        STATE_UNKNOWN_OUTCOME: _ClassVar[Operation.State]
        STATE_COMPENSATING: _ClassVar[Operation.State]
        STATE_COMPENSATED: _ClassVar[Operation.State]
    STATE_UNSPECIFIED: Operation.State
    STATE_PLANNED: Operation.State
    STATE_PENDING_DISPATCH: Operation.State
    STATE_DISPATCHED: Operation.State
    STATE_ACKNOWLEDGED: Operation.State
    STATE_COMPLETED_SUCCESS: Operation.State
    STATE_COMPLETED_NOOP: Operation.State
    STATE_FAILED_RETRYABLE: Operation.State
    STATE_FAILED_PERMANENT: Operation.State
    STATE_UNKNOWN_OUTCOME: Operation.State
    STATE_COMPENSATING: Operation.State
    STATE_COMPENSATED: Operation.State
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    TOOL_CLASS_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    INTENT_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TOUCHES_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    REDACTED_POINTERS_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    REVISE_REASON_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_FIELD_NUMBER: _ClassVar[int]
    INTENT_NOTE_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    STATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    PERMIT_HOLDER_FIELD_NUMBER: _ClassVar[int]
    PRESENCE_SAID_FIELD_NUMBER: _ClassVar[int]
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    VENDOR_IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    CLIENT_REFERENCE_FIELD_NUMBER: _ClassVar[int]
    VENDOR_KEY_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    RETRY_TIME_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    CANCEL_WISH_FIELD_NUMBER: _ClassVar[int]
    NEEDS_HUMAN_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    COMPENSATES_OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    COMPENSATION_STEPS_FIELD_NUMBER: _ClassVar[int]
    NEXT_WORK_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    state: Operation.State
    version: int
    etag: str
    tool: str
    tool_version: int
    tool_class: _tool_pb2.ToolClass
    executor: _tool_pb2.Executor
    intent: str
    entity: _entity_pb2.Entity
    touches: _containers.RepeatedCompositeFieldContainer[_entity_pb2.Entity]
    occurrence: str
    idempotency_key: str
    keys: _containers.RepeatedCompositeFieldContainer[KeyClaim]
    revision: int
    fingerprint: str
    canonical_arguments_json: str
    redacted_pointers: _containers.RepeatedScalarFieldContainer[str]
    erased: bool
    supersedes_operation_id: str
    superseded_by_operation_id: str
    revise_reason: str
    workflow_id: str
    run_id: str
    proposer: str
    intent_note: str
    correlation: Correlation
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    state_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    attempts: _containers.RepeatedCompositeFieldContainer[_attempt_pb2.Attempt]
    permit_holder: Holder
    presence_said: bool
    effects: _containers.RepeatedCompositeFieldContainer[_attempt_pb2.Effect]
    evidence: _containers.RepeatedCompositeFieldContainer[_evidence_pb2.EvidenceRecord]
    incidents: _containers.RepeatedCompositeFieldContainer[Incident]
    vendor_idempotency_key: str
    client_reference: str
    vendor_key_expire_time: _timestamp_pb2.Timestamp
    result: ToolResult
    failure: Failure
    retry_time: _timestamp_pb2.Timestamp
    finish_time: _timestamp_pb2.Timestamp
    cancel_wish: CancelWish
    needs_human: NeedsHuman
    approval_id: str
    compensates_operation_id: str
    compensation_steps: _containers.RepeatedCompositeFieldContainer[CompensationStep]
    next_work: NextWork
    def __init__(self, operation_id: _Optional[str] = ..., state: _Optional[_Union[Operation.State, str]] = ..., version: _Optional[int] = ..., etag: _Optional[str] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., tool_class: _Optional[_Union[_tool_pb2.ToolClass, str]] = ..., executor: _Optional[_Union[_tool_pb2.Executor, str]] = ..., intent: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., touches: _Optional[_Iterable[_Union[_entity_pb2.Entity, _Mapping]]] = ..., occurrence: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., keys: _Optional[_Iterable[_Union[KeyClaim, _Mapping]]] = ..., revision: _Optional[int] = ..., fingerprint: _Optional[str] = ..., canonical_arguments_json: _Optional[str] = ..., redacted_pointers: _Optional[_Iterable[str]] = ..., erased: bool = ..., supersedes_operation_id: _Optional[str] = ..., superseded_by_operation_id: _Optional[str] = ..., revise_reason: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., proposer: _Optional[str] = ..., intent_note: _Optional[str] = ..., correlation: _Optional[_Union[Correlation, _Mapping]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., state_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., attempts: _Optional[_Iterable[_Union[_attempt_pb2.Attempt, _Mapping]]] = ..., permit_holder: _Optional[_Union[Holder, _Mapping]] = ..., presence_said: bool = ..., effects: _Optional[_Iterable[_Union[_attempt_pb2.Effect, _Mapping]]] = ..., evidence: _Optional[_Iterable[_Union[_evidence_pb2.EvidenceRecord, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[Incident, _Mapping]]] = ..., vendor_idempotency_key: _Optional[str] = ..., client_reference: _Optional[str] = ..., vendor_key_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., result: _Optional[_Union[ToolResult, _Mapping]] = ..., failure: _Optional[_Union[Failure, _Mapping]] = ..., retry_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., finish_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., cancel_wish: _Optional[_Union[CancelWish, _Mapping]] = ..., needs_human: _Optional[_Union[NeedsHuman, _Mapping]] = ..., approval_id: _Optional[str] = ..., compensates_operation_id: _Optional[str] = ..., compensation_steps: _Optional[_Iterable[_Union[CompensationStep, _Mapping]]] = ..., next_work: _Optional[_Union[NextWork, _Mapping]] = ...) -> None: ...

class NextWork(_message.Message):
    __slots__ = ("kind", "time", "lookups")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    LOOKUPS_FIELD_NUMBER: _ClassVar[int]
    kind: WorkKind
    time: _timestamp_pb2.Timestamp
    lookups: int
    def __init__(self, kind: _Optional[_Union[WorkKind, str]] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., lookups: _Optional[int] = ...) -> None: ...

class KeyClaim(_message.Message):
    __slots__ = ("idempotency_key", "number")
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    idempotency_key: str
    number: int
    def __init__(self, idempotency_key: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class Correlation(_message.Message):
    __slots__ = ("tool_call_id", "thread_id", "trace_id", "turn", "framework", "labels")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    TRACE_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    FRAMEWORK_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    thread_id: str
    trace_id: str
    turn: str
    framework: str
    labels: _containers.ScalarMap[str, str]
    def __init__(self, tool_call_id: _Optional[str] = ..., thread_id: _Optional[str] = ..., trace_id: _Optional[str] = ..., turn: _Optional[str] = ..., framework: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ...) -> None: ...

class Failure(_message.Message):
    __slots__ = ("category", "code", "message")
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    category: FailureCategory
    code: str
    message: str
    def __init__(self, category: _Optional[_Union[FailureCategory, str]] = ..., code: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class CancelWish(_message.Message):
    __slots__ = ("principal", "reason", "time")
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    principal: str
    reason: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, principal: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class NeedsHuman(_message.Message):
    __slots__ = ("reason", "owner", "since", "due_time", "escalate_to", "escalate_time", "acknowledged_by", "acknowledge_time")
    REASON_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    DUE_TIME_FIELD_NUMBER: _ClassVar[int]
    ESCALATE_TO_FIELD_NUMBER: _ClassVar[int]
    ESCALATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_BY_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGE_TIME_FIELD_NUMBER: _ClassVar[int]
    reason: str
    owner: str
    since: _timestamp_pb2.Timestamp
    due_time: _timestamp_pb2.Timestamp
    escalate_to: str
    escalate_time: _timestamp_pb2.Timestamp
    acknowledged_by: str
    acknowledge_time: _timestamp_pb2.Timestamp
    def __init__(self, reason: _Optional[str] = ..., owner: _Optional[str] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., due_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., escalate_to: _Optional[str] = ..., escalate_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., acknowledged_by: _Optional[str] = ..., acknowledge_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Incident(_message.Message):
    __slots__ = ("kind", "time", "description", "effects", "other_operation_id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    OTHER_OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    kind: IncidentKind
    time: _timestamp_pb2.Timestamp
    description: str
    effects: _containers.RepeatedCompositeFieldContainer[_attempt_pb2.Effect]
    other_operation_id: str
    def __init__(self, kind: _Optional[_Union[IncidentKind, str]] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., description: _Optional[str] = ..., effects: _Optional[_Iterable[_Union[_attempt_pb2.Effect, _Mapping]]] = ..., other_operation_id: _Optional[str] = ...) -> None: ...

class Holder(_message.Message):
    __slots__ = ("operation_id", "attempt_id", "workflow_id", "run_id", "principal", "since", "until", "remaining", "entity", "scope", "state", "begun")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    attempt_id: str
    workflow_id: str
    run_id: str
    principal: str
    since: _timestamp_pb2.Timestamp
    until: _timestamp_pb2.Timestamp
    remaining: _duration_pb2.Duration
    entity: _entity_pb2.Entity
    scope: str
    state: Operation.State
    begun: bool
    def __init__(self, operation_id: _Optional[str] = ..., attempt_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., principal: _Optional[str] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., scope: _Optional[str] = ..., state: _Optional[_Union[Operation.State, str]] = ..., begun: bool = ...) -> None: ...

class CompensationStep(_message.Message):
    __slots__ = ("step", "effect_id", "operation_id", "state", "waits_for", "status", "tool", "arguments_json", "occurrence")
    class Status(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATUS_UNSPECIFIED: _ClassVar[CompensationStep.Status]
        STATUS_PLANNED: _ClassVar[CompensationStep.Status]
        STATUS_OPEN: _ClassVar[CompensationStep.Status]
        STATUS_DONE: _ClassVar[CompensationStep.Status]
        STATUS_SKIPPED: _ClassVar[CompensationStep.Status]
        STATUS_FAILED: _ClassVar[CompensationStep.Status]
        STATUS_GIVEN_UP: _ClassVar[CompensationStep.Status]
    STATUS_UNSPECIFIED: CompensationStep.Status
    STATUS_PLANNED: CompensationStep.Status
    STATUS_OPEN: CompensationStep.Status
    STATUS_DONE: CompensationStep.Status
    STATUS_SKIPPED: CompensationStep.Status
    STATUS_FAILED: CompensationStep.Status
    STATUS_GIVEN_UP: CompensationStep.Status
    STEP_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WAITS_FOR_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    step: str
    effect_id: str
    operation_id: str
    state: Operation.State
    waits_for: str
    status: CompensationStep.Status
    tool: str
    arguments_json: str
    occurrence: str
    def __init__(self, step: _Optional[str] = ..., effect_id: _Optional[str] = ..., operation_id: _Optional[str] = ..., state: _Optional[_Union[Operation.State, str]] = ..., waits_for: _Optional[str] = ..., status: _Optional[_Union[CompensationStep.Status, str]] = ..., tool: _Optional[str] = ..., arguments_json: _Optional[str] = ..., occurrence: _Optional[str] = ...) -> None: ...

class ToolResult(_message.Message):
    __slots__ = ("operation_id", "tool", "tool_version", "state", "dispatch_status", "provider", "provider_account", "provider_request_id", "provider_object_id", "effect_id", "retry_recommendation", "raw_status_code", "result_json", "artifacts", "next_action", "safe_user_message", "model_message", "effect_time", "replayed", "failure", "grade")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_STATUS_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    RETRY_RECOMMENDATION_FIELD_NUMBER: _ClassVar[int]
    RAW_STATUS_CODE_FIELD_NUMBER: _ClassVar[int]
    RESULT_JSON_FIELD_NUMBER: _ClassVar[int]
    ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_ACTION_FIELD_NUMBER: _ClassVar[int]
    SAFE_USER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    MODEL_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    EFFECT_TIME_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    GRADE_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    tool: str
    tool_version: int
    state: Operation.State
    dispatch_status: DispatchStatus
    provider: str
    provider_account: str
    provider_request_id: str
    provider_object_id: str
    effect_id: str
    retry_recommendation: RetryRecommendation
    raw_status_code: str
    result_json: str
    artifacts: _containers.RepeatedCompositeFieldContainer[_attempt_pb2.Artifact]
    next_action: NextAction
    safe_user_message: str
    model_message: str
    effect_time: _timestamp_pb2.Timestamp
    replayed: bool
    failure: Failure
    grade: _evidence_pb2.EvidenceGrade
    def __init__(self, operation_id: _Optional[str] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., state: _Optional[_Union[Operation.State, str]] = ..., dispatch_status: _Optional[_Union[DispatchStatus, str]] = ..., provider: _Optional[str] = ..., provider_account: _Optional[str] = ..., provider_request_id: _Optional[str] = ..., provider_object_id: _Optional[str] = ..., effect_id: _Optional[str] = ..., retry_recommendation: _Optional[_Union[RetryRecommendation, str]] = ..., raw_status_code: _Optional[str] = ..., result_json: _Optional[str] = ..., artifacts: _Optional[_Iterable[_Union[_attempt_pb2.Artifact, _Mapping]]] = ..., next_action: _Optional[_Union[NextAction, _Mapping]] = ..., safe_user_message: _Optional[str] = ..., model_message: _Optional[str] = ..., effect_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., replayed: bool = ..., failure: _Optional[_Union[Failure, _Mapping]] = ..., grade: _Optional[_Union[_evidence_pb2.EvidenceGrade, str]] = ...) -> None: ...

class NextAction(_message.Message):
    __slots__ = ("kind", "after")
    KIND_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    kind: NextActionKind
    after: _duration_pb2.Duration
    def __init__(self, kind: _Optional[_Union[NextActionKind, str]] = ..., after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class OperationEvent(_message.Message):
    __slots__ = ("operation_id", "sequence", "operation_version", "time", "type", "from_state", "to_state", "attempt_number", "principal", "detail")
    class DetailEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FROM_STATE_FIELD_NUMBER: _ClassVar[int]
    TO_STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    sequence: int
    operation_version: int
    time: _timestamp_pb2.Timestamp
    type: OperationEventType
    from_state: Operation.State
    to_state: Operation.State
    attempt_number: int
    principal: str
    detail: _containers.ScalarMap[str, str]
    def __init__(self, operation_id: _Optional[str] = ..., sequence: _Optional[int] = ..., operation_version: _Optional[int] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., type: _Optional[_Union[OperationEventType, str]] = ..., from_state: _Optional[_Union[Operation.State, str]] = ..., to_state: _Optional[_Union[Operation.State, str]] = ..., attempt_number: _Optional[int] = ..., principal: _Optional[str] = ..., detail: _Optional[_Mapping[str, str]] = ...) -> None: ...
