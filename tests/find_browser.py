"""Finds the browser of the tests, or installs one: `python tests/find_browser.py --install`.

Never an error: without a browser the tests that need one are skipped, and say why.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ANSWER_SECONDS = 30
INSTALL_SECONDS = 240
MISSING = (
    "no Chromium was found: install one, or name its program by PLIES_BROWSER "
    "(`make browser` tries to)"
)


def find() -> str | None:
    """The program: the one that PLIES_BROWSER names, one on the PATH, or playwright's own."""
    if named := os.environ.get("PLIES_BROWSER"):
        return named
    for path in filter(None, map(shutil.which, NAMES)):
        if _answers(path):
            return path
    own = _own_of_playwright()
    return own if own and _answers(own) else None


def install() -> str:
    """Try what may work on this machine; what to say about it."""
    if found := find():
        return _told(found)
    print("no Chromium here: trying to install one for the tests", flush=True)
    for command in _ways():
        try:
            done = subprocess.run(
                command,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=INSTALL_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0 and (found := find()):
            break
    return _told(found)


def _told(found: str | None) -> str:
    if found:
        return f"tests in a browser: with {found}"
    return f"tests in a browser: skipped, because {MISSING}"


def _ways() -> list[list[str]]:
    own = [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        get = "apt-get install --yes --quiet --no-install-recommends chromium"
        return [["sh", "-c", f"{get} || (apt-get update --quiet && {get})"], own]
    return [own]


def _answers(path: str) -> bool:
    """Whether it is a program, and no stand-in that only says how to get one."""
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, timeout=ANSWER_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _own_of_playwright() -> str:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return ""
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    if path.exists():
        return str(path)
    shells = sorted(path.parents[2].glob("chromium_headless_shell-*/*/*headless*shell"))
    return str(shells[-1]) if shells else ""


if __name__ == "__main__":
    print(install() if "--install" in sys.argv else _told(find()), flush=True)
