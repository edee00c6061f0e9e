from google.protobuf import timestamp_pb2 as _timestamp_pb2
from opledger.v1 import tool_pb2 as _tool_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ApplyToolRequest(_message.Message):
    __slots__ = ("request_id", "definition", "etag", "validate_only")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    definition: _tool_pb2.ToolDefinition
    etag: str
    validate_only: bool
    def __init__(self, request_id: _Optional[str] = ..., definition: _Optional[_Union[_tool_pb2.ToolDefinition, _Mapping]] = ..., etag: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class ApplyToolResponse(_message.Message):
    __slots__ = ("tool", "created", "warnings")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    tool: _tool_pb2.Tool
    created: bool
    warnings: _containers.RepeatedCompositeFieldContainer[DefinitionWarning]
    def __init__(self, tool: _Optional[_Union[_tool_pb2.Tool, _Mapping]] = ..., created: bool = ..., warnings: _Optional[_Iterable[_Union[DefinitionWarning, _Mapping]]] = ...) -> None: ...

class DefinitionWarning(_message.Message):
    __slots__ = ("path", "code", "description")
    PATH_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    path: str
    code: str
    description: str
    def __init__(self, path: _Optional[str] = ..., code: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class GetToolRequest(_message.Message):
    __slots__ = ("tool", "tool_version")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    tool: str
    tool_version: int
    def __init__(self, tool: _Optional[str] = ..., tool_version: _Optional[int] = ...) -> None: ...

class GetToolResponse(_message.Message):
    __slots__ = ("tool",)
    TOOL_FIELD_NUMBER: _ClassVar[int]
    tool: _tool_pb2.Tool
    def __init__(self, tool: _Optional[_Union[_tool_pb2.Tool, _Mapping]] = ...) -> None: ...

class ListToolsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "name_prefix", "tool_classes", "all_versions", "disabled", "apply_time_from")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NAME_PREFIX_FIELD_NUMBER: _ClassVar[int]
    TOOL_CLASSES_FIELD_NUMBER: _ClassVar[int]
    ALL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    APPLY_TIME_FROM_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    name_prefix: str
    tool_classes: _containers.RepeatedScalarFieldContainer[_tool_pb2.ToolClass]
    all_versions: bool
    disabled: bool
    apply_time_from: _timestamp_pb2.Timestamp
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., name_prefix: _Optional[str] = ..., tool_classes: _Optional[_Iterable[_Union[_tool_pb2.ToolClass, str]]] = ..., all_versions: bool = ..., disabled: bool = ..., apply_time_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListToolsResponse(_message.Message):
    __slots__ = ("tools", "next_page_token")
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tools: _containers.RepeatedCompositeFieldContainer[_tool_pb2.Tool]
    next_page_token: str
    def __init__(self, tools: _Optional[_Iterable[_Union[_tool_pb2.Tool, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DisableToolRequest(_message.Message):
    __slots__ = ("request_id", "tool", "reason", "enable_again", "etag")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ENABLE_AGAIN_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tool: str
    reason: str
    enable_again: bool
    etag: str
    def __init__(self, request_id: _Optional[str] = ..., tool: _Optional[str] = ..., reason: _Optional[str] = ..., enable_again: bool = ..., etag: _Optional[str] = ...) -> None: ...

class DisableToolResponse(_message.Message):
    __slots__ = ("tool",)
    TOOL_FIELD_NUMBER: _ClassVar[int]
    tool: _tool_pb2.Tool
    def __init__(self, tool: _Optional[_Union[_tool_pb2.Tool, _Mapping]] = ...) -> None: ...
