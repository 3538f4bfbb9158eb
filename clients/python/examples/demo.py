"""What the examples share: the keys of a sandbox, and their arguments."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bourse import BourseClient


def arguments(about: str, **defaults: Any) -> argparse.Namespace:
    """The arguments of an example: the file of a sandbox, and numbers or words with a default each."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("demo", nargs="?", default="data/demo.json", help="demo.json of a sandbox")
    for name, value in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"by itself {value}")
    return parser.parse_args()


def client_of(path: str, name: str) -> BourseClient:
    """A client for an account of a sandbox."""
    demo = json.loads(Path(path).read_text(encoding="utf8"))
    account = next(each for each in demo["accounts"] if each["name"] == name)
    return BourseClient(
        demo["base_url"],
        key=account["apiKey"],
        secret=account["secretKey"],
        futures_url=demo["futures_base_url"],
        ws_url=demo["ws_url"],
        # The clock of a sandbox may stand, or run at a pace of its own.
        clock="exchange",
    )
