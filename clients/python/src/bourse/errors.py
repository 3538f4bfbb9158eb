"""What can become of a request besides an answer."""

from __future__ import annotations


class BourseError(Exception):
    """A request that was not answered with success. The kinds below say what became of it. DEC-KIT-91."""

    endpoint: str
    """Id of the endpoint, such as `placeOrder`."""
    status: int | None
    """HTTP status of the answer; None: there was none."""
    code: int | str | None
    """Code of the exchange, as the reference of errors lists it; None: none came."""
    message: str
    client_id: str | None
    """The own id that an order or a withdrawal was sent with; None: the request has none."""

    def __init__(
        self,
        endpoint: str,
        message: str,
        status: int | None = None,
        code: int | str | None = None,
        client_id: str | None = None,
    ) -> None:
        where = "" if status is None else f" (status {status}, code {code})"
        super().__init__(f"{endpoint}: {message}{where}")
        self.endpoint, self.message, self.status, self.code = endpoint, message, status, code
        self.client_id = client_id


class Refused(BourseError):
    """The exchange refused the request, and did nothing."""

    is_after_unknown: bool = False
    """Whether an earlier try of the same request got no answer: what became of that one is not known by this."""

    is_not_taken_up: bool = False
    """Whether the exchange takes nothing up for now: the same may be sent again later."""

    retry_after: float | None = None
    """So many seconds it said to wait; None: it said nothing."""


class UnknownOutcome(BourseError):
    """No answer, or one of 5XX: the request may have been carried out, or may be a moment later."""

    timestamp: int | None = None
    """The exchange's time that the last try was dated, in milliseconds; None: it was not signed."""


class NeverArrived(BourseError):
    """The request was not carried out, and will not be: no connection was made, or it is too old by now."""


class StreamRefused(BourseError):
    """A websocket or a subscription was refused, for a reason that time does not mend."""
