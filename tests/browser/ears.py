"""Ears for a browser: what a page says and asks for that it should not."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request


@dataclass
class Heard:
    """What a page said and asked for that it should not have."""

    home: str  # the address that pages may ask
    errors: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)  # refusals that a test provokes

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("dialog", lambda dialog: self.errors.append(f"dialog: {dialog.message}"))

        def look(request: Request) -> None:
            if urlsplit(request.url).netloc not in (urlsplit(self.home).netloc, ""):
                self.elsewhere.append(request.url)

        page.on("request", look)

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(part in text for part in self.allowed):
            self.errors.append(text)
