"""Decimals are text in both directions, because text is exact; here they become numbers that are exact, too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal

Amount = str | Decimal | int
"""A price or a quantity as it is given: text, a Decimal or a whole number. A float is refused: it is not exact."""


def decimal_of(text: str | int | Decimal) -> Decimal:
    """The number that a text of the exchange is, exactly."""
    return Decimal(text)


def text_of(value: Amount) -> str:
    """A decimal as the exchange reads it: without an exponent, and without zeros at the end of a fraction."""
    if isinstance(value, str):
        return value
    text = format(Decimal(value), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def parameter_text(name: str, value: object) -> str:
    """A parameter of a request as text. Raises TypeError for what is no parameter, a float among it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, Decimal)):
        return text_of(value)
    if isinstance(value, Sequence) and all(isinstance(each, Mapping) for each in value) and value:
        items = [{key: parameter_text(key, member) for key, member in each.items()} for each in value]
        return json.dumps(items, separators=(",", ":"))
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return ",".join(parameter_text(name, each) for each in value)
    raise TypeError(f"{name}: must be text, a Decimal or a whole number, not {type(value).__name__}")
