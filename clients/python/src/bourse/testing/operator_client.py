"""The operator API of an exchange: every control of the test kit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import httpx

from bourse.decimals import parameter_text, text_of
from bourse.endpoint import OperatorEndpoint, filled_path, given
from bourse.errors import BourseError, UnknownOutcome
from bourse.generated.operator_api import OperatorApi
from bourse.signing import query_of

ANSWER_SECONDS = 600.0
"""An advance of a long time is answered when it is over."""


class OperatorProblem(BourseError):
    """The operator API refused a call, and changed nothing."""

    errors: Sequence[Mapping[str, Any]]
    """All that is at fault, as far as it is named: `detail`, and `pointer`, `parameter` or `header`."""

    def __init__(self, endpoint: str, status: int, code: str, detail: str, errors: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(endpoint, detail, status, code)
        self.errors = errors

    @property
    def pointer(self) -> str | None:
        """Where the first member at fault is in the body, as in RFC 6901; None: none of the body is."""
        return next((str(error["pointer"]) for error in self.errors if "pointer" in error), None)


class OperatorClient(OperatorApi):
    """Every endpoint of the operator API as a method, named as in its reference: members of path, query and body are
    arguments side by side in snake_case, and what stands deeper is as the API has it. DEC-KIT-94."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token

    async def _call(
        self, endpoint: OperatorEndpoint, parameters: Mapping[str, Any], body: Mapping[str, Any] | None
    ) -> Any:
        texts = {name: parameter_text(name, value) for name, value in given(parameters).items()}
        path, query = filled_path(endpoint.path, texts)
        target = f"{self.url}{path}" + (f"?{query_of(query)}" if query else "")
        headers = {"authorization": f"Bearer {self.token}"}
        content = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(given(body, endpoint.nullable), default=_json_value)
        # A connection of its own for each call: an exchange may be shared by tests that have an event loop each.
        verifies = self.url.startswith("https")
        try:
            async with httpx.AsyncClient(timeout=ANSWER_SECONDS, trust_env=False, verify=verifies) as http:
                response = await http.request(endpoint.method, target, headers=headers, content=content)
        except httpx.RequestError as error:
            raise UnknownOutcome(endpoint.id, str(error) or type(error).__name__) from error
        if response.status_code >= 400:
            raise _problem(endpoint.id, response)
        if endpoint.is_streamed:
            return [json.loads(line, parse_float=Decimal) for line in response.text.split("\n") if line]
        return json.loads(response.content, parse_float=Decimal)


def _json_value(value: object) -> str:
    if isinstance(value, Decimal):
        return text_of(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")


def _problem(call: str, response: httpx.Response) -> OperatorProblem:
    try:
        told = json.loads(response.content)
    except ValueError:
        told = None
    members = told if isinstance(told, dict) else {}
    detail = str(members.get("detail") or members.get("msg") or "no reason was told")
    return OperatorProblem(call, response.status_code, str(members.get("code", "")), detail, members.get("errors", []))
