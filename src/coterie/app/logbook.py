"""The log of an installation: JSON lines in the home, never a secret in them."""

import logging
import os
import re
import sys
from collections.abc import Iterable, Mapping, MutableMapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from typing import Any

import structlog

from coterie.app.home import Home

_LARGEST_BYTES = 5_000_000
_HIDDEN = "[hidden]"
_LOOKS_SECRET = re.compile(
    r"(?:sk|pk|rk|AIza|gsk|xai)[-_A-Za-z0-9]{16,}"  # keys of model providers
    r"|(?<=Bearer )\S+"
    r"|https?://[^\s/]*discord[^\s/]*/api/(?:v\d+/)?webhooks/\S+"  # a webhook's address is its password
    r"|[MN][A-Za-z\d_-]{23,}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}"  # bot tokens
    r"|(?<=://)[^\s/@:]+:[^\s/@]+(?=@)"  # user and password of an address
)


class Redactor:
    """Takes secrets out of what is logged: those of the environment, and whatever looks like one."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 6)

    def __call__(self, logger: Any, method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
        """A processor of structlog."""
        return {key: self.clean(value) if isinstance(value, str) else value for key, value in event.items()}

    def clean(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        return _LOOKS_SECRET.sub(_HIDDEN, text)


class _LogFile(RotatingFileHandler):
    """The file. When it cannot be written (a full disk, say), one line tells of it; what else goes on matters more than its log."""

    _has_told = False

    def _open(self) -> TextIOWrapper:
        """As the library does, for the user alone."""
        return open(self.baseFilename, "a", encoding=self.encoding, opener=lambda path, flags: os.open(path, flags, 0o600))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """As the library calls it amid the exception; it would print a trace for every record."""
        if self._has_told:
            return
        self._has_told = True
        error = sys.exception()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        print(f"The log {self.baseFilename} cannot be written: {reason}.", file=sys.stderr, flush=True)


def open_log(home: Home, secrets: Iterable[str]) -> structlog.stdlib.BoundLogger:
    """Log into the home's file: warnings of libraries, errors of ours."""
    handler = _LogFile(home.log_file, maxBytes=_LARGEST_BYTES, backupCount=2, encoding="utf-8", delay=True)
    redactor = Redactor(secrets)
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redactor,
    ]
    processors: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.JSONRenderer()]
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=processors))
    root = logging.getLogger()
    for earlier in root.handlers:
        if isinstance(earlier, _LogFile):
            earlier.close()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    log: structlog.stdlib.BoundLogger = structlog.get_logger("coterie")
    return log
