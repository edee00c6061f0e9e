from opledger.v1 import operation_pb2 as _operation_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_UNKNOWN_TOOL: _ClassVar[ErrorReason]
    ERROR_REASON_UNKNOWN_TOOL_VERSION: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_ARGUMENTS: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_REQUEST: _ClassVar[ErrorReason]
    ERROR_REASON_NUMBER_NOT_EXACT: _ClassVar[ErrorReason]
    ERROR_REASON_ENTITY_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_CALLER_KEY_NOT_ALLOWED: _ClassVar[ErrorReason]
    ERROR_REASON_OCCURRENCE_NOT_ALLOWED: _ClassVar[ErrorReason]
    ERROR_REASON_KEY_COMPONENT_EMPTY: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_PAGE_TOKEN: _ClassVar[ErrorReason]
    ERROR_REASON_TOO_LARGE: _ClassVar[ErrorReason]
    ERROR_REASON_IDEMPOTENCY_KEY_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_REQUEST_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_REVISION_NOT_ALLOWED: _ClassVar[ErrorReason]
    ERROR_REASON_GRANT_NOT_USABLE: _ClassVar[ErrorReason]
    ERROR_REASON_STALE_ATTEMPT: _ClassVar[ErrorReason]
    ERROR_REASON_PERMIT_EXPIRED: _ClassVar[ErrorReason]
    ERROR_REASON_BEGIN_NONCE_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_BEGIN_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_ATTEMPT_TOKEN_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_CANCEL_WISHED: _ClassVar[ErrorReason]
    ERROR_REASON_GREATEST_AGE_REACHED: _ClassVar[ErrorReason]
    ERROR_REASON_PERMIT_WITHDRAWN: _ClassVar[ErrorReason]
    ERROR_REASON_OPERATION_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_ATTEMPT_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_TOOL_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_WORKFLOW_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_LEASE_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_APPROVAL_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_POLICY_OBJECT_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_SUBSCRIPTION_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_ENTITY_STATE_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_TOOL_DEFINITION: _ClassVar[ErrorReason]
    ERROR_REASON_CAPABILITY_MISSING: _ClassVar[ErrorReason]
    ERROR_REASON_TOOL_DISABLED: _ClassVar[ErrorReason]
    ERROR_REASON_TOOL_VERSION_CONFLICT: _ClassVar[ErrorReason]
    ERROR_REASON_IDENTITY_CHANGE_UNSTATED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_RULE: _ClassVar[ErrorReason]
    ERROR_REASON_REASON_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_PERMISSION_DENIED: _ClassVar[ErrorReason]
    ERROR_REASON_UNAUTHENTICATED: _ClassVar[ErrorReason]
    ERROR_REASON_ROLES_NOT_APART: _ClassVar[ErrorReason]
    ERROR_REASON_ETAG_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_OVERLOADED: _ClassVar[ErrorReason]
    ERROR_REASON_DATABASE_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_DEADLINE_EXCEEDED: _ClassVar[ErrorReason]
    ERROR_REASON_UNIMPLEMENTED_IN_THIS_RELEASE: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
    ERROR_REASON_DRAINING: _ClassVar[ErrorReason]
    ERROR_REASON_LEASE_LOST: _ClassVar[ErrorReason]
    ERROR_REASON_LEASE_TOKEN_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_LEASE_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_LEASE_TOO_OLD: _ClassVar[ErrorReason]
    ERROR_REASON_WORKFLOW_ENDED: _ClassVar[ErrorReason]
    ERROR_REASON_RUN_SUPERSEDED: _ClassVar[ErrorReason]
    ERROR_REASON_CLAIM_CONTRADICTED: _ClassVar[ErrorReason]
    ERROR_REASON_APPROVAL_NOT_OPEN: _ClassVar[ErrorReason]
    ERROR_REASON_COMPENSATION_NOT_POSSIBLE: _ClassVar[ErrorReason]
    ERROR_REASON_LOOKUP_TICKET_INVALID: _ClassVar[ErrorReason]
    ERROR_REASON_EVIDENCE_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_STATE_NOT_SUITABLE: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_SIGNATURE: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_UNKNOWN_TOOL: ErrorReason
