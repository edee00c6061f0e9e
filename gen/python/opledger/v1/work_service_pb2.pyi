from google.protobuf import duration_pb2 as _duration_pb2
from google.rpc import status_pb2 as _status_pb2
from opledger.v1 import attempt_pb2 as _attempt_pb2
from opledger.v1 import evidence_pb2 as _evidence_pb2
from opledger.v1 import operation_service_pb2 as _operation_service_pb2
from opledger.v1 import proposal_pb2 as _proposal_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PollWorkRequest(_message.Message):
    __slots__ = ("request_id", "worker_id", "credits", "max_items", "wait")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    CREDITS_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    worker_id: str
    credits: _containers.RepeatedCompositeFieldContainer[ToolCredit]
    max_items: int
    wait: _duration_pb2.Duration
    def __init__(self, request_id: _Optional[str] = ..., worker_id: _Optional[str] = ..., credits: _Optional[_Iterable[_Union[ToolCredit, _Mapping]]] = ..., max_items: _Optional[int] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ToolCredit(_message.Message):
    __slots__ = ("tool", "dispatches", "lookups")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    DISPATCHES_FIELD_NUMBER: _ClassVar[int]
    LOOKUPS_FIELD_NUMBER: _ClassVar[int]
    tool: str
    dispatches: int
    lookups: int
    def __init__(self, tool: _Optional[str] = ..., dispatches: _Optional[int] = ..., lookups: _Optional[int] = ...) -> None: ...

class PollWorkResponse(_message.Message):
    __slots__ = ("items", "poll_after", "waited")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    POLL_AFTER_FIELD_NUMBER: _ClassVar[int]
    WAITED_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[WorkItem]
    poll_after: _duration_pb2.Duration
    waited: _duration_pb2.Duration
    def __init__(self, items: _Optional[_Iterable[_Union[WorkItem, _Mapping]]] = ..., poll_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., waited: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WorkItem(_message.Message):
    __slots__ = ("dispatch", "lookup")
    DISPATCH_FIELD_NUMBER: _ClassVar[int]
    LOOKUP_FIELD_NUMBER: _ClassVar[int]
    dispatch: _attempt_pb2.Permit
    lookup: LookupWork
    def __init__(self, dispatch: _Optional[_Union[_attempt_pb2.Permit, _Mapping]] = ..., lookup: _Optional[_Union[LookupWork, _Mapping]] = ...) -> None: ...

class LookupWork(_message.Message):
    __slots__ = ("operation_id", "tool", "tool_version", "instruction", "canonical_arguments_json")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    tool: str
    tool_version: int
    instruction: _proposal_pb2.LookupInstruction
    canonical_arguments_json: str
    def __init__(self, operation_id: _Optional[str] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., instruction: _Optional[_Union[_proposal_pb2.LookupInstruction, _Mapping]] = ..., canonical_arguments_json: _Optional[str] = ...) -> None: ...

class ExtendWorkRequest(_message.Message):
    __slots__ = ("worker_id", "requests")
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    worker_id: str
    requests: _containers.RepeatedCompositeFieldContainer[_operation_service_pb2.ExtendAttemptRequest]
    def __init__(self, worker_id: _Optional[str] = ..., requests: _Optional[_Iterable[_Union[_operation_service_pb2.ExtendAttemptRequest, _Mapping]]] = ...) -> None: ...

class ExtendWorkResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ExtendWorkItem]
    def __init__(self, items: _Optional[_Iterable[_Union[ExtendWorkItem, _Mapping]]] = ...) -> None: ...

class ExtendWorkItem(_message.Message):
    __slots__ = ("response", "error")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    response: _operation_service_pb2.ExtendAttemptResponse
    error: _status_pb2.Status
    def __init__(self, response: _Optional[_Union[_operation_service_pb2.ExtendAttemptResponse, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class AnswerLookupRequest(_message.Message):
    __slots__ = ("request_id", "operation_id", "evidence")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    operation_id: str
    evidence: _evidence_pb2.Evidence
    def __init__(self, request_id: _Optional[str] = ..., operation_id: _Optional[str] = ..., evidence: _Optional[_Union[_evidence_pb2.Evidence, _Mapping]] = ...) -> None: ...

class AnswerLookupResponse(_message.Message):
    __slots__ = ("evidence",)
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    evidence: _evidence_pb2.EvidenceRecord
    def __init__(self, evidence: _Optional[_Union[_evidence_pb2.EvidenceRecord, _Mapping]] = ...) -> None: ...

class DrainWorkerRequest(_message.Message):
    __slots__ = ("request_id", "worker_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    worker_id: str
    def __init__(self, request_id: _Optional[str] = ..., worker_id: _Optional[str] = ...) -> None: ...

class DrainWorkerResponse(_message.Message):
    __slots__ = ("attempt_ids",)
    ATTEMPT_IDS_FIELD_NUMBER: _ClassVar[int]
    attempt_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, attempt_ids: _Optional[_Iterable[str]] = ...) -> None: ...
