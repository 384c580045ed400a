"""Prints the definitions of the Dart files named on standard input, one a line: the file, the line of
the name, the kind and the name. `dart.mjs` runs it.

The argument names the folder that holds the packages `tree_sitter` and `tree_sitter_dart_orchard`.
"""

import sys

sys.path.insert(0, sys.argv[1])

import tree_sitter
import tree_sitter_dart_orchard

TYPES = {
    "class_definition": "class",
    "mixin_application_class": "class",
    "mixin_declaration": "class",
    "extension_declaration": "class",
    "extension_type_declaration": "class",
    "enum_declaration": "enum",
}
FUNCTIONS = {"function_signature", "getter_signature", "setter_signature"}
CONSTRUCTORS = {
    "constructor_signature",
    "constant_constructor_signature",
    "factory_constructor_signature",
    "redirecting_factory_constructor_signature",
}
MEMBERS = {"method_signature", "declaration"}


def main():
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_dart_orchard.language()))
    for file in sys.stdin.read().splitlines():
        with open(file, "rb") as opened:
            tree = parser.parse(opened.read())
        if tree.root_node.has_error:
            print(file, 0, "refused", "", sep="\t")
            continue
        print(file, 0, "read", "", sep="\t")
        for line, kind, name in definitions(tree.root_node):
            print(file, line, kind, name, sep="\t")


def definitions(root):
    nodes = [root]
    while nodes:
        node = nodes.pop()
        nodes.extend(reversed(node.children))
        found = definition(node)
        if found and found[0]:
            place, kind, text = found
            yield place.start_point.row + 1, kind, text or place.text.decode()


def definition(node):
    """Returns the place, the kind and, if it differs from the text there, the name."""
    kind = node.type
    function = "method" if node.parent and node.parent.type in MEMBERS else "function"
    if kind in TYPES:
        name = node.child_by_field_name("name")
        may_lack_name = kind in {"class_definition", "extension_declaration"}
        return name or (None if may_lack_name else first(node, "identifier")), TYPES[kind], None
    if kind == "type_alias":
        return alias_name(node), "type", None
    if kind in FUNCTIONS:
        return node.child_by_field_name("name"), function, None
    if kind in CONSTRUCTORS:
        return constructor_name(node), "method", None
    if kind == "operator_signature":
        return operator_name(node)
    return None


def first(node, kind):
    return next((child for child in node.children if child.type == kind), None)


def alias_name(node):
    """Returns the last type before the parameters or the equals sign."""
    name = None
    for child in node.children:
        if child.type in {"=", "type_parameters", "formal_parameter_list"}:
            break
        if child.type == "type_identifier":
            name = child
    return name


def constructor_name(node):
    """Returns the last name before the parameters: `b` of `A.b()`."""
    name = None
    for child in node.children:
        if child.type == "formal_parameter_list":
            break
        if child.type == "identifier":
            name = child
    return name


def operator_name(node):
    """Returns the tokens between `operator` and the parameters."""
    tokens = []
    for child in node.children:
        if child.type == "formal_parameter_list":
            break
        if tokens or child.type == "operator":
            tokens.append(child)
    text = "".join(token.text.decode() for token in tokens)
    return (tokens[1] if len(tokens) > 1 else None), "method", text


main()
