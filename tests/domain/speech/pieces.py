"""What of a segmenter's pieces people read."""


def text_of(pieces):
    return "".join(piece for piece in pieces if isinstance(piece, str))
