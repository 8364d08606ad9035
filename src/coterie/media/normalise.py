"""From a stranger's picture to a face: a PNG of at most 512 pixels a side. Blocking; belongs into a worker thread.

The picture library is given only what it needs: four formats, a bound on pixels before anything is decoded, the first frame.
"""

import io
import struct
import warnings
import zlib

from PIL import ExifTags, Image, ImageFile

from coterie.ports.media import PictureRefused

MAX_PICTURE_BYTES = 10 * 1024 * 1024
MAX_PIXELS = 20_000_000
MAX_FRAMES = 1_000
SIDE = 512

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
# The library's own guard, for pictures inside pictures; a mere warning is no guard. Its other warnings (odd metadata) help nobody.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS
warnings.filterwarnings("ignore", module=r"PIL\.")
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# What decoders raise for pictures that are broken on purpose or by accident.
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    EOFError,
    OverflowError,
    RuntimeError,
    MemoryError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    UserWarning,
    Image.DecompressionBombWarning,
)


def normalise(picture: bytes) -> bytes:
    """A PNG of the picture's first frame, upright, at most 512 pixels a side, without any metadata.

    The same picture always gives the same bytes. Raises `PictureRefused`.
    """
    if len(picture) > MAX_PICTURE_BYTES:
        raise PictureRefused(f"The picture is larger than {MAX_PICTURE_BYTES // 1024 // 1024} MB.")
    try:
        with Image.open(io.BytesIO(picture), formats=_FORMATS) as image:
            _judge(image)
            return _as_png(_small(image))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        # The library looks at the size before we can.
        raise PictureRefused(f"The picture has too many pixels; {MAX_PIXELS // 1_000_000} million are the most.") from error
    except _BROKEN as error:
        raise PictureRefused("The picture is damaged, or it is no PNG, JPEG, WEBP or GIF.") from error


def _judge(image: Image.Image) -> None:
    """Refuse what would be too much to decode, from the header alone."""
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PictureRefused(f"The picture has {width} x {height} pixels; {MAX_PIXELS // 1_000_000} million are the most.")
    # A GIF's frames can only be counted by walking through all of it, and only its first frame is decoded anyway.
    if image.format != "GIF" and getattr(image, "n_frames", 1) > MAX_FRAMES:
        raise PictureRefused(f"The picture has more than {MAX_FRAMES} frames.")


def _small(image: ImageFile.ImageFile) -> Image.Image:
    # A JPEG is decoded at a fraction of its size where that suffices.
    image.draft("RGB", (2 * SIDE, 2 * SIDE))
    # Before the orientation is asked for: that would load the picture too, and a failure would be taken for one of the EXIF data.
    image.load()
    turn = _turn(image)
    plain = _plain(image)
    plain.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    return plain.transpose(turn) if turn is not None else plain


def _turn(image: Image.Image) -> Image.Transpose | None:
    """How to turn the picture upright, by the orientation in its EXIF data; broken data turns nothing."""
    try:
        return _UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except _BROKEN:
        return None


def _plain(image: Image.Image) -> Image.Image:
    """The first frame in full colour, with transparency where the picture has any."""
    if image.mode.startswith("I"):
        # 16 bits of grey; a plain conversion would cut all of it down to white.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L").convert("RGB")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _as_png(image: Image.Image) -> bytes:
    # A colour profile belongs to the pixels as they were before conversion, and metadata can tell where somebody lives.
    image.info.clear()
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()
