"""The host interface of the component over a folder on disk.

Every method takes the store first, as wasmtime's host functions do, and has the name of its function in `wit/ragnav.wit` with
underscores. What it gives back is what the Python package of wasmtime makes the component's types of: a `Record` for a record,
text for the case of an enum, and for a result either the value or the error; a `Variant` only where the two could be confused.
"""

import os
import stat
import subprocess
import time
import uuid
from datetime import datetime

from wasmtime.component import Record, Variant

FINE_STEP_NS = 100_000_000
"""The longest step of a kernel's clock for files, with room to spare."""


def record(**fields):
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


class FolderHost:
    def __init__(self, root, now_ms=None):
        self.root = os.path.realpath(root)
        self.now_ms = now_ms

    def git_head(self, _store):
        up = self._git("rev-parse", "--show-cdup")
        if up is None:
            return record(head=None, git_root=None)
        head = self._git("rev-parse", "--verify", "--quiet", "HEAD")
        return record(head=head, git_root=up.rstrip("/"))

    def read_dirs(self, _store, paths):
        return [self._answer(self._list, path) for path in paths]

    def read_many(self, _store, paths, max_bytes):
        answers = [self._answer(self._read, path, max_bytes) for path in paths]
        return [a if isinstance(a, Variant) else Variant("err", a) for a in answers]

    def stat(self, _store, paths):
        return [self._answer(self._stamp, path) for path in paths]

    def write(self, _store, path, content, exclusive):
        try:
            target = self._own(path)
            fresh = f"{target}.{uuid.uuid4()}"
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(fresh, "xb") as file:
                file.write(content)
            # A link fails where its name is taken; a rename takes the name.
            if exclusive:
                os.link(fresh, target)
                os.remove(fresh)
            else:
                os.replace(fresh, target)
        except OSError as error:
            return str(error)

    def remove(self, _store, path):
        try:
            os.remove(self._own(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            return str(error)

    def overlay(self, _store):
        return []

    def ignore_rules(self, _store):
        return []

    def now(self, _store):
        return self.now_ms or time.time_ns() // 1_000_000

    def utc_offsets(self, _store, instants):
        local = [datetime.fromtimestamp(ms / 1000).astimezone() for ms in instants]
        return [int(at.utcoffset().total_seconds()) for at in local]

    def unique_name(self, _store):
        return str(uuid.uuid4())

    def _git(self, *args):
        done = subprocess.run(
            ["git", "-C", self.root, *args], capture_output=True, text=True
        )
        return done.stdout.strip() if done.returncode == 0 else None

    def _answer(self, look, path, *args):
        """What was found, or the case of `file-error` that says why nothing was."""
        try:
            return look(self._inside(path), *args)
        except (FileNotFoundError, NotADirectoryError):
            return "missing"
        except PermissionError:
            return "denied"
        except OSError:
            return "io"

    def _inside(self, path):
        place = os.path.join(self.root, path) if path else self.root
        real = os.path.realpath(place)
        if real != self.root and not real.startswith(self.root + os.sep):
            raise PermissionError(path)
        return place

    def _own(self, path):
        if not path.startswith(".llmc/"):
            raise PermissionError(path)
        return self._inside(path)

    def _list(self, folder):
        entries = []
        with os.scandir(folder) as listing:
            for entry in listing:
                kind = kind_of(entry)
                if kind:
                    entries.append(record(name=entry.name, kind=kind, stamp=None))
        return entries

    def _read(self, file, max_bytes):
        if not stat.S_ISREG(os.stat(file).st_mode):
            return "io"
        if os.path.getsize(file) > max_bytes:
            return "too-large"
        with open(file, "rb") as opened:
            return Variant("ok", content_of(opened.read()))

    def _stamp(self, file):
        seen = os.stat(file)
        if not stat.S_ISREG(seen.st_mode):
            return "io"
        stamp = f"{seen.st_ino}-{seen.st_ctime_ns}-{seen.st_mtime_ns}"
        racy = seen.st_ctime_ns >= time.time_ns() - FINE_STEP_NS
        return record(size=seen.st_size, stamp=stamp, racy=racy)


def content_of(held):
    """Text where it can be: wasmtime takes bytes from Python one by one."""
    try:
        return held.decode()
    except UnicodeDecodeError:
        return held


def kind_of(entry):
    if entry.is_symlink():
        return "link"
    if entry.is_dir():
        return "dir"
    return "file" if entry.is_file() else None