ERROR_REASON_UNKNOWN_TOOL_VERSION: ErrorReason
ERROR_REASON_INVALID_ARGUMENTS: ErrorReason
ERROR_REASON_INVALID_REQUEST: ErrorReason
ERROR_REASON_NUMBER_NOT_EXACT: ErrorReason
ERROR_REASON_ENTITY_MISMATCH: ErrorReason
ERROR_REASON_CALLER_KEY_NOT_ALLOWED: ErrorReason
ERROR_REASON_OCCURRENCE_NOT_ALLOWED: ErrorReason
ERROR_REASON_KEY_COMPONENT_EMPTY: ErrorReason
ERROR_REASON_INVALID_PAGE_TOKEN: ErrorReason
ERROR_REASON_TOO_LARGE: ErrorReason
ERROR_REASON_IDEMPOTENCY_KEY_REUSED: ErrorReason
ERROR_REASON_REQUEST_ID_REUSED: ErrorReason
ERROR_REASON_REVISION_NOT_ALLOWED: ErrorReason
ERROR_REASON_GRANT_NOT_USABLE: ErrorReason
ERROR_REASON_STALE_ATTEMPT: ErrorReason
ERROR_REASON_PERMIT_EXPIRED: ErrorReason
ERROR_REASON_BEGIN_NONCE_MISMATCH: ErrorReason
ERROR_REASON_BEGIN_REQUIRED: ErrorReason
ERROR_REASON_ATTEMPT_TOKEN_MISMATCH: ErrorReason
ERROR_REASON_CANCEL_WISHED: ErrorReason
ERROR_REASON_GREATEST_AGE_REACHED: ErrorReason
ERROR_REASON_PERMIT_WITHDRAWN: ErrorReason
ERROR_REASON_OPERATION_NOT_FOUND: ErrorReason
ERROR_REASON_ATTEMPT_NOT_FOUND: ErrorReason
ERROR_REASON_TOOL_NOT_FOUND: ErrorReason
ERROR_REASON_WORKFLOW_NOT_FOUND: ErrorReason
ERROR_REASON_LEASE_NOT_FOUND: ErrorReason
ERROR_REASON_APPROVAL_NOT_FOUND: ErrorReason
ERROR_REASON_POLICY_OBJECT_NOT_FOUND: ErrorReason
ERROR_REASON_SUBSCRIPTION_NOT_FOUND: ErrorReason
ERROR_REASON_ENTITY_STATE_NOT_FOUND: ErrorReason
ERROR_REASON_INVALID_TOOL_DEFINITION: ErrorReason
ERROR_REASON_CAPABILITY_MISSING: ErrorReason
ERROR_REASON_TOOL_DISABLED: ErrorReason
ERROR_REASON_TOOL_VERSION_CONFLICT: ErrorReason
ERROR_REASON_IDENTITY_CHANGE_UNSTATED: ErrorReason
ERROR_REASON_INVALID_RULE: ErrorReason
ERROR_REASON_REASON_REQUIRED: ErrorReason
ERROR_REASON_PERMISSION_DENIED: ErrorReason
ERROR_REASON_UNAUTHENTICATED: ErrorReason
ERROR_REASON_ROLES_NOT_APART: ErrorReason
ERROR_REASON_ETAG_MISMATCH: ErrorReason
ERROR_REASON_OVERLOADED: ErrorReason
ERROR_REASON_DATABASE_UNAVAILABLE: ErrorReason
ERROR_REASON_DEADLINE_EXCEEDED: ErrorReason
ERROR_REASON_UNIMPLEMENTED_IN_THIS_RELEASE: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason
ERROR_REASON_DRAINING: ErrorReason
ERROR_REASON_LEASE_LOST: ErrorReason
ERROR_REASON_LEASE_TOKEN_MISMATCH: ErrorReason
ERROR_REASON_LEASE_REQUIRED: ErrorReason
ERROR_REASON_LEASE_TOO_OLD: ErrorReason
ERROR_REASON_WORKFLOW_ENDED: ErrorReason
ERROR_REASON_RUN_SUPERSEDED: ErrorReason
ERROR_REASON_CLAIM_CONTRADICTED: ErrorReason
ERROR_REASON_APPROVAL_NOT_OPEN: ErrorReason
ERROR_REASON_COMPENSATION_NOT_POSSIBLE: ErrorReason
ERROR_REASON_LOOKUP_TICKET_INVALID: ErrorReason
ERROR_REASON_EVIDENCE_ID_REUSED: ErrorReason
ERROR_REASON_STATE_NOT_SUITABLE: ErrorReason
ERROR_REASON_INVALID_SIGNATURE: ErrorReason

class KeyReuseDetail(_message.Message):
    __slots__ = ("operation_id", "idempotency_key", "recorded_fingerprint", "proposed_fingerprint", "differing_pointers", "differing_components")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    PROPOSED_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    DIFFERING_POINTERS_FIELD_NUMBER: _ClassVar[int]
    DIFFERING_COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    idempotency_key: str
    recorded_fingerprint: str
    proposed_fingerprint: str
    differing_pointers: _containers.RepeatedScalarFieldContainer[str]
    differing_components: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, operation_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., recorded_fingerprint: _Optional[str] = ..., proposed_fingerprint: _Optional[str] = ..., differing_pointers: _Optional[_Iterable[str]] = ..., differing_components: _Optional[_Iterable[str]] = ...) -> None: ...

class StaleAttemptDetail(_message.Message):
    __slots__ = ("state", "operation_version", "live_attempt_id", "result", "evidence_id")
    STATE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    LIVE_ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    state: _operation_pb2.Operation.State
    operation_version: int
    live_attempt_id: str
    result: _operation_pb2.ToolResult
    evidence_id: str
    def __init__(self, state: _Optional[_Union[_operation_pb2.Operation.State, str]] = ..., operation_version: _Optional[int] = ..., live_attempt_id: _Optional[str] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ..., evidence_id: _Optional[str] = ...) -> None: ...

class OperationDetail(_message.Message):
    __slots__ = ("operation_id", "state", "operation_version", "result")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    state: _operation_pb2.Operation.State
    operation_version: int
    result: _operation_pb2.ToolResult
    def __init__(self, operation_id: _Optional[str] = ..., state: _Optional[_Union[_operation_pb2.Operation.State, str]] = ..., operation_version: _Optional[int] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ...) -> None: ...

class RuleFaultDetail(_message.Message):
    __slots__ = ("field", "line", "column", "description")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    field: str
    line: int
    column: int
    description: str
    def __init__(self, field: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., description: _Optional[str] = ...) -> None: ...

class ClaimConflictDetail(_message.Message):
    __slots__ = ("operation_id", "state", "safe_user_message")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SAFE_USER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    state: _operation_pb2.Operation.State
    safe_user_message: str
    def __init__(self, operation_id: _Optional[str] = ..., state: _Optional[_Union[_operation_pb2.Operation.State, str]] = ..., safe_user_message: _Optional[str] = ...) -> None: ...
