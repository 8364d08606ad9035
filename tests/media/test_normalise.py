"""Pictures from strangers: what comes out is a small upright PNG, or a sentence."""

import io
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from coterie.media.normalise import MAX_PICTURE_BYTES, normalise
from coterie.ports.media import PictureRefused
from fakes.card_files import IEND, SIGNATURE, chunk, png, text_chunk, ztxt_chunk

# The module ignores these itself, but filters set on import do not reach into tests.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:PIL")


def saved(image, kind, **options):
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def opened(data):
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def two_halves(mode="RGB", size=(80, 40), left="red", right="blue"):
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, left)
    image.paste(right, (size[0] // 2, 0, *size))
    return image.convert(mode)


def empty_png(width, height, kind=2, depth=8):
    """A PNG that says it is this large, with hardly any data in it."""
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + IEND


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "L"), ("PNG", "LA"), ("PNG", "1"), ("JPEG", "RGB"), ("JPEG", "L"),
        ("JPEG", "CMYK"), ("WEBP", "RGB"), ("WEBP", "RGBA"), ("GIF", "P"), ("GIF", "L"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("size", "expected"), [((80, 40), (80, 40)), ((1600, 400), (512, 128)), ((3, 2000), (1, 512))])
def test_every_usual_kind_becomes_a_png_of_at_most_512(kind, mode, size, expected):
    image = opened(normalise(saved(two_halves(mode, size), kind)))
    assert (image.format, image.size, image.mode in ("RGB", "RGBA")) == ("PNG", expected, True)


def test_the_same_picture_gives_the_same_bytes_and_normalising_twice_is_once():
    data = saved(two_halves(size=(900, 900)), "JPEG")
    assert normalise(data) == normalise(data)
    assert normalise(normalise(data)) == normalise(data)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_turned_upright(kind, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = opened(normalise(saved(two_halves(size=(1200, 600)), kind, exif=exif)))
    corner, far = image.getpixel((4, 4)), image.getpixel((image.width - 5, image.height - 5))
    assert image.size == ((512, 256) if orientation < 5 else (256, 512))
    # Red is left in the file as it lies: which corner that is says EXIF 2.32, tag Orientation.
    is_red_first = orientation in (1, 4, 5, 6)
    assert (corner[0] > 200, far[2] > 200) == (is_red_first, is_red_first)


def test_metadata_and_broken_metadata_are_left_behind():
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    data = saved(two_halves(), "JPEG", exif=exif, icc_profile=b"profile" * 20, comment=b"secret")
    assert opened(normalise(data)).info == {}
    assert b"where I live" not in normalise(data)
    broken = saved(two_halves(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff garbage")
    assert opened(normalise(broken)).size == (80, 40)


def test_transparency_stays():
    assert opened(normalise(saved(Image.new("RGBA", (4, 4), (255, 0, 0, 100)), "PNG"))).getpixel((0, 0)) == (255, 0, 0, 100)
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([255, 0, 0] * 256)
    assert opened(normalise(saved(palette, "GIF", transparency=0))).getpixel((0, 0))[3] == 0


def test_sixteen_bits_of_grey_are_not_cut_to_white():
    image = opened(normalise(saved(Image.new("I;16", (4, 4), 0x8000), "PNG")))
    assert 126 <= image.getpixel((0, 0))[0] <= 129


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_a_moving_picture_the_first_frame_is_taken(kind):
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue", "green")]
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:], duration=50)
    image = opened(normalise(data))
    assert getattr(image, "n_frames", 1) == 1
    assert image.convert("RGB").getpixel((9, 9))[0] > 200


MANY_FRAMES = png(chunk(b"acTL", struct.pack(">II", 5_000, 0)))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "damaged"),
        (b"GIF89a", "damaged"),
        (png()[:-30], "damaged"),
        (png().replace(b"IDATx", b"IDATy"), "damaged"),
        (saved(two_halves(), "BMP"), "damaged, or it is no PNG"),
        (saved(two_halves(), "TIFF"), "damaged, or it is no PNG"),
        (b"<svg xmlns='x'></svg>", "damaged, or it is no PNG"),
        (empty_png(60_000, 60_000), "too many pixels; 20 million are the most"),
        (empty_png(20_000, 20_000), "too many pixels; 20 million are the most"),
        (empty_png(5_000, 5_000), "pixels; 20 million are the most"),
        (empty_png(100_000_000, 1, kind=0, depth=1), "pixels; 20 million are the most"),
        (MANY_FRAMES, "more than 1000 frames"),
        (b"\x89PNG" + b"\0" * MAX_PICTURE_BYTES, "larger than 10 MB"),
    ],
)
def test_what_cannot_be_a_face_is_refused_with_a_sentence(data, reason):
    with pytest.raises(PictureRefused, match=reason):
        normalise(data)


def test_texts_that_inflate_without_end_are_refused():
    with pytest.raises(PictureRefused):
        normalise(png(ztxt_chunk("a", b"\0" * 90_000_000)))


SEEDS = [
    png(text_chunk("a", b"b")),
    saved(two_halves(), "JPEG"),
    saved(two_halves(), "WEBP"),
    saved(two_halves(), "WEBP", lossless=True),
    saved(two_halves("P"), "GIF"),
    saved(two_halves(), "PNG", save_all=True, append_images=[two_halves(left="green")]),
]


@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=8), st.floats(0.2, 1))
def test_damaged_pictures_are_refused_or_shown_and_nothing_else(data, changes, length):
    damaged = bytearray(data)
    for where, value in changes:
        damaged[int(where * len(damaged))] = value
    try:
        image = opened(normalise(bytes(damaged[: int(length * len(damaged))])))
    except PictureRefused:
        return
    assert max(image.size) <= 512
