"""The test kit: an exchange in a process of its own for as long as a test, with all of its controls."""

from bourse.testing.command import BourseNotFound, bourse_command
from bourse.testing.exchange import TestAccount, TestExchange
from bourse.testing.operator_client import OperatorClient, OperatorProblem
from bourse.testing.server import BourseFailed
from bourse.testing.start import StartedBourse, start_bourse

__all__ = [
    "BourseFailed",
    "BourseNotFound",
    "OperatorClient",
    "OperatorProblem",
    "StartedBourse",
    "TestAccount",
    "TestExchange",
    "bourse_command",
    "start_bourse",
]
