"""Files of compiled code: where they lie, which of them may be loaded, how they are written.

To load compiled code is to run it.  So a file is loaded only if nobody but this user and root
can have written it: a regular file of theirs, in a folder of theirs, and neither it nor any
folder above lets others in (as ssh demands of its keys).  Everything else costs one line of
warning and the time to compile.
"""

import errno
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache as memo
from pathlib import Path

DAYS_KEPT = 30
DAY_SECONDS = 24 * 3600
CACHE_IN_HOME = {"win32": "AppData/Local", "darwin": "Library/Caches"}
OWN, SHARED = "PLIES_CACHE_DIR", "PLIES_SHARED_CACHE_DIR"
CHECKED = "PLIES_CACHE_IS_CHECKED"  # says a judge who trusts the shared folders to its programs

ROOT = 0
HAS_OWNERS = hasattr(os, "geteuid")  # Windows tells by other means, and by default rightly
WRITABLE_BY_GROUP, WRITABLE_BY_OTHERS = 0o020, 0o022
# Without links, and without waiting for whoever may write to the other end of a pipe.
_NAMES = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
TO_READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in _NAMES)

END = b"\0"  # of what a file says it is for; there is none in it

_warned: list[str] = []


def warn(message: str) -> None:
    """Once: whatever is wrong with the cache, it costs only time."""
    if not _warned:
        # Names of others' folders may hold what acts on a terminal.
        printable = "".join(each if each.isprintable() else "?" for each in message)
        with suppress(OSError):
            print(f"plies: warning: {printable}", file=sys.stderr)
    _warned.append(message)


# Where


def user_folder(own: str, of_all: str, in_home: str) -> Path | None:
    """`$own`, or the user's folder for such files; None for a user without a home.

    `of_all` is the variable that says where all programs have theirs.
    """
    if folder := os.environ.get(own):
        return Path(folder)
    if folder := os.environ.get(of_all):
        return Path(folder) / "plies"
    try:
        return Path.home() / in_home / "plies"
    except RuntimeError:
        return None


def find_own_folder(version: str) -> Path | None:
    """The folder in which this version reads and writes: in the cache of the user, if that is safe.

    Otherwise a private one among the temporary files, or None: then nothing is stored.
    """
    of_all = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    root = user_folder(OWN, of_all, CACHE_IN_HOME.get(sys.platform, ".cache"))
    if root is None:
        problem = "there is no home folder to keep compiled code in"
    else:
        folder, problem = _prepare(root / version)
        if not problem:
            return folder
        problem = f"compiled code cannot be kept in {root}: {problem}"
    warn(f"{problem}; set {OWN} to a folder that only you can write to")
    try:
        temporary = tempfile.gettempdir()
    except FileNotFoundError:  # nothing can be written anywhere
        return None
    private = Path(temporary, f"plies-{os.geteuid() if HAS_OWNERS else 'cache'}")
    folder, problem = _prepare(private / version)
    if problem:
        return None
    os.environ[OWN] = str(private)  # for worker processes: they need not warn again
    return folder


def find_shared_folders(version: str) -> Iterator[Path]:
    """Folders of `$PLIES_SHARED_CACHE_DIR` that have something for this version; only read."""
    for root in filter(None, os.environ.get(SHARED, "").split(os.pathsep)):
        folder = Path(root, version)
        try:
            folder = _real(folder)
            if not folder.is_dir():
                continue
            problem = explain_distrust(folder)
        except OSError as error:
            problem = _reason(error)
        if problem:
            warn(f"compiled code in {root} is not used: {problem}")
        else:
            yield folder


def _real(path: Path) -> Path:
    """Without links: what is checked by this name cannot be exchanged afterwards."""
    return Path(os.path.realpath(path))


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _prepare(path: Path) -> tuple[Path, str]:
    """Create a folder if need be: where it really is, and what is wrong with it, or nothing.

    Nothing is created below a folder that is not trusted, such as another user's home under sudo.
    """
    try:
        folder = _real(path)
        if problem := explain_distrust(folder, is_new=True):
            return folder, problem
        _make_folder(folder)
    except OSError as error:
        return path, _reason(error)
    return folder, explain_distrust(folder)


def _make_folder(folder: Path) -> None:
    """Create the folder of a version and forget versions not used for a month."""
    if folder.is_dir():
        return
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)  # another process may be doing the same
    oldest = time.time() - DAYS_KEPT * DAY_SECONDS
    for other in folder.parent.iterdir():
        with suppress(OSError):
            if re.fullmatch(r"[0-9a-f]{16}", other.name) and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


# Trust


