from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Approval(_message.Message):
    __slots__ = ("approval_id", "state", "operation_id", "operation_version", "tool", "tool_version", "fingerprint", "canonical_arguments_json", "redacted_pointers", "entity", "rule_id", "explanation", "warning", "required_count", "roles", "decisions", "proposer", "requester", "recent_operations", "changes_since", "create_time", "expire_time", "etag", "standing_approval_id")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Approval.State]
        STATE_OPEN: _ClassVar[Approval.State]
        STATE_GRANTED: _ClassVar[Approval.State]
        STATE_RESERVED: _ClassVar[Approval.State]
        STATE_SPENT: _ClassVar[Approval.State]
        STATE_DENIED: _ClassVar[Approval.State]
        STATE_EXPIRED: _ClassVar[Approval.State]
        STATE_VOID: _ClassVar[Approval.State]
    STATE_UNSPECIFIED: Approval.State
    STATE_OPEN: Approval.State
    STATE_GRANTED: Approval.State
    STATE_RESERVED: Approval.State
    STATE_SPENT: Approval.State
    STATE_DENIED: Approval.State
    STATE_EXPIRED: Approval.State
    STATE_VOID: Approval.State
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    REDACTED_POINTERS_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    WARNING_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_FIELD_NUMBER: _ClassVar[int]
    REQUESTER_FIELD_NUMBER: _ClassVar[int]
    RECENT_OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    CHANGES_SINCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    STANDING_APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    state: Approval.State
    operation_id: str
    operation_version: int
    tool: str
    tool_version: int
    fingerprint: str
    canonical_arguments_json: str
    redacted_pointers: _containers.RepeatedScalarFieldContainer[str]
    entity: _entity_pb2.Entity
    rule_id: str
    explanation: str
    warning: str
    required_count: int
    roles: _containers.RepeatedScalarFieldContainer[str]
    decisions: _containers.RepeatedCompositeFieldContainer[ApprovalDecision]
    proposer: str
    requester: str
    recent_operations: _containers.RepeatedCompositeFieldContainer[RecentOperation]
    changes_since: _containers.RepeatedScalarFieldContainer[str]
    create_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    etag: str
    standing_approval_id: str
    def __init__(self, approval_id: _Optional[str] = ..., state: _Optional[_Union[Approval.State, str]] = ..., operation_id: _Optional[str] = ..., operation_version: _Optional[int] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., fingerprint: _Optional[str] = ..., canonical_arguments_json: _Optional[str] = ..., redacted_pointers: _Optional[_Iterable[str]] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., rule_id: _Optional[str] = ..., explanation: _Optional[str] = ..., warning: _Optional[str] = ..., required_count: _Optional[int] = ..., roles: _Optional[_Iterable[str]] = ..., decisions: _Optional[_Iterable[_Union[ApprovalDecision, _Mapping]]] = ..., proposer: _Optional[str] = ..., requester: _Optional[str] = ..., recent_operations: _Optional[_Iterable[_Union[RecentOperation, _Mapping]]] = ..., changes_since: _Optional[_Iterable[str]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., standing_approval_id: _Optional[str] = ...) -> None: ...

class ApprovalDecision(_message.Message):
    __slots__ = ("principal", "person", "approved", "comment", "time", "role")
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    APPROVED_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    principal: str
    person: str
    approved: bool
    comment: str
    time: _timestamp_pb2.Timestamp
    role: str
    def __init__(self, principal: _Optional[str] = ..., person: _Optional[str] = ..., approved: bool = ..., comment: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., role: _Optional[str] = ...) -> None: ...

class RecentOperation(_message.Message):
    __slots__ = ("operation_id", "tool", "safe_user_message", "time")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    SAFE_USER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    tool: str
    safe_user_message: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, operation_id: _Optional[str] = ..., tool: _Optional[str] = ..., safe_user_message: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
