from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from opledger.v1 import attempt_pb2 as _attempt_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import evidence_pb2 as _evidence_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from opledger.v1 import proposal_pb2 as _proposal_pb2
from opledger.v1 import tool_pb2 as _tool_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IdentityRelation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDENTITY_RELATION_UNSPECIFIED: _ClassVar[IdentityRelation]
    IDENTITY_RELATION_SAME: _ClassVar[IdentityRelation]
    IDENTITY_RELATION_DIFFERENT: _ClassVar[IdentityRelation]
    IDENTITY_RELATION_KEY_REUSED: _ClassVar[IdentityRelation]
    IDENTITY_RELATION_REFUSED: _ClassVar[IdentityRelation]
IDENTITY_RELATION_UNSPECIFIED: IdentityRelation
IDENTITY_RELATION_SAME: IdentityRelation
IDENTITY_RELATION_DIFFERENT: IdentityRelation
IDENTITY_RELATION_KEY_REUSED: IdentityRelation
IDENTITY_RELATION_REFUSED: IdentityRelation

class GetOperationRequest(_message.Message):
    __slots__ = ("operation_id", "wait")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    wait: _duration_pb2.Duration
    def __init__(self, operation_id: _Optional[str] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class GetOperationResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ...) -> None: ...

class ListOperationsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "workflow_id", "run_id", "tool", "states", "tool_classes", "entity", "needs_human", "has_incident", "idempotency_key", "tool_call_id", "create_time_from", "create_time_until")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    TOOL_CLASSES_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    NEEDS_HUMAN_FIELD_NUMBER: _ClassVar[int]
    HAS_INCIDENT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FROM_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_UNTIL_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    workflow_id: str
    run_id: str
    tool: str
    states: _containers.RepeatedScalarFieldContainer[_operation_pb2.Operation.State]
    tool_classes: _containers.RepeatedScalarFieldContainer[_tool_pb2.ToolClass]
    entity: _entity_pb2.Entity
    needs_human: bool
    has_incident: bool
    idempotency_key: str
    tool_call_id: str
    create_time_from: _timestamp_pb2.Timestamp
    create_time_until: _timestamp_pb2.Timestamp
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., tool: _Optional[str] = ..., states: _Optional[_Iterable[_Union[_operation_pb2.Operation.State, str]]] = ..., tool_classes: _Optional[_Iterable[_Union[_tool_pb2.ToolClass, str]]] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., needs_human: bool = ..., has_incident: bool = ..., idempotency_key: _Optional[str] = ..., tool_call_id: _Optional[str] = ..., create_time_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., create_time_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListOperationsResponse(_message.Message):
    __slots__ = ("operations", "next_page_token")
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    operations: _containers.RepeatedCompositeFieldContainer[_operation_pb2.Operation]
    next_page_token: str
    def __init__(self, operations: _Optional[_Iterable[_Union[_operation_pb2.Operation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchOperationRequest(_message.Message):
    __slots__ = ("operation_id", "since_version")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    since_version: int
    def __init__(self, operation_id: _Optional[str] = ..., since_version: _Optional[int] = ...) -> None: ...

class WatchOperationResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ...) -> None: ...

class ListOperationEventsRequest(_message.Message):
    __slots__ = ("operation_id", "page_size", "page_token")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    page_size: int
    page_token: str
    def __init__(self, operation_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListOperationEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_operation_pb2.OperationEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[_operation_pb2.OperationEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class BeginAttemptRequest(_message.Message):
    __slots__ = ("operation_id", "attempt_id", "attempt_token", "begin_nonce")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BEGIN_NONCE_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    attempt_id: str
    attempt_token: str
    begin_nonce: bytes
    def __init__(self, operation_id: _Optional[str] = ..., attempt_id: _Optional[str] = ..., attempt_token: _Optional[str] = ..., begin_nonce: _Optional[bytes] = ...) -> None: ...

class BeginAttemptResponse(_message.Message):
    __slots__ = ("begun",)
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    begun: BegunPermit
    def __init__(self, begun: _Optional[_Union[BegunPermit, _Mapping]] = ...) -> None: ...

class BegunPermit(_message.Message):
    __slots__ = ("remaining", "greatest_remaining", "operation_version")
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    GREATEST_REMAINING_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    remaining: _duration_pb2.Duration
    greatest_remaining: _duration_pb2.Duration
    operation_version: int
    def __init__(self, remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., greatest_remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., operation_version: _Optional[int] = ...) -> None: ...

class ExtendAttemptRequest(_message.Message):
    __slots__ = ("operation_id", "attempt_id", "attempt_token", "begin_nonce", "extend_by", "request_id")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BEGIN_NONCE_FIELD_NUMBER: _ClassVar[int]
    EXTEND_BY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    attempt_id: str
    attempt_token: str
    begin_nonce: bytes
    extend_by: _duration_pb2.Duration
    request_id: str
    def __init__(self, operation_id: _Optional[str] = ..., attempt_id: _Optional[str] = ..., attempt_token: _Optional[str] = ..., begin_nonce: _Optional[bytes] = ..., extend_by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ExtendAttemptResponse(_message.Message):
    __slots__ = ("remaining", "greatest_remaining", "operation_version")
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    GREATEST_REMAINING_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    remaining: _duration_pb2.Duration
    greatest_remaining: _duration_pb2.Duration
    operation_version: int
    def __init__(self, remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., greatest_remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., operation_version: _Optional[int] = ...) -> None: ...

class ReportAttemptRequest(_message.Message):
    __slots__ = ("operation_id", "attempt_id", "attempt_token", "begin_nonce", "report_id", "sender_returned", "succeeded", "noop", "acknowledged", "not_sent", "rejected", "rate_limited", "declined", "ambiguous", "answer", "message")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BEGIN_NONCE_FIELD_NUMBER: _ClassVar[int]
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    SENDER_RETURNED_FIELD_NUMBER: _ClassVar[int]
    SUCCEEDED_FIELD_NUMBER: _ClassVar[int]
    NOOP_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    NOT_SENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    RATE_LIMITED_FIELD_NUMBER: _ClassVar[int]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    AMBIGUOUS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    attempt_id: str
    attempt_token: str
    begin_nonce: bytes
    report_id: str
    sender_returned: bool
    succeeded: _attempt_pb2.OutcomeSucceeded
    noop: _attempt_pb2.OutcomeNoop
    acknowledged: _attempt_pb2.OutcomeAcknowledged
    not_sent: _attempt_pb2.OutcomeNotSent
    rejected: _attempt_pb2.OutcomeRejected
    rate_limited: _attempt_pb2.OutcomeRateLimited
    declined: _attempt_pb2.OutcomeDeclined
    ambiguous: _attempt_pb2.OutcomeAmbiguous
    answer: _attempt_pb2.ProviderAnswer
    message: str
    def __init__(self, operation_id: _Optional[str] = ..., attempt_id: _Optional[str] = ..., attempt_token: _Optional[str] = ..., begin_nonce: _Optional[bytes] = ..., report_id: _Optional[str] = ..., sender_returned: bool = ..., succeeded: _Optional[_Union[_attempt_pb2.OutcomeSucceeded, _Mapping]] = ..., noop: _Optional[_Union[_attempt_pb2.OutcomeNoop, _Mapping]] = ..., acknowledged: _Optional[_Union[_attempt_pb2.OutcomeAcknowledged, _Mapping]] = ..., not_sent: _Optional[_Union[_attempt_pb2.OutcomeNotSent, _Mapping]] = ..., rejected: _Optional[_Union[_attempt_pb2.OutcomeRejected, _Mapping]] = ..., rate_limited: _Optional[_Union[_attempt_pb2.OutcomeRateLimited, _Mapping]] = ..., declined: _Optional[_Union[_attempt_pb2.OutcomeDeclined, _Mapping]] = ..., ambiguous: _Optional[_Union[_attempt_pb2.OutcomeAmbiguous, _Mapping]] = ..., answer: _Optional[_Union[_attempt_pb2.ProviderAnswer, _Mapping]] = ..., message: _Optional[str] = ...) -> None: ...

class ReportAttemptResponse(_message.Message):
    __slots__ = ("operation", "result", "duplicate")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    result: _operation_pb2.ToolResult
    duplicate: bool
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ..., duplicate: bool = ...) -> None: ...

class BatchProposeRequest(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[_proposal_pb2.ProposeOperationRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[_proposal_pb2.ProposeOperationRequest, _Mapping]]] = ...) -> None: ...

class BatchProposeResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[BatchProposeItem]
    def __init__(self, items: _Optional[_Iterable[_Union[BatchProposeItem, _Mapping]]] = ...) -> None: ...

class BatchProposeItem(_message.Message):
    __slots__ = ("response", "error")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    response: _proposal_pb2.ProposeOperationResponse
    error: _status_pb2.Status
    def __init__(self, response: _Optional[_Union[_proposal_pb2.ProposeOperationResponse, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class BatchReportRequest(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[ReportAttemptRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[ReportAttemptRequest, _Mapping]]] = ...) -> None: ...

class BatchReportResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[BatchReportItem]
    def __init__(self, items: _Optional[_Iterable[_Union[BatchReportItem, _Mapping]]] = ...) -> None: ...

class BatchReportItem(_message.Message):
    __slots__ = ("response", "error")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    response: ReportAttemptResponse
    error: _status_pb2.Status
    def __init__(self, response: _Optional[_Union[ReportAttemptResponse, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class ReconcileRequest(_message.Message):
    __slots__ = ("operation_id", "request_id", "evidence", "wait")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    request_id: str
    evidence: _evidence_pb2.Evidence
    wait: _duration_pb2.Duration
    def __init__(self, operation_id: _Optional[str] = ..., request_id: _Optional[str] = ..., evidence: _Optional[_Union[_evidence_pb2.Evidence, _Mapping]] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ReconcileResponse(_message.Message):
    __slots__ = ("operation", "result", "evidence", "lookup")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    LOOKUP_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    result: _operation_pb2.ToolResult
    evidence: _evidence_pb2.EvidenceRecord
    lookup: _proposal_pb2.LookupInstruction
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ..., evidence: _Optional[_Union[_evidence_pb2.EvidenceRecord, _Mapping]] = ..., lookup: _Optional[_Union[_proposal_pb2.LookupInstruction, _Mapping]] = ...) -> None: ...

class CancelOperationRequest(_message.Message):
    __slots__ = ("operation_id", "request_id", "reason", "etag")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    request_id: str
    reason: str
    etag: str
    def __init__(self, operation_id: _Optional[str] = ..., request_id: _Optional[str] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class CancelOperationResponse(_message.Message):
    __slots__ = ("operation", "result")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    result: _operation_pb2.ToolResult
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ...) -> None: ...

class CompensateOperationRequest(_message.Message):
    __slots__ = ("operation_id", "request_id", "effect_id", "reason", "etag", "wait")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    request_id: str
    effect_id: str
    reason: str
    etag: str
    wait: _duration_pb2.Duration
    def __init__(self, operation_id: _Optional[str] = ..., request_id: _Optional[str] = ..., effect_id: _Optional[str] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CompensateOperationResponse(_message.Message):
    __slots__ = ("operation", "result")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    result: _operation_pb2.ToolResult
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ...) -> None: ...

class ExplainIdentityRequest(_message.Message):
    __slots__ = ("tool", "definition", "tool_version", "a", "b")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    tool: str
    definition: _tool_pb2.ToolDefinition
    tool_version: int
    a: IdentityInput
    b: IdentityInput
    def __init__(self, tool: _Optional[str] = ..., definition: _Optional[_Union[_tool_pb2.ToolDefinition, _Mapping]] = ..., tool_version: _Optional[int] = ..., a: _Optional[_Union[IdentityInput, _Mapping]] = ..., b: _Optional[_Union[IdentityInput, _Mapping]] = ...) -> None: ...

class IdentityInput(_message.Message):
    __slots__ = ("arguments_json", "arguments_struct", "occurrence", "idempotency_key", "source_event_time")
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_STRUCT_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    arguments_json: str
    arguments_struct: _struct_pb2.Struct
    occurrence: str
    idempotency_key: str
    source_event_time: _timestamp_pb2.Timestamp
    def __init__(self, arguments_json: _Optional[str] = ..., arguments_struct: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., occurrence: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., source_event_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ExplainIdentityResponse(_message.Message):
    __slots__ = ("tool_version", "a", "b", "comparison")
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    tool_version: int
    a: IdentityExplanation
    b: IdentityExplanation
    comparison: IdentityComparison
    def __init__(self, tool_version: _Optional[int] = ..., a: _Optional[_Union[IdentityExplanation, _Mapping]] = ..., b: _Optional[_Union[IdentityExplanation, _Mapping]] = ..., comparison: _Optional[_Union[IdentityComparison, _Mapping]] = ...) -> None: ...

class IdentityExplanation(_message.Message):
    __slots__ = ("canonical_arguments_json", "fingerprint", "idempotency_key", "continued_keys", "components", "changes", "ignored_pointers", "entity", "touches", "faults")
    CANONICAL_ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    CONTINUED_KEYS_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    IGNORED_POINTERS_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TOUCHES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    canonical_arguments_json: str
    fingerprint: str
    idempotency_key: str
    continued_keys: _containers.RepeatedScalarFieldContainer[str]
    components: _containers.RepeatedCompositeFieldContainer[KeyComponent]
    changes: _containers.RepeatedCompositeFieldContainer[FieldChange]
    ignored_pointers: _containers.RepeatedScalarFieldContainer[str]
    entity: _entity_pb2.Entity
    touches: _containers.RepeatedCompositeFieldContainer[_entity_pb2.Entity]
    faults: _containers.RepeatedCompositeFieldContainer[ArgumentFault]
    def __init__(self, canonical_arguments_json: _Optional[str] = ..., fingerprint: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., continued_keys: _Optional[_Iterable[str]] = ..., components: _Optional[_Iterable[_Union[KeyComponent, _Mapping]]] = ..., changes: _Optional[_Iterable[_Union[FieldChange, _Mapping]]] = ..., ignored_pointers: _Optional[_Iterable[str]] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., touches: _Optional[_Iterable[_Union[_entity_pb2.Entity, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[ArgumentFault, _Mapping]]] = ...) -> None: ...

class KeyComponent(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class FieldChange(_message.Message):
    __slots__ = ("pointer", "rule", "before_json", "after_json")
    POINTER_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    BEFORE_JSON_FIELD_NUMBER: _ClassVar[int]
    AFTER_JSON_FIELD_NUMBER: _ClassVar[int]
    pointer: str
    rule: str
    before_json: str
    after_json: str
    def __init__(self, pointer: _Optional[str] = ..., rule: _Optional[str] = ..., before_json: _Optional[str] = ..., after_json: _Optional[str] = ...) -> None: ...

class ArgumentFault(_message.Message):
    __slots__ = ("pointer", "reason", "description")
    POINTER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    pointer: str
    reason: str
    description: str
    def __init__(self, pointer: _Optional[str] = ..., reason: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class IdentityComparison(_message.Message):
    __slots__ = ("relation", "explanation", "differing_pointers", "ignored_differences")
    RELATION_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    DIFFERING_POINTERS_FIELD_NUMBER: _ClassVar[int]
    IGNORED_DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    relation: IdentityRelation
    explanation: str
    differing_pointers: _containers.RepeatedScalarFieldContainer[str]
    ignored_differences: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, relation: _Optional[_Union[IdentityRelation, str]] = ..., explanation: _Optional[str] = ..., differing_pointers: _Optional[_Iterable[str]] = ..., ignored_differences: _Optional[_Iterable[str]] = ...) -> None: ...
