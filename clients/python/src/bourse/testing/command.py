"""Where the command of an exchange is."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

VARIABLE = "BOURSE_COMMAND"


class BourseNotFound(RuntimeError):
    """There is no command of an exchange."""


def bourse_command(given: str | Sequence[str] | None = None) -> list[str]:
    """The command that is given, else that of the variable BOURSE_COMMAND, else node_modules/.bin/bourse of this
    folder or one above it, else a built copy of the project. Raises BourseNotFound. DEC-KIT-94."""
    if given is not None:
        return shlex.split(given) if isinstance(given, str) else list(given)
    named = os.environ.get(VARIABLE, "")
    if named:
        return shlex.split(named)
    for folder in _upwards(Path.cwd()):
        installed = folder / "node_modules" / ".bin" / "bourse"
        if installed.exists():
            return [str(installed)]
    for folder in (*_upwards(Path.cwd()), *_upwards(Path(__file__).resolve())):
        built = folder / "dist" / "main" / "bourse.js"
        if built.exists() and _is_project(folder):
            return [_node(), str(built)]
    raise BourseNotFound(
        f"no exchange was found: npm install bourse here, or name its command by `command` or {VARIABLE}"
    )


def _upwards(start: Path) -> Iterator[Path]:
    yield start
    yield from start.parents


def _is_project(folder: Path) -> bool:
    try:
        manifest = json.loads((folder / "package.json").read_text(encoding="utf8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("name") == "bourse"


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise BourseNotFound("an exchange needs Node 20.19 or later, and there is no command `node`")
    return node