def explain_distrust(folder: Path, *, is_new: bool = False) -> str:
    """Why others could put files into a folder (a path without links), or nothing.

    Above it the sticky bit is enough: nobody can rename what belongs to somebody else there.
    Of a folder that is new, what does not exist yet is left out: whoever asks will create it.
    """
    if not HAS_OWNERS:
        return ""
    owners = _trusted_owners()
    owners_above = {*owners, _owner_of_all()}
    # From the top: below a folder that can be trusted nothing is exchanged meanwhile.
    for each in (*reversed(folder.parents), folder):
        try:
            status = each.lstat()
        except OSError as error:
            if is_new and isinstance(error, FileNotFoundError):
                return ""
            return f"{each}: {error.strerror}"
        if not stat.S_ISDIR(status.st_mode):
            return f"{each} is not a folder"
        is_above = each != folder
        if status.st_uid not in (owners_above if is_above else owners):
            return f"{each} belongs to another user"
        is_sticky = is_above and status.st_mode & stat.S_ISVTX
        if not is_sticky and _others_can_write(each, status):
            return f"others can write to {each}"
    return ""


def _trusted_owners() -> set[int]:
    owners = {ROOT, os.geteuid()}
    # A judge has looked at what it shares from where owners can be told apart.
    return owners | {_owner_of_all()} if os.environ.get(CHECKED) else owners


def _owner_of_all() -> int:
    """Whoever owns / could exchange Python itself.

    That is root, but in a user namespace without root (as around confined programs) what
    belongs to root seems to be somebody else's, and so does what belongs to others.
    """
    return Path("/").stat().st_uid


def _others_can_write(folder: Path, status: os.stat_result) -> bool:
    others = status.st_mode & WRITABLE_BY_OTHERS
    if others != WRITABLE_BY_GROUP:
        return bool(others)
    return not _is_private_group(status.st_gid) or _has_access_list(folder)


@memo
def _is_private_group(group: int) -> bool:
    """Whether it has this user as its only member, as many systems arrange for every user."""
    import grp
    import pwd

    try:
        name = pwd.getpwuid(os.geteuid()).pw_name
        its_group = grp.getgrgid(group)
    except KeyError:
        return False
    sharing = {user.pw_name for user in pwd.getpwall() if user.pw_gid == group}
    return its_group.gr_name == name and {*its_group.gr_mem, *sharing} <= {name}


def _has_access_list(folder: Path) -> bool:
    """Whether the bits of the group may stand for other users as well."""
    if not hasattr(os, "getxattr"):
        return False
    try:
        os.getxattr(folder, "system.posix_acl_access")
    except OSError:
        return False
    return True


def _distrust_of_file(status: os.stat_result) -> str:
    if not stat.S_ISREG(status.st_mode):
        return "not a regular file"
    if HAS_OWNERS and status.st_uid not in _trusted_owners():
        return "it belongs to another user"
    if HAS_OWNERS and status.st_mode & WRITABLE_BY_OTHERS:
        return "others can write to it"
    return ""


# Reading and writing


def read_code(path: Path, identity: bytes) -> bytes | None:
    """What `write_code` stored there for this very function, None if that is not there."""
    try:
        descriptor = os.open(path, TO_READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # it may be a link
        warn(f"{path} is not loaded: {error.strerror}")
        return None
    try:  # what is looked at is what is read, whatever becomes of the name
        if problem := _distrust_of_file(os.fstat(descriptor)):
            warn(f"{path} is not loaded: {problem}")
            return None
        with open(descriptor, "rb", closefd=False) as file:
            stored = file.read()
    except OSError as error:
        warn(f"{path} is not loaded: {error.strerror}")
        return None
    finally:
        os.close(descriptor)
    _note_use(path.parent)
    digest, content = stored[:32], stored[32:]
    if hashlib.sha256(content).digest() != digest:
        warn(f"{path} is not loaded: it is damaged")
        return None
    if not content.startswith(identity + END):
        warn(f"{path} is not loaded: it is of another function")
        return None
    return content[len(identity + END) :]


def write_code(path: Path, identity: bytes, code: bytes) -> None:
    """All or nothing: a reader sees the old file, the new file, or none."""
    if not path.parent.is_dir():  # it was there when this process began
        _, problem = _prepare(path.parent)
        if problem:
            raise OSError(errno.EACCES, problem)
    content = identity + END + code
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@memo
def _note_use(folder: Path) -> None:
    """Note that a folder is in use, once a day, so that it is not forgotten."""
    with suppress(OSError):
        if time.time() - folder.stat().st_mtime > DAY_SECONDS:
            os.utime(folder)
