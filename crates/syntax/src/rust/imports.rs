//! Visits `use` and `extern crate`, and modules that are files.

use super::attributes::{self, Attribute};
use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{
    BindingTarget, Import, ImportId, ImportedItem, MODULE_FILE, Receiver, ReferenceKind, ScopeId,
    Space, TYPE_NAME,
};
use crate::facts_writer::NameAt;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

/// The longest stored path of an import, in bytes.
const MAX_MODULE: usize = 400;

/// The maximum nesting of the braces of a `use`.
const MAX_STEPS: usize = 24;

/// The attribute of a module whose macros are visible after it.
const MACRO_USE: &str = "macro_use";

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_use(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        // The path before a tree of the declaration, as the path of a value.
        let mut pending: Vec<(NodeIndex, String, usize)> = Vec::new();
        pending.extend(
            tree.operands(node)
                .last()
                .map(|tree| (tree, String::new(), MAX_STEPS)),
        );
        while let Some((node, before, steps)) = pending.pop() {
            let Some(steps) = steps.checked_sub(1).filter(|_| before.len() <= MAX_MODULE) else {
                continue;
            };
            match tree.kind(node) {
                Kind::UseList => {
                    let trees: Vec<NodeIndex> = tree.operands(node).collect();
                    let trees = trees.into_iter().rev();
                    pending.extend(trees.map(|tree| (tree, before.clone(), steps)));
                }
                Kind::ScopedUseList => {
                    let path = tree.child(node, Field::Path);
                    let path = self.visit_use_path(path, &before, scope);
                    let list = tree.child(node, Field::List);
                    pending.extend(list.map(|list| (list, path, steps)));
                }
                Kind::UseWildcard => {
                    let path = tree.operands(node).next();
                    let path = self.visit_use_path(path, &before, scope);
                    self.add_import(node, scope, (&path, ImportedItem::Star, None));
                }
                Kind::UseAs => {
                    let alias = tree.child(node, Field::Alias);
                    if let Some(path) = tree.child(node, Field::Path) {
                        self.visit_used_item(path, &before, (scope, alias));
                    }
                }
                _ => self.visit_used_item(node, &before, (scope, None)),
            }
        }
    }

    /// Visits the last name of a `use`, with the path before it.
    fn visit_used_item(
        &mut self,
        node: NodeIndex,
        before: &str,
        (scope, alias): (ScopeId, Option<NodeIndex>),
    ) {
        let tree = self.tree;
        if tree.kind(node) == Kind::SelfKeyword && !before.is_empty() {
            // `a::{self}` imports `a`.
            let (path, name) = before.rsplit_once('.').unwrap_or(("", before));
            let name = name.trim_end_matches(TYPE_NAME);
            let item = ImportedItem::Member(self.writer.names.intern(name.to_owned()));
            return self.add_named_import((node, name), scope, (path, item, alias));
        }
        let (path, name) = match tree.kind(node) {
            Kind::Scoped => {
                let path = tree.child(node, Field::Path);
                let path = self.visit_use_path(path, before, scope);
                (path, tree.child(node, Field::Name))
            }
            _ => (before.to_owned(), Some(node)),
        };
        let Some(name) = name else {
            return;
        };
        let text = tree.text(name);
        let item = ImportedItem::Member(self.writer.names.intern(text));
        self.add_named_import((name, text), scope, (&path, item, alias));
        if tree.kind(name) == Kind::Identifier {
            let receiver = if path.is_empty() {
                Receiver::None
            } else {
                self.writer.receiver(Some(ValueText::name(path)))
            };
            let to = (ReferenceKind::Import, receiver, Space::Any);
            self.add_reference(name, scope, to);
        }
    }

    /// Visits the path before the last name of a `use`, and returns it with what is before it.
    fn visit_use_path(&mut self, path: Option<NodeIndex>, before: &str, scope: ScopeId) -> String {
        let tree = self.tree;
        let Some(path) = path else {
            return before.to_owned();
        };
        let mut full = before.to_owned();
        let end = tree.subtree_end(path).max(path + 1);
        for node in path..end {
            if !matches!(
                tree.kind(node),
                Kind::Identifier | Kind::Crate | Kind::SelfKeyword | Kind::Super
            ) {
                continue;
            }
            let name = tree.text(node);
            if tree.kind(node) == Kind::Identifier {
                let receiver = if full.is_empty() {
                    Receiver::None
                } else {
                    self.writer.receiver(Some(ValueText::name(full.clone())))
                };
                let to = (ReferenceKind::Reference, receiver, Space::Types);
                self.add_reference(node, scope, to);
            }
            full = if full.is_empty() {
                format!("{name}{TYPE_NAME}")
            } else {
                format!("{full}.{name}")
            };
            if full.len() > MAX_MODULE {
                break;
            }
        }
        full
    }

    fn add_named_import(
        &mut self,
        (node, name): (NodeIndex, &str),
        scope: ScopeId,
        (path, item, alias): (&str, ImportedItem, Option<NodeIndex>),
    ) {
        let id = self.add_import(node, scope, (path, item, alias));
        let offset = self.tree.node(node).start;
        let bound = alias.map_or(name, |alias| self.tree.text(alias));
        // `use a as _` imports only the methods of a trait.
        if bound != "_" {
            let target = BindingTarget::Import(id);
            self.writer
                .bind_text(bound.to_owned(), offset, scope, target);
        }
    }

    fn add_import(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (path, item, alias): (&str, ImportedItem, Option<NodeIndex>),
    ) -> ImportId {
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let offset = self.tree.node(node).start;
        let alias = alias.map(|alias| self.tree.text(alias));
        let import = Import {
            module: self.writer.names.intern(path.to_owned()),
            level: 0,
            item,
            alias: alias.map(|alias| self.writer.names.intern(alias)),
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
        id
    }

    pub(super) fn visit_extern_crate(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        if let Some(name) = tree.child(node, Field::Name) {
            let text = tree.text(name);
            let item = ImportedItem::Member(self.writer.names.intern(text));
            let alias = tree.child(node, Field::Alias);
            self.add_named_import((name, text), scope, ("", item, alias));
        }
    }

    /// Visits `mod a;`, whose file follows from its name or from an attribute. With an attribute
    /// that has a condition, each of several files may be the module.
    pub(super) fn visit_module_file(&mut self, node: NodeIndex, name: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let text = tree.text(name);
        let attributes = self.attributes_before(node);
        let offset = tree.node(name).start;
        let at = NameAt { text, offset };
        let is_macro_use = attributes.iter().any(|(_, one)| one.contains(MACRO_USE));
        let paths: Vec<ModulePath<'t>> = attributes
            .iter()
            .flat_map(|(start, attribute)| module_paths(*start, attribute))
            .collect();
        let mut own = (text, offset);
        for path in paths {
            if path.is_conditional {
                let place = (path.path, path.offset);
                self.add_module_file(place, at, (scope, is_macro_use));
            } else {
                own = (path.path, offset);
            }
        }
        self.add_module_file(own, at, (scope, is_macro_use));
    }

    /// Adds the import of a file that `mod a;` declares, by its name or its path.
    fn add_module_file(
        &mut self,
        (module, offset): (&'t str, u32),
        name: NameAt<'t>,
        (scope, is_macro_use): (ScopeId, bool),
    ) {
        if module.len() > MAX_MODULE {
            return;
        }
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let import = Import {
            module: self.writer.names.intern(module),
            level: MODULE_FILE,
            item: ImportedItem::Module,
            alias: None,
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
        let target = BindingTarget::Import(id);
        let name_offset = name.offset;
        self.writer.bind(name, scope, (target.clone(), scope));
        if is_macro_use {
            self.writer
                .bind_text(MACRO_USE.to_owned(), name_offset, scope, target);
        }
    }
}

/// A path in an attribute of `mod a;`.
struct ModulePath<'t> {
    path: &'t str,
    offset: u32,
    /// Whether the attribute is in `cfg_attr`.
    is_conditional: bool,
}

/// Returns the paths in an attribute at an offset.
fn module_paths(start: u32, attribute: &str) -> Vec<ModulePath<'_>> {
    let read = attributes::read(attribute).into_iter();
    let paths = read.filter_map(|one| {
        let Attribute::Path(path) = one.attribute else {
            return None;
        };
        let at = attribute.find(&format!("\"{path}\""))?;
        Some(ModulePath {
            path,
            offset: start + wire(at + 1),
            is_conditional: one.predicate.is_some(),
        })
    });
    paths.collect()
}
