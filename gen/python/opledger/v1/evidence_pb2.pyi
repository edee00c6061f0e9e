from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import attempt_pb2 as _attempt_pb2
from opledger.v1 import provider_pb2 as _provider_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_HAPPENED: _ClassVar[Verdict]
    VERDICT_IN_PROGRESS: _ClassVar[Verdict]
    VERDICT_DID_NOT_HAPPEN: _ClassVar[Verdict]
    VERDICT_STILL_UNKNOWN: _ClassVar[Verdict]

class EvidenceGrade(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIDENCE_GRADE_UNSPECIFIED: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_RECEIPT: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_LOOKUP: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_WEBHOOK: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_SEARCH: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_PERSON: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_CLAIM: _ClassVar[EvidenceGrade]
    EVIDENCE_GRADE_PERSON_DECREE: _ClassVar[EvidenceGrade]

class EvidenceEffect(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIDENCE_EFFECT_UNSPECIFIED: _ClassVar[EvidenceEffect]
    EVIDENCE_EFFECT_APPLIED: _ClassVar[EvidenceEffect]
    EVIDENCE_EFFECT_WAITING: _ClassVar[EvidenceEffect]
    EVIDENCE_EFFECT_WITHOUT_EFFECT: _ClassVar[EvidenceEffect]
    EVIDENCE_EFFECT_CONTRADICTS: _ClassVar[EvidenceEffect]
    EVIDENCE_EFFECT_DUPLICATE: _ClassVar[EvidenceEffect]
VERDICT_UNSPECIFIED: Verdict
VERDICT_HAPPENED: Verdict
VERDICT_IN_PROGRESS: Verdict
VERDICT_DID_NOT_HAPPEN: Verdict
VERDICT_STILL_UNKNOWN: Verdict
EVIDENCE_GRADE_UNSPECIFIED: EvidenceGrade
EVIDENCE_GRADE_RECEIPT: EvidenceGrade
EVIDENCE_GRADE_LOOKUP: EvidenceGrade
EVIDENCE_GRADE_WEBHOOK: EvidenceGrade
EVIDENCE_GRADE_SEARCH: EvidenceGrade
EVIDENCE_GRADE_PERSON: EvidenceGrade
EVIDENCE_GRADE_CLAIM: EvidenceGrade
EVIDENCE_GRADE_PERSON_DECREE: EvidenceGrade
EVIDENCE_EFFECT_UNSPECIFIED: EvidenceEffect
EVIDENCE_EFFECT_APPLIED: EvidenceEffect
EVIDENCE_EFFECT_WAITING: EvidenceEffect
EVIDENCE_EFFECT_WITHOUT_EFFECT: EvidenceEffect
EVIDENCE_EFFECT_CONTRADICTS: EvidenceEffect
EVIDENCE_EFFECT_DUPLICATE: EvidenceEffect

class Evidence(_message.Message):
    __slots__ = ("evidence_id", "verdict", "lookup", "webhook", "person", "attribution", "observe_time", "answer", "note")
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    LOOKUP_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    OBSERVE_TIME_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    evidence_id: str
    verdict: Verdict
    lookup: LookupSource
    webhook: WebhookSource
    person: PersonSource
    attribution: Attribution
    observe_time: _timestamp_pb2.Timestamp
    answer: _attempt_pb2.ProviderAnswer
    note: str
    def __init__(self, evidence_id: _Optional[str] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., lookup: _Optional[_Union[LookupSource, _Mapping]] = ..., webhook: _Optional[_Union[WebhookSource, _Mapping]] = ..., person: _Optional[_Union[PersonSource, _Mapping]] = ..., attribution: _Optional[_Union[Attribution, _Mapping]] = ..., observe_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., answer: _Optional[_Union[_attempt_pb2.ProviderAnswer, _Mapping]] = ..., note: _Optional[str] = ...) -> None: ...

class LookupSource(_message.Message):
    __slots__ = ("lookup_ticket", "by", "value", "search")
    LOOKUP_TICKET_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    lookup_ticket: str
    by: _provider_pb2.LookupBy
    value: str
    search: bool
    def __init__(self, lookup_ticket: _Optional[str] = ..., by: _Optional[_Union[_provider_pb2.LookupBy, str]] = ..., value: _Optional[str] = ..., search: bool = ...) -> None: ...

class WebhookSource(_message.Message):
    __slots__ = ("source", "event_id")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    source: str
    event_id: str
    def __init__(self, source: _Optional[str] = ..., event_id: _Optional[str] = ...) -> None: ...

class PersonSource(_message.Message):
    __slots__ = ("seen_operation_version", "reason", "overrule")
    SEEN_OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    OVERRULE_FIELD_NUMBER: _ClassVar[int]
    seen_operation_version: int
    reason: str
    overrule: bool
    def __init__(self, seen_operation_version: _Optional[int] = ..., reason: _Optional[str] = ..., overrule: bool = ...) -> None: ...

class Attribution(_message.Message):
    __slots__ = ("vendor_idempotency_key", "client_reference")
    VENDOR_IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    CLIENT_REFERENCE_FIELD_NUMBER: _ClassVar[int]
    vendor_idempotency_key: str
    client_reference: str
    def __init__(self, vendor_idempotency_key: _Optional[str] = ..., client_reference: _Optional[str] = ...) -> None: ...

class EvidenceRecord(_message.Message):
    __slots__ = ("evidence", "grade", "principal", "time", "ask_time", "effect", "explanation", "attempt_number", "report")
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    GRADE_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ASK_TIME_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    evidence: Evidence
    grade: EvidenceGrade
    principal: str
    time: _timestamp_pb2.Timestamp
    ask_time: _timestamp_pb2.Timestamp
    effect: EvidenceEffect
    explanation: str
    attempt_number: int
    report: _attempt_pb2.AttemptReport
    def __init__(self, evidence: _Optional[_Union[Evidence, _Mapping]] = ..., grade: _Optional[_Union[EvidenceGrade, str]] = ..., principal: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., ask_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., effect: _Optional[_Union[EvidenceEffect, str]] = ..., explanation: _Optional[str] = ..., attempt_number: _Optional[int] = ..., report: _Optional[_Union[_attempt_pb2.AttemptReport, _Mapping]] = ...) -> None: ...
