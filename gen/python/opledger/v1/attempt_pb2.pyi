from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import entity_pb2 as _entity_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AttemptVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ATTEMPT_VERDICT_UNSPECIFIED: _ClassVar[AttemptVerdict]
    ATTEMPT_VERDICT_OPEN: _ClassVar[AttemptVerdict]
    ATTEMPT_VERDICT_NONE: _ClassVar[AttemptVerdict]
    ATTEMPT_VERDICT_EFFECT: _ClassVar[AttemptVerdict]

class AmbiguityKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AMBIGUITY_KIND_UNSPECIFIED: _ClassVar[AmbiguityKind]
    AMBIGUITY_KIND_TIMEOUT: _ClassVar[AmbiguityKind]
    AMBIGUITY_KIND_CONNECTION_LOST: _ClassVar[AmbiguityKind]
    AMBIGUITY_KIND_MALFORMED_ANSWER: _ClassVar[AmbiguityKind]
    AMBIGUITY_KIND_PROVIDER_ERROR: _ClassVar[AmbiguityKind]
    AMBIGUITY_KIND_EXCEPTION: _ClassVar[AmbiguityKind]
ATTEMPT_VERDICT_UNSPECIFIED: AttemptVerdict
ATTEMPT_VERDICT_OPEN: AttemptVerdict
ATTEMPT_VERDICT_NONE: AttemptVerdict
ATTEMPT_VERDICT_EFFECT: AttemptVerdict
AMBIGUITY_KIND_UNSPECIFIED: AmbiguityKind
AMBIGUITY_KIND_TIMEOUT: AmbiguityKind
AMBIGUITY_KIND_CONNECTION_LOST: AmbiguityKind
AMBIGUITY_KIND_MALFORMED_ANSWER: AmbiguityKind
AMBIGUITY_KIND_PROVIDER_ERROR: AmbiguityKind
AMBIGUITY_KIND_EXCEPTION: AmbiguityKind

class Permit(_message.Message):
    __slots__ = ("operation_id", "attempt_id", "attempt_number", "attempt_token", "remaining", "greatest_remaining", "begin_required", "fencing_numbers", "vendor_idempotency_key", "vendor_key_header", "vendor_key_body_field", "client_reference", "dispatch_arguments_json", "tool", "tool_version", "provider", "provider_account", "resend")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    GREATEST_REMAINING_FIELD_NUMBER: _ClassVar[int]
    BEGIN_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    FENCING_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    VENDOR_IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    VENDOR_KEY_HEADER_FIELD_NUMBER: _ClassVar[int]
    VENDOR_KEY_BODY_FIELD_FIELD_NUMBER: _ClassVar[int]
    CLIENT_REFERENCE_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    RESEND_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    attempt_id: str
    attempt_number: int
    attempt_token: str
    remaining: _duration_pb2.Duration
    greatest_remaining: _duration_pb2.Duration
    begin_required: bool
    fencing_numbers: _containers.RepeatedCompositeFieldContainer[_entity_pb2.FencingNumber]
    vendor_idempotency_key: str
    vendor_key_header: str
    vendor_key_body_field: str
    client_reference: str
    dispatch_arguments_json: str
    tool: str
    tool_version: int
    provider: str
    provider_account: str
    resend: bool
    def __init__(self, operation_id: _Optional[str] = ..., attempt_id: _Optional[str] = ..., attempt_number: _Optional[int] = ..., attempt_token: _Optional[str] = ..., remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., greatest_remaining: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., begin_required: bool = ..., fencing_numbers: _Optional[_Iterable[_Union[_entity_pb2.FencingNumber, _Mapping]]] = ..., vendor_idempotency_key: _Optional[str] = ..., vendor_key_header: _Optional[str] = ..., vendor_key_body_field: _Optional[str] = ..., client_reference: _Optional[str] = ..., dispatch_arguments_json: _Optional[str] = ..., tool: _Optional[str] = ..., tool_version: _Optional[int] = ..., provider: _Optional[str] = ..., provider_account: _Optional[str] = ..., resend: bool = ...) -> None: ...

class Attempt(_message.Message):
    __slots__ = ("attempt_id", "attempt_number", "principal", "run_id", "grant_time", "deadline_time", "greatest_deadline_time", "live", "resend", "handed_again", "fencing_numbers", "begin_time", "end_time", "report", "acknowledged", "verdict", "verdict_reason", "effect_id")
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_TIME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    GREATEST_DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    LIVE_FIELD_NUMBER: _ClassVar[int]
    RESEND_FIELD_NUMBER: _ClassVar[int]
    HANDED_AGAIN_FIELD_NUMBER: _ClassVar[int]
    FENCING_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    BEGIN_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    VERDICT_REASON_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    attempt_id: str
    attempt_number: int
    principal: str
    run_id: str
    grant_time: _timestamp_pb2.Timestamp
    deadline_time: _timestamp_pb2.Timestamp
    greatest_deadline_time: _timestamp_pb2.Timestamp
    live: bool
    resend: bool
    handed_again: bool
    fencing_numbers: _containers.RepeatedCompositeFieldContainer[_entity_pb2.FencingNumber]
    begin_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    report: AttemptReport
    acknowledged: bool
    verdict: AttemptVerdict
    verdict_reason: str
    effect_id: str
    def __init__(self, attempt_id: _Optional[str] = ..., attempt_number: _Optional[int] = ..., principal: _Optional[str] = ..., run_id: _Optional[str] = ..., grant_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., deadline_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., greatest_deadline_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., live: bool = ..., resend: bool = ..., handed_again: bool = ..., fencing_numbers: _Optional[_Iterable[_Union[_entity_pb2.FencingNumber, _Mapping]]] = ..., begin_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., report: _Optional[_Union[AttemptReport, _Mapping]] = ..., acknowledged: bool = ..., verdict: _Optional[_Union[AttemptVerdict, str]] = ..., verdict_reason: _Optional[str] = ..., effect_id: _Optional[str] = ...) -> None: ...

