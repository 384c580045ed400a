"""Which function or class each call in Django's modules means, as the imported modules know it.

Prints a JSON list of [file, line, UTF-16 column of the called name, target file, target's qualified name]. Only calls whose name is
global, or reached through modules, are looked at: what they mean is what the interpreter has under that name.
"""

import ast
import importlib
import inspect
import json
import os
import sys

ROOT = os.path.realpath(sys.argv[1])
# These need what is not installed, or are templates of files.
LEFT_OUT = ("conf/app_template", "conf/project_template", "/gis/", "/postgres/", "backends/oracle", "backends/mysql", "backends/postgresql")
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def set_up():
    sys.path.insert(0, ROOT)
    import django
    from django.conf import settings

    apps = ["contenttypes", "auth", "admin", "sessions", "messages"]
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
    settings.configure(INSTALLED_APPS=["django.contrib." + app for app in apps], DATABASES={"default": database})
    django.setup()


def target(found):
    """The file and qualified name of an object that its own module has under that name."""
    module = sys.modules.get(getattr(found, "__module__", None) or "")
    name = getattr(found, "__qualname__", "<none>")
    file = getattr(module, "__file__", None)
    if "<" in name or not file or not file.startswith(ROOT + "/django/"):
        return None
    held = module
    for part in name.split("."):
        held = getattr(held, part, None)
    return (os.path.relpath(file, ROOT), name) if held is found else None


def bound_in(scope):
    """Every name that a scope may bind, so that a global one of that name is not meant."""
    names = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node is not scope:
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def meant(function, module, local):
    """What a called expression is, where it is a global name or a member of modules."""
    members = []
    while isinstance(function, ast.Attribute):
        members.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name) or function.id in local or function.id not in vars(module):
        return None
    found = vars(module)[function.id]
    for member in reversed(members):
        if not inspect.ismodule(found):
            return None
        found = getattr(found, member, None)
    return found if inspect.isfunction(found) or inspect.isclass(found) else None


def calls(node, local):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child.func, local
        inner = local | bound_in(child) if isinstance(child, SCOPES) else local
        yield from calls(child, inner)


def rows(path, module):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    lines = source.split("\n")
    for function, local in calls(ast.parse(source), frozenset()):
        found = meant(function, module, local)
        to = target(found) if found is not None else None
        if to is None:
            continue
        name = function.attr if isinstance(function, ast.Attribute) else function.id
        end = lines[function.end_lineno - 1].encode()[: function.end_col_offset].decode()
        column = len(end[: len(end) - len(name)].encode("utf-16-le")) // 2
        yield [os.path.relpath(path, ROOT), function.end_lineno, column, *to]


def main():
    set_up()
    found = []
    for folder, _, names in os.walk(ROOT + "/django"):
        for path in sorted(os.path.join(folder, name) for name in names if name.endswith(".py")):
            if any(part in path for part in LEFT_OUT):
                continue
            dotted = os.path.relpath(path, ROOT)[: -len(".py")].replace("/", ".").removesuffix(".__init__")
            try:
                module = importlib.import_module(dotted)
            except BaseException:
                continue
            found.extend(rows(path, module))
    json.dump(found, sys.stdout)


main()
