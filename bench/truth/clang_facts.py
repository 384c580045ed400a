"""Prints what each file of C or C++ below a folder says by itself, by Clang.

    python clang_facts.py ROOT c|c++ [FOLDER]

FOLDER is the part of ROOT whose files are read, if not all. Each line is JSON: {"file",
"definitions": [[name, line, column], …], "imports": [[path, member, alias], …],
"calls": [[line, column, name], …], "references": […], "ambiguous": […]}. Lines count from
1, and columns from 0 in UTF-16 units. Includes are found as in `clang_uses.py`. Files with errors,
which most often miss a header, are left out, and so are those that Bison and flex wrote.

Ambiguous is what Clang does not tell: names within arguments of macros, in conditions of the
preprocessor, in branches that it skips and in templates, and names of standard types.
"""

import ctypes
import json
import os
import re
import sys

from clang import cindex
from clang.cindex import CursorKind as K
from clang_uses import CODE, METHODS, SOURCES, TYPES, Uses

EXTENSIONS = {"c": (".c", ".h"), "c++": tuple(one for one in CODE if one != ".c")}
FUNCTIONS = METHODS | {
    K.FUNCTION_DECL,
    K.FUNCTION_TEMPLATE,
    K.CONSTRUCTOR,
    K.DESTRUCTOR,
    K.CONVERSION_FUNCTION,
}
TAGS = TYPES - {K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL}
ALIASES = {K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL, K.CONCEPT_DECL}
TEMPLATES = {
    K.FUNCTION_TEMPLATE,
    K.CLASS_TEMPLATE,
    K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    K.TYPE_ALIAS_TEMPLATE_DECL,
    K.CONCEPT_DECL,
}
USES = {
    K.DECL_REF_EXPR,
    K.TYPE_REF,
    K.TEMPLATE_REF,
    K.NAMESPACE_REF,
    K.OVERLOADED_DECL_REF,
    K.MEMBER_REF,
    K.MEMBER_REF_EXPR,
}
FIELDS = {K.MEMBER_REF, K.MEMBER_REF_EXPR}
CREATIONS = {K.CXX_NEW_EXPR, K.CXX_FUNCTIONAL_CAST_EXPR}
NAMED_TYPES = {K.TYPE_REF, K.TEMPLATE_REF}
WRAPPERS = {K.UNEXPOSED_EXPR, K.PAREN_EXPR}
NAME = re.compile(rb"[A-Za-z_]\w*")
DIRECTIVE = re.compile(rb"\s*#\s*(?:if|ifdef|ifndef|elif|elifdef|elifndef|undef|error|pragma|line)\b")
INCLUDE = re.compile(rb'\s*#\s*include\s*(?:<([^>]*)>|"([^"]*)")')
CAST = re.compile(rb"\(\s*([A-Za-z_]\w*)\s*\)\s*\(")
CONVERSION = re.compile(r"operator (?!new|delete|co_await|\"\")")
GENERATED = re.compile(rb"made by GNU Bison|^#line 1?[0-9] ", re.MULTILINE)
# The grammar has keywords for most of these, and Clang does not tell names behind `using ::FILE`.
KEYWORDS = {
    *("bool", "char", "double", "float", "int", "void", "size_t", "ssize_t", "ptrdiff_t"),
    *("intptr_t", "uintptr_t", "charptr_t", "nullptr_t", "max_align_t", "true", "false", "NULL"),
    *("offsetof", "alignof", "_Alignof", "sizeof", "asm", "inline", "restrict"),
    *("this", "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "__LINE__", "_"),
    *("FILE", "va_list", "time_t"),
    *("char8_t", "char16_t", "char32_t", "char64_t", "nullptr"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}


class SourceRange(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


class Facts:
    def __init__(self, uses, path, unit):
        self.uses = uses
        self.path = path
        self.unit = unit
        self.name = os.path.relpath(path, uses.root)
        self.lines = uses.lines_of(self.name)
        self.rows = {one: set() for one in ("definitions", "imports", "calls", "references")}
        self.ambiguous = set()
        self.forgotten = set()
        self.renamed = set()
        # The words on lines that use macros.
        self.in_macros = set()

    def read(self):
        self.read_directives()
        self.read_skipped()
        for cursor in self.unit.cursor.get_children():
            file = cursor.location.file
            if file is not None and os.path.realpath(file.name) == self.path:
                self.visit(cursor)

    def visit(self, top):
        pending = [top]
        while pending:
            cursor = pending.pop()
            try:
                kind = cursor.kind
            except ValueError:
                continue
            self.handle(cursor, kind)
            pending.extend(cursor.get_children())

    def handle(self, cursor, kind):
        if kind in TEMPLATES or (kind in FUNCTIONS | TAGS and self.is_template(cursor)):
            self.leave_out(cursor.extent)
        if cursor.location.line in self.conditions:
            return
        if kind == K.MACRO_INSTANTIATION:
            self.use_macro(cursor)
        elif kind == K.MACRO_DEFINITION:
            # Clang forgets what a macro was that ends.
            if self.is_before(b"(", cursor):
                self.define(cursor)
        elif kind in FUNCTIONS:
            self.declare_function(cursor, kind)
        elif kind in TAGS:
            self.declare_tag(cursor)
        elif kind in ALIASES or kind == K.NAMESPACE:
            self.define(cursor)
        elif kind == K.TYPEDEF_DECL:
            self.define(cursor)
            self.forget_tag(cursor)
        elif kind in USES:
            self.refer(cursor, kind)
        elif kind == K.CALL_EXPR:
            self.call(cursor)
        elif kind in CREATIONS:
            self.create(cursor)
        elif kind == K.USING_DECLARATION:
            self.use(cursor)

    def is_template(self, cursor):
        """Reports whether a function or class is a member of a template outside of its body."""
        start = cursor.extent.start
        return self.lines[start.line - 1].startswith(b"template", start.column - 1)

    def declare_function(self, cursor, kind):
        if kind == K.CONSTRUCTOR:
            for child in cursor.get_children():
                # `a` of `C() : a(1) {}`, which is a field or a base class.
                is_behind = child.location.offset > cursor.location.offset
                if child.kind in (K.MEMBER_REF, K.TYPE_REF) and is_behind:
                    self.add_call(child.location)
        is_member = cursor.semantic_parent is not None and cursor.semantic_parent.kind in TAGS
        if cursor.is_definition() or (is_member and cursor.semantic_parent == cursor.lexical_parent):
            self.define(cursor)
        else:
            at = self.place(cursor.location)
            self.add("references", at)
            if at is not None and at[2] != cursor.spelling:
                self.renamed.add(at)
                self.ambiguous.add(at)

    def declare_tag(self, cursor):
        if cursor.is_definition():
            self.define(cursor)
        else:
            self.add("references", self.place(cursor.location))

    def forget_tag(self, cursor):
        """Removes the tag of `typedef struct a { … } a`, which defines one type."""
        for child in cursor.get_children():
            if child.kind in TAGS and child.is_definition() and child.spelling == cursor.spelling:
                at = self.place(child.location)
                if at is not None:
                    self.forgotten.add((at[2], at[0], at[1]))

    def is_before(self, text, cursor):
        """Reports whether a text follows a name at once."""
        line, start = cursor.location.line, cursor.location.column - 1
        return self.lines[line - 1].startswith(text, start + len(cursor.spelling.encode()))

    def define(self, cursor):
        if cursor.spelling.startswith(("~", "operator")):
            self.define_special(cursor)
            return
        at = self.place(cursor.location)
        if at is None:
            return
        line, column, name = at
        if name == cursor.spelling.split("<")[0]:
            self.rows["definitions"].add((name, line, column))
        else:
            # A macro of this name stands for another name, or for more.
            self.renamed.add(at)
            self.ambiguous |= {at, (name, line, column)}

    def define_special(self, cursor):
        line, start = cursor.location.line, cursor.location.column - 1
        text = self.lines[line - 1]
        name = cursor.spelling.split("<")[0] if cursor.spelling.startswith("~") else cursor.spelling
        row = (name, line, self.units(text, start))
        # ragnav names a conversion after its type as it is written.
        is_conversion = CONVERSION.match(cursor.spelling) is not None
        if is_conversion:
            written = text[start:].split(b"(")[0].decode("utf-8", "replace").strip()
            self.ambiguous |= {(one, *row[1:]) for one in (written, written.split("<")[0])}
        if is_conversion or not text.startswith((b"~", b"operator"), start):
            self.ambiguous.add(row)
        else:
            self.rows["definitions"].add(row)

    def use(self, cursor):
        start, end = cursor.extent.start, cursor.extent.end
        text = self.lines[start.line - 1][start.column - 1 : end.column - 1]
        path = text.replace(b"using", b"", 1).replace(b"typename", b"").decode().strip()
        module, _, member = path.rpartition("::")
        self.rows["imports"].add((module.replace("::", "."), member, member))

    def create(self, cursor):
        types = [one for one in cursor.get_children() if one.kind in NAMED_TYPES]
        templates = [one for one in types if one.kind == K.TEMPLATE_REF]
        # Behind a template, there are its arguments.
        named = templates[:1] or types[-1:]
        for name in named:
            if cursor.kind == K.CXX_NEW_EXPR:
                self.add("calls", self.place(name.location))
            else:
                self.add_call(name.location)

    def add_call(self, location):
        """Adds a call of a name, unless none follows it: `a` of `a[0]()`, where types are unknown."""
        at = self.place(location)
        if at is None:
            return
        line, start = location.line, location.column - 1
        after = b" ".join(self.lines[line - 1 : line + 3])[start + len(at[2].encode()) :]
        if behind_arguments(after).startswith((b"(", b"{")):
            self.add("calls", at)

    def use_macro(self, cursor):
        at = self.place(cursor.location)
        if at is None or at[2] != cursor.spelling:
            return
        self.add("references", at)
        line, start = cursor.location.line, cursor.location.column - 1
        after = self.lines[line - 1][start + len(cursor.spelling.encode()) :]
        defined = cursor.referenced
        is_function = defined is not None and is_function_like(defined)
        if after.startswith(b"(") or (is_function and after.lstrip().startswith(b"(")):
            self.add("calls", at)
            self.leave_out(cursor.extent)
            self.in_macros |= self.words_of(cursor.extent)

    def refer(self, cursor, kind):
        if kind in FIELDS and self.uses.language == "c":
            return
        at = self.place(cursor.location)
        if at is not None and is_named(cursor, at[2]):
            self.add("references", at)

    def call(self, cursor):
        meant = cursor.referenced
        if meant is not None and meant.kind == K.CONSTRUCTOR:
            # `A(1, 2)`; also a declaration and a conversion call one, without its name.
            self.create(cursor)
            return
        if meant is not None and meant.spelling.startswith("operator"):
            if meant.spelling != "operator()":
                return
        callee = next(cursor.get_children(), None)
        while callee is not None and callee.kind in WRAPPERS:
            callee = next(callee.get_children(), None)
        is_name = callee is not None and callee.kind in (K.DECL_REF_EXPR, K.MEMBER_REF_EXPR)
        if is_name and not (callee.kind in FIELDS and self.uses.language == "c"):
            at = self.place(callee.location)
            if at is not None and is_named(callee, at[2]):
                self.add_call(callee.location)

    def add(self, category, at):
        if at is not None and at[2] not in KEYWORDS:
            self.rows[category].add(at)

    def place(self, location):
        """Returns the place of a name in the file, and the name that stands there."""
        file = cindex.c_object_p()
        line, column, offset = (ctypes.c_uint() for _ in range(3))
        get = cindex.conf.lib.clang_getFileLocation
        get(location, *(ctypes.byref(one) for one in (file, line, column, offset)))
        if not file or self.uses.path_of(file) != self.name or line.value < 1:
            return None
        return self.name_at(line.value, column.value - 1)

    def name_at(self, line, start):
        text = self.lines[line - 1]
        found = NAME.match(text, start)
        if not found:
            return None
        return line, self.units(text, start), found.group().decode()

    def units(self, text, start):
        return len(text[:start].decode("utf-8", "replace").encode("utf-16-le")) // 2

    def leave_out(self, extent):
        self.ambiguous |= self.words_of(extent)

    def leave_out_lines(self, first, last):
        self.ambiguous |= self.words_between(first, last)

    def words_of(self, extent):
        start, end = extent.start, extent.end
        is_own = start.file is not None and os.path.realpath(start.file.name) == self.path
        return self.words_between(start.line, end.line) if is_own else set()

    def words_between(self, first, last):
        words = set()
        for line in range(first, min(last, len(self.lines)) + 1):
            text = self.lines[line - 1]
            for found in NAME.finditer(text):
                name = found.group().decode()
                words.add((line, self.units(text, found.start()), name))
        return words

    def leave_out_words(self):
        """Leaves out keywords of the grammar, and `(a)(b)`, which casts or calls."""
        for line, text in enumerate(self.lines, 1):
            for found in NAME.finditer(text):
                name = found.group().decode()
                if name in KEYWORDS:
                    self.ambiguous.add((line, self.units(text, found.start()), name))
            for found in CAST.finditer(text):
                start = found.start(1)
                name = found.group(1).decode()
                self.ambiguous.add((line, self.units(text, start), name))

    def read_directives(self):
        self.conditions = set()
        is_continued = False
        for line, text in enumerate(self.lines, 1):
            included = INCLUDE.match(text)
            if included:
                path = next(one for one in included.groups() if one is not None)
                self.rows["imports"].add((path.decode(), None, None))
            if DIRECTIVE.match(text) or is_continued:
                self.leave_out_lines(line, line)
                self.conditions.add(line)
                is_continued = text.rstrip().endswith(b"\\")

    def read_skipped(self):
        file = self.unit.get_file(self.path)
        found = cindex.conf.lib.clang_getSkippedRanges(self.unit, file)
        self.skipped = []
        for index in range(found.contents.count):
            extent = found.contents.ranges[index]
            self.skipped.append([extent.start.line, extent.end.line])

    def is_made(self, definition):
        name, line, column = definition
        text = self.lines[line - 1].lstrip()
        is_use = re.match(rb"[A-Z][A-Z0-9_]{2,}\(", text) is not None
        return is_use and (line, column, name) in self.in_macros

    def json(self):
        self.leave_out_words()
        self.rows["definitions"] -= self.forgotten
        # What an argument of a macro declares is no definition in the text.
        made = {one for one in self.rows["definitions"] if self.is_made(one)}
        self.rows["definitions"] -= made
        self.ambiguous |= made
        for category in ("calls", "references"):
            self.rows[category] -= self.renamed
        rows = {category: sorted(found, key=str) for category, found in self.rows.items()}
        ambiguous = sorted(self.ambiguous, key=str)
        return {"file": self.path, **rows, "ambiguous": ambiguous, "skipped": self.skipped}


def behind_arguments(text):
    """Returns what follows the arguments of a template at the start of a text."""
    text = text.lstrip()
    depth = 0
    for at, byte in enumerate(text):
        if byte == ord("<"):
            depth += 1
        elif byte == ord(">"):
            depth -= 1
        elif depth == 0:
            return text[at:].lstrip()
    return b""


def is_function_like(macro):
    return bool(cindex.conf.lib.clang_Cursor_isMacroFunctionLike(macro))


def is_named(cursor, name):
    """Reports whether a name is that of a cursor. Otherwise it is a macro that contains it."""
    words = NAME.findall(cursor.spelling.encode())
    return not words or name.encode() in words


def is_error(diagnostic):
    """Reports whether a text may mean something else than Clang reads. One that only misses an
    include does not."""
    is_found = not diagnostic.spelling.endswith("file not found")
    return diagnostic.severity >= diagnostic.Error and is_found


def main():
    root, language, *folders = sys.argv[1:]
    lib = cindex.conf.lib
    lib.clang_Cursor_isMacroFunctionLike.argtypes = [cindex.Cursor]
    lib.clang_getFileLocation.argtypes = [cindex.SourceLocation] + [ctypes.c_void_p] * 4
    lib.clang_getFileLocation.restype = None
    lib.clang_getSkippedRanges.argtypes = [cindex.TranslationUnit, ctypes.c_void_p]
    lib.clang_getSkippedRanges.restype = ctypes.POINTER(SourceRange)
    uses = Uses(root, language)
    for folder, _, names in sorted(os.walk(os.path.join(uses.root, *folders))):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith(EXTENSIONS[language]) or "/." in folder:
                continue
            with open(path, "rb") as file:
                if GENERATED.search(file.read(1000)):
                    continue
            unit = uses.parse(path)
            if unit is None or any(is_error(one) for one in unit.diagnostics):
                continue
            facts = Facts(uses, path, unit)
            facts.read()
            print(json.dumps(facts.json()))


main()
