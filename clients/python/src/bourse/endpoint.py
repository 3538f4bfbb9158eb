"""What an endpoint is to those who send requests; generated code names them."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import quote


class Endpoint(NamedTuple):
    """An endpoint of the public API."""

    id: str
    method: str
    path: str
    """Members of the path stand in braces."""
    surface: Literal["spot", "futures"]
    is_signed: bool
    changes: bool
    """Whether it changes anything: what does is not sent twice without a look."""
    is_wrapped: bool = False
    """Whether the answer stands as `data` in an envelope."""


class OperatorEndpoint(NamedTuple):
    """An endpoint of the operator API."""

    id: str
    method: str
    path: str
    is_streamed: bool
    """Whether it answers lines of JSON."""
    nullable: tuple[str, ...] = ()
    """Members of the body of which None says something."""


class Omitted(enum.Enum):
    """Type of `OMITTED`."""

    OMITTED = "omitted"


OMITTED: Final = Omitted.OMITTED
"""A member that is left out, where None says something."""


def given(members: Mapping[str, Any], nullable: tuple[str, ...] = ()) -> dict[str, Any]:
    """The members that were given: what is omitted is gone, and None but where it says something."""
    return {
        name: value
        for name, value in members.items()
        if value is not OMITTED and (value is not None or name in nullable)
    }


def filled_path(path: str, texts: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The path with its members, and the texts that are not among them. Raises TypeError where one is empty."""
    names = re.findall(r"\{(\w+)\}", path)
    for name in names:
        if texts.get(name, "") == "":
            raise TypeError(f"{name}: must not be empty")
        path = path.replace("{" + name + "}", quote(texts[name], safe=""))
    return path, {name: text for name, text in texts.items() if name not in names}
