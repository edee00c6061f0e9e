from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class SecretRef(_message.Message):
    __slots__ = ("environment", "file", "prefix")
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    environment: str
    file: str
    prefix: str
    def __init__(self, environment: _Optional[str] = ..., file: _Optional[str] = ..., prefix: _Optional[str] = ...) -> None: ...
