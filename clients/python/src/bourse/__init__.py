"""Client of Bourse: the public API, its streams and order books. `bourse.testing` starts an exchange for a test."""

from bourse.client import BourseClient
from bourse.decimals import Amount, decimal_of, text_of
from bourse.errors import BourseError, NeverArrived, Refused, StreamRefused, UnknownOutcome
from bourse.followed_book import FollowedBook
from bourse.local_book import Level, LocalBook
from bourse.private_stream import PrivateStream
from bourse.stream import Gap, Push, Stream, StreamEvent

__all__ = [
    "Amount",
    "BourseClient",
    "BourseError",
    "FollowedBook",
    "Gap",
    "Level",
    "LocalBook",
    "NeverArrived",
    "PrivateStream",
    "Push",
    "Refused",
    "Stream",
    "StreamEvent",
    "StreamRefused",
    "UnknownOutcome",
    "decimal_of",
    "text_of",
]
