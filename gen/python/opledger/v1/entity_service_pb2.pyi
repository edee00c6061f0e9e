from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EntityState(_message.Message):
    __slots__ = ("entity", "state", "attributes_json", "version", "etag", "update_time", "operation_id", "principal", "reason")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_JSON_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    entity: _entity_pb2.Entity
    state: str
    attributes_json: str
    version: int
    etag: str
    update_time: _timestamp_pb2.Timestamp
    operation_id: str
    principal: str
    reason: str
    def __init__(self, entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., state: _Optional[str] = ..., attributes_json: _Optional[str] = ..., version: _Optional[int] = ..., etag: _Optional[str] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., operation_id: _Optional[str] = ..., principal: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class GetEntityStateRequest(_message.Message):
    __slots__ = ("entity",)
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    entity: _entity_pb2.Entity
    def __init__(self, entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ...) -> None: ...

class GetEntityStateResponse(_message.Message):
    __slots__ = ("entity_state",)
    ENTITY_STATE_FIELD_NUMBER: _ClassVar[int]
    entity_state: EntityState
    def __init__(self, entity_state: _Optional[_Union[EntityState, _Mapping]] = ...) -> None: ...

class SetEntityStateRequest(_message.Message):
    __slots__ = ("request_id", "entity", "state", "attributes_json", "etag", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_JSON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    entity: _entity_pb2.Entity
    state: str
    attributes_json: str
    etag: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., entity: _Optional[_Union[_entity_pb2.Entity, _Mapping]] = ..., state: _Optional[str] = ..., attributes_json: _Optional[str] = ..., etag: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class SetEntityStateResponse(_message.Message):
    __slots__ = ("entity_state",)
    ENTITY_STATE_FIELD_NUMBER: _ClassVar[int]
    entity_state: EntityState
    def __init__(self, entity_state: _Optional[_Union[EntityState, _Mapping]] = ...) -> None: ...

class ListEntityStatesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "entity_type", "state")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    entity_type: str
    state: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., entity_type: _Optional[str] = ..., state: _Optional[str] = ...) -> None: ...

class ListEntityStatesResponse(_message.Message):
    __slots__ = ("entity_states", "next_page_token")
    ENTITY_STATES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entity_states: _containers.RepeatedCompositeFieldContainer[EntityState]
    next_page_token: str
    def __init__(self, entity_states: _Optional[_Iterable[_Union[EntityState, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
