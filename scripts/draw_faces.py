"""Draws the faces of the bundled cast into `src/coterie/media/presets`. Run it after changing a drawing; it takes a few seconds.

Flat shapes on a 512-pixel square, drawn four times larger and scaled down. Nothing here is used by the product while it runs.
"""

import itertools
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

SIDE, FINE = 512, 4
Point = tuple[float, float]
HERE = Path(__file__).resolve().parent.parent / "src" / "coterie" / "media" / "presets"


def smooth(points: Sequence[Point], *, closed: bool = True, steps: int = 24) -> list[Point]:
    """A soft line through all points (Catmull-Rom)."""
    ring = [points[-1], *points, points[0], points[1]] if closed else [points[0], *points, points[-1]]
    line: list[Point] = []
    for a, b, c, d in zip(ring, ring[1:], ring[2:], ring[3:], strict=False):
        for step in range(steps):
            t = step / steps
            line.append((_between(a[0], b[0], c[0], d[0], t), _between(a[1], b[1], c[1], d[1], t)))
    if not closed:
        line.append(points[-1])
    return line


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def moved(points: Sequence[Point], *, by: Point = (0, 0), turn: float = 0, scale: float = 1) -> list[Point]:
    """Points turned (degrees) and scaled round the origin, then moved."""
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return [(x * cos - y * sin + by[0], x * sin + y * cos + by[1]) for x, y in points]


def mirrored(points: Sequence[Point], axis: float = 256) -> list[Point]:
    """The same shape on the other side."""
    return [(2 * axis - x, y) for x, y in points]


