from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import operation_pb2 as _operation_pb2
from opledger.v1 import secret_pb2 as _secret_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NotificationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTIFICATION_KIND_UNSPECIFIED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_OUTCOME_UNKNOWN: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_NEEDS_HUMAN: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ESCALATED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_OPERATION_ENDED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_INCIDENT: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_APPROVAL_WAITING: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_APPROVAL_ENDED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_WORKFLOW_ENDED: _ClassVar[NotificationKind]
NOTIFICATION_KIND_UNSPECIFIED: NotificationKind
NOTIFICATION_KIND_OUTCOME_UNKNOWN: NotificationKind
NOTIFICATION_KIND_NEEDS_HUMAN: NotificationKind
NOTIFICATION_KIND_ESCALATED: NotificationKind
NOTIFICATION_KIND_OPERATION_ENDED: NotificationKind
NOTIFICATION_KIND_INCIDENT: NotificationKind
NOTIFICATION_KIND_APPROVAL_WAITING: NotificationKind
NOTIFICATION_KIND_APPROVAL_ENDED: NotificationKind
NOTIFICATION_KIND_WORKFLOW_ENDED: NotificationKind

class SubscriptionTerms(_message.Message):
    __slots__ = ("kinds", "tools", "end_states", "owner", "url", "signing_secret", "previous_signing_secret", "description", "paused")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    END_STATES_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    SIGNING_SECRET_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SIGNING_SECRET_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[NotificationKind]
    tools: _containers.RepeatedScalarFieldContainer[str]
    end_states: _containers.RepeatedScalarFieldContainer[_operation_pb2.Operation.State]
    owner: str
    url: str
    signing_secret: _secret_pb2.SecretRef
    previous_signing_secret: _secret_pb2.SecretRef
    description: str
    paused: bool
    def __init__(self, kinds: _Optional[_Iterable[_Union[NotificationKind, str]]] = ..., tools: _Optional[_Iterable[str]] = ..., end_states: _Optional[_Iterable[_Union[_operation_pb2.Operation.State, str]]] = ..., owner: _Optional[str] = ..., url: _Optional[str] = ..., signing_secret: _Optional[_Union[_secret_pb2.SecretRef, _Mapping]] = ..., previous_signing_secret: _Optional[_Union[_secret_pb2.SecretRef, _Mapping]] = ..., description: _Optional[str] = ..., paused: bool = ...) -> None: ...

class Subscription(_message.Message):
    __slots__ = ("subscription_id", "terms", "principal", "create_time", "update_time", "etag", "failures_in_a_row")
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    FAILURES_IN_A_ROW_FIELD_NUMBER: _ClassVar[int]
    subscription_id: str
    terms: SubscriptionTerms
    principal: str
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    etag: str
    failures_in_a_row: int
    def __init__(self, subscription_id: _Optional[str] = ..., terms: _Optional[_Union[SubscriptionTerms, _Mapping]] = ..., principal: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., failures_in_a_row: _Optional[int] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ("delivery_id", "subscription_id", "kind", "operation_id", "operation_version", "approval_id", "workflow_id", "state", "tries", "last_answer", "create_time", "next_try_time")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Delivery.State]
        STATE_WAITING: _ClassVar[Delivery.State]
        STATE_DELIVERED: _ClassVar[Delivery.State]
        STATE_FAILED: _ClassVar[Delivery.State]
    STATE_UNSPECIFIED: Delivery.State
    STATE_WAITING: Delivery.State
    STATE_DELIVERED: Delivery.State
    STATE_FAILED: Delivery.State
    DELIVERY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TRIES_FIELD_NUMBER: _ClassVar[int]
    LAST_ANSWER_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    NEXT_TRY_TIME_FIELD_NUMBER: _ClassVar[int]
    delivery_id: str
    subscription_id: str
    kind: NotificationKind
    operation_id: str
    operation_version: int
    approval_id: str
    workflow_id: str
    state: Delivery.State
    tries: int
    last_answer: str
    create_time: _timestamp_pb2.Timestamp
    next_try_time: _timestamp_pb2.Timestamp
    def __init__(self, delivery_id: _Optional[str] = ..., subscription_id: _Optional[str] = ..., kind: _Optional[_Union[NotificationKind, str]] = ..., operation_id: _Optional[str] = ..., operation_version: _Optional[int] = ..., approval_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., state: _Optional[_Union[Delivery.State, str]] = ..., tries: _Optional[int] = ..., last_answer: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., next_try_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateSubscriptionRequest(_message.Message):
    __slots__ = ("request_id", "terms")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    terms: SubscriptionTerms
    def __init__(self, request_id: _Optional[str] = ..., terms: _Optional[_Union[SubscriptionTerms, _Mapping]] = ...) -> None: ...

class CreateSubscriptionResponse(_message.Message):
    __slots__ = ("subscription",)
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ...) -> None: ...

class GetSubscriptionRequest(_message.Message):
    __slots__ = ("subscription_id",)
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    subscription_id: str
    def __init__(self, subscription_id: _Optional[str] = ...) -> None: ...

class GetSubscriptionResponse(_message.Message):
    __slots__ = ("subscription",)
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ...) -> None: ...

class ListSubscriptionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "kind", "paused")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    kind: NotificationKind
    paused: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., kind: _Optional[_Union[NotificationKind, str]] = ..., paused: bool = ...) -> None: ...

class ListSubscriptionsResponse(_message.Message):
    __slots__ = ("subscriptions", "next_page_token")
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    subscriptions: _containers.RepeatedCompositeFieldContainer[Subscription]
    next_page_token: str
    def __init__(self, subscriptions: _Optional[_Iterable[_Union[Subscription, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateSubscriptionRequest(_message.Message):
    __slots__ = ("request_id", "subscription_id", "terms", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    subscription_id: str
    terms: SubscriptionTerms
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., subscription_id: _Optional[str] = ..., terms: _Optional[_Union[SubscriptionTerms, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdateSubscriptionResponse(_message.Message):
    __slots__ = ("subscription",)
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ...) -> None: ...

class DeleteSubscriptionRequest(_message.Message):
    __slots__ = ("request_id", "subscription_id", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    subscription_id: str
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., subscription_id: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class DeleteSubscriptionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListDeliveriesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "subscription_id", "states", "operation_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    subscription_id: str
    states: _containers.RepeatedScalarFieldContainer[Delivery.State]
    operation_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., subscription_id: _Optional[str] = ..., states: _Optional[_Iterable[_Union[Delivery.State, str]]] = ..., operation_id: _Optional[str] = ...) -> None: ...

class ListDeliveriesResponse(_message.Message):
    __slots__ = ("deliveries", "next_page_token")
    DELIVERIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    deliveries: _containers.RepeatedCompositeFieldContainer[Delivery]
    next_page_token: str
    def __init__(self, deliveries: _Optional[_Iterable[_Union[Delivery, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
