//! What is imported.

use super::builder::Walk;
use super::name_scopes::To;
use super::rules::{Field, Rule};
use crate::facts::{Import, Imported, ScopeId};
use crate::tree::At;

/// What an import names is looked for in no more nodes around than these.
const MAX_AROUND: usize = 32;
/// A longer path, in bytes, is not kept, since each of many imports can share it.
const MAX_MODULE: usize = 400;

impl Walk<'_> {
    /// What is imported by a name.
    pub(super) fn name_import(&mut self, at: At, scope: ScopeId) {
        let tree = self.tree;
        let mut segments: Vec<&str> = Vec::new();
        let mut alias = None;
        let (mut inner, mut next) = (at, tree.parent(at));
        for _ in 0..MAX_AROUND {
            match tree.kind(next) {
                Rule::Member { of, .. } => {
                    let of = tree.child(next, of).filter(|of| *of != inner);
                    segments.extend(of.map(|of| tree.text(of)));
                }
                Rule::Path => segments.push(before(tree.text(next), tree.text(at))),
                Rule::Skips(Field::Path) => {
                    segments.extend(tree.child(next, Field::Path).map(|of| tree.text(of)));
                }
                Rule::ImportAs => alias = tree.child(next, Field::Alias),
                Rule::Import => {
                    // `use A\{B, C}`
                    let of_group = tree.operands(next).next();
                    let of_group = of_group.filter(|of| tree.kind(*of) == Rule::Skip);
                    segments.extend(of_group.map(|of| tree.text(of)));
                    break;
                }
                _ => {}
            }
            if next == 0 {
                break;
            }
            (inner, next) = (next, tree.parent(next));
        }
        segments.reverse();
        let len: usize = segments.iter().map(|segment| segment.len()).sum();
        if len > MAX_MODULE {
            segments.clear();
        }
        let module = segments.join(self.table.separator);
        let name = tree.text(at);
        let alias = alias.map_or(name, |alias| tree.text(alias));
        self.seen.bind(scope, alias, To::Other);
        let import = Import {
            module: self.names.name(module),
            level: 0,
            what: Imported::Member(self.names.name(name)),
            alias: Some(self.names.name(alias)),
            scope,
            at: self.position(at),
        };
        self.facts.imports.push(import);
    }

    /// A module by the text that leads to it.
    pub(super) fn module_import(&mut self, at: At) {
        let tree = self.tree;
        let Some(path) = tree.child(at, Field::Path) else {
            return;
        };
        let quotes: &[char] = &['"', '\'', '`', '<', '>'];
        let module = tree.text(path).trim_matches(quotes);
        let scope = self.scope_of(self.around());
        let alias = tree.child(at, Field::Name).map(|name| tree.text(name));
        let import = Import {
            module: self.names.name(module),
            level: 0,
            what: Imported::Module,
            alias: alias.map(|alias| self.names.name(alias)),
            scope,
            at: self.position(path),
        };
        self.facts.imports.push(import);
    }

    /// All of a module: what is around is seen in what says `super`, and anything may come of another one.
    pub(super) fn star(&mut self, at: At) {
        let tree = self.tree;
        let scope = self.scope_of(self.around());
        let text = tree.text(at);
        let module = text
            .trim_end_matches('*')
            .trim_end_matches(self.table.separator);
        if module == "super" {
            self.seen.unseal(scope);
        } else {
            self.seen.open(scope);
        }
        let import = Import {
            module: self.names.name(module),
            level: 0,
            what: Imported::Star,
            alias: None,
            scope,
            at: self.position(at),
        };
        self.facts.imports.push(import);
    }
}

/// What stands before the last segment of a path.
fn before<'t>(path: &'t str, last: &str) -> &'t str {
    let module = path.strip_suffix(last).unwrap_or_default();
    module.trim_matches(['\\', '.', ':'])
}
