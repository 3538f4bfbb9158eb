"""Signatures and texts of requests."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import quote, urlencode

LONG_QUERY = 4000
"""So many characters of parameters go into the address at most; longer ones go into the body."""


def signature_of(text: str, secret: str) -> str:
    """HMAC-SHA256 of a text under the secret key, in lower-case hex."""
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def query_of(parameters: Mapping[str, str]) -> str:
    """Parameters as a query, every character percent-coded that means something there."""
    return urlencode(parameters, quote_via=quote, safe="")


def signed_query(parameters: Mapping[str, str], secret: str) -> str:
    """A query with its signature behind it: what is signed is what is sent."""
    query = query_of(parameters)
    return f"{query}&signature={signature_of(query, secret)}"
