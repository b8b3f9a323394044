"""Client of a market-signals server, of the standard library alone.

>>> from market_signals import Client
>>> client = Client("http://127.0.0.1:8080", key="svk_live_...")
>>> client.weather_signal(station="KNYC").results["high"]

Each endpoint is a method named by its id; its parameters are keywords. `AsyncClient` has the same methods as coroutines.
"""

from .client import (
    Answer,
    AsyncClient,
    BudgetExceeded,
    Client,
    InsufficientFunds,
    RateLimited,
    ServiceError,
    Unreachable,
)
from .generated import VERSION as __version__

__all__ = [
    "Answer",
    "AsyncClient",
    "BudgetExceeded",
    "Client",
    "InsufficientFunds",
    "RateLimited",
    "ServiceError",
    "Unreachable",
    "__version__",
]
