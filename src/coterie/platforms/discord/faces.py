"""The face that a line wears, as a value. How it is put on is in `wearing`; how it is found for a persona is in `face_of`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FaceAt:
    """A picture at a stable public address, which Discord fetches by itself."""

    url: str


@dataclass(frozen=True, slots=True)
class FacePicture:
    """A picture that only we have: the shared webhook itself has to wear it. `key` changes with the picture.

    `instead` is the key of a picture of the same persona that may be seen in its place where Discord takes no change in time.
    """

    key: str
    png: bytes
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class NoFace:
    """Nothing to show; what the webhook wore before must not be seen either."""


Face = FaceAt | FacePicture | NoFace
