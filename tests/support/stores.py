"""All of the core's stores in memory."""

from core.bootstrap import Stores
from tests.support.history import InMemoryHistoryStore
from tests.support.kept import InMemoryKeptResponses
from tests.support.offers import InMemoryOfferStore
from tests.support.session_order import InMemorySessionOrder


def in_memory_stores() -> Stores:
    """New and empty ones."""
    order = InMemorySessionOrder()
    history = InMemoryHistoryStore(order)
    return Stores(InMemoryOfferStore(), history, order, InMemoryKeptResponses(), history)
