from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ClaimKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_KIND_UNSPECIFIED: _ClassVar[ClaimKind]
    CLAIM_KIND_DONE: _ClassVar[ClaimKind]
    CLAIM_KIND_NOT_DONE: _ClassVar[ClaimKind]
    CLAIM_KIND_OPEN: _ClassVar[ClaimKind]
    CLAIM_KIND_UNDONE: _ClassVar[ClaimKind]
CLAIM_KIND_UNSPECIFIED: ClaimKind
CLAIM_KIND_DONE: ClaimKind
CLAIM_KIND_NOT_DONE: ClaimKind
CLAIM_KIND_OPEN: ClaimKind
CLAIM_KIND_UNDONE: ClaimKind

class Workflow(_message.Message):
    __slots__ = ("workflow_id", "state", "user_request", "normalized_intent", "requester", "source_events", "correlation_key", "correlation_window", "flags", "current_run_id", "runs", "create_time", "update_time", "end_time", "conclusion", "labels", "etag", "principal", "end_principal", "end_reason")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Workflow.State]
        STATE_OPEN: _ClassVar[Workflow.State]
        STATE_COMPLETED: _ClassVar[Workflow.State]
        STATE_CANCELLED: _ClassVar[Workflow.State]
    STATE_UNSPECIFIED: Workflow.State
    STATE_OPEN: Workflow.State
    STATE_COMPLETED: Workflow.State
    STATE_CANCELLED: Workflow.State
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USER_REQUEST_FIELD_NUMBER: _ClassVar[int]
    NORMALIZED_INTENT_FIELD_NUMBER: _ClassVar[int]
    REQUESTER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_EVENTS_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_KEY_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_WINDOW_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    CURRENT_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    CONCLUSION_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    END_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    END_REASON_FIELD_NUMBER: _ClassVar[int]
    workflow_id: str
    state: Workflow.State
    user_request: str
    normalized_intent: str
    requester: str
    source_events: _containers.RepeatedCompositeFieldContainer[SourceEvent]
    correlation_key: str
    correlation_window: _duration_pb2.Duration
    flags: _containers.RepeatedCompositeFieldContainer[IntentFlag]
    current_run_id: str
    runs: _containers.RepeatedCompositeFieldContainer[WorkflowRun]
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    conclusion: Conclusion
    labels: _containers.ScalarMap[str, str]
    etag: str
    principal: str
    end_principal: str
    end_reason: str
    def __init__(self, workflow_id: _Optional[str] = ..., state: _Optional[_Union[Workflow.State, str]] = ..., user_request: _Optional[str] = ..., normalized_intent: _Optional[str] = ..., requester: _Optional[str] = ..., source_events: _Optional[_Iterable[_Union[SourceEvent, _Mapping]]] = ..., correlation_key: _Optional[str] = ..., correlation_window: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., flags: _Optional[_Iterable[_Union[IntentFlag, _Mapping]]] = ..., current_run_id: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[WorkflowRun, _Mapping]]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., conclusion: _Optional[_Union[Conclusion, _Mapping]] = ..., labels: _Optional[_Mapping[str, str]] = ..., etag: _Optional[str] = ..., principal: _Optional[str] = ..., end_principal: _Optional[str] = ..., end_reason: _Optional[str] = ...) -> None: ...

class WorkflowRun(_message.Message):
    __slots__ = ("run_id", "start_time", "end_time", "principal")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    principal: str
    def __init__(self, run_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., principal: _Optional[str] = ...) -> None: ...

class SourceEvent(_message.Message):
    __slots__ = ("source", "event_id", "time")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    source: str
    event_id: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, source: _Optional[str] = ..., event_id: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class IntentFlag(_message.Message):
    __slots__ = ("source_event", "normalized_intent", "workflow_id")
    SOURCE_EVENT_FIELD_NUMBER: _ClassVar[int]
    NORMALIZED_INTENT_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    source_event: SourceEvent
    normalized_intent: str
    workflow_id: str
    def __init__(self, source_event: _Optional[_Union[SourceEvent, _Mapping]] = ..., normalized_intent: _Optional[str] = ..., workflow_id: _Optional[str] = ...) -> None: ...

class Conclusion(_message.Message):
    __slots__ = ("user_message", "claims")
    USER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    user_message: str
    claims: _containers.RepeatedCompositeFieldContainer[Claim]
    def __init__(self, user_message: _Optional[str] = ..., claims: _Optional[_Iterable[_Union[Claim, _Mapping]]] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ("operation_id", "kind")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    kind: ClaimKind
    def __init__(self, operation_id: _Optional[str] = ..., kind: _Optional[_Union[ClaimKind, str]] = ...) -> None: ...

class Projection(_message.Message):
    __slots__ = ("json", "prose", "summarized", "operations")
    JSON_FIELD_NUMBER: _ClassVar[int]
    PROSE_FIELD_NUMBER: _ClassVar[int]
    SUMMARIZED_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    json: str
    prose: str
    summarized: bool
    operations: _containers.RepeatedCompositeFieldContainer[ProjectedOperation]
    def __init__(self, json: _Optional[str] = ..., prose: _Optional[str] = ..., summarized: bool = ..., operations: _Optional[_Iterable[_Union[ProjectedOperation, _Mapping]]] = ...) -> None: ...

class ProjectedOperation(_message.Message):
    __slots__ = ("operation_id", "operation_version", "result")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    operation_version: int
    result: _operation_pb2.ToolResult
    def __init__(self, operation_id: _Optional[str] = ..., operation_version: _Optional[int] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ...) -> None: ...
