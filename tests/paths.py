"""Where things are: the project, and what may lie beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
