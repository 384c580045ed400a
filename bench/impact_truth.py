"""Extracts the definitions of Python files by CPython's `ast`.

Reads one JSON object a line, `{"key": ..., "text": ...}`, and writes one for each: `definitions` maps
a dotted name to the heads and bodies of the definitions of that name, or is null where CPython does
not parse the text. A head is the signature, the bases and nothing of the decorators; the body of a
class leaves out its members.
"""

import ast
import json
import sys
import warnings

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def head_of(node):
    if isinstance(node, ast.ClassDef):
        parts = [ast.dump(part) for part in [*node.bases, *node.keywords]]
        return "class " + " ".join(parts)
    returns = "" if node.returns is None else ast.dump(node.returns)
    kind = type(node).__name__
    return f"{kind} {ast.dump(node.args)} {returns}"


def body_of(node):
    own = node.body
    if isinstance(node, ast.ClassDef):
        own = [part for part in own if not isinstance(part, DEFINITIONS)]
    return " ".join(ast.dump(part) for part in own)


def definitions_of(text):
    found = {}
    todo = [(ast.parse(text), "")]
    while todo:
        node, around = todo.pop()
        if isinstance(node, DEFINITIONS):
            around = f"{around}.{node.name}" if around else node.name
            found.setdefault(around, []).append([head_of(node), body_of(node)])
        todo.extend((child, around) for child in ast.iter_child_nodes(node))
    return found


def answer(text):
    try:
        return definitions_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def main():
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        asked = json.loads(line)
        definitions = answer(asked["text"])
        print(json.dumps({"key": asked["key"], "definitions": definitions}))


main()
