"""Prints the functions, methods and types of a repository with their uses, as Clang resolves them.

    python clang_uses.py ROOT c|c++

Each line is a declaration as JSON. Its uses are the places where its name stands, other than its
definitions: references, and declarations without a body. A declaration and its definitions are one
symbol, and so are a `typedef` and the type of the same name in it. Names that only the expansion of
a macro contains are no uses. Lines of the kind `other` are about everything else with a name, such
as variables: what stands there is known to mean something else.

There is no build, so the folders of includes are guessed: those of the repository's files whose
paths end as an include does, the nearest first.
"""

import ctypes
import glob
import json
import os
import sys

from clang import cindex
from clang.cindex import CursorKind as K

ROUNDS = 12
# Where no header of these was found, Clang reads `typedef bool (*f)(void)` as a type `bool`.
STANDARD_TYPES = ("bool", "ssize_t")
SOURCES = {"c": (".c",), "c++": (".cc", ".cpp", ".cxx")}
# Code that includes take from files with other extensions is in no language for ragnav.
CODE = (".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".c", ".cc", ".cpp", ".cxx")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".def", ".c", ".cc", ".cpp")
STANDARD = {"c": "-std=gnu11", "c++": "-std=gnu++20"}

FUNCTIONS = {K.FUNCTION_DECL, K.FUNCTION_TEMPLATE}
METHODS = {K.CXX_METHOD}
TYPES = {
    K.STRUCT_DECL,
    K.UNION_DECL,
    K.ENUM_DECL,
    K.TYPEDEF_DECL,
    K.CLASS_DECL,
    K.CLASS_TEMPLATE,
    K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    K.TYPE_ALIAS_DECL,
    K.TYPE_ALIAS_TEMPLATE_DECL,
}
OTHERS = {
    K.VAR_DECL,
    K.PARM_DECL,
    K.FIELD_DECL,
    K.ENUM_CONSTANT_DECL,
    K.NAMESPACE,
    K.NAMESPACE_ALIAS,
    K.TEMPLATE_TYPE_PARAMETER,
    K.TEMPLATE_NON_TYPE_PARAMETER,
    K.TEMPLATE_TEMPLATE_PARAMETER,
    K.CONSTRUCTOR,
    K.DESTRUCTOR,
}
REFERENCES = {
    K.DECL_REF_EXPR,
    K.MEMBER_REF_EXPR,
    K.TYPE_REF,
    K.TEMPLATE_REF,
    K.MEMBER_REF,
    K.VARIABLE_REF,
    K.MACRO_INSTANTIATION,
}


class Symbols:
    """Symbols by what identifies them, each in one group of keys."""

    def __init__(self):
        self.parents = {}

    def find(self, key):
        self.parents.setdefault(key, key)
        while self.parents[key] != key:
            self.parents[key] = self.parents[self.parents[key]]
            key = self.parents[key]
        return key

    def join(self, one, other):
        self.parents[self.find(one)] = self.find(other)


class Uses:
    def __init__(self, root, language):
        self.root = os.path.realpath(root)
        self.language = language
        self.symbols = Symbols()
        self.defined = {}
        self.definitions = {}
        self.uses = {}
        self.lines = {}
        self.headers = {}
        self.visited = set()
        self.files = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(HEADERS):
                    self.headers.setdefault(name, []).append(path)
                if name.endswith(SOURCES[language]):
                    self.files.append(path)

    def place(self, location, name):
        """Returns the place of a name in a file of the repository, or `None`."""
        file = cindex.c_object_p()
        line, column, offset = (ctypes.c_uint() for _ in range(3))
        get = cindex.conf.lib.clang_getFileLocation
        get(location, *(ctypes.byref(one) for one in (file, line, column, offset)))
        if not file:
            return None
        path = self.path_of(file)
        if path is None or not name or not path.endswith(CODE):
            return None
        lines = self.lines_of(path)
        if not 0 < line.value <= len(lines):
            return None
        text = lines[line.value - 1]
        start = column.value - 1
        end = start + len(name.encode())
        if text[start:end] != name.encode() or text[end : end + 1].isalnum():
            return None
        if text[end : end + 1] == b"_":
            return None
        units = len(text[:start].decode("utf-8", "replace").encode("utf-16-le")) // 2
        return path, line.value, units

    def path_of(self, file):
        name = cindex.conf.lib.clang_getFileName(cindex.File(file))
        path = os.path.normpath(os.path.join(self.root, str(name)))
        if not path.startswith(self.root + os.sep):
            return None
        return os.path.relpath(path, self.root)

    def lines_of(self, path):
        if path not in self.lines:
            with open(os.path.join(self.root, path), "rb") as file:
                self.lines[path] = file.read().split(b"\n")
        return self.lines[path]

    def parse(self, path):
        folders = []
        for _ in range(ROUNDS):
            unit = self.parse_with(path, folders)
            if unit is None:
                return None
            missing = [self.folder_of(one, path) for one in unit.diagnostics]
            missing = [one for one in missing if one and one not in folders]
            if not missing:
                return unit
            folders += dict.fromkeys(missing)
        return unit

    def parse_with(self, path, folders):
        options = (
            cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
            | 0x200  # Keeps going after a file that is not found.
        )
        args = [STANDARD[self.language], "-D_GNU_SOURCE", "-ferror-limit=0", "-x", self.language]
        for folder in folders:
            args += ["-I", folder]
        resources = glob.glob("/usr/lib/llvm-*/lib/clang/*/include")
        resources += glob.glob("/usr/lib/gcc/*/*/include")
        for folder in sorted(resources)[:1]:
            args += ["-isystem", folder]
        try:
            return cindex.Index.create().parse(path, args=args, options=options)
        except cindex.TranslationUnitLoadError:
            return None

    def folder_of(self, diagnostic, source):
        """Returns the folder in which an include that was not found may be looked up."""
        text = diagnostic.spelling
        if not text.endswith("file not found"):
            return None
        included = os.path.normpath(text.split("'")[1])
        found = self.headers.get(os.path.basename(included), [])
        found = [one for one in found if one.endswith("/" + included)]
        asking = str(diagnostic.location.file)

        def nearness(path):
            common = os.path.commonpath([path, os.path.join(self.root, asking)])
            return (-len(common), len(path), path)

        found.sort(key=nearness)
        return found[0][: -len(included) - 1] if found else None

    def read(self, path):
        unit = self.parse(path)
        if unit is None:
            return
        fresh = set()
        typedefs = {}
        for cursor in unit.cursor.get_children():
            file = cursor.location.file
            if file is None:
                continue
            name = os.path.normpath(os.path.join(self.root, str(file)))
            if not name.startswith(self.root + os.sep):
                continue
            if cursor.kind == K.TYPEDEF_DECL:
                # A unit may repeat a typedef, which then means the same.
                key = self.key(cursor)
                self.symbols.join(key, typedefs.setdefault(cursor.spelling, key))
            if name in self.visited:
                continue
            fresh.add(name)
            self.visit(cursor)
        # Another unit that includes a header would say the same again.
        self.visited |= {one for one in fresh if not one.endswith(SOURCES[self.language])}

    def visit(self, cursor):
        pending = [cursor]
        while pending:
            cursor = pending.pop()
            try:
                kind = cursor.kind
            except ValueError:
                continue
            if kind in REFERENCES:
                self.add_reference(cursor, kind)
            elif kind == K.MACRO_DEFINITION:
                self.add_declaration(cursor, "function", True)
            elif kind in FUNCTIONS | METHODS | TYPES | OTHERS:
                self.add_declaration(cursor, kind_of(cursor), cursor.is_definition())
            pending.extend(cursor.get_children())

    def add_reference(self, cursor, kind):
        meant = cursor.referenced
        if meant is None:
            return
        name = meant.spelling
        at = self.place(cursor.location, name)
        key = self.key(meant)
        if at and key:
            self.uses.setdefault(key, set()).add(at)

    def key(self, declared):
        """Returns the key of a declaration: the place of its definition if the unit has one. Two
        programs may define functions and types of one name."""
        definition = declared.get_definition() if declared.kind != K.MACRO_DEFINITION else declared
        usr = declared.get_usr()
        if definition is None:
            return usr or None
        place = self.place(definition.location, definition.spelling.split("<")[0])
        if place is None:
            return usr or None
        if usr:
            self.defined.setdefault(usr, set()).add(place)
        return place

    def join_units(self):
        """Joins what is declared in one unit and defined in another. A name with several
        definitions has no meaning where none of them is in the unit."""
        for usr, places in self.defined.items():
            if len({self.symbols.find(place) for place in places}) == 1:
                self.symbols.join(usr, min(places))

    def add_declaration(self, cursor, kind, is_definition):
        name = cursor.spelling
        if kind is None or not name:
            return
        if cursor.kind == K.TYPEDEF_DECL and name in STANDARD_TYPES:
            return
        if cursor.kind == K.MACRO_DEFINITION:
            if not cindex.conf.lib.clang_Cursor_isMacroFunctionLike(cursor):
                kind = "other"
        at = self.place(cursor.location, name)
        if at is None:
            return
        key = self.key(cursor)
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is not None and self.key(template):
            self.symbols.join(key, self.key(template))
        if self.language == "c++" and kind in ("function", "method"):
            # Overloads are one symbol.
            self.symbols.join(key, f"overloads {around(cursor)} {name} {self.unit_of(cursor)}")
        if cursor.kind == K.TYPEDEF_DECL:
            self.join_typedef(cursor, key)
        # A class declares its methods; each such declaration is one of ragnav, too.
        is_definition |= cursor.kind in METHODS
        if cursor.kind == K.FUNCTION_TEMPLATE and is_member(cursor):
            is_definition = True
        if is_definition and cursor.kind in METHODS | {K.FUNCTION_TEMPLATE}:
            # A method has two definitions, which the key of the body does not join.
            self.symbols.join(at, key)
        if is_definition:
            self.definitions.setdefault(key, set()).add((kind, name, at))
        else:
            self.uses.setdefault(key, set()).add(at)

    def unit_of(self, cursor):
        """Returns the file of a function that only its unit sees."""
        is_internal = cursor.linkage != cindex.LinkageKind.EXTERNAL
        return str(cursor.location.file) if is_internal else ""

    def join_typedef(self, cursor, key):
        of = cursor.underlying_typedef_type.get_declaration()
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        inside = of.location.file and of.extent.start.offset >= start and of.extent.end.offset <= end
        is_one = bool(inside) and of.is_definition() and of.spelling in ("", cursor.spelling)
        # In C++, `typedef struct a a;` is no other type, and `typedef n::a a;` is one.
        is_same = of.spelling == cursor.spelling and around(of) == around(cursor)
        is_one |= self.language == "c++" and is_same
        if is_one:
            self.symbols.join(key, self.key(of) or of.get_usr())

    def lines_to_print(self):
        self.join_units()
        groups = {}
        for key, found in self.definitions.items():
            groups.setdefault(self.symbols.find(key), ([], set()))[0].extend(found)
        for key, places in self.uses.items():
            groups.setdefault(self.symbols.find(key), ([], set()))[1].update(places)
        for key, (definitions, places) in groups.items():
            definitions = sorted(definitions, key=lambda one: (one[2], one[0]))
            known = {at for _, _, at in definitions}
            places = sorted(places - known)
            if not definitions and len(self.defined.get(key, ())) > 1:
                continue
            kind, name, at = definitions[-1] if definitions else ("other", "", ("", 0, 0))
            if places:
                path, line, column = at
                yield {
                    "file": path,
                    "line": line,
                    "column": column,
                    "name": name,
                    "kind": kind,
                    "uses": places,
                }


def around(cursor):
    """Returns the name of the class or namespace around a declaration, which no other has."""
    parent = cursor.semantic_parent
    return parent.get_usr() if parent is not None else ""


def is_member(cursor):
    parent = cursor.semantic_parent
    return parent is not None and parent.kind in TYPES


def kind_of(cursor):
    if cursor.kind in METHODS:
        is_special = cursor.spelling.startswith("operator")
        return "other" if is_special else "method"
    if cursor.kind in FUNCTIONS:
        if cursor.spelling.startswith("operator"):
            return "other"
        return "method" if is_member(cursor) else "function"
    return "type" if cursor.kind in TYPES else "other"


def main():
    root, language = sys.argv[1:]
    lib = cindex.conf.lib
    lib.clang_Cursor_isMacroFunctionLike.argtypes = [cindex.Cursor]
    lib.clang_getFileLocation.argtypes = [cindex.SourceLocation] + [ctypes.c_void_p] * 4
    lib.clang_getFileLocation.restype = None
    uses = Uses(root, language)
    for file in uses.files:
        uses.read(file)
    for line in uses.lines_to_print():
        print(json.dumps(line))


if __name__ == "__main__":
    main()
