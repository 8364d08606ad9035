"""Chunks of OpenAI's wire that have arrived together: words become one chunk, and nothing else changes."""

import copy

import pytest

from coterie.providers.openai_client import together


def chunk(delta, finish=None, **more):
    return {"id": "1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def words(text, **beside):
    return chunk({"content": text, **beside})


CALL = chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]})
BOTH = words("now", tool_calls=[{"index": 0}])
THOUGHT = chunk({"reasoning_content": "hm"})
END = chunk({}, "stop")
LAST_WORDS = chunk({"content": "."}, "stop")
USAGE = {"id": "1", "choices": [], "usage": {"total_tokens": 3}}


@pytest.mark.parametrize(
    ("came", "told"),
    [
        ([], []),
        ([words("a", role="assistant"), words(" b"), words(" c", refusal=None)], [words("a b c", role="assistant")]),
        ([words("a"), words("b"), END, USAGE], [words("ab"), END, USAGE]),
        ([THOUGHT, THOUGHT, words("a"), CALL, words("b"), words("c")], [THOUGHT, THOUGHT, words("a"), CALL, words("bc")]),
        ([words("a"), BOTH, words("b")], [words("a"), BOTH, words("b")]),
        ([words("a"), LAST_WORDS], [words("a"), LAST_WORDS]),
        ([words("a"), {"choices": None}, "odd", words("b")], [words("a"), {"choices": None}, "odd", words("b")]),
        ([words("a"), chunk({"content": None}), words("b")], [words("a"), chunk({"content": None}), words("b")]),
    ],
)
def test_only_words_are_joined(came, told):
    assert list(together(copy.deepcopy(came))) == told
