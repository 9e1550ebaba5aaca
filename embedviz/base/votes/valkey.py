"""Valkey, or Redis from 7 on, which several servers share. It is loaded where EMBEDVIZ_VOTES names one."""

import logging
from typing import Any

from embedviz.base import log
from embedviz.base.errors import SetupError, Unavailable
from embedviz.base.votes.memory import SECONDS

try:
    import redis
except ImportError as error:
    raise SetupError("EMBEDVIZ_VOTES needs the package redis: pip install 'embedviz[server]'") from error


class Valkey(redis.Redis):
    """A client that says it in a sentence if there is no answer."""

    def hsetnx(self, name: Any, key: Any, value: Any) -> bool:
        """Set a field, unless it is there, and let all of it be gone after its time."""
        is_new = super().hsetnx(name, key, value)
        self.expire(name, SECONDS, nx=True)
        return bool(is_new)

    def execute_command(self, *command: object, **options: Any) -> object:
        """Ask, and wait for the answer."""
        try:
            return super().execute_command(*command, **options)
        except redis.RedisError as error:
            log.event("EMBEDVIZ_VOTES cannot be reached", logging.ERROR, kind=type(error).__name__)
            raise Unavailable("The votes cannot be reached just now. Try again in a moment.") from error
