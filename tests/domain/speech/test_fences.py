import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.fences import Fence, fences, open_after


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no `code` here, ``none`` at all", []),
        ("~~~\nx\n~~~", []),
        ("```py\nx\n```", [Fence(0, 6, 8, 11, 3, "py", True)]),
        ("a\n```c++ title=x\ny\n```b", [Fence(2, 17, 19, 22, 3, "c++", True)]),
        ("a ```one line``` b", [Fence(2, 5, 13, 16, 3, "", True)]),
        ("a ```two words\nx```", [Fence(2, 5, 16, 19, 3, "", True)]),
        ("````md\n```\n````", [Fence(0, 7, 11, 15, 4, "md", True)]),
        ("```py\nx", [Fence(0, 6, 7, 7, 3, "py", False)]),
        ("```py", [Fence(0, 5, 5, 5, 3, "py", False)]),
        ("```\na\n```\n```\nb\n````", [Fence(0, 4, 6, 9, 3, "", True), Fence(10, 14, 16, 20, 3, "", True)]),
    ],
)
def test_fenced_blocks(text, found):
    assert list(fences(text)) == found


@given(st.lists(st.sampled_from(["```", "````", "`", "a", "\n", " "])).map("".join))
def test_reading_line_by_line_finds_the_same_open_fence(text):
    opened = 0
    for line in text.splitlines(keepends=True):
        opened = open_after(opened, line)
    open_at_end = [block.ticks for block in fences(text) if not block.is_closed]
    assert open_at_end == ([opened] if opened else [])
