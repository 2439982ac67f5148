"""Files of compiled code: where they are, which of them may be loaded, how to write them.

To load compiled code is to run it.  So we load a file only if nobody but this user and root can
have written it: a regular file of theirs, in a folder of theirs, and neither it nor any folder
above lets others write (as ssh demands of its keys).  Anything else costs one line of warning
and the time to compile.
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
CHECKED = "PLIES_CACHE_IS_CHECKED"  # a judge tells its programs: I have checked these folders

ROOT = 0
HAS_OWNERS = hasattr(os, "geteuid")  # Windows protects these folders by other means
WRITABLE_BY_GROUP, WRITABLE_BY_OTHERS = 0o020, 0o022
# Follow no link, and do not wait for the writer of a pipe.
_NAMES = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
TO_READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in _NAMES)

END = b"\0"  # of the identity, which holds none

_warned: list[str] = []


def warn(message: str) -> None:
    """Print the first warning only: a broken cache costs nothing but time."""
    if not _warned:
        # Names of others' folders may hold control characters of a terminal.
        printable = "".join(each if each.isprintable() else "?" for each in message)
        with suppress(OSError):
            print(f"plies: warning: {printable}", file=sys.stderr)
    _warned.append(message)


# Where


def user_folder(own: str, of_all: str, in_home: str) -> Path | None:
    """`$own`, or the user's folder for such files; None for a user without a home.

    `of_all` is the variable that names the folder for all programs.
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
    """The folder of this version in the user's cache, if that is safe.

    Otherwise a private one among the temporary files; None stores nothing.
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
    except FileNotFoundError:  # no folder can be written
        return None
    private = Path(temporary, f"plies-{os.geteuid() if HAS_OWNERS else 'cache'}")
    folder, problem = _prepare(private / version)
    if problem:
        return None
    os.environ[OWN] = str(private)  # for worker processes: they need not warn again
    return folder


def find_shared_folders(version: str) -> Iterator[Path]:
    """Folders of `$PLIES_SHARED_CACHE_DIR` that hold this version; for reading only."""
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
    """The path without links, so that nobody exchanges the folder after the check."""
    return Path(os.path.realpath(path))


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _prepare(path: Path) -> tuple[Path, str]:
    """Create a folder if need be; its real path, and what is wrong with it, if anything.

    It creates nothing below a folder that it does not trust, such as another's home under sudo.
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
    """Create the folder of a version, and delete versions not used for a month."""
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
    """Why others could put files into a folder (a path without links); empty if they cannot.

    For folders above it the sticky bit is enough: there nobody can rename others' files.
    `is_new` allows that the folder does not exist yet.
    """
    if not HAS_OWNERS:
        return ""
    owners = _trusted_owners()
    owners_above = {*owners, _owner_of_all()}
    # From the top: below a trusted folder nobody exchanges anything meanwhile.
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
    # The judge has checked its folders from outside, where owners can be told apart.
    return owners | {_owner_of_all()} if os.environ.get(CHECKED) else owners


def _owner_of_all() -> int:
    """The owner of /, who could exchange Python itself.

    That is root; but in a user namespace without root, as around confined programs, the files
    of root and of all others seem to belong to one unknown user.
    """
    return Path("/").stat().st_uid


def _others_can_write(folder: Path, status: os.stat_result) -> bool:
    others = status.st_mode & WRITABLE_BY_OTHERS
    if others != WRITABLE_BY_GROUP:
        return bool(others)
    return not _is_private_group(status.st_gid) or _has_access_list(folder)


@memo
def _is_private_group(group: int) -> bool:
    """Whether this user is the only member, as in the group that many systems make per user."""
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
    """Whether an access list may let other users in, which the mode hides."""
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
    """What `write_code` stored for this very function, None if there is nothing."""
    try:
        descriptor = os.open(path, TO_READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # it may be a link
        warn(f"{path} is not loaded: {error.strerror}")
        return None
    try:  # check the open file, not its name, which might be exchanged
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
    """Note once a day that a folder is in use, so that nobody deletes it."""
    with suppress(OSError):
        if time.time() - folder.stat().st_mtime > DAY_SECONDS:
            os.utime(folder)
