"""A model that says what a test gives it."""

from coterie.ports.model import ModelInfo, TextDelta
from flows.scenes import Gate


class Saying:
    """A model that says given pieces, attempt by attempt; an exception among them is raised, a gate waited at."""

    info = ModelInfo("saying", 32_000, 1_000, can_call_tools=False)

    def __init__(self, *attempts):
        self._attempts = list(attempts)
        self.asked = 0
        self.closed = 0

    def count_tokens(self, text):
        return len(text)

    async def stream(self, request):
        pieces = self._attempts[min(self.asked, len(self._attempts) - 1)]
        self.asked += 1
        try:
            for piece in pieces:
                if isinstance(piece, Exception):
                    raise piece
                if isinstance(piece, Gate):
                    await piece(0)
                    continue
                yield TextDelta(piece) if isinstance(piece, str) else piece
        finally:
            self.closed += 1