class Sheet:
    """A square of paint. Coordinates are those of the finished picture."""

    def __init__(self, ground: str) -> None:
        self.image = Image.new("RGB", (SIDE * FINE, SIDE * FINE), ground)
        self.pen = ImageDraw.Draw(self.image, "RGBA")

    def shape(self, points: Sequence[Point], colour: str) -> None:
        """A filled outline."""
        self.pen.polygon([(x * FINE, y * FINE) for x, y in points], fill=colour)

    def blob(self, points: Sequence[Point], colour: str) -> None:
        """A filled soft outline."""
        self.shape(smooth(points), colour)

    def oval(self, x: float, y: float, rx: float, ry: float, colour: str) -> None:
        """A filled ellipse round a centre."""
        self.pen.ellipse([(x - rx) * FINE, (y - ry) * FINE, (x + rx) * FINE, (y + ry) * FINE], fill=colour)

    def disc(self, x: float, y: float, r: float, colour: str) -> None:
        """A filled circle."""
        self.oval(x, y, r, r, colour)

    def ring(self, x: float, y: float, r: float, width: float, colour: str) -> None:
        """A circle's line."""
        box = [(x - r) * FINE, (y - r) * FINE, (x + r) * FINE, (y + r) * FINE]
        self.pen.ellipse(box, outline=colour, width=round(width * FINE))

    def line(self, points: Sequence[Point], colour: str, width: float, *, soft: bool = True) -> None:
        """A line with round ends."""
        path = smooth(points, closed=False) if soft and len(points) > 2 else list(points)
        for (ax, ay), (bx, by) in itertools.pairwise(path):
            length = max(1, math.ceil(math.hypot(bx - ax, by - ay) * 2))
            for step in range(length + 1):
                t = step / length
                self.disc(ax + (bx - ax) * t, ay + (by - ay) * t, width / 2, colour)

    def dashes(self, points: Sequence[Point], colour: str, width: float, every: float) -> None:
        """A dotted line."""
        walked = every
        path = smooth(points, closed=False, steps=60)
        for (ax, ay), (bx, by) in itertools.pairwise(path):
            walked += math.hypot(bx - ax, by - ay)
            if walked >= every:
                walked = 0
                self.disc(bx, by, width / 2, colour)

    def save(self, name: str) -> Path:
        """Scale down and write; a palette keeps the file small."""
        small = self.image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        path = HERE / name
        small.quantize(160, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
        return path


def odile() -> Sheet:
    """The keeper: silver bun, round glasses, a key at her collar, the lamp behind her."""
    sheet = Sheet("#1d4653")
    for spread in ((-60, 60, -60, 190), (572, 60, 572, 190)):
        sheet.shape([(256, 215), (spread[0], spread[1]), (spread[2], spread[3])], "#2f6068")
    sheet.disc(256, 222, 196, "#2c5f68")
    sheet.disc(256, 222, 168, "#e9a94a")
    sheet.disc(256, 222, 142, "#f5c66f")
    # Hair behind the head, and the bun.
    sheet.oval(256, 92, 56, 48, "#c9d2d3")
    sheet.line([(222, 84), (250, 66), (284, 74)], "#e3e9e8", 7)
    sheet.line([(232, 106), (258, 92), (288, 98)], "#aeb9bc", 5)
    sheet.blob([(256, 118), (338, 150), (362, 230), (346, 300), (256, 322), (166, 300), (150, 230), (174, 150)], "#b7c2c5")
    # Coat and neck.
    sheet.blob([(256, 372), (356, 388), (442, 440), (480, 560), (32, 560), (70, 440), (156, 388)], "#16313c")
    sheet.shape([(216, 312), (296, 312), (300, 400), (256, 432), (212, 400)], "#c68a66")
    sheet.shape(smooth([(212, 320), (256, 352), (300, 320), (300, 348), (256, 374), (212, 348)]), "#ad7352")
    sheet.blob([(206, 372), (256, 446), (240, 500), (170, 470), (150, 404)], "#234a57")
    sheet.blob(mirrored([(206, 372), (256, 446), (240, 500), (170, 470), (150, 404)]), "#234a57")
    # Face, ears.
    for x in (170, 342):
        sheet.oval(x, 246, 18, 24, "#c68a66")
        sheet.disc(x, 274, 6, "#f5c66f")
    sheet.blob([(256, 134), (320, 158), (344, 232), (322, 306), (256, 344), (190, 306), (168, 232), (192, 158)], "#dba27c")
    for x in (206, 306):
        sheet.oval(x, 280, 23, 15, "#d98f70")
    # Fringe, parted.
    fringe = [(262, 126), (206, 132), (166, 176), (160, 240), (178, 226), (196, 190), (232, 166), (266, 146)]
    sheet.blob(fringe, "#dbe2e2")
    sheet.blob([(250, 126), (306, 130), (346, 176), (352, 242), (334, 226), (316, 188), (284, 164), (254, 146)], "#cbd4d5")
    sheet.line([(176, 206), (192, 172), (226, 148)], "#f1f5f4", 5)
    # Brows, eyes, glasses.
    sheet.line([(186, 198), (206, 188), (228, 195)], "#94a1a5", 7)
    sheet.line([(284, 192), (306, 180), (328, 192)], "#94a1a5", 7)
    for x in (210, 302):
        sheet.disc(x, 240, 33, "#ffffff50")
        sheet.oval(x, 242, 9.5, 11, "#1f2f36")
        sheet.disc(x + 4, 237, 3.4, "#ffffff")
        sheet.line([(x - 16, 233), (x, 226), (x + 16, 233)], "#5d4a44", 4.5)
        sheet.ring(x, 240, 35, 6, "#16313c")
    sheet.line([(244, 236), (256, 231), (268, 236)], "#16313c", 5.5)
    sheet.line([(175, 238), (166, 236)], "#16313c", 5.5, soft=False)
    sheet.line([(337, 238), (346, 236)], "#16313c", 5.5, soft=False)
    # Nose and a dry half-smile.
    sheet.line([(256, 252), (250, 272), (262, 276)], "#b97b5a", 5)
    sheet.line([(228, 302), (256, 309), (288, 296)], "#8c4a3c", 6.5)
    sheet.line([(290, 290), (295, 299)], "#b97b5a", 4.5, soft=False)
    # The key on its ribbon.
    sheet.line([(214, 384), (240, 428), (256, 440), (272, 428), (298, 384)], "#e9a94a", 4)
    sheet.ring(256, 455, 16, 7, "#f5c66f")
    sheet.line([(256, 470), (256, 506)], "#f5c66f", 8, soft=False)
    sheet.line([(258, 490), (272, 490)], "#f5c66f", 7, soft=False)
    sheet.line([(258, 504), (268, 504)], "#f5c66f", 7, soft=False)
    return sheet


def moth(sheet: Sheet, at: Point, *, turn: float, scale: float) -> None:
    """A moth with open wings."""
    wing, edge, body = "#f1e6cf", "#c79a6b", "#5a3d33"
    upper = [(4, -6), (40, -44), (76, -40), (70, -4), (40, 10), (6, 6)]
    lower = [(4, 2), (38, 8), (54, 34), (36, 52), (14, 34)]
    for side in (1, -1):
        for outline, colour in ((lower, edge), (upper, wing)):
            sheet.blob(moved([(x * side, y) for x, y in outline], by=at, turn=turn, scale=scale), colour)
        (spot,) = moved([(48 * side, -22)], by=at, turn=turn, scale=scale)
        sheet.disc(*spot, 10 * scale, edge)
        sheet.disc(*spot, 5 * scale, body)
        sheet.line(moved([(2 * side, -18), (10 * side, -38), (24 * side, -50)], by=at, turn=turn, scale=scale), body, 4 * scale)
    sheet.blob(moved([(0, -24), (9, -8), (7, 26), (0, 40), (-7, 26), (-9, -8)], by=at, turn=turn, scale=scale), body)


def bram() -> Sheet:
    """The night gardener: broad, bearded, a wide hat with a leaf, a moth that trusts him."""
    sheet = Sheet("#3a2f4d")
    sheet.disc(426, 84, 48, "#efe3b4")
    sheet.disc(404, 72, 44, "#3a2f4d")
    sheet.disc(256, 276, 206, "#463a5c")
    for x, y, r in ((70, 96, 4), (118, 48, 3), (462, 190, 3.5), (50, 220, 3), (452, 268, 3), (334, 30, 3)):
        sheet.disc(x, y, r, "#efe3b4")
    # Leaves along the bottom edge, behind the shoulders.
    leaf = [(0, 0), (16, -40), (0, -96), (-16, -40)]
    for x, turn, colour in ((40, -24, "#38563c"), (88, 8, "#456b47"), (424, -8, "#456b47"), (474, 22, "#38563c")):
        sheet.blob(moved(leaf, by=(x, 470), turn=turn, scale=1.25), colour)
    # Shoulders, dungarees.
    sheet.blob([(256, 376), (372, 384), (470, 424), (508, 580), (4, 580), (42, 424), (140, 384)], "#7c8f5a")
    for points in ([(140, 392), (178, 384), (206, 520), (160, 520)], mirrored([(140, 392), (178, 384), (206, 520), (160, 520)])):
        sheet.shape(points, "#33503a")
    sheet.shape([(160, 470), (352, 470), (366, 520), (146, 520)], "#33503a")
    for x in (183, 329):
        sheet.disc(x, 478, 9, "#e0b45c")
    # Hair, neck, head.
    sheet.blob([(256, 150), (352, 190), (358, 290), (330, 330), (182, 330), (154, 290), (160, 190)], "#5b2f1f")
    sheet.shape([(206, 320), (306, 320), (312, 400), (200, 400)], "#7a4a30")
    for x in (164, 348):
        sheet.oval(x, 258, 18, 24, "#8a5638")
    sheet.blob([(256, 160), (332, 176), (346, 250), (330, 320), (256, 352), (182, 320), (166, 250), (180, 176)], "#9c6543")
    # Beard: one big friendly shape, with two lighter strokes.
    beard = [(162, 252), (182, 286), (220, 288), (256, 278), (292, 288), (330, 286), (350, 252)]
    chin = [(358, 318), (346, 384), (304, 430), (256, 448), (208, 430), (166, 384), (154, 318)]
    sheet.blob([*beard, *chin], "#6e3820")
    for side in (-1, 1):
        sheet.line([(256 + side * 64, 330), (256 + side * 56, 376), (256 + side * 30, 412)], "#8a4a2b", 6)
        sheet.line([(256 + side * 26, 360), (256 + side * 20, 396), (256 + side * 8, 424)], "#8a4a2b", 6)
    moustache = [(256, 284), (286, 278), (318, 296), (326, 316), (292, 316), (256, 302)]
    sheet.blob(moustache, "#86472a")
    sheet.blob(mirrored(moustache), "#86472a")
    sheet.line([(230, 320), (242, 328), (256, 331), (270, 328), (282, 320)], "#3f1d12", 6.5)
    # Nose, eyes, brows.
    sheet.blob([(256, 222), (270, 262), (280, 276), (256, 288), (232, 276), (242, 262)], "#8a5638")
    for side in (-1, 1):
        x = 256 + side * 44
        sheet.oval(x, 244, 9, 10.5, "#22140f")
        sheet.disc(x + 3.5, 240, 3.2, "#ffffff")
        sheet.line([(x - 22 * side, 217), (x, 212), (x + 20 * side, 222)], "#4a2516", 10)
        sheet.line([(x - 13, 260), (x, 264), (x + 13, 260)], "#7a4a30", 4)
    # Hat: brim, crown, band, leaf.
    sheet.blob([(256, 166), (386, 176), (446, 206), (408, 214), (256, 196), (104, 214), (66, 206), (126, 176)], "#a8823f")
    sheet.blob([(256, 60), (322, 76), (350, 132), (362, 186), (256, 182), (150, 186), (162, 132), (190, 76)], "#cfa656")
    sheet.blob([(154, 154), (256, 160), (358, 154), (364, 188), (256, 184), (148, 188)], "#33503a")
    sheet.blob([(256, 170), (400, 180), (462, 208), (410, 208), (256, 188), (102, 208), (50, 208), (112, 180)], "#dcb566")
    sheet.blob(moved(leaf, by=(190, 170), turn=-22, scale=0.85), "#7fae62")
    sheet.line(moved([(0, -4), (0, -70)], by=(190, 170), turn=-22, scale=0.85), "#5b8748", 4, soft=False)
    # The moth on his shoulder.
    moth(sheet, (404, 396), turn=18, scale=0.95)
    return sheet


def wren() -> Sheet:
    """The mapmaker: cropped hair with a crest, freckles, a rust scarf, a small bird, the route she came by."""
    sheet = Sheet("#f0d9a8")
    # The map behind her: water, heights, a route with its cross.
    sheet.blob([(-40, -40), (180, -40), (196, 40), (120, 92), (96, 180), (30, 220), (-40, 230)], "#a9d0cf")
    sheet.line([(196, 44), (122, 94), (98, 182), (32, 222), (-20, 232)], "#7fb3b5", 5)
    for r in (124, 96, 68):
        sheet.ring(470, 300, r, 4, "#dcbf85")
    sheet.dashes([(60, 330), (40, 270), (96, 222), (150, 130), (250, 50), (360, 40), (428, 84)], "#b5532f", 9, 21)
    for dx in (-1, 1):
        sheet.line([(440 - 15 * dx, 78), (440 + 15 * dx, 108)], "#b5532f", 9, soft=False)
    # Hair behind, with the crest.
    sheet.blob([(256, 104), (344, 130), (378, 214), (366, 296), (328, 330), (184, 330), (146, 296), (134, 214), (168, 130)], "#2b2a45")
    sheet.blob(
        [(206, 130), (196, 96), (168, 74), (214, 70), (230, 44), (222, 20), (268, 44), (300, 78), (330, 66), (326, 104), (316, 140)],
        "#2b2a45",
    )
    # Jacket, neck.
    sheet.blob([(256, 384), (344, 396), (424, 438), (456, 580), (56, 580), (88, 438), (168, 396)], "#2f7f86")
    sheet.line([(256, 430), (256, 512)], "#23636a", 5, soft=False)
    sheet.shape([(220, 316), (292, 316), (296, 392), (216, 392)], "#dc9f7c")
    # Head.
    for x in (166, 346):
        sheet.oval(x, 252, 16, 22, "#e5ab86")
    sheet.blob([(256, 140), (322, 160), (346, 236), (326, 304), (256, 346), (186, 304), (166, 236), (190, 160)], "#f2bd98")
    for x in (200, 312):
        sheet.oval(x, 282, 24, 15, "#ee9f80")
    for x, y in ((186, 268), (204, 262), (218, 274), (294, 274), (308, 262), (326, 268), (256, 258)):
        sheet.disc(x, y, 3.4, "#c9825d")
    # Fringe in points, like feathers.
    fringe = [(150, 238), (156, 172), (200, 126), (262, 112), (322, 132), (358, 180), (362, 240)]
    points = [(348, 222), (336, 196), (322, 208), (296, 174), (272, 200), (244, 170), (210, 204), (194, 186), (168, 224)]
    sheet.shape([*smooth(fringe, closed=False), *points], "#343255")
    sheet.line([(186, 164), (214, 140), (252, 130)], "#5a5788", 7)
    # Wide eyes, quick brows, an open smile.
    for side in (-1, 1):
        x = 256 + side * 46
        sheet.oval(x, 246, 18, 20, "#ffffff")
        sheet.oval(x + 3, 247, 11.5, 13.5, "#3b2a24")
        sheet.disc(x + 7, 241, 4.4, "#ffffff")
        sheet.line([(x - 17, 232), (x, 225), (x + 17, 232)], "#2b2a45", 5)
        sheet.line([(x - 18 * side, 212), (x, 206), (x + 17 * side, 213)], "#2b2a45", 5)
    sheet.line([(252, 264), (248, 276), (262, 279)], "#d18c68", 5)
    sheet.blob([(226, 294), (256, 302), (288, 292), (280, 314), (256, 324), (234, 314)], "#8d3b34")
    sheet.blob([(232, 297), (256, 304), (282, 295), (272, 306), (256, 309), (240, 306)], "#fff7ee")
    # Scarf.
    sheet.blob([(176, 348), (256, 378), (336, 348), (352, 388), (316, 422), (256, 434), (196, 422), (160, 388)], "#b5532f")
    sheet.line([(184, 372), (256, 402), (328, 372)], "#d1734a", 8)
    sheet.blob([(196, 412), (236, 420), (240, 470), (228, 514), (184, 508), (190, 460)], "#a2472a")
    sheet.line([(188, 490), (234, 496)], "#d1734a", 7, soft=False)
    # The small bird on her shoulder, tail up.
    sheet.blob([(424, 356), (440, 336), (462, 310), (468, 318), (452, 352), (438, 384)], "#5c351d")
    sheet.blob([(346, 372), (362, 350), (392, 348), (424, 366), (438, 392), (424, 424), (386, 434), (354, 414)], "#8d5732")
    sheet.blob([(350, 388), (372, 386), (392, 404), (396, 432), (372, 430), (352, 410)], "#ecd3a9")
    sheet.blob([(392, 382), (424, 376), (434, 396), (408, 416), (388, 402)], "#6d4024")
    sheet.disc(366, 366, 25, "#8d5732")
    sheet.line([(350, 354), (364, 350), (380, 354)], "#ecd3a9", 4.5)
    sheet.shape([(342, 362), (342, 374), (322, 370)], "#e8a23c")
    sheet.disc(358, 364, 5, "#1d1512")
    sheet.disc(359.5, 362.5, 1.7, "#ffffff")
    for x in (382, 396):
        sheet.line([(x, 430), (x - 2, 446)], "#e8a23c", 4, soft=False)
    return sheet


FACES = {"odile.png": odile, "bram.png": bram, "wren.png": wren}


def main() -> None:
    HERE.mkdir(parents=True, exist_ok=True)
    for name, draw in FACES.items():
        path = draw().save(name)
        sys.stdout.write(f"{path.name}: {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
