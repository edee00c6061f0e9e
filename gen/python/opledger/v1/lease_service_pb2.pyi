from google.protobuf import duration_pb2 as _duration_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from opledger.v1 import lease_pb2 as _lease_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AcquireEntityLeaseRequest(_message.Message):
    __slots__ = ("request_id", "entities", "workflow_id", "run_id", "ttl", "wait", "lease_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    entities: _containers.RepeatedCompositeFieldContainer[_entity_pb2.Entity]
    workflow_id: str
    run_id: str
    ttl: _duration_pb2.Duration
    wait: _duration_pb2.Duration
    lease_token: str
    def __init__(self, request_id: _Optional[str] = ..., entities: _Optional[_Iterable[_Union[_entity_pb2.Entity, _Mapping]]] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., ttl: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., lease_token: _Optional[str] = ...) -> None: ...

class AcquireEntityLeaseResponse(_message.Message):
    __slots__ = ("grant", "holders", "waiting_before")
    GRANT_FIELD_NUMBER: _ClassVar[int]
    HOLDERS_FIELD_NUMBER: _ClassVar[int]
    WAITING_BEFORE_FIELD_NUMBER: _ClassVar[int]
    grant: _lease_pb2.LeaseGrant
    holders: _containers.RepeatedCompositeFieldContainer[_operation_pb2.Holder]
    waiting_before: int
    def __init__(self, grant: _Optional[_Union[_lease_pb2.LeaseGrant, _Mapping]] = ..., holders: _Optional[_Iterable[_Union[_operation_pb2.Holder, _Mapping]]] = ..., waiting_before: _Optional[int] = ...) -> None: ...

class RenewEntityLeaseRequest(_message.Message):
    __slots__ = ("request_id", "lease_token", "ttl")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    lease_token: str
    ttl: _duration_pb2.Duration
    def __init__(self, request_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., ttl: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RenewEntityLeaseResponse(_message.Message):
    __slots__ = ("grant",)
    GRANT_FIELD_NUMBER: _ClassVar[int]
    grant: _lease_pb2.LeaseGrant
    def __init__(self, grant: _Optional[_Union[_lease_pb2.LeaseGrant, _Mapping]] = ...) -> None: ...

class ReleaseEntityLeaseRequest(_message.Message):
    __slots__ = ("request_id", "lease_token", "entities")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    lease_token: str
    entities: _containers.RepeatedCompositeFieldContainer[_entity_pb2.Entity]
    def __init__(self, request_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., entities: _Optional[_Iterable[_Union[_entity_pb2.Entity, _Mapping]]] = ...) -> None: ...

class ReleaseEntityLeaseResponse(_message.Message):
    __slots__ = ("was_lost", "kept_by")
    WAS_LOST_FIELD_NUMBER: _ClassVar[int]
    KEPT_BY_FIELD_NUMBER: _ClassVar[int]
    was_lost: bool
    kept_by: _containers.RepeatedCompositeFieldContainer[_operation_pb2.Holder]
    def __init__(self, was_lost: bool = ..., kept_by: _Optional[_Iterable[_Union[_operation_pb2.Holder, _Mapping]]] = ...) -> None: ...

class GetEntityLeaseRequest(_message.Message):
    __slots__ = ("entity",)
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    entity: _entity_pb2.Entity
    def __init__(self, entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ...) -> None: ...

class GetEntityLeaseResponse(_message.Message):
    __slots__ = ("lease", "kept_by", "waiting_count")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    KEPT_BY_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    lease: _lease_pb2.EntityLease
    kept_by: _containers.RepeatedCompositeFieldContainer[_operation_pb2.Holder]
    waiting_count: int
    def __init__(self, lease: _Optional[_Union[_lease_pb2.EntityLease, _Mapping]] = ..., kept_by: _Optional[_Iterable[_Union[_operation_pb2.Holder, _Mapping]]] = ..., waiting_count: _Optional[int] = ...) -> None: ...

class ListEntityLeasesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "workflow_id", "entity_type", "expired", "min_age")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPE_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    MIN_AGE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    workflow_id: str
    entity_type: str
    expired: bool
    min_age: _duration_pb2.Duration
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., workflow_id: _Optional[str] = ..., entity_type: _Optional[str] = ..., expired: bool = ..., min_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ListEntityLeasesResponse(_message.Message):
    __slots__ = ("leases", "next_page_token")
    LEASES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    leases: _containers.RepeatedCompositeFieldContainer[_lease_pb2.EntityLease]
    next_page_token: str
    def __init__(self, leases: _Optional[_Iterable[_Union[_lease_pb2.EntityLease, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class BreakEntityLeaseRequest(_message.Message):
    __slots__ = ("request_id", "entity", "reason", "etag", "seen_operation_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    SEEN_OPERATION_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    entity: _entity_pb2.Entity
    reason: str
    etag: str
    seen_operation_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ..., seen_operation_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class BreakEntityLeaseResponse(_message.Message):
    __slots__ = ("lease", "lifted")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    LIFTED_FIELD_NUMBER: _ClassVar[int]
    lease: _lease_pb2.EntityLease
    lifted: _containers.RepeatedCompositeFieldContainer[_operation_pb2.Holder]
    def __init__(self, lease: _Optional[_Union[_lease_pb2.EntityLease, _Mapping]] = ..., lifted: _Optional[_Iterable[_Union[_operation_pb2.Holder, _Mapping]]] = ...) -> None: ...