class AttemptReport(_message.Message):
    __slots__ = ("report_id", "time", "sender_returned", "succeeded", "noop", "acknowledged", "not_sent", "rejected", "rate_limited", "declined", "ambiguous", "answer", "message")
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SENDER_RETURNED_FIELD_NUMBER: _ClassVar[int]
    SUCCEEDED_FIELD_NUMBER: _ClassVar[int]
    NOOP_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    NOT_SENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    RATE_LIMITED_FIELD_NUMBER: _ClassVar[int]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    AMBIGUOUS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    report_id: str
    time: _timestamp_pb2.Timestamp
    sender_returned: bool
    succeeded: OutcomeSucceeded
    noop: OutcomeNoop
    acknowledged: OutcomeAcknowledged
    not_sent: OutcomeNotSent
    rejected: OutcomeRejected
    rate_limited: OutcomeRateLimited
    declined: OutcomeDeclined
    ambiguous: OutcomeAmbiguous
    answer: ProviderAnswer
    message: str
    def __init__(self, report_id: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., sender_returned: bool = ..., succeeded: _Optional[_Union[OutcomeSucceeded, _Mapping]] = ..., noop: _Optional[_Union[OutcomeNoop, _Mapping]] = ..., acknowledged: _Optional[_Union[OutcomeAcknowledged, _Mapping]] = ..., not_sent: _Optional[_Union[OutcomeNotSent, _Mapping]] = ..., rejected: _Optional[_Union[OutcomeRejected, _Mapping]] = ..., rate_limited: _Optional[_Union[OutcomeRateLimited, _Mapping]] = ..., declined: _Optional[_Union[OutcomeDeclined, _Mapping]] = ..., ambiguous: _Optional[_Union[OutcomeAmbiguous, _Mapping]] = ..., answer: _Optional[_Union[ProviderAnswer, _Mapping]] = ..., message: _Optional[str] = ...) -> None: ...

class OutcomeSucceeded(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class OutcomeNoop(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class OutcomeAcknowledged(_message.Message):
    __slots__ = ("finish_by",)
    FINISH_BY_FIELD_NUMBER: _ClassVar[int]
    finish_by: _duration_pb2.Duration
    def __init__(self, finish_by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class OutcomeNotSent(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class OutcomeRejected(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class OutcomeRateLimited(_message.Message):
    __slots__ = ("retry_after",)
    RETRY_AFTER_FIELD_NUMBER: _ClassVar[int]
    retry_after: _duration_pb2.Duration
    def __init__(self, retry_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class OutcomeDeclined(_message.Message):
    __slots__ = ("code", "retry_after")
    CODE_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_FIELD_NUMBER: _ClassVar[int]
    code: str
    retry_after: _duration_pb2.Duration
    def __init__(self, code: _Optional[str] = ..., retry_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class OutcomeAmbiguous(_message.Message):
    __slots__ = ("kind",)
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: AmbiguityKind
    def __init__(self, kind: _Optional[_Union[AmbiguityKind, str]] = ...) -> None: ...

class ProviderAnswer(_message.Message):
    __slots__ = ("provider_request_id", "provider_object_id", "effect_id", "provider_account", "raw_status_code", "provider_replayed", "result_json", "artifacts")
    PROVIDER_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    RAW_STATUS_CODE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_REPLAYED_FIELD_NUMBER: _ClassVar[int]
    RESULT_JSON_FIELD_NUMBER: _ClassVar[int]
    ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    provider_request_id: str
    provider_object_id: str
    effect_id: str
    provider_account: str
    raw_status_code: str
    provider_replayed: bool
    result_json: str
    artifacts: _containers.RepeatedCompositeFieldContainer[Artifact]
    def __init__(self, provider_request_id: _Optional[str] = ..., provider_object_id: _Optional[str] = ..., effect_id: _Optional[str] = ..., provider_account: _Optional[str] = ..., raw_status_code: _Optional[str] = ..., provider_replayed: bool = ..., result_json: _Optional[str] = ..., artifacts: _Optional[_Iterable[_Union[Artifact, _Mapping]]] = ...) -> None: ...

class Artifact(_message.Message):
    __slots__ = ("name", "uri", "media_type", "sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    media_type: str
    sha256: str
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., media_type: _Optional[str] = ..., sha256: _Optional[str] = ...) -> None: ...

class Effect(_message.Message):
    __slots__ = ("provider", "provider_account", "effect_id", "attempt_number", "time", "undo_time")
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    EFFECT_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    UNDO_TIME_FIELD_NUMBER: _ClassVar[int]
    provider: str
    provider_account: str
    effect_id: str
    attempt_number: int
    time: _timestamp_pb2.Timestamp
    undo_time: _timestamp_pb2.Timestamp
    def __init__(self, provider: _Optional[str] = ..., provider_account: _Optional[str] = ..., effect_id: _Optional[str] = ..., attempt_number: _Optional[int] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., undo_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
