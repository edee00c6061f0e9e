from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VendorKeyFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VENDOR_KEY_FORMAT_UNSPECIFIED: _ClassVar[VendorKeyFormat]
    VENDOR_KEY_FORMAT_TEXT: _ClassVar[VendorKeyFormat]
    VENDOR_KEY_FORMAT_UUID: _ClassVar[VendorKeyFormat]
    VENDOR_KEY_FORMAT_HEX: _ClassVar[VendorKeyFormat]

class VendorKeyScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VENDOR_KEY_SCOPE_UNSPECIFIED: _ClassVar[VendorKeyScope]
    VENDOR_KEY_SCOPE_ACCOUNT: _ClassVar[VendorKeyScope]
    VENDOR_KEY_SCOPE_ENDPOINT: _ClassVar[VendorKeyScope]
    VENDOR_KEY_SCOPE_PROVIDER: _ClassVar[VendorKeyScope]

class LookupBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOOKUP_BY_UNSPECIFIED: _ClassVar[LookupBy]
    LOOKUP_BY_VENDOR_KEY: _ClassVar[LookupBy]
    LOOKUP_BY_CLIENT_REFERENCE: _ClassVar[LookupBy]
    LOOKUP_BY_PROVIDER_REQUEST_ID: _ClassVar[LookupBy]
    LOOKUP_BY_OBJECT_ID: _ClassVar[LookupBy]
VENDOR_KEY_FORMAT_UNSPECIFIED: VendorKeyFormat
VENDOR_KEY_FORMAT_TEXT: VendorKeyFormat
VENDOR_KEY_FORMAT_UUID: VendorKeyFormat
VENDOR_KEY_FORMAT_HEX: VendorKeyFormat
VENDOR_KEY_SCOPE_UNSPECIFIED: VendorKeyScope
VENDOR_KEY_SCOPE_ACCOUNT: VendorKeyScope
VENDOR_KEY_SCOPE_ENDPOINT: VendorKeyScope
VENDOR_KEY_SCOPE_PROVIDER: VendorKeyScope
LOOKUP_BY_UNSPECIFIED: LookupBy
LOOKUP_BY_VENDOR_KEY: LookupBy
LOOKUP_BY_CLIENT_REFERENCE: LookupBy
LOOKUP_BY_PROVIDER_REQUEST_ID: LookupBy
LOOKUP_BY_OBJECT_ID: LookupBy

class ProviderProfile(_message.Message):
    __slots__ = ("name", "account", "idempotency_key", "lookups", "longest_flight", "propagation_delay", "time_to_finish", "five_xx_may_commit", "retryable_codes", "webhook_source", "stores_client_reference", "max_concurrent", "base", "rate_limit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    LOOKUPS_FIELD_NUMBER: _ClassVar[int]
    LONGEST_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    PROPAGATION_DELAY_FIELD_NUMBER: _ClassVar[int]
    TIME_TO_FINISH_FIELD_NUMBER: _ClassVar[int]
    FIVE_XX_MAY_COMMIT_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_CODES_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_SOURCE_FIELD_NUMBER: _ClassVar[int]
    STORES_CLIENT_REFERENCE_FIELD_NUMBER: _ClassVar[int]
    MAX_CONCURRENT_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    RATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    account: str
    idempotency_key: VendorKeyProfile
    lookups: _containers.RepeatedCompositeFieldContainer[LookupProfile]
    longest_flight: _duration_pb2.Duration
    propagation_delay: _duration_pb2.Duration
    time_to_finish: _duration_pb2.Duration
    five_xx_may_commit: bool
    retryable_codes: _containers.RepeatedScalarFieldContainer[str]
    webhook_source: str
    stores_client_reference: bool
    max_concurrent: int
    base: str
    rate_limit: RateLimitProfile
    def __init__(self, name: _Optional[str] = ..., account: _Optional[str] = ..., idempotency_key: _Optional[_Union[VendorKeyProfile, _Mapping]] = ..., lookups: _Optional[_Iterable[_Union[LookupProfile, _Mapping]]] = ..., longest_flight: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., propagation_delay: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., time_to_finish: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., five_xx_may_commit: bool = ..., retryable_codes: _Optional[_Iterable[str]] = ..., webhook_source: _Optional[str] = ..., stores_client_reference: bool = ..., max_concurrent: _Optional[int] = ..., base: _Optional[str] = ..., rate_limit: _Optional[_Union[RateLimitProfile, _Mapping]] = ...) -> None: ...

class RateLimitProfile(_message.Message):
    __slots__ = ("max_requests", "period", "retry_after_header")
    MAX_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_HEADER_FIELD_NUMBER: _ClassVar[int]
    max_requests: int
    period: _duration_pb2.Duration
    retry_after_header: str
    def __init__(self, max_requests: _Optional[int] = ..., period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., retry_after_header: _Optional[str] = ...) -> None: ...

class VendorKeyProfile(_message.Message):
    __slots__ = ("supported", "header", "body_field", "format", "max_length", "scope", "retention", "matched_at_acceptance", "records_refusals")
    SUPPORTED_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    MAX_LENGTH_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    RETENTION_FIELD_NUMBER: _ClassVar[int]
    MATCHED_AT_ACCEPTANCE_FIELD_NUMBER: _ClassVar[int]
    RECORDS_REFUSALS_FIELD_NUMBER: _ClassVar[int]
    supported: bool
    header: str
    body_field: str
    format: VendorKeyFormat
    max_length: int
    scope: VendorKeyScope
    retention: _duration_pb2.Duration
    matched_at_acceptance: bool
    records_refusals: bool
    def __init__(self, supported: bool = ..., header: _Optional[str] = ..., body_field: _Optional[str] = ..., format: _Optional[_Union[VendorKeyFormat, str]] = ..., max_length: _Optional[int] = ..., scope: _Optional[_Union[VendorKeyScope, str]] = ..., retention: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., matched_at_acceptance: bool = ..., records_refusals: bool = ...) -> None: ...

class LookupProfile(_message.Message):
    __slots__ = ("by", "read_after_write", "search", "how", "empty_answers")
    BY_FIELD_NUMBER: _ClassVar[int]
    READ_AFTER_WRITE_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    HOW_FIELD_NUMBER: _ClassVar[int]
    EMPTY_ANSWERS_FIELD_NUMBER: _ClassVar[int]
    by: LookupBy
    read_after_write: bool
    search: bool
    how: str
    empty_answers: int
    def __init__(self, by: _Optional[_Union[LookupBy, str]] = ..., read_after_write: bool = ..., search: bool = ..., how: _Optional[str] = ..., empty_answers: _Optional[int] = ...) -> None: ...
