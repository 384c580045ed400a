"""Calls functions of the component in wasmtime, over a folder, and prints what they give.

Reads `{component, root, now_ms, open, calls}` as JSON: `open` are the options of the navigator, a call is `[function, arguments]`,
`navigator.search` or `locator.make-snippet`. Prints a JSON list of `{ok}` or `{error: {code, message, answer}}`. Names of fields
have underscores, what is left out is none.
"""

import json
import sys
from contextlib import closing

from folder_host import FolderHost
from wasmtime import Engine, Store
from wasmtime.component import (
    Component,
    Linker,
    ListType,
    OptionType,
    Record,
    RecordType,
    ResultType,
    Variant,
)

VERSION = "@0.1.0"


class Ragnav:
    def __init__(self, file, host, options):
        engine = Engine()
        component = Component.from_file(engine, file)
        self.store = Store(engine)
        with closing(Linker(engine)) as linker:
            add_host(linker, host)
            self.instance = linker.instantiate(self.store, component)
        self.navigator = None
        opened = self.call("[static]navigator.open", [options])
        if "error" in opened:
            raise RuntimeError(opened["error"]["message"])
        self.navigator = opened["ok"]

    def ask(self, name, given):
        if name.startswith("navigator."):
            return self.call(f"[method]{name}", [self.navigator, *given])
        return self.call(name, given)

    def call(self, name, given):
        interface, function = split(name)
        exported = self.instance.get_export_index(
            self.store, f"ragnav:core/{interface}{VERSION}"
        )
        index = self.instance.get_export_index(self.store, function, exported)
        called = self.instance.get_func(self.store, index)
        kind = called.type(self.store)
        wanted = [taken for _, taken in kind.params]
        arguments = [lowered(*pair) for pair in zip(wanted, given, strict=True)]
        return answer_of(called(self.store, *arguments))

    def close(self):
        self.navigator.drop(self.store)


def split(name):
    if name.startswith("["):
        return "navigation", name
    return name.split(".", 1)


def add_host(linker, host):
    names = [name for name in dir(host) if callable(getattr(host, name))]
    with linker.root() as root, root.add_instance(f"ragnav:core/host{VERSION}") as made:
        for name in names:
            if not name.startswith("_"):
                made.add_func(name.replace("_", "-"), getattr(host, name))


def lowered(kind, value):
    """JSON as what wasmtime takes for a type."""
    if isinstance(kind, OptionType):
        return None if value is None else lowered(kind.payload, value)
    if isinstance(kind, ListType) and isinstance(value, list):
        return [lowered(kind.element, element) for element in value]
    if not isinstance(kind, RecordType):
        return value
    made = Record()
    for name, field in kind.fields:
        given = value.get(name.replace("-", "_"))
        setattr(made, name, lowered(field, given))
    return made


def lifted(value):
    """What wasmtime gives as JSON."""
    if isinstance(value, list):
        return [lifted(element) for element in value]
    if not isinstance(value, Record):
        return value
    return {
        name.replace("-", "_"): lifted(field) for name, field in vars(value).items()
    }


def answer_of(value):
    if isinstance(value, Variant) and isinstance(value.payload, Record):
        return {"error": {"code": value.tag, **lifted(value.payload)}}
    return {"ok": lifted(value)}


def main():
    asked = json.load(sys.stdin)
    host = FolderHost(asked["root"], asked["now_ms"])
    with closing(Ragnav(asked["component"], host, asked["open"])) as ragnav:
        print(json.dumps([ragnav.ask(*call) for call in asked["calls"]]))


main()
