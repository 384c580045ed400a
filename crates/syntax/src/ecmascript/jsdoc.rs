//! Reads the types that documentation comments declare in JavaScript: `@param`, `@returns`,
//! `@type`, `@this`, and those that `@typedef`, `@callback` and `@import` name.
//!
//! No compiler need have checked these types, so they are further values beside those that flow.
//!
//! <https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html>

mod bindings;
mod named_types;
mod references;
mod tags;
pub(super) mod types;
mod values;

use self::tags::{Tag, tags};
use super::builder::FactsBuilder;
use super::kinds::Kind;
use super::roles::{Context, MODULE};
use crate::facts::{Binding, BindingTarget, Name, Position, ScopeId, ScopeKind};
use crate::tree::NodeIndex;

impl<'t> FactsBuilder<'_, 't> {
    /// Collects the types that comments name, before what they document is visited.
    pub(super) fn collect_documented_types(&mut self) {
        self.documented.is_read = true;
        let tree = self.tree;
        for node in 0..tree.len() {
            let comment = tree.text(node);
            if tree.kind(node) != Kind::Comment || !comment.starts_with("/**") {
                continue;
            }
            self.collect_typedef(node);
            for tag in tags(comment) {
                match tag.name {
                    "import" => self.collect_import_tag(&tag),
                    "template" => self.collect_templates(node, &tag),
                    _ => {}
                }
            }
        }
        self.bind_named_types();
    }

    /// Collects the names of `@template`, which hold in the comment and in what it documents.
    fn collect_templates(&mut self, comment: NodeIndex, tag: &Tag<'t>) {
        let tree = self.tree;
        let mut next = comment + 1;
        while tree.kind(next) == Kind::Comment {
            next += 1;
        }
        let end = tree.subtree_end(next);
        for name in tag.described_names() {
            let ranges = self.documented.templates.entry(name).or_default();
            let before = ranges.last().map_or(0, |(_, end)| *end);
            ranges.push((comment, end.max(before)));
        }
    }

    /// Visits a comment, whose types refer to definitions.
    pub(super) fn visit_comment(&mut self, node: NodeIndex, context: Context) {
        let comment = self.tree.text(node);
        if !self.documented.is_read || !comment.starts_with("/**") {
            return;
        }
        self.documented.begin(node, context.scope);
        for tag in tags(comment) {
            if let Some(of) = tag.doc_type() {
                self.refer_to_type(&of);
            }
        }
    }

    /// Returns the scope in which comments look up names that document code of a scope.
    pub(super) fn documentation_scope(&mut self, documented: ScopeId) -> ScopeId {
        if let Some(&scope) = self.documented.scopes.get(&documented) {
            return scope;
        }
        let scope = self.open_scope(ScopeKind::Documentation, documented, None);
        self.documented.scopes.insert(documented, scope);
        scope
    }

    /// Returns the scope in which a name of the current comment is looked up.
    pub(super) fn scope_of_type(&mut self, path: &str) -> ScopeId {
        let first = path.split('.').next().unwrap_or(path);
        let documented = if self.documented.imported.contains(first) {
            MODULE
        } else {
            self.documented.documented_scope
        };
        self.documentation_scope(documented)
    }

    /// Binds a name to a type of the current comment.
    pub(super) fn add_documented_binding(
        &mut self,
        (scope, name): (ScopeId, Name),
        position: Position,
        target: BindingTarget,
    ) {
        let value_scope = self.documentation_scope(self.documented.documented_scope);
        self.facts.bindings.push(Binding {
            scope,
            name,
            position,
            target,
            value_scope,
        });
    }

    /// Returns the position of a part of a comment, or the start of the file for other text.
    pub(super) fn position_in_comment(&mut self, part: &str) -> Position {
        let offset = self.tree.offset_of(part).unwrap_or_default();
        self.positions.position_at(offset)
    }
}
