"""Calls, retries and errors. `generated.py` has the endpoints."""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .generated import AsyncMethods, Endpoint, Methods, endpoints

R = TypeVar("R")


@dataclass(frozen=True)
class Answer(Generic[R]):
    """An answer. `results` has the endpoint's fields; the rest is empty where an endpoint needs no key."""

    results: R
    #: The whole JSON object as received.
    body: Mapping[str, Any]
    #: The field of `results` that has the rows of a list.
    rows_field: str | None = None

    @property
    def meta(self) -> Mapping[str, Any]:
        """`_meta`: request id, price and charge, freshness of the data."""
        return self.body.get("_meta", {})

    @property
    def charged_usd(self) -> float:
        return self.meta.get("price", {}).get("charged_micros", 0) / 1_000_000

    @property
    def confidence(self) -> Mapping[str, Any]:
        return self.body.get("_confidence", {})

    @property
    def reasoning(self) -> Sequence[str]:
        return self.body.get("_reasoning", [])

    @property
    def citations(self) -> Sequence[Mapping[str, Any]]:
        return self.body.get("_citations", [])

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The rows of a list; of another answer its results as one row."""
        results: Any = self.results
        return list(results[self.rows_field]) if self.rows_field else [results]

    def to_dataframe(self) -> Any:
        """The rows as a data frame of pandas or, without it, of polars."""
        try:
            import pandas

            return pandas.json_normalize(self.rows)
        except ModuleNotFoundError:
            pass
        try:
            import polars

            return polars.from_dicts(self.rows)
        except ModuleNotFoundError:
            raise ModuleNotFoundError("to_dataframe() needs pandas or polars: pip install pandas") from None


class ServiceError(Exception):
    """The service answered with an error; nothing was charged."""

    def __init__(self, status: int, error: Mapping[str, Any], retry_after_s: float | None):
        self.status = status
        self.error = error
        self.code: str = error["code"]
        #: False: a person must act.
        self.recoverable: bool = error.get("recoverable", False)
        #: What to change: `field`, `action`, `suggestion` of each.
        self.hints: Sequence[Mapping[str, str]] = error.get("hints", [])
        #: Price, balance and ways to pay, with a 402.
        self.quote: Mapping[str, Any] | None = error.get("quote")
        self.request_id: str | None = error.get("request_id")
        #: Seconds until a retry may succeed; None: waiting does not help.
        self.retry_after_s = retry_after_s
        advice = " ".join(hint["suggestion"] for hint in self.hints if "suggestion" in hint)
        super().__init__(f"{self.code}: {error.get('message', '')} {advice}".strip())


class InsufficientFunds(ServiceError):
    """402: the wallet is below the price of the call; see `quote`."""


class RateLimited(ServiceError):
    """429: rate limit exceeded, for longer than the client waits."""


class BudgetExceeded(ServiceError):
    """429: the agent's cap is reached."""


class Unreachable(Exception):
    """No answer of the service: a network error, or an intermediary answered instead."""

    def __init__(self, message: str, status: int | None = None):
        self.status = status
        super().__init__(message)


kinds = {
    "insufficient_funds": InsufficientFunds,
    "rate_limit_exceeded": RateLimited,
    "account_rate_limited": RateLimited,
    "agent_budget_exceeded": BudgetExceeded,
}


def _error(status: int, body: Any, retry_after: str | None) -> ServiceError | Unreachable:
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        return Unreachable(f"Status {status} without an error of the service. Is the URL that of its server?", status)
    millis = error.get("retry_after_ms")
    seconds = millis / 1_000 if millis is not None else float(retry_after) if (retry_after or "").isdigit() else None
    return kinds.get(error["code"], ServiceError)(status, error, seconds)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return str(value)


