"""Names in several scripts, with texts that call them and texts that only look so. Written by hand; every entry knows its meaning.

Nothing here is computed by the code that the set judges.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """A trigger word. `calls` are spellings that call it; `decoys` hold its letters and do not."""

    word: str
    calls: tuple[str, ...]
    decoys: tuple[str, ...] = ()
    script: str = "latin"


NAMES: tuple[Name, ...] = (
    Name(
        "ren",
        (
            "ren",
            "Ren,",
            "REN!",
            "reeen",
            "ren's",
            "renは",
            "**ren**",
            "RE\ufe0eN",
            "元気renは",
            ">ren",
            "www.ren.example",
            ":ren:",
            "ren@example.org",
        ),
        ("children", "rené", "rene\u0301", "zuhören", "zuho\u0308ren", "xrenちゃん", "ren_2", "ren2", "parent", "ｒｅｎ"),
    ),
    Name("lilya", ("lilya", "Liiilya", "LILYAAA", "(lilya)", "lilya-chan"), ("lila", "lilyana", "lil ya", "lílya")),
    Name("anna", ("anna", "Anna?", "annnna", "ANNAAA"), ("ana", "hanna", "annas")),
    Name("zoë", ("zoë", "Zoë", "ZOË", "zoe\u0308", "zoëëë"), ("zoe", "zoës")),
    Name("straße", ("straße", "STRAẞE", "Straße."), ("strasse", "hauptstraße")),
    Name("mary ann", ("mary ann", "Mary  Ann", "mary\u00a0ann", "MARY\u3000ANN!"), ("maryann", "mary-anns", "mary, ann")),
    Name("c++", ("c++", "C++!", "c++x", "c+++"), ("c+", "xc++", "c + +")),
    Name("рен", ("рен", "Рен,", "рееен", "РЕН"), ("древнерен", "рено", "р\u0435\u0306н", "pен"), "cyrillic"),
    Name("мила", ("мила", "Мила!", "милааа"), ("милашка", "мила\u0301я"), "cyrillic"),
    Name("نور", ("نور", "يا نور!", "نوور"), ("نورا", "منور"), "arabic"),
    Name("ليلى", ("ليلى", "ليلى؟"), ("ليل", "وليلى"), "arabic"),
    Name("エリ", ("エリ", "エリ今日は", "ねえエリ", "エリア", "xエリx"), ("えり", "ｴﾘ", "エ リ"), "cjk"),
    Name("塔", ("塔", "去塔里", "塔!"), ("搭", "嗒"), "cjk"),
    Name("렌", ("렌", "렌은", "안녕렌아"), ("랜", "ㄹㅔㄴ"), "cjk"),
    Name("เรน", ("เรน", "สวัสดีเรนจ้า"), ("เรณ", "เ รน"), "thai"),
    Name("🦊", ("🦊", "🦊\ufe0f", "x🦊x", "🦊🐺"), ("🐺", "🦊\u200d🔥"), "emoji"),
    Name("👋", ("👋", "👋!"), ("👋🏽", "🤚"), "emoji"),
    Name("🇩🇪", ("🇩🇪", "🇫🇷🇩🇪"), ("🇦🇩🇪🇫", "🇫🇷"), "emoji"),
)

MARY = Name("mary", ("mary", "Mary!", "maaary"), ("marys", "maryland", "rosemary"))
"""Stands beside `mary ann`: where both are owned, `mary ann` calls the owner of `mary` too."""

BASE = (
    Name("coterie", ("coterie", "Coterie!", "coteriiie"), ("coteries", "kcoterie")),
    Name("コテリー", ("コテリー", "コテリーさん"), ("コテリ", "こてりー"), "cjk"),
)
"""The words that belong to main."""

FILLERS: dict[str, tuple[str, ...]] = {
    "latin": ("what do you think of moths?", "well", "good morning", "and", "so be it.", "10 % of it", "tell us", "a_b"),
    "cyrillic": ("доброе утро", "и", "как дела?"),
    "arabic": ("صباح", "كيف؟", "و"),
    "cjk": ("今日はいい天気", "ですよね", "好的", "안녕", "と"),
    "thai": ("สวัสดี", "และ"),
    "emoji": ("✨", "🌙🌙", "🙂"),
}

MENTIONED = ("71", "72", "73")
"""Users whose mention may be a trigger word."""
