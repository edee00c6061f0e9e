"""The names of enum values, as people read them."""

from __future__ import annotations

from typing import Any

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper


def word(enum: Any, number: int, prefix: str) -> str:
    """Name a value without its prefix, such as "COMPLETED_SUCCESS".

    A value that this release does not know is named "UNKNOWN_" and its number. Nobody may act on a name, known or not:
    only a permit lets anybody act.
    """
    wrapper: EnumTypeWrapper = enum
    try:
        return wrapper.Name(number).removeprefix(prefix)
    except ValueError:
        return f"UNKNOWN_{number}"
