from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import approval_pb2 as _approval_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListApprovalsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "states", "decidable_by_me", "tool", "entity", "operation_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    DECIDABLE_BY_ME_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    states: _containers.RepeatedScalarFieldContainer[_approval_pb2.Approval.State]
    decidable_by_me: bool
    tool: str
    entity: _entity_pb2.Entity
    operation_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., states: _Optional[_Iterable[_Union[_approval_pb2.Approval.State, str]]] = ..., decidable_by_me: bool = ..., tool: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., operation_id: _Optional[str] = ...) -> None: ...

class ListApprovalsResponse(_message.Message):
    __slots__ = ("approvals", "next_page_token")
    APPROVALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    approvals: _containers.RepeatedCompositeFieldContainer[_approval_pb2.Approval]
    next_page_token: str
    def __init__(self, approvals: _Optional[_Iterable[_Union[_approval_pb2.Approval, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetApprovalRequest(_message.Message):
    __slots__ = ("approval_id",)
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    def __init__(self, approval_id: _Optional[str] = ...) -> None: ...

class GetApprovalResponse(_message.Message):
    __slots__ = ("approval",)
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    approval: _approval_pb2.Approval
    def __init__(self, approval: _Optional[_Union[_approval_pb2.Approval, _Mapping]] = ...) -> None: ...

class DecideApprovalRequest(_message.Message):
    __slots__ = ("request_id", "approval_id", "approve", "deny", "etag", "comment")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    APPROVE_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    approval_id: str
    approve: Approve
    deny: Deny
    etag: str
    comment: str
    def __init__(self, request_id: _Optional[str] = ..., approval_id: _Optional[str] = ..., approve: _Optional[_Union[Approve, _Mapping]] = ..., deny: _Optional[_Union[Deny, _Mapping]] = ..., etag: _Optional[str] = ..., comment: _Optional[str] = ...) -> None: ...

class Approve(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Deny(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DecideApprovalResponse(_message.Message):
    __slots__ = ("approval", "result")
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    approval: _approval_pb2.Approval
    result: _operation_pb2.ToolResult
    def __init__(self, approval: _Optional[_Union[_approval_pb2.Approval, _Mapping]] = ..., result: _Optional[_Union[_operation_pb2.ToolResult, _Mapping]] = ...) -> None: ...

class StandingApproval(_message.Message):
    __slots__ = ("standing_approval_id", "terms", "given_by", "create_time", "expire_time", "used_count", "used_sum", "operation_ids", "revoke_time", "etag")
    STANDING_APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    GIVEN_BY_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    USED_COUNT_FIELD_NUMBER: _ClassVar[int]
    USED_SUM_FIELD_NUMBER: _ClassVar[int]
    OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    REVOKE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    standing_approval_id: str
    terms: StandingApprovalTerms
    given_by: str
    create_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    used_count: int
    used_sum: int
    operation_ids: _containers.RepeatedScalarFieldContainer[str]
    revoke_time: _timestamp_pb2.Timestamp
    etag: str
    def __init__(self, standing_approval_id: _Optional[str] = ..., terms: _Optional[_Union[StandingApprovalTerms, _Mapping]] = ..., given_by: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., used_count: _Optional[int] = ..., used_sum: _Optional[int] = ..., operation_ids: _Optional[_Iterable[str]] = ..., revoke_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class StandingApprovalTerms(_message.Message):
    __slots__ = ("tool", "max_count", "amount_pointer", "max_amount", "max_sum", "currency", "entity", "when", "proposer", "workflow_id")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    MAX_COUNT_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_POINTER_FIELD_NUMBER: _ClassVar[int]
    MAX_AMOUNT_FIELD_NUMBER: _ClassVar[int]
    MAX_SUM_FIELD_NUMBER: _ClassVar[int]
    CURRENCY_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    WHEN_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    tool: str
    max_count: int
    amount_pointer: str
    max_amount: int
    max_sum: int
    currency: str
    entity: _entity_pb2.Entity
    when: str
    proposer: str
    workflow_id: str
    def __init__(self, tool: _Optional[str] = ..., max_count: _Optional[int] = ..., amount_pointer: _Optional[str] = ..., max_amount: _Optional[int] = ..., max_sum: _Optional[int] = ..., currency: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., when: _Optional[str] = ..., proposer: _Optional[str] = ..., workflow_id: _Optional[str] = ...) -> None: ...

class CreateStandingApprovalRequest(_message.Message):
    __slots__ = ("request_id", "terms", "expires_after", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    terms: StandingApprovalTerms
    expires_after: _duration_pb2.Duration
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., terms: _Optional[_Union[StandingApprovalTerms, _Mapping]] = ..., expires_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class CreateStandingApprovalResponse(_message.Message):
    __slots__ = ("standing_approval",)
    STANDING_APPROVAL_FIELD_NUMBER: _ClassVar[int]
    standing_approval: StandingApproval
    def __init__(self, standing_approval: _Optional[_Union[StandingApproval, _Mapping]] = ...) -> None: ...

class GetStandingApprovalRequest(_message.Message):
    __slots__ = ("standing_approval_id",)
    STANDING_APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    standing_approval_id: str
    def __init__(self, standing_approval_id: _Optional[str] = ...) -> None: ...

class GetStandingApprovalResponse(_message.Message):
    __slots__ = ("standing_approval",)
    STANDING_APPROVAL_FIELD_NUMBER: _ClassVar[int]
    standing_approval: StandingApproval
    def __init__(self, standing_approval: _Optional[_Union[StandingApproval, _Mapping]] = ...) -> None: ...

class ListStandingApprovalsRequest(_message.Message):
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

class ListStandingApprovalsResponse(_message.Message):
    __slots__ = ("standing_approvals", "next_page_token")
    STANDING_APPROVALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    standing_approvals: _containers.RepeatedCompositeFieldContainer[StandingApproval]
    next_page_token: str
    def __init__(self, standing_approvals: _Optional[_Iterable[_Union[StandingApproval, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeStandingApprovalRequest(_message.Message):
    __slots__ = ("request_id", "standing_approval_id", "reason", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STANDING_APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    standing_approval_id: str
    reason: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., standing_approval_id: _Optional[str] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class RevokeStandingApprovalResponse(_message.Message):
    __slots__ = ("standing_approval",)
    STANDING_APPROVAL_FIELD_NUMBER: _ClassVar[int]
    standing_approval: StandingApproval
    def __init__(self, standing_approval: _Optional[_Union[StandingApproval, _Mapping]] = ...) -> None: ...

class HumanTask(_message.Message):
    __slots__ = ("human_task_id", "approval_id", "operation_id", "block", "workflow_id", "needs_human", "etag", "end_time")
    HUMAN_TASK_ID_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    NEEDS_HUMAN_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    human_task_id: str
    approval_id: str
    operation_id: str
    block: _operation_pb2.Holder
    workflow_id: str
    needs_human: _operation_pb2.NeedsHuman
    etag: str
    end_time: _timestamp_pb2.Timestamp
    def __init__(self, human_task_id: _Optional[str] = ..., approval_id: _Optional[str] = ..., operation_id: _Optional[str] = ..., block: _Optional[_Union[_operation_pb2.Holder, _Mapping]] = ..., workflow_id: _Optional[str] = ..., needs_human: _Optional[_Union[_operation_pb2.NeedsHuman, _Mapping]] = ..., etag: _Optional[str] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListHumanTasksRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "owner", "overdue", "acknowledged", "include_settled")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SETTLED_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    owner: str
    overdue: bool
    acknowledged: bool
    include_settled: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., owner: _Optional[str] = ..., overdue: bool = ..., acknowledged: bool = ..., include_settled: bool = ...) -> None: ...

class ListHumanTasksResponse(_message.Message):
    __slots__ = ("human_tasks", "next_page_token")
    HUMAN_TASKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    human_tasks: _containers.RepeatedCompositeFieldContainer[HumanTask]
    next_page_token: str
    def __init__(self, human_tasks: _Optional[_Iterable[_Union[HumanTask, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AcknowledgeHumanTaskRequest(_message.Message):
    __slots__ = ("request_id", "human_task_id", "hold_escalation_for", "comment", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    HUMAN_TASK_ID_FIELD_NUMBER: _ClassVar[int]
    HOLD_ESCALATION_FOR_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    human_task_id: str
    hold_escalation_for: _duration_pb2.Duration
    comment: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., human_task_id: _Optional[str] = ..., hold_escalation_for: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., comment: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class AcknowledgeHumanTaskResponse(_message.Message):
    __slots__ = ("human_task",)
    HUMAN_TASK_FIELD_NUMBER: _ClassVar[int]
    human_task: HumanTask
    def __init__(self, human_task: _Optional[_Union[HumanTask, _Mapping]] = ...) -> None: ...
