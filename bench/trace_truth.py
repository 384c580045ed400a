"""Follows the definitions of Python files through the first-parent history of a clone, a commit at a
time, by CPython's `ast` and git's detection of renamed files.

    python3 bench/trace_truth.py CLONE COMMITS_AGO

Writes one JSON object a line: `commit`, `file` and `line` of a definition then, and `now`, its file and
line in HEAD, or null if it was removed. In each step a definition is the one of the same name in the
same file, or else the only new one with an equal body. One that was removed while a similar one was
added is left out, since no one can say whether it is the same.
"""

import ast
import json
import subprocess
import sys
import warnings
from collections import defaultdict
from difflib import SequenceMatcher
from functools import lru_cache

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Shorter bodies are equal by chance.
MIN_BODY = 200
SIMILAR = 0.5
REMOVED = "removed"
UNKNOWN = "unknown"


def git(clone, *arguments):
    run = subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True)
    return run.stdout


class Blobs:
    """Reads objects of a clone through one process."""

    def __init__(self, clone):
        self.process = subprocess.Popen(
            ["git", "-C", clone, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def read(self, name):
        self.process.stdin.write(name.encode() + b"\n")
        self.process.stdin.flush()
        size = int(self.process.stdout.readline().split()[2])
        content = self.process.stdout.read(size)
        self.process.stdout.read(1)
        return content

    @lru_cache(maxsize=4096)
    def definitions(self, blob):
        """Maps (name, ordinal) to (line, masked text), or returns None for what does not parse."""
        try:
            return definitions_of(self.read(blob))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def definitions_of(text):
    found = {}
    counts = defaultdict(int)

    def visit(node, around):
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, DEFINITIONS):
                name = f"{around}.{child.name}" if around else child.name
                found[name, counts[name]] = (child.lineno, masked(child))
                counts[name] += 1
            visit(child, name)

    visit(ast.parse(text), "")
    return found


def masked(node):
    own = node.name
    node.name = ""
    text = ast.dump(node)
    node.name = own
    return text


def changed_files(clone, before, after):
    """Yields (old path, old blob, new path, new blob) of the Python files that differ."""
    parts = git(clone, "diff", "--raw", "-M", "--no-abbrev", "-z", before, after).split(b"\0")
    at = 0
    while at < len(parts) - 1:
        _, _, old, new, status = parts[at].decode().lstrip(":").split()
        paths = [path.decode() for path in parts[at + 1 : at + (3 if status[0] in "RC" else 2)]]
        at += 1 + len(paths)
        if not all(path.endswith(".py") for path in paths):
            continue
        yield (
            None if status[0] in "AC" else paths[0],
            old,
            None if status[0] == "D" else paths[-1],
            new,
        )


def step(blobs, files):
    """Maps (file, name, ordinal) before a commit to the same after it, or to a reason."""
    kept = {}
    removed = {}
    added = {}
    for old_path, old, new_path, new in files:
        before = blobs.definitions(old) if old_path else {}
        after = blobs.definitions(new) if new_path else {}
        if before is None or after is None:
            kept.update({(old_path, *key): UNKNOWN for key in before or {}})
            continue
        several = {
            name
            for name in {key[0] for key in {**before, **after}}
            if count(before, name) != count(after, name) and max(count(before, name), count(after, name)) > 1
        }
        for key, (_, text) in before.items():
            if key[0] in several:
                kept[old_path, *key] = UNKNOWN
            elif key in after:
                kept[old_path, *key] = (new_path, *key)
            else:
                removed[old_path, *key] = text
        for key, (_, text) in after.items():
            if key not in before and key[0] not in several:
                added[new_path, *key] = text
    return {**kept, **matched(removed, added)}


def count(definitions, name):
    return sum(1 for key in definitions if key[0] == name)


def matched(removed, added):
    by_text = defaultdict(lambda: ([], []))
    for side, definitions in enumerate((removed, added)):
        for place, text in definitions.items():
            by_text[text][side].append(place)
    found = {}
    for text, (old, new) in by_text.items():
        if len(old) == 1 and len(new) == 1 and len(text) >= MIN_BODY:
            found[old[0]] = new[0]
    taken = set(found.values())
    free = {place: text for place, text in added.items() if place not in taken}
    for place, text in removed.items():
        if place not in found:
            found[place] = UNKNOWN if has_similar(place, text, free) else REMOVED
    return found


def has_similar(place, text, free):
    own = place[1].rsplit(".", 1)[-1]
    for other, other_text in free.items():
        if other[1].rsplit(".", 1)[-1] == own:
            return True
        matcher = SequenceMatcher(None, text[:4000], other_text[:4000], autojunk=False)
        if matcher.real_quick_ratio() > SIMILAR and matcher.quick_ratio() > SIMILAR:
            return True
    return False


def tree_of(clone, commit):
    listed = git(clone, "ls-tree", "-r", "-z", commit).split(b"\0")
    for entry in filter(None, listed):
        head, path = entry.split(b"\t", 1)
        mode, _, blob = head.decode().split()
        if path.endswith(b".py") and mode.startswith("100"):
            yield path.decode(), blob


def main():
    warnings.simplefilter("ignore")
    clone, ago = sys.argv[1], int(sys.argv[2])
    blobs = Blobs(clone)
    commits = git(clone, "rev-list", "--first-parent", f"--max-count={ago + 1}", "HEAD").decode().split()
    commits.reverse()
    start = commits[0]
    then = {
        (path, *key): line
        for path, blob in tree_of(clone, start)
        for key, (line, _) in (blobs.definitions(blob) or {}).items()
    }
    now = {place: place for place in then}
    for before, after in zip(commits, commits[1:]):
        moves = step(blobs, list(changed_files(clone, before, after)))
        now = {origin: moves.get(place, place) for origin, place in now.items()}
    current = {
        (path, *key): line
        for path, blob in tree_of(clone, "HEAD")
        for key, (line, _) in (blobs.definitions(blob) or {}).items()
    }
    for origin, place in now.items():
        if place == UNKNOWN or (place != REMOVED and place not in current):
            continue
        label = {"commit": start, "file": origin[0], "name": origin[1], "line": then[origin], "now": None}
        if place != REMOVED:
            label["now"] = {"file": place[0], "name": place[1], "line": current[place]}
        print(json.dumps(label))


main()
