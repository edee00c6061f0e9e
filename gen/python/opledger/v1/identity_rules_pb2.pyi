from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MoneyForm(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MONEY_FORM_UNSPECIFIED: _ClassVar[MoneyForm]
    MONEY_FORM_MAJOR: _ClassVar[MoneyForm]
    MONEY_FORM_MINOR: _ClassVar[MoneyForm]

class TimePrecision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIME_PRECISION_UNSPECIFIED: _ClassVar[TimePrecision]
    TIME_PRECISION_S: _ClassVar[TimePrecision]
    TIME_PRECISION_MS: _ClassVar[TimePrecision]
    TIME_PRECISION_US: _ClassVar[TimePrecision]
    TIME_PRECISION_NS: _ClassVar[TimePrecision]

class TimeExcess(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIME_EXCESS_UNSPECIFIED: _ClassVar[TimeExcess]
    TIME_EXCESS_REFUSE: _ClassVar[TimeExcess]
    TIME_EXCESS_TRUNCATE: _ClassVar[TimeExcess]

class BucketUnit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUCKET_UNIT_UNSPECIFIED: _ClassVar[BucketUnit]
    BUCKET_UNIT_HOUR: _ClassVar[BucketUnit]
    BUCKET_UNIT_DAY: _ClassVar[BucketUnit]

class LetterCase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LETTER_CASE_UNSPECIFIED: _ClassVar[LetterCase]
    LETTER_CASE_EXACT: _ClassVar[LetterCase]
    LETTER_CASE_LOWER: _ClassVar[LetterCase]
    LETTER_CASE_UPPER: _ClassVar[LetterCase]
    LETTER_CASE_FOLD: _ClassVar[LetterCase]

class TextWhitespace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEXT_WHITESPACE_UNSPECIFIED: _ClassVar[TextWhitespace]
    TEXT_WHITESPACE_EXACT: _ClassVar[TextWhitespace]
    TEXT_WHITESPACE_TRIM: _ClassVar[TextWhitespace]
    TEXT_WHITESPACE_COLLAPSE: _ClassVar[TextWhitespace]

class TextNewlines(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEXT_NEWLINES_UNSPECIFIED: _ClassVar[TextNewlines]
    TEXT_NEWLINES_KEEP: _ClassVar[TextNewlines]
    TEXT_NEWLINES_LF: _ClassVar[TextNewlines]

class NullRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NULL_RULE_UNSPECIFIED: _ClassVar[NullRule]
    NULL_RULE_DISTINCT: _ClassVar[NullRule]
    NULL_RULE_ABSENT: _ClassVar[NullRule]

class OccurrencePolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OCCURRENCE_POLICY_UNSPECIFIED: _ClassVar[OccurrencePolicy]
    OCCURRENCE_POLICY_ANY_CALLER: _ClassVar[OccurrencePolicy]
    OCCURRENCE_POLICY_REPEAT_GRANT: _ClassVar[OccurrencePolicy]
    OCCURRENCE_POLICY_TEMPLATE: _ClassVar[OccurrencePolicy]
    OCCURRENCE_POLICY_NOBODY: _ClassVar[OccurrencePolicy]
MONEY_FORM_UNSPECIFIED: MoneyForm
MONEY_FORM_MAJOR: MoneyForm
MONEY_FORM_MINOR: MoneyForm
TIME_PRECISION_UNSPECIFIED: TimePrecision
TIME_PRECISION_S: TimePrecision
TIME_PRECISION_MS: TimePrecision
TIME_PRECISION_US: TimePrecision
TIME_PRECISION_NS: TimePrecision
TIME_EXCESS_UNSPECIFIED: TimeExcess
TIME_EXCESS_REFUSE: TimeExcess
TIME_EXCESS_TRUNCATE: TimeExcess
BUCKET_UNIT_UNSPECIFIED: BucketUnit
BUCKET_UNIT_HOUR: BucketUnit
BUCKET_UNIT_DAY: BucketUnit
LETTER_CASE_UNSPECIFIED: LetterCase
LETTER_CASE_EXACT: LetterCase
LETTER_CASE_LOWER: LetterCase
LETTER_CASE_UPPER: LetterCase
LETTER_CASE_FOLD: LetterCase
TEXT_WHITESPACE_UNSPECIFIED: TextWhitespace
TEXT_WHITESPACE_EXACT: TextWhitespace
TEXT_WHITESPACE_TRIM: TextWhitespace
TEXT_WHITESPACE_COLLAPSE: TextWhitespace
TEXT_NEWLINES_UNSPECIFIED: TextNewlines
TEXT_NEWLINES_KEEP: TextNewlines
TEXT_NEWLINES_LF: TextNewlines
NULL_RULE_UNSPECIFIED: NullRule
NULL_RULE_DISTINCT: NullRule
NULL_RULE_ABSENT: NullRule
OCCURRENCE_POLICY_UNSPECIFIED: OccurrencePolicy
OCCURRENCE_POLICY_ANY_CALLER: OccurrencePolicy
OCCURRENCE_POLICY_REPEAT_GRANT: OccurrencePolicy
OCCURRENCE_POLICY_TEMPLATE: OccurrencePolicy
OCCURRENCE_POLICY_NOBODY: OccurrencePolicy

class IdentityRules(_message.Message):
    __slots__ = ("fields", "null", "defaults", "key_template", "key_version", "intent", "entity", "touches", "occurrence", "occurrence_template", "caller_key", "change", "sensitive", "bucket")
    class FieldsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: FieldRule
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[FieldRule, _Mapping]] = ...) -> None: ...
    class DefaultsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _struct_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ...) -> None: ...
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    NULL_FIELD_NUMBER: _ClassVar[int]
    DEFAULTS_FIELD_NUMBER: _ClassVar[int]
    KEY_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    KEY_VERSION_FIELD_NUMBER: _ClassVar[int]
    INTENT_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TOUCHES_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    CALLER_KEY_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    fields: _containers.MessageMap[str, FieldRule]
    null: NullRule
    defaults: _containers.MessageMap[str, _struct_pb2.Value]
    key_template: str
    key_version: int
    intent: str
    entity: EntityTemplate
    touches: _containers.RepeatedCompositeFieldContainer[EntityTemplate]
    occurrence: OccurrencePolicy
    occurrence_template: str
    caller_key: bool
    change: IdentityChange
    sensitive: _containers.RepeatedScalarFieldContainer[str]
    bucket: TimeBucket
    def __init__(self, fields: _Optional[_Mapping[str, FieldRule]] = ..., null: _Optional[_Union[NullRule, str]] = ..., defaults: _Optional[_Mapping[str, _struct_pb2.Value]] = ..., key_template: _Optional[str] = ..., key_version: _Optional[int] = ..., intent: _Optional[str] = ..., entity: _Optional[_Union[EntityTemplate, _Mapping]] = ..., touches: _Optional[_Iterable[_Union[EntityTemplate, _Mapping]]] = ..., occurrence: _Optional[_Union[OccurrencePolicy, str]] = ..., occurrence_template: _Optional[str] = ..., caller_key: bool = ..., change: _Optional[_Union[IdentityChange, _Mapping]] = ..., sensitive: _Optional[_Iterable[str]] = ..., bucket: _Optional[_Union[TimeBucket, _Mapping]] = ...) -> None: ...

