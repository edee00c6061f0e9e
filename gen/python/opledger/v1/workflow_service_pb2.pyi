from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from opledger.v1 import workflow_pb2 as _workflow_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StartWorkflowRequest(_message.Message):
    __slots__ = ("request_id", "workflow_id", "run_id", "user_request", "normalized_intent", "requester", "source_event", "correlation_key", "correlation_window", "labels")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    USER_REQUEST_FIELD_NUMBER: _ClassVar[int]
    NORMALIZED_INTENT_FIELD_NUMBER: _ClassVar[int]
    REQUESTER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_EVENT_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_KEY_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_WINDOW_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    workflow_id: str
    run_id: str
    user_request: str
    normalized_intent: str
    requester: str
    source_event: _workflow_pb2.SourceEvent
    correlation_key: str
    correlation_window: _duration_pb2.Duration
    labels: _containers.ScalarMap[str, str]
    def __init__(self, request_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., user_request: _Optional[str] = ..., normalized_intent: _Optional[str] = ..., requester: _Optional[str] = ..., source_event: _Optional[_Union[_workflow_pb2.SourceEvent, _Mapping]] = ..., correlation_key: _Optional[str] = ..., correlation_window: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., labels: _Optional[_Mapping[str, str]] = ...) -> None: ...

class StartWorkflowResponse(_message.Message):
    __slots__ = ("workflow", "run_id", "united_with", "flag")
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    UNITED_WITH_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    workflow: _workflow_pb2.Workflow
    run_id: str
    united_with: UnitedWith
    flag: _workflow_pb2.IntentFlag
    def __init__(self, workflow: _Optional[_Union[_workflow_pb2.Workflow, _Mapping]] = ..., run_id: _Optional[str] = ..., united_with: _Optional[_Union[UnitedWith, _Mapping]] = ..., flag: _Optional[_Union[_workflow_pb2.IntentFlag, _Mapping]] = ...) -> None: ...

class UnitedWith(_message.Message):
    __slots__ = ("source_event", "correlation_key", "workflow_id")
    SOURCE_EVENT_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_KEY_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    source_event: _workflow_pb2.SourceEvent
    correlation_key: str
    workflow_id: str
    def __init__(self, source_event: _Optional[_Union[_workflow_pb2.SourceEvent, _Mapping]] = ..., correlation_key: _Optional[str] = ..., workflow_id: _Optional[str] = ...) -> None: ...

class GetWorkflowRequest(_message.Message):
    __slots__ = ("workflow_id",)
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    workflow_id: str
    def __init__(self, workflow_id: _Optional[str] = ...) -> None: ...

class GetWorkflowResponse(_message.Message):
    __slots__ = ("workflow", "operations", "open_operation_ids", "more_operations")
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    OPEN_OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    MORE_OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    workflow: _workflow_pb2.Workflow
    operations: _containers.RepeatedCompositeFieldContainer[_operation_pb2.Operation]
    open_operation_ids: _containers.RepeatedScalarFieldContainer[str]
    more_operations: bool
    def __init__(self, workflow: _Optional[_Union[_workflow_pb2.Workflow, _Mapping]] = ..., operations: _Optional[_Iterable[_Union[_operation_pb2.Operation, _Mapping]]] = ..., open_operation_ids: _Optional[_Iterable[str]] = ..., more_operations: bool = ...) -> None: ...

class ListWorkflowsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "states", "correlation_key", "source_event", "requester", "create_time_from", "create_time_until")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_KEY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_EVENT_FIELD_NUMBER: _ClassVar[int]
    REQUESTER_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FROM_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_UNTIL_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    states: _containers.RepeatedScalarFieldContainer[_workflow_pb2.Workflow.State]
    correlation_key: str
    source_event: _workflow_pb2.SourceEvent
    requester: str
    create_time_from: _timestamp_pb2.Timestamp
    create_time_until: _timestamp_pb2.Timestamp
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., states: _Optional[_Iterable[_Union[_workflow_pb2.Workflow.State, str]]] = ..., correlation_key: _Optional[str] = ..., source_event: _Optional[_Union[_workflow_pb2.SourceEvent, _Mapping]] = ..., requester: _Optional[str] = ..., create_time_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., create_time_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListWorkflowsResponse(_message.Message):
    __slots__ = ("workflows", "next_page_token")
    WORKFLOWS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    workflows: _containers.RepeatedCompositeFieldContainer[_workflow_pb2.Workflow]
    next_page_token: str
    def __init__(self, workflows: _Optional[_Iterable[_Union[_workflow_pb2.Workflow, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ResumeWorkflowRequest(_message.Message):
    __slots__ = ("request_id", "workflow_id", "run_id", "max_projection_bytes", "wait")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    MAX_PROJECTION_BYTES_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    workflow_id: str
    run_id: str
    max_projection_bytes: int
    wait: _duration_pb2.Duration
    def __init__(self, request_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., max_projection_bytes: _Optional[int] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ResumeWorkflowResponse(_message.Message):
    __slots__ = ("workflow", "run_id", "projection")
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    workflow: _workflow_pb2.Workflow
    run_id: str
    projection: _workflow_pb2.Projection
    def __init__(self, workflow: _Optional[_Union[_workflow_pb2.Workflow, _Mapping]] = ..., run_id: _Optional[str] = ..., projection: _Optional[_Union[_workflow_pb2.Projection, _Mapping]] = ...) -> None: ...

class CompleteWorkflowRequest(_message.Message):
    __slots__ = ("request_id", "workflow_id", "run_id", "conclusion", "cancelled", "reason", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    CONCLUSION_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    workflow_id: str
    run_id: str
    conclusion: _workflow_pb2.Conclusion
    cancelled: bool
    reason: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., conclusion: _Optional[_Union[_workflow_pb2.Conclusion, _Mapping]] = ..., cancelled: bool = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class CompleteWorkflowResponse(_message.Message):
    __slots__ = ("workflow", "cancelled_operation_ids", "open_operation_ids")
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    OPEN_OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    workflow: _workflow_pb2.Workflow
    cancelled_operation_ids: _containers.RepeatedScalarFieldContainer[str]
    open_operation_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, workflow: _Optional[_Union[_workflow_pb2.Workflow, _Mapping]] = ..., cancelled_operation_ids: _Optional[_Iterable[str]] = ..., open_operation_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CompensateWorkflowRequest(_message.Message):
    __slots__ = ("workflow_id", "request_id", "reason", "wait")
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    workflow_id: str
    request_id: str
    reason: str
    wait: _duration_pb2.Duration
    def __init__(self, workflow_id: _Optional[str] = ..., request_id: _Optional[str] = ..., reason: _Optional[str] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CompensateWorkflowResponse(_message.Message):
    __slots__ = ("done", "stuck", "operations")
    DONE_FIELD_NUMBER: _ClassVar[int]
    STUCK_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    done: bool
    stuck: bool
    operations: _containers.RepeatedCompositeFieldContainer[WorkflowUndoing]
    def __init__(self, done: bool = ..., stuck: bool = ..., operations: _Optional[_Iterable[_Union[WorkflowUndoing, _Mapping]]] = ...) -> None: ...

class WorkflowUndoing(_message.Message):
    __slots__ = ("operation_id", "tool", "state", "status", "explanation")
    class Status(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATUS_UNSPECIFIED: _ClassVar[WorkflowUndoing.Status]
        STATUS_UNDONE: _ClassVar[WorkflowUndoing.Status]
        STATUS_UNDER_WAY: _ClassVar[WorkflowUndoing.Status]
        STATUS_WAITING: _ClassVar[WorkflowUndoing.Status]
        STATUS_NO_PLAYBOOK: _ClassVar[WorkflowUndoing.Status]
        STATUS_OPEN: _ClassVar[WorkflowUndoing.Status]
        STATUS_STUCK: _ClassVar[WorkflowUndoing.Status]
    STATUS_UNSPECIFIED: WorkflowUndoing.Status
    STATUS_UNDONE: WorkflowUndoing.Status
    STATUS_UNDER_WAY: WorkflowUndoing.Status
    STATUS_WAITING: WorkflowUndoing.Status
    STATUS_NO_PLAYBOOK: WorkflowUndoing.Status
    STATUS_OPEN: WorkflowUndoing.Status
    STATUS_STUCK: WorkflowUndoing.Status
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    tool: str
    state: _operation_pb2.Operation.State
    status: WorkflowUndoing.Status
    explanation: str
    def __init__(self, operation_id: _Optional[str] = ..., tool: _Optional[str] = ..., state: _Optional[_Union[_operation_pb2.Operation.State, str]] = ..., status: _Optional[_Union[WorkflowUndoing.Status, str]] = ..., explanation: _Optional[str] = ...) -> None: ...

class RecordInboundEventRequest(_message.Message):
    __slots__ = ("source", "event_id", "event_type", "payload_json", "delivery", "event_time", "client_reference", "provider_object_id", "vendor_idempotency_key")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_JSON_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_REFERENCE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    VENDOR_IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    source: str
    event_id: str
    event_type: str
    payload_json: str
    delivery: SignedDelivery
    event_time: _timestamp_pb2.Timestamp
    client_reference: str
    provider_object_id: str
    vendor_idempotency_key: str
    def __init__(self, source: _Optional[str] = ..., event_id: _Optional[str] = ..., event_type: _Optional[str] = ..., payload_json: _Optional[str] = ..., delivery: _Optional[_Union[SignedDelivery, _Mapping]] = ..., event_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., client_reference: _Optional[str] = ..., provider_object_id: _Optional[str] = ..., vendor_idempotency_key: _Optional[str] = ...) -> None: ...

class SignedDelivery(_message.Message):
    __slots__ = ("body", "headers")
    class HeadersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    BODY_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    headers: _containers.ScalarMap[str, str]
    def __init__(self, body: _Optional[bytes] = ..., headers: _Optional[_Mapping[str, str]] = ...) -> None: ...

class RecordInboundEventResponse(_message.Message):
    __slots__ = ("deduplicated", "operation_ids", "store_time")
    DEDUPLICATED_FIELD_NUMBER: _ClassVar[int]
    OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    STORE_TIME_FIELD_NUMBER: _ClassVar[int]
    deduplicated: bool
    operation_ids: _containers.RepeatedScalarFieldContainer[str]
    store_time: _timestamp_pb2.Timestamp
    def __init__(self, deduplicated: bool = ..., operation_ids: _Optional[_Iterable[str]] = ..., store_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
