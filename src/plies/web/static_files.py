"""The files of the page: from the package, checked for changes, compressed once."""

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from plies.web.problems import NotHere

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
INDEX = "index.html"


@dataclass(frozen=True)
class File:
    """A file as it is sent, as long as it is not written again."""

    written: int
    plain: bytes
    packed: bytes
    tag: str
    kind: str


class StaticFiles:
    """The files of a folder by their paths; nothing else of the disk can be reached."""

    def __init__(self, folder: Path = FOLDER):
        self.folder = folder.resolve()
        self._files: dict[str, File] = {}

    def answer(self, name: str, request: Request) -> Response:
        """A file, or that the browser still has it."""
        file = self._file(name)
        headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        content = file.plain
        if "gzip" in request.headers.get("accept-encoding", ""):
            content, headers["content-encoding"] = file.packed, "gzip"
        return Response(content, headers=headers, media_type=file.kind)

    def _file(self, name: str) -> File:
        parts = (name or INDEX).split("/")
        kind = TYPES.get(Path(parts[-1]).suffix)
        is_sound = all(part and part[0] != "." and not set(part) & set("\\:") for part in parts)
        if kind is None or not is_sound:
            raise NotHere("there is no such page")
        path = self.folder.joinpath(*parts)
        try:
            written = path.stat().st_mtime_ns
        except (OSError, ValueError):  # such as a name that is too long, or none at all
            raise NotHere("there is no such page") from None
        known = self._files.get(name)
        if known is None or known.written != written:
            plain = path.read_bytes()
            tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
            known = File(written, plain, gzip.compress(plain, mtime=0), tag, kind)
            self._files[name] = known
        return known
