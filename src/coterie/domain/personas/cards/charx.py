"""CHARX as a container of cards: a ZIP archive with `card.json` at its root, perhaps behind a picture or a program. No disk is touched.

Names in an archive are only compared with names that a card mentions; they are never used as paths.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping

from coterie.domain.personas.cards.card import MAX_CARD_BYTES, CardFormat, CardRefused, CardText, Container, Fate, ReportLine
from coterie.domain.personas.cards.text import MAX_TEXT_BYTES

CARD = "card.json"
MAX_MEMBERS = 1_000
MAX_DIRECTORY_BYTES = 512 * 1024
MAX_ALL_BYTES = 100 * 1024 * 1024

_START, _END = b"PK\x03\x04", b"PK\x05\x06"
_JPEG = b"\xff\xd8\xff"
_STUBS = (_JPEG, b"MZ", b"\x7fELF", b"#!")
_END_RECORD = struct.Struct("<4s4H2LH")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What the archive reader raises for archives that are broken on purpose or by accident.
_BROKEN = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError,
    OSError, ValueError, OverflowError, IndexError, struct.error,
)  # fmt: skip


def is_charx(data: bytes) -> bool:
    """Whether bytes are a ZIP archive, by itself or behind one of the beginnings that cards are known to have."""
    return data.startswith((_START, _END)) or (data.startswith(_STUBS) and _end_record(data) is not None)


def _end_record(data: bytes) -> tuple[int, int] | None:
    """The count of members and the size of their directory, from the record at the end of an archive."""
    at = data.rfind(_END, max(0, len(data) - 65_536 - _END_RECORD.size))
    if at < 0 or at + _END_RECORD.size > len(data):
        return None
    _, _, _, _, count, size, _, _ = _END_RECORD.unpack_from(data, at)
    return count, size


class Archive:
    """The members of an archive, read one at a time and never beyond a bound."""

    def __init__(self, data: bytes) -> None:
        """Raises `CardRefused` for an archive that is broken, locked, or larger than cards are."""
        end = _end_record(data)
        if end is None:
            raise CardRefused("This archive is damaged or cut off.")
        if end[0] > MAX_MEMBERS or end[1] > MAX_DIRECTORY_BYTES:
            raise CardRefused("This archive has too many files to be a character card.")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise CardRefused("This archive is damaged or cut off.") from error
        self.members = [member for member in self._zip.infolist() if not member.is_dir()]
        if len(self.members) > MAX_MEMBERS:
            raise CardRefused("This archive has too many files to be a character card.")
        if any(member.flag_bits & 0x41 for member in self.members):
            raise CardRefused("This archive is encrypted, which character cards must not be.")
        if sum(member.file_size for member in self.members) > MAX_ALL_BYTES:
            raise CardRefused("This archive would unpack to more than a character card may.")

    def read(self, member: zipfile.ZipInfo, most: int) -> bytes | None:
        """A member's bytes; nothing when it is broken or larger than `most`."""
        if member.file_size > most or member.compress_type not in _METHODS:
            return None
        try:
            with self._zip.open(member) as file:
                data = file.read(most + 1)
        except _BROKEN:
            return None
        return data if len(data) <= most else None

    def named(self, name: str) -> zipfile.ZipInfo | None:
        """The member of this name, letter case counting; the last one, as everywhere, when there are several."""
        return next((member for member in reversed(self.members) if member.filename == name), None)


def has_safe_name(member: zipfile.ZipInfo) -> bool:
    """Whether a member's name stays inside the archive when somebody else unpacks it, and it is a plain file."""
    name, mode = member.filename, member.external_attr >> 28
    parts = name.split("/")
    return "\\" not in name and ":" not in name and "" not in parts and "." not in parts and ".." not in parts and mode in (0, 8)


def open_charx(data: bytes) -> Container:
    """Find the card's text and the archive's files. Raises `CardRefused`."""
    archive = Archive(data)
    member, report = _card_member(archive)
    text = archive.read(member, MAX_TEXT_BYTES)
    if text is None:
        raise CardRefused(f"The {CARD} in this archive is damaged or too large.")
    if not data.startswith((_START, _END)):
        report.append(ReportLine("file", Fate.KEPT, "The archive lies behind a picture or a program, which is kept but not looked at."))
    odd = [member for member in archive.members if not has_safe_name(member)]
    report.extend(
        ReportLine("assets", Fate.DROPPED, f"The archive's file {shown(member.filename)!r} has an unsafe name and is not used.")
        for member in odd[:20]
    )

    def file(path: str) -> bytes | None:
        found = archive.named(path)
        return archive.read(found, MAX_CARD_BYTES) if found is not None and has_safe_name(found) else None

    picture = _before(archive, data) if data.startswith(_JPEG) else None
    return Container(CardFormat.CHARX, (CardText(CARD, text),), picture, file, tuple(report))


def shown(name: str) -> str:
    """A stranger's name as it may stand in a sentence: short and printable."""
    printable = "".join(character if character.isprintable() else "?" for character in name)
    return printable if len(printable) <= 60 else printable[:59] + "…"


def _card_member(archive: Archive) -> tuple[zipfile.ZipInfo, list[ReportLine]]:
    """The member that is the card: at the root, or the only one of its name further down."""
    at_root = [member for member in archive.members if member.filename == CARD]
    if at_root:
        note = ReportLine(CARD, Fate.REPAIRED, f"The archive holds {CARD} {len(at_root)} times; the last one is used.")
        return at_root[-1], [note] if len(at_root) > 1 else []
    below = [member for member in archive.members if member.filename.endswith("/" + CARD)]
    if len(below) == 1:
        return below[0], [ReportLine(CARD, Fate.REPAIRED, f"{CARD} lies in a folder instead of the root of the archive.")]
    raise CardRefused(f"This is a ZIP archive without a {CARD}, so it is no character card.")


def pack(members: Iterable[tuple[str, bytes]], *, before: bytes = b"") -> bytes:
    """An archive of files in order, the same for the same content, behind the bytes that are to stand before it."""
    target = io.BytesIO()
    target.write(before)
    with zipfile.ZipFile(target, "a" if before else "w") as archive:
        for name, data in members:
            member = zipfile.ZipInfo(name)
            # Pictures do not get smaller; texts do.
            member.compress_type = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
            archive.writestr(member, data)
    return target.getvalue()


def repacked(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The archive with some files changed or added, the others as they were (those with unsafe names left out)."""
    archive = Archive(data)
    return pack(_members(archive, changed), before=_before(archive, data) if data.startswith(_STUBS) else b"")


def _before(archive: Archive, data: bytes) -> bytes:
    """What stands in front of the first file."""
    return data[: min(member.header_offset for member in archive.members)]


def _members(archive: Archive, changed: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    names = {member.filename for member in archive.members}
    yield from ((name, data) for name, data in changed.items() if name not in names)
    for member in {member.filename: member for member in archive.members}.values():
        if member.filename in changed:
            yield member.filename, changed[member.filename]
        elif has_safe_name(member) and (data := archive.read(member, MAX_ALL_BYTES)) is not None:
            yield member.filename, data