class _Staying(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which could lead the key to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client(Methods):
    """A method per endpoint. Calls that fail for a passing reason are repeated under one idempotency key, so that they are
    charged once even if an answer gets lost.

    :param base_url: default MARKET_SIGNALS_URL, else http://127.0.0.1:8080
    :param key: default MARKET_SIGNALS_KEY; endpoints without a key need none
    :param attempts: per call, with the first
    :param timeout_s: longest time for one attempt, seconds
    :param max_delay_s: longest pause between two attempts, seconds; a longer `Retry-After` is not waited for
    """

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        attempts: int = 4,
        timeout_s: float = 35,
        max_delay_s: float = 10,
    ):
        self.base_url = (base_url or os.environ.get("MARKET_SIGNALS_URL") or "http://127.0.0.1:8080").rstrip("/")
        if not self.base_url.lower().startswith(("http://", "https://")):
            raise ValueError(f"base_url must begin with http:// or https://; got {self.base_url!r}.")
        self._key = key or os.environ.get("MARKET_SIGNALS_KEY")
        self._open = urllib.request.build_opener(_Staying).open
        self._attempts, self._timeout_s, self._max_delay_s = attempts, timeout_s, max_delay_s

    def dry_run(self, endpoint: str, **params: Any) -> Answer[Any]:
        """Checks and quotes a call of an endpoint's id for free."""
        return self._call(endpoints[endpoint], {**params, "dry_run": True}, None)

    def pages(self, endpoint: str, **params: Any) -> Iterator[Answer[Any]]:
        """The pages of a list, each fetched on demand and charged as one call."""
        while True:
            answer = self._call(endpoints[endpoint], params, None)
            yield answer
            cursor = answer.meta.get("next_cursor") or answer.body.get("next_cursor")
            before = answer.body.get("next_before")
            if cursor is None and before is None:
                return
            params = {**params, "cursor": cursor} if cursor else {**params, "cursor": None, "before": before}

    def _call(self, endpoint: Endpoint, params: Mapping[str, Any], idempotency_key: str | None) -> Answer[Any]:
        sent = {name: value for name, value in params.items() if value is not None}
        path = re.sub(r":(\w+)", lambda name: urllib.parse.quote(_text(sent.pop(name[1])), safe=""), endpoint.path)
        is_post = endpoint.method == "POST"
        query = "" if is_post else urllib.parse.urlencode({name: _text(value) for name, value in sent.items()})
        headers = {"Accept": "application/json"}
        if self._key is not None and endpoint.is_keyed:
            headers["Authorization"] = f"Bearer {self._key}"
        if is_post:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None or endpoint.is_paid or is_post:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        url = f"{self.base_url}{path}{'?' if query else ''}{query}"
        data = json.dumps(sent).encode() if is_post else None
        body = self._repeat(urllib.request.Request(url, data, headers, method=endpoint.method))
        return Answer(body["results"] if endpoint.is_keyed else body, body, endpoint.rows)

    def _repeat(self, request: urllib.request.Request) -> Any:
        for attempt in range(1, self._attempts + 1):
            try:
                return self._once(request)
            except (ServiceError, Unreachable) as error:
                pause = self._pause(error, attempt)
                if pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError

    def _pause(self, error: ServiceError | Unreachable, attempt: int) -> float | None:
        if attempt >= self._attempts:
            return None
        backoff = min(self._max_delay_s, 0.2 * 2 ** (attempt - 1))
        passes = error.status is None or error.status >= 500 or error.status == 408
        if isinstance(error, Unreachable):
            return backoff if passes else None
        again = passes or isinstance(error, RateLimited) or error.code == "idempotency_in_progress"
        pause = backoff if error.retry_after_s is None else error.retry_after_s
        return pause if error.recoverable and again and pause <= self._max_delay_s else None

    def _once(self, request: urllib.request.Request) -> Any:
        status, headers, text = 0, {}, b""
        try:
            try:
                with self._open(request, timeout=self._timeout_s) as response:
                    status, headers, text = response.status, response.headers, response.read()
            except urllib.error.HTTPError as refusal:
                with refusal:
                    status, headers, text = refusal.code, refusal.headers, refusal.read()
        except (OSError, ValueError) as cause:
            reason = getattr(cause, "reason", cause)
            raise Unreachable(f"Cannot reach {self.base_url}: {reason}.") from cause
        if 300 <= status < 400:
            raise Unreachable(f"{self.base_url} redirects elsewhere, and the client does not follow: correct base_url.", status)
        try:
            body = json.loads(text)
        except ValueError:
            raise Unreachable(f"Status {status} with a body that is not JSON. Is {self.base_url} the server?", status) from None
        if not 200 <= status < 300:
            raise _error(status, body, headers.get("Retry-After"))
        return body


class AsyncClient(AsyncMethods):
    """The same methods as coroutines; each call waits in a thread of its own. The parameters are those of `Client`."""

    def __init__(self, base_url: str | None = None, key: str | None = None, **options: Any):
        super().__init__(Client(base_url, key, **options))
