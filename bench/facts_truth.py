"""What CPython's `ast` and `symtable` say of the files named on standard input.

One JSON object a file: `facts` is null where CPython does not parse the file, and holds else
- `imports`: [module, leading dots, member or "*" or null, the name it is bound to or null]
- `references`: [line, column in UTF-16 units, name, kind, what it is a member of: "", a dotted
  name, a call of one or "?"]; line and column are null inside f-strings, for which CPython before
  3.12 gives no true positions
- `bases`: [line of the class, dotted name, whether it is called]
- `docstrings`: [line of the definition, first line of its docstring that is not blank]
- `bindings`: [line of the definition it is in, kind of scope, name], once for each scope
"""

import ast
import json
import re
import symtable
import sys
import warnings

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MAX_DOCSTRING = 200
STRING = re.compile(r"[a-zA-Z]*('''|\"\"\"|'|\")")


class Places:
    """UTF-8 columns as UTF-16 ones."""

    def __init__(self, text):
        # What breaks lines for the tokenizer, and nothing else that `splitlines` knows.
        self.lines = re.split("\r\n|\r|\n", text)

    def at(self, line, column):
        before = self.lines[line - 1].encode()[:column].decode(errors="replace")
        return [line, len(before.encode("utf-16-le")) // 2]


def path_of(node):
    segments = []
    while isinstance(node, ast.Attribute):
        segments.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join(reversed([*segments, node.id]))


def imports_of(node):
    if isinstance(node, ast.Import):
        for name in node.names:
            bound = name.asname or name.name.split(".")[0]
            yield [name.name, 0, None, bound]
    else:
        for name in node.names:
            bound = None if name.name == "*" else name.asname or name.name
            yield [node.module or "", node.level, name.name, bound]


def without_subscripts(node):
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def bases_of(node):
    for base in map(without_subscripts, node.bases):
        called = isinstance(base, ast.Call)
        path = path_of(base.func if called else base)
        if path:
            yield [node.lineno, path, called]


def kinds_of_children(node):
    """The children of which more is known than that they are read."""
    if isinstance(node, ast.Call):
        yield node.func, "call"
    if isinstance(node, ast.ClassDef):
        for base in node.bases:
            yield without_subscripts(base), "inherit"
    if isinstance(node, ast.AugAssign):
        yield node.target, "reference"


def receiver_of(node):
    if isinstance(node, ast.Name):
        return ""
    value = node.value
    while isinstance(value, ast.Await):
        value = value.value
    called = isinstance(value, ast.Call)
    path = path_of(value.func if called else value)
    return path + "()" * called if path else "?"


def reference_of(node, kind, inside, places):
    is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
    if is_stored and kind is None:
        return None
    kind = kind or "reference"
    if isinstance(node, ast.Name):
        at = [node.lineno, node.col_offset]
        name = node.id
    elif isinstance(node, ast.Attribute):
        name = node.attr
        at = [node.end_lineno, node.end_col_offset - len(name.encode())]
    else:
        return None
    return [*([None, None] if inside else places.at(*at)), name, kind, receiver_of(node)]


def docstring_of(node, text):
    found = ast.get_docstring(node, clean=False)
    if found is None:
        return None
    raw = ast.get_source_segment(text, node.body[0].value)
    opening = STRING.match(raw)
    # Escapes are told as they are written; a backslash at the end of a line joins lines.
    if "\\" in raw and opening:
        found = raw[opening.end() : -len(opening[1])]
    lines = (line.rstrip("\\").strip() for line in re.split("\r\n|\n", found))
    line = next(filter(None, lines), None)
    return line and [node.lineno, line[:MAX_DOCSTRING]]


def syntax_facts(tree, text):
    facts = {"imports": [], "references": [], "bases": [], "docstrings": []}
    places = Places(text)
    kinds = {}
    # A stack and not recursion: the standard library tests hold trees deeper than Python recurses.
    todo = [(tree, False)]
    while todo:
        node, inside = todo.pop()
        kinds.update(kinds_of_children(node))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            facts["imports"].extend(imports_of(node))
        if isinstance(node, ast.ClassDef):
            facts["bases"].extend(bases_of(node))
        if isinstance(node, DEFINITIONS):
            docstring = docstring_of(node, text)
            facts["docstrings"].extend([docstring] if docstring else [])
        reference = reference_of(node, kinds.get(node), inside, places)
        facts["references"].extend([reference] if reference else [])
        inside = inside or isinstance(node, ast.JoinedStr)
        todo.extend((child, inside) for child in ast.iter_child_nodes(node))
    return facts


def scope_key(table, line):
    kind, name = table.get_type(), table.get_name()
    if kind != "function":
        return [0 if kind == "module" else table.get_lineno(), kind]
    if name == "lambda":
        return [line, name]
    # What only a comprehension has: its first iterable as a parameter.
    if ".0" in table.get_identifiers():
        return [line, "comprehension"]
    return [table.get_lineno(), kind]


def is_bound(symbol, kind):
    is_outer = symbol.is_declared_global() or symbol.is_nonlocal()
    if is_outer and kind != "module":
        # In a comprehension it is what `:=` binds around it.
        return kind != "comprehension"
    return symbol.is_assigned() or symbol.is_parameter() or symbol.is_imported()


def written(name, classes):
    """A name as it is written, before CPython mangles private ones."""
    for around in classes:
        prefix = f"_{around.lstrip('_')}"
        if around.strip("_") and name.startswith(f"{prefix}__"):
            return name[len(prefix) :]
    return name


def bindings_of(table):
    found = []
    todo = [(table, 0, ())]
    while todo:
        table, line, classes = todo.pop()
        line, kind = scope_key(table, line)
        if kind == "class":
            classes = (table.get_name(), *classes)
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if is_bound(symbol, kind) and not name.startswith("."):
                found.append([line, kind, written(name, classes)])
        todo.extend((child, line, classes) for child in table.get_children())
    return found


def answer(file):
    with open(file, "rb") as opened:
        source = opened.read()
    try:
        tree = ast.parse(source)
        table = symtable.symtable(source, file, "exec")
        text = source.decode("utf-8-sig")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return {**syntax_facts(tree, text), "bindings": bindings_of(table)}


def main():
    warnings.simplefilter("ignore")
    for file in sys.stdin.read().splitlines():
        print(json.dumps({"file": file, "facts": answer(file)}))


main()
