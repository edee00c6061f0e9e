"""JSON text on its way to the ledger and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Arguments = Mapping[str, Any] | str
"""Arguments of a tool: a mapping, or JSON text, which is sent as it is."""


def encode(value: Any) -> str:
    """Write a value as compact JSON text.

    Whole numbers of any size are written digit by digit; the ledger refuses those that others would round. Raises
    ValueError for NaN and infinities, and TypeError for what JSON does not know, such as a Decimal: write it as text.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode_arguments(arguments: Arguments | None) -> str:
    """Write a tool's arguments. Text is taken as JSON already, None as no arguments."""
    if arguments is None:
        return "{}"
    return arguments if isinstance(arguments, str) else encode(dict(arguments))


def decode(text: str) -> Any:
    """Read JSON text; empty text is None."""
    return json.loads(text) if text else None
