"""The figures that `/metrics` shows, in a registry of their own. What counts them is in `counted` and `guard`."""

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


class Metrics:
    """The counters of one process, in the text format of Prometheus."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.messages_heard = self._counter("coterie_messages_heard", "Messages of people that were kept")
        self.turns = self._counter("coterie_turns", "Turns that ended, by how they ended", "status")
        self.lines_said = self._counter("coterie_lines_said", "Lines of personas that were kept")
        self.turn_seconds = self._seconds("coterie_turn_seconds", "From the beginning of a turn to its end")
        self.model_requests = self._counter("coterie_model_requests", "Requests to language models", "model")
        self.model_errors = self._counter("coterie_model_errors", "Requests to language models that failed", "model", "kind")
        self.first_words_seconds = self._seconds("coterie_model_first_words_seconds", "From a request to the first words of its answer")
        self.model_tokens = self._counter("coterie_model_tokens", "Tokens, as far as providers say", "model", "direction")
        self.http_requests = self._counter("coterie_http_requests", "Answered HTTP requests", "method", "route", "status")

    def text(self) -> bytes:
        """Every figure, as a scraper reads it."""
        return generate_latest(self._registry)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(name, meaning, labels, registry=self._registry)

    def _seconds(self, name: str, meaning: str) -> Histogram:
        return Histogram(name, meaning, buckets=_SECONDS, registry=self._registry)
