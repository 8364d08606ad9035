"""The bundled cast, main first. Content only: who gets it and when is decided where workspaces are made."""

from coterie.domain.personas.presets.bram import BRAM
from coterie.domain.personas.presets.odile import ODILE
from coterie.domain.personas.presets.preset import Preset
from coterie.domain.personas.presets.wren import WREN

BUNDLED: tuple[Preset, ...] = (ODILE, BRAM, WREN)

__all__ = ["BUNDLED", "Preset"]
