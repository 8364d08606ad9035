"""The table: every figure beside what Coterie has to reach, and whether it does."""

TARGETS = {
    "event in, p50 ms": ("<=", 5),
    "event in, p99 ms": ("<=", 15),
    "last token, p50 ms": ("<=", 2),
    "last token, p99 ms": ("<=", 6),
    "replies/s, 1": (">=", 150),
    "replies/s, 10": (">=", 300),
    "replies/s, 50": (">=", 300),
    "replies/s, model takes 1 s, 1": (">=", 0.97),
    "replies/s, model takes 1 s, 10": (">=", 9.5),
    "replies/s, model takes 1 s, 50": (">=", 45),
    "events/s": (">=", 12_000),
    "resident at the start": ("<=", 180),
    "resident with 500 guilds": ("<=", 200),
    "resident after 50,000 events": ("<=", 220),
    "start": ("<=", 2.5),
    "requests": ("<=", 2),
}
"""For 2 cores that nobody else uses. Ratios within one run say more than figures of different runs."""


def table(results, kinds):
    """Lines of text: figures by kind, the ratio to the limit, target and verdict. `results` are figures by kind and name."""
    names = list(dict.fromkeys(name for kind in kinds for name in results.get(kind, {})))
    yield "  ".join([f"{'':42}", *(f"{kind:>19}" for kind in kinds), f"{'to the limit':>13}", f"{'target':>10}"])
    for name in names:
        values = [results.get(kind, {}).get(name) for kind in kinds]
        shown = [f"{'' if value is None else f'{value:,.2f}':>19}" for value in values]
        yield "  ".join([f"{name:42}", *shown, f"{ratio(name, results, kinds):>13}", *verdict(name, results, kinds)])


def ratio(name, results, kinds):
    """How the first Coterie stands to the minimal client, or to the bare one."""
    limit = next((results[kind][name] for kind in ("minimal", "bare") if name in results.get(kind, {})), None)
    ours = next((results[kind][name] for kind in kinds if kind.startswith("coterie") and name in results.get(kind, {})), None)
    return f"{ours / limit:.2f} x" if limit and ours is not None else ""


def verdict(name, results, kinds):
    """The target, and by how much it is missed."""
    if name not in TARGETS:
        return ("",)
    sign, target = TARGETS[name]
    ours = [results[kind][name] for kind in kinds if kind.startswith("coterie") and name in results.get(kind, {})]
    reached = all(value <= target if sign == "<=" else value >= target for value in ours)
    return (f"{sign + f' {target:,}':>10}", "" if not ours else "reached" if reached else "MISSED")
