"""The files of `shoverworld.learn`: `.npz` archives of plain arrays with a JSON header, without pickled objects."""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from shoverworld.core.errors import ModelError
from shoverworld.core.files import write_safely

FORMAT = 1
HEADER = "header"
MOST_BYTES = 1 << 31  # of all arrays together, unpacked


def write_archive(
    path: str | PathLike[str], kind: str, header: Mapping[str, Any], arrays: Mapping[str, Any], compress: bool
) -> None:
    """Write an archive completely or not at all. Equal content gives equal bytes."""
    text = json.dumps({"format": FORMAT, "kind": kind, **header}, sort_keys=True)
    stored = {HEADER: np.frombuffer(text.encode(), np.uint8), **arrays}
    buffer = io.BytesIO()
    (np.savez_compressed if compress else np.savez)(buffer, allow_pickle=False, **stored)
    write_safely(path, buffer.getvalue())


def read_archive(path: str | PathLike[str], kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the header and the arrays of an archive of this kind. Raise ModelError if the file is not one."""
    try:
        with open(path, "rb") as file:
            if not zipfile.is_zipfile(file):
                raise zipfile.BadZipFile("the file is truncated or is not an .npz file")
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise ModelError(f"{path}: the arrays need more than {MOST_BYTES >> 30} GB; this is not a {kind}")
        with np.load(path, allow_pickle=False) as loaded:
            arrays = {name: loaded[name] for name in loaded.files}
    except FileNotFoundError:
        raise ModelError(f"{path}: the file does not exist; `shover learn` writes models") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder; expected a {kind} file that `shover learn` wrote") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise ModelError(
            f"{path}: not a complete {kind} file ({error}); expected an .npz file that `shover learn` wrote"
        ) from error
    return _checked_header(path, kind, arrays.pop(HEADER, None)), arrays


def _checked_header(path: str | PathLike[str], kind: str, stored: np.ndarray | None) -> dict[str, Any]:
    try:
        if stored is None or stored.dtype != np.uint8 or stored.ndim != 1:
            raise ValueError("it has no header")
        header = json.loads(stored.tobytes().decode())
        if not isinstance(header, dict) or "format" not in header or "kind" not in header:
            raise ValueError("its header has no format")
    except ValueError as error:
        raise ModelError(f"{path}: an .npz file, but not one that `shover learn` wrote ({error})") from None
    if header["format"] != FORMAT:
        raise ModelError(f"{path}: format {header['format']!r:.20}; this version of shoverworld reads format {FORMAT}")
    if header["kind"] != kind:
        raise ModelError(f"{path}: a {header['kind']!s:.20} file; expected a {kind} file")
    return header
