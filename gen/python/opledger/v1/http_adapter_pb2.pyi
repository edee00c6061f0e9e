from google.protobuf import duration_pb2 as _duration_pb2
from opledger.v1 import provider_pb2 as _provider_pb2
from opledger.v1 import secret_pb2 as _secret_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HttpOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HTTP_OUTCOME_UNSPECIFIED: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_SUCCEEDED: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_NOOP: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_ACKNOWLEDGED: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_REJECTED: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_RATE_LIMITED: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_DECLINED: _ClassVar[HttpOutcome]
    HTTP_OUTCOME_AMBIGUOUS: _ClassVar[HttpOutcome]
HTTP_OUTCOME_UNSPECIFIED: HttpOutcome
HTTP_OUTCOME_SUCCEEDED: HttpOutcome
HTTP_OUTCOME_NOOP: HttpOutcome
HTTP_OUTCOME_ACKNOWLEDGED: HttpOutcome
HTTP_OUTCOME_REJECTED: HttpOutcome
HTTP_OUTCOME_RATE_LIMITED: HttpOutcome
HTTP_OUTCOME_DECLINED: HttpOutcome
HTTP_OUTCOME_AMBIGUOUS: HttpOutcome

class HttpAdapter(_message.Message):
    __slots__ = ("request", "outcomes", "lookups", "replayed", "allowed_hosts")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    LOOKUPS_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_HOSTS_FIELD_NUMBER: _ClassVar[int]
    request: HttpRequest
    outcomes: _containers.RepeatedCompositeFieldContainer[HttpOutcomeRule]
    lookups: _containers.RepeatedCompositeFieldContainer[HttpLookup]
    replayed: HttpCondition
    allowed_hosts: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request: _Optional[_Union[HttpRequest, _Mapping]] = ..., outcomes: _Optional[_Iterable[_Union[HttpOutcomeRule, _Mapping]]] = ..., lookups: _Optional[_Iterable[_Union[HttpLookup, _Mapping]]] = ..., replayed: _Optional[_Union[HttpCondition, _Mapping]] = ..., allowed_hosts: _Optional[_Iterable[str]] = ...) -> None: ...

class HttpRequest(_message.Message):
    __slots__ = ("method", "url", "headers", "json", "form", "text", "timeout", "max_response_bytes")
    METHOD_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    MAX_RESPONSE_BYTES_FIELD_NUMBER: _ClassVar[int]
    method: str
    url: str
    headers: _containers.RepeatedCompositeFieldContainer[HttpHeader]
    json: str
    form: HttpForm
    text: str
    timeout: _duration_pb2.Duration
    max_response_bytes: int
    def __init__(self, method: _Optional[str] = ..., url: _Optional[str] = ..., headers: _Optional[_Iterable[_Union[HttpHeader, _Mapping]]] = ..., json: _Optional[str] = ..., form: _Optional[_Union[HttpForm, _Mapping]] = ..., text: _Optional[str] = ..., timeout: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., max_response_bytes: _Optional[int] = ...) -> None: ...

class HttpForm(_message.Message):
    __slots__ = ("fields",)
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    fields: _containers.RepeatedCompositeFieldContainer[HttpField]
    def __init__(self, fields: _Optional[_Iterable[_Union[HttpField, _Mapping]]] = ...) -> None: ...

class HttpField(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class HttpHeader(_message.Message):
    __slots__ = ("name", "value", "secret")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    secret: _secret_pb2.SecretRef
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., secret: _Optional[_Union[_secret_pb2.SecretRef, _Mapping]] = ...) -> None: ...

class HttpCondition(_message.Message):
    __slots__ = ("status", "header", "header_equals", "body_pointer", "body_equals_json")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    HEADER_EQUALS_FIELD_NUMBER: _ClassVar[int]
    BODY_POINTER_FIELD_NUMBER: _ClassVar[int]
    BODY_EQUALS_JSON_FIELD_NUMBER: _ClassVar[int]
    status: _containers.RepeatedScalarFieldContainer[str]
    header: str
    header_equals: str
    body_pointer: str
    body_equals_json: str
    def __init__(self, status: _Optional[_Iterable[str]] = ..., header: _Optional[str] = ..., header_equals: _Optional[str] = ..., body_pointer: _Optional[str] = ..., body_equals_json: _Optional[str] = ...) -> None: ...

class HttpOutcomeRule(_message.Message):
    __slots__ = ("when", "outcome", "extract")
    WHEN_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_FIELD_NUMBER: _ClassVar[int]
    when: HttpCondition
    outcome: HttpOutcome
    extract: HttpExtract
    def __init__(self, when: _Optional[_Union[HttpCondition, _Mapping]] = ..., outcome: _Optional[_Union[HttpOutcome, str]] = ..., extract: _Optional[_Union[HttpExtract, _Mapping]] = ...) -> None: ...

class HttpExtract(_message.Message):
    __slots__ = ("provider_object_id", "effect_id", "provider_request_id_header", "vendor_key", "client_reference", "code", "result")
    PROVIDER_OBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_REQUEST_ID_HEADER_FIELD_NUMBER: _ClassVar[int]
    VENDOR_KEY_FIELD_NUMBER: _ClassVar[int]
    CLIENT_REFERENCE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    provider_object_id: str
    effect_id: str
    provider_request_id_header: str
    vendor_key: str
    client_reference: str
    code: str
    result: str
    def __init__(self, provider_object_id: _Optional[str] = ..., effect_id: _Optional[str] = ..., provider_request_id_header: _Optional[str] = ..., vendor_key: _Optional[str] = ..., client_reference: _Optional[str] = ..., code: _Optional[str] = ..., result: _Optional[str] = ...) -> None: ...

class HttpLookup(_message.Message):
    __slots__ = ("by", "request", "found", "not_found", "in_progress", "did_not_happen", "extract", "items", "complete")
    BY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    NOT_FOUND_FIELD_NUMBER: _ClassVar[int]
    IN_PROGRESS_FIELD_NUMBER: _ClassVar[int]
    DID_NOT_HAPPEN_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    by: _provider_pb2.LookupBy
    request: HttpRequest
    found: HttpCondition
    not_found: HttpCondition
    in_progress: HttpCondition
    did_not_happen: HttpCondition
    extract: HttpExtract
    items: str
    complete: HttpCondition
    def __init__(self, by: _Optional[_Union[_provider_pb2.LookupBy, str]] = ..., request: _Optional[_Union[HttpRequest, _Mapping]] = ..., found: _Optional[_Union[HttpCondition, _Mapping]] = ..., not_found: _Optional[_Union[HttpCondition, _Mapping]] = ..., in_progress: _Optional[_Union[HttpCondition, _Mapping]] = ..., did_not_happen: _Optional[_Union[HttpCondition, _Mapping]] = ..., extract: _Optional[_Union[HttpExtract, _Mapping]] = ..., items: _Optional[str] = ..., complete: _Optional[_Union[HttpCondition, _Mapping]] = ...) -> None: ...