class TimeBucket(_message.Message):
    __slots__ = ("argument", "source_event", "interval")
    ARGUMENT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_EVENT_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_FIELD_NUMBER: _ClassVar[int]
    argument: str
    source_event: SourceEventTime
    interval: BucketRule
    def __init__(self, argument: _Optional[str] = ..., source_event: _Optional[_Union[SourceEventTime, _Mapping]] = ..., interval: _Optional[_Union[BucketRule, _Mapping]] = ...) -> None: ...

class SourceEventTime(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class FieldRule(_message.Message):
    __slots__ = ("number", "money", "timestamp", "date", "bucket", "enum", "identifier", "text", "email", "phone", "set", "list", "ignore")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    MONEY_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    ENUM_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FIELD_NUMBER: _ClassVar[int]
    number: NumberRule
    money: MoneyRule
    timestamp: TimestampRule
    date: DateRule
    bucket: BucketRule
    enum: EnumRule
    identifier: IdentifierRule
    text: TextRule
    email: EmailRule
    phone: PhoneRule
    set: SetRule
    list: ListRule
    ignore: IgnoreRule
    def __init__(self, number: _Optional[_Union[NumberRule, _Mapping]] = ..., money: _Optional[_Union[MoneyRule, _Mapping]] = ..., timestamp: _Optional[_Union[TimestampRule, _Mapping]] = ..., date: _Optional[_Union[DateRule, _Mapping]] = ..., bucket: _Optional[_Union[BucketRule, _Mapping]] = ..., enum: _Optional[_Union[EnumRule, _Mapping]] = ..., identifier: _Optional[_Union[IdentifierRule, _Mapping]] = ..., text: _Optional[_Union[TextRule, _Mapping]] = ..., email: _Optional[_Union[EmailRule, _Mapping]] = ..., phone: _Optional[_Union[PhoneRule, _Mapping]] = ..., set: _Optional[_Union[SetRule, _Mapping]] = ..., list: _Optional[_Union[ListRule, _Mapping]] = ..., ignore: _Optional[_Union[IgnoreRule, _Mapping]] = ...) -> None: ...

class NumberRule(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class MoneyRule(_message.Message):
    __slots__ = ("form", "currency", "currency_field")
    FORM_FIELD_NUMBER: _ClassVar[int]
    CURRENCY_FIELD_NUMBER: _ClassVar[int]
    CURRENCY_FIELD_FIELD_NUMBER: _ClassVar[int]
    form: MoneyForm
    currency: str
    currency_field: str
    def __init__(self, form: _Optional[_Union[MoneyForm, str]] = ..., currency: _Optional[str] = ..., currency_field: _Optional[str] = ...) -> None: ...

class TimestampRule(_message.Message):
    __slots__ = ("precision", "excess")
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    EXCESS_FIELD_NUMBER: _ClassVar[int]
    precision: TimePrecision
    excess: TimeExcess
    def __init__(self, precision: _Optional[_Union[TimePrecision, str]] = ..., excess: _Optional[_Union[TimeExcess, str]] = ...) -> None: ...

class DateRule(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BucketRule(_message.Message):
    __slots__ = ("unit", "zone")
    UNIT_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    unit: BucketUnit
    zone: str
    def __init__(self, unit: _Optional[_Union[BucketUnit, str]] = ..., zone: _Optional[str] = ...) -> None: ...

class EnumRule(_message.Message):
    __slots__ = ("values", "case", "aliases")
    class AliasesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    VALUES_FIELD_NUMBER: _ClassVar[int]
    CASE_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[str]
    case: LetterCase
    aliases: _containers.ScalarMap[str, str]
    def __init__(self, values: _Optional[_Iterable[str]] = ..., case: _Optional[_Union[LetterCase, str]] = ..., aliases: _Optional[_Mapping[str, str]] = ...) -> None: ...

class IdentifierRule(_message.Message):
    __slots__ = ("trim", "case")
    TRIM_FIELD_NUMBER: _ClassVar[int]
    CASE_FIELD_NUMBER: _ClassVar[int]
    trim: bool
    case: LetterCase
    def __init__(self, trim: bool = ..., case: _Optional[_Union[LetterCase, str]] = ...) -> None: ...

class TextRule(_message.Message):
    __slots__ = ("whitespace", "newlines")
    WHITESPACE_FIELD_NUMBER: _ClassVar[int]
    NEWLINES_FIELD_NUMBER: _ClassVar[int]
    whitespace: TextWhitespace
    newlines: TextNewlines
    def __init__(self, whitespace: _Optional[_Union[TextWhitespace, str]] = ..., newlines: _Optional[_Union[TextNewlines, str]] = ...) -> None: ...

class EmailRule(_message.Message):
    __slots__ = ("local",)
    LOCAL_FIELD_NUMBER: _ClassVar[int]
    local: LetterCase
    def __init__(self, local: _Optional[_Union[LetterCase, str]] = ...) -> None: ...

class PhoneRule(_message.Message):
    __slots__ = ("region",)
    REGION_FIELD_NUMBER: _ClassVar[int]
    region: str
    def __init__(self, region: _Optional[str] = ...) -> None: ...

class SetRule(_message.Message):
    __slots__ = ("of",)
    OF_FIELD_NUMBER: _ClassVar[int]
    of: FieldRule
    def __init__(self, of: _Optional[_Union[FieldRule, _Mapping]] = ...) -> None: ...

class ListRule(_message.Message):
    __slots__ = ("of",)
    OF_FIELD_NUMBER: _ClassVar[int]
    of: FieldRule
    def __init__(self, of: _Optional[_Union[FieldRule, _Mapping]] = ...) -> None: ...

class IgnoreRule(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EntityTemplate(_message.Message):
    __slots__ = ("type", "id")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    type: str
    id: str
    def __init__(self, type: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class IdentityChange(_message.Message):
    __slots__ = ("continues", "separate")
    CONTINUES_FIELD_NUMBER: _ClassVar[int]
    SEPARATE_FIELD_NUMBER: _ClassVar[int]
    continues: IdentityContinues
    separate: IdentitySeparate
    def __init__(self, continues: _Optional[_Union[IdentityContinues, _Mapping]] = ..., separate: _Optional[_Union[IdentitySeparate, _Mapping]] = ...) -> None: ...

class IdentityContinues(_message.Message):
    __slots__ = ("until",)
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    until: _timestamp_pb2.Timestamp
    def __init__(self, until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class IdentitySeparate(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...
