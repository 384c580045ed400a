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

use self::tags::tags;
use super::builder::FactsBuilder;
use super::kinds::Kind;
use super::roles::MODULE;
use crate::facts::{Binding, BindingTarget, Name, Position, ScopeId, ScopeKind};

impl<'t> FactsBuilder<'_, 't> {
    /// Collects the types that comments name, before what they document is visited, and adds the
    /// references to these types.
    pub(super) fn collect_documented_types(&mut self) {
        self.documented.is_read = true;
        let tree = self.tree;
        let mut referred = Vec::new();
        for node in 0..tree.len() {
            let comment = tree.text(node);
            if tree.kind(node) != Kind::Comment || !comment.starts_with("/**") {
                continue;
            }
            self.collect_typedef(comment);
            for tag in tags(comment) {
                referred.extend(tag.doc_type());
                match tag.name {
                    "import" => self.collect_import_tag(&tag),
                    "template" => {
                        let names = tag.rest.lines().next().unwrap_or("").split([',', ' ']);
                        let names = names.map(str::trim).filter(|name| !name.is_empty());
                        self.documented.templates.extend(names);
                    }
                    _ => {}
                }
            }
        }
        for of in referred {
            self.refer_to_type(&of);
        }
        self.bind_named_types();
    }

    /// Returns the scope in which the names of types are looked up.
    pub(super) fn documentation_scope(&mut self) -> ScopeId {
        if let Some(scope) = self.documented.scope {
            return scope;
        }
        let scope = self.open_scope(ScopeKind::Documentation, MODULE, None);
        self.documented.scope = Some(scope);
        scope
    }

    pub(super) fn add_documented_binding(
        &mut self,
        (scope, name): (ScopeId, Name),
        position: Position,
        target: BindingTarget,
    ) {
        let value_scope = self.documentation_scope();
        self.facts.bindings.push(Binding {
            scope,
            name,
            position,
            target,
            value_scope,
        });
    }

    pub(super) fn position_in_comment(&mut self, part: &str) -> Position {
        let offset = self.tree.offset_of(part).unwrap_or_default();
        self.positions.position_at(offset)
    }
}
