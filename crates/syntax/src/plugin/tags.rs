//! Finds the tags of a text: the names that `tags.scm` captures as definitions and references.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::{Node, Query, QueryMatch, Tree};

use super::comments;
use super::run::{is_too_deep, run};
use crate::facts::{Conditions, ReferenceKind};
use crate::symbol::Outline;
use ragnav_base::item::DefinitionKind;

/// The role of a capture of `tags.scm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capture {
    Name,
    Doc,
    /// A name that is neither a definition nor a reference.
    Ignored,
    Tag(Role),
    Other,
}

/// The role of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Definition(DefinitionKind),
    Reference(ReferenceKind),
    /// The name defines or means something that is no definition here, such as a variable.
    None,
}

/// A name in a text, with its role. Ranges are bytes.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    pub(super) name: Range<usize>,
    /// The whole definition or reference.
    pub(super) node: Range<usize>,
    pub(super) role: Role,
    /// The first line of its documentation.
    pub(super) docstring: Option<String>,
    /// Whether the pattern excludes local names by `#is-not? local`.
    pub(super) is_not_local: bool,
    /// The position of the pattern in the query. Earlier patterns win.
    pattern: usize,
}

/// A compiled `tags.scm`.
#[derive(Debug)]
pub(super) struct TagQuery {
    query: Query,
    captures: Vec<Capture>,
    /// The patterns with `#is-not? local`.
    not_local: Vec<bool>,
}

impl TagQuery {
    pub(super) fn new(query: Query) -> Self {
        let captures = query.capture_names().iter();
        let excludes_locals = |pattern: usize| {
            let mut properties = query.property_predicates(pattern).iter();
            properties.any(|(property, is_positive)| !is_positive && &*property.key == "local")
        };
        Self {
            captures: captures.map(|name| capture_of(name)).collect(),
            not_local: (0..query.pattern_count()).map(excludes_locals).collect(),
            query,
        }
    }

    /// Reports whether any pattern may find a definition or a reference.
    pub(super) fn finds_anything(&self) -> bool {
        let has_role = |capture: &Capture| matches!(capture, Capture::Tag(_));
        self.captures.contains(&Capture::Name) && self.captures.iter().any(has_role)
    }

    fn capture(&self, index: u32) -> Capture {
        let capture = self.captures.get(index as usize);
        capture.copied().unwrap_or(Capture::Other)
    }
}

fn capture_of(name: &str) -> Capture {
    match name.split_once('.').unwrap_or((name, "")) {
        ("name", "") => Capture::Name,
        ("doc", "") => Capture::Doc,
        ("ignore", "") => Capture::Ignored,
        ("definition", kind) => Capture::Tag(definition_role(kind)),
        ("reference", kind) => Capture::Tag(Role::Reference(reference_kind(kind))),
        _ => Capture::Other,
    }
}

/// Maps the kinds of `@definition.…`. Variables, constants, fields and the like are no definitions.
fn definition_role(kind: &str) -> Role {
    let kind = match kind.split('.').next().unwrap_or_default() {
        "class" | "struct" | "object" | "record" | "union" | "mixin" | "extension" => {
            DefinitionKind::Class
        }
        "interface" | "trait" | "protocol" => DefinitionKind::Interface,
        "enum" => DefinitionKind::Enum,
        "type" | "typedef" => DefinitionKind::Type,
        "function" | "macro" | "operator" | "procedure" => DefinitionKind::Function,
        "method" | "constructor" => DefinitionKind::Method,
        "module" | "namespace" | "package" => DefinitionKind::Namespace,
        _ => return Role::None,
    };
    Role::Definition(kind)
}

fn reference_kind(kind: &str) -> ReferenceKind {
    match kind.split('.').next().unwrap_or_default() {
        "call" | "send" => ReferenceKind::Call,
        "import" | "include" => ReferenceKind::Import,
        "implementation" | "inherit" | "superclass" => ReferenceKind::Inherit,
        _ => ReferenceKind::Reference,
    }
}

impl TagQuery {
    /// Finds the tags of a text, each name once, in source order.
    pub(super) fn find(&self, tree: &Tree, text: &str) -> Outline<Tag> {
        let mut tags: BTreeMap<(usize, usize), Tag> = BTreeMap::new();
        let is_partial = run(&self.query, tree, text, |found| {
            let Some(tag) = self.read(found, text) else {
                return;
            };
            let key = (tag.name.start, tag.name.end);
            let is_known = tags.get(&key);
            if is_known.is_none_or(|known| tag.pattern < known.pattern) {
                tags.insert(key, tag);
            }
        });
        Outline {
            has_errors: false,
            definitions: tags.into_values().collect(),
            conditions: Conditions::default(),
            is_partial: is_partial || is_too_deep(tree),
        }
    }

    fn read(&self, found: &QueryMatch<'_, '_>, text: &str) -> Option<Tag> {
        let mut name: Option<Node<'_>> = None;
        let mut tagged: Option<(Node<'_>, Role)> = None;
        let mut docs: Vec<Node<'_>> = Vec::new();
        for capture in found.captures() {
            match self.capture(capture.index) {
                Capture::Name => name = name.or(Some(capture.node)),
                Capture::Doc => docs.push(capture.node),
                Capture::Tag(role) => tagged = tagged.or(Some((capture.node, role))),
                Capture::Ignored => {
                    name = Some(capture.node);
                    tagged = Some((capture.node, Role::None));
                    break;
                }
                Capture::Other => {}
            }
        }
        let (name, (node, role)) = (name?, tagged?);
        let is_definition = matches!(role, Role::Definition(_));
        let docstring = is_definition.then(|| comments::docstring(&docs, node, text));
        Some(Tag {
            name: name.byte_range(),
            node: node.byte_range(),
            role,
            docstring: docstring.flatten(),
            is_not_local: self.not_local.get(found.pattern_index) == Some(&true),
            pattern: found.pattern_index,
        })
    }
}
