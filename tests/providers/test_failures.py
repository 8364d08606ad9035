"""What is left of a provider's message: one sentence of bounded length that holds no secret."""

import pytest

from coterie.providers.failures import detail_of, redacted


class Failed(Exception):
    def __init__(self, body: object, text: str = "") -> None:
        super().__init__(text)
        self.body = body


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("Incorrect API key provided: sk-abcdef0123456789.", "sk-abcdef0123456789", "Incorrect API key provided: …."),
        ("Bad key a/b+cdefghijklmnop here", "a/b+cdefghijklmnop", "Bad key … here."),
        ("Bad key a%2Fb%2Bcdefghijklmnop here", "a/b+cdefghijklmnop", "Bad key … here."),
        ("GET https://x/v1beta?key=AIzaSyA-123&alt=sse failed", "another", "GET https://x/v1beta?key=…&alt=sse failed."),
        ("Somebody else's sk-proj-0123456789abcdef leaked", "mine", "Somebody else's … leaked."),
        ("Authorization: Bearer abc.def was wrong", "", "Authorization: Bearer … was wrong."),
        ("key k is not okay", "k", "key … is not okay."),
        ("two\nlines\t and  blanks", "", "two lines and blanks."),
        ("Really?", "", "Really?"),
        ("x" * 500, "", "x" * 239 + "…"),
    ],
)
def test_redaction(text: str, key: str, line: str) -> None:
    assert redacted(text, key) == line


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (Failed({"error": {"message": "Oops"}}), "Oops"),
        (Failed({"error": "Oops"}), "Oops"),
        (Failed({"message": "Oops"}), "Oops"),
        (Failed({"detail": "Oops"}), "Oops"),
        (Failed([{"error": {"code": 400, "message": "Oops"}}]), "Oops"),
        (Failed("Oops"), "Oops"),
        (Failed("<html>Bad gateway</html>", "status 502"), "status 502"),
        (Failed({"error": {}}, "status 500"), "status 500"),
        (Failed(None, "status 500"), "status 500"),
        (Failed(None), "Failed"),
    ],
)
def test_what_a_provider_said(error: Exception, detail: str) -> None:
    assert detail_of(error) == detail
