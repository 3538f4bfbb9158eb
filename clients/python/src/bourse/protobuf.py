"""Decodes pushes from protobuf into what their JSON form is: 64-bit numbers are text, absent members stay absent."""

from __future__ import annotations

from typing import Any

from bourse.generated.pushes import MESSAGES, WRAPPER

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
EMPTY: dict[str, Any] = {"string": "", "int32": 0, "int64": "0", "bool": False}


class MalformedPush(ValueError):
    """Bytes that are no message."""


def decode_push(data: bytes) -> dict[str, Any]:
    """A push of its bytes. Fields that this version does not know are passed over. Raises MalformedPush. DEC-KIT-92."""
    return _message(data, WRAPPER)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise MalformedPush("a number does not end")


def _message(data: bytes, name: str) -> dict[str, Any]:
    fields = MESSAGES[name]
    found: dict[str, Any] = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        value: int | bytes
        if wire == VARINT:
            value, at = _varint(data, at)
        else:
            if wire == LENGTH:
                size, at = _varint(data, at)
            elif wire in (FIXED32, FIXED64):
                size = 4 if wire == FIXED32 else 8
            else:
                raise MalformedPush(f"there is no wire type {wire}")
            value = data[at : at + size]
            at += size
            if at > len(data):
                raise MalformedPush("a field is cut off")
        field = fields.get(number)
        if field is None or (wire == VARINT) != (field[2] in ("int32", "int64", "bool")):
            continue
        member, rule, kind = field
        decoded = _value(value, kind)
        if rule == "repeated":
            found.setdefault(member, []).append(decoded)
        else:
            found[member] = decoded
    # In the order of the schema; a plain field without a value has the empty one.
    return {
        member: found[member] if member in found else ([] if rule == "repeated" else EMPTY[kind])
        for member, rule, kind in fields.values()
        if member in found or rule != "optional"
    }


def _value(value: int | bytes, kind: str) -> Any:
    if isinstance(value, int):
        if kind == "bool":
            return value != 0
        return str(value) if kind == "int64" else value
    if kind != "string":
        return _message(value, kind)
    try:
        return value.decode("utf8")
    except UnicodeDecodeError as error:
        raise MalformedPush("a text is no UTF-8") from error
