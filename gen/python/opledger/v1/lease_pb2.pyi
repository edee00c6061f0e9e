from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EntityLease(_message.Message):
    __slots__ = ("lease_id", "fencing_numbers", "workflow_id", "run_id", "principal", "acquire_time", "expire_time", "greatest_expire_time", "renew_count", "last_proposal_time", "expired", "etag")
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    FENCING_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    ACQUIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    GREATEST_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    RENEW_COUNT_FIELD_NUMBER: _ClassVar[int]
    LAST_PROPOSAL_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    fencing_numbers: _containers.RepeatedCompositeFieldContainer[_entity_pb2.FencingNumber]
    workflow_id: str
    run_id: str
    principal: str
    acquire_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    greatest_expire_time: _timestamp_pb2.Timestamp
    renew_count: int
    last_proposal_time: _timestamp_pb2.Timestamp
    expired: bool
    etag: str
    def __init__(self, lease_id: _Optional[str] = ..., fencing_numbers: _Optional[_Iterable[_Union[_entity_pb2.FencingNumber, _Mapping]]] = ..., workflow_id: _Optional[str] = ..., run_id: _Optional[str] = ..., principal: _Optional[str] = ..., acquire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., greatest_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., renew_count: _Optional[int] = ..., last_proposal_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expired: bool = ..., etag: _Optional[str] = ...) -> None: ...

class LeaseGrant(_message.Message):
    __slots__ = ("lease_token", "remaining", "greatest_remaining", "lease")
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    GREATEST_REMAINING_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    lease_token: str
    remaining: _duration_pb2.Duration
    greatest_remaining: _duration_pb2.Duration
    lease: EntityLease
    def __init__(self, lease_token: _Optional[str] = ..., remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., greatest_remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., lease: _Optional[_Union[EntityLease, _Mapping]] = ...) -> None: ...
