//! Collects imports.

use super::builder::FactsBuilder;
use super::name_scopes::NameTarget;
use super::rules::{Field, Rule};
use crate::facts::{Import, ImportedItem, ScopeId};
use crate::tree::NodeIndex;

/// The number of enclosing nodes that are searched for the path of an import.
const MAX_AROUND: usize = 32;
/// The longest stored path, in bytes. Many imports of one statement can share a path.
const MAX_MODULE: usize = 400;

impl<'t> FactsBuilder<'t> {
    /// Adds the import of a name, with the path that its enclosing nodes supply.
    pub(super) fn import_name(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut segments: Vec<&str> = Vec::new();
        let mut alias = None;
        if tree.kind(node) == Rule::PathName {
            segments.extend(tree.path_before(node));
        }
        let (mut inner, mut next) = (node, tree.parent(node));
        for _ in 0..MAX_AROUND {
            match tree.kind(next) {
                Rule::Member { receiver: of, .. } => {
                    let of = tree.child(next, of).filter(|of| *of != inner);
                    segments.extend(of.map(|of| tree.text(of)));
                    let of_path = of.filter(|of| tree.kind(*of) == Rule::PathName);
                    segments.extend(of_path.and_then(|of| tree.path_before(of)));
                }
                Rule::ImportAll => break,
                Rule::Path | Rule::DottedName => {
                    segments.push(before(tree.text(next), tree.text(node)));
                }
                Rule::SkipField(Field::Path) => {
                    segments.extend(tree.child(next, Field::Path).map(|of| tree.text(of)));
                }
                Rule::ImportPath => {
                    segments.extend(self.module_of(next));
                    break;
                }
                Rule::ImportAs => alias = tree.child(next, Field::Alias),
                Rule::Import if tree.child(next, Field::Path).is_some() => {
                    segments.extend(self.clause_before(next, inner));
                    break;
                }
                Rule::Import => {
                    // The prefix `A\` of `use A\{B, C}` in PHP.
                    let of_group = tree.operands(next).next();
                    let of_group = of_group.filter(|of| tree.kind(*of) == Rule::Skip);
                    segments.extend(of_group.map(|of| tree.text(of)));
                    // The name `a` of `using a = b.c;` in C#.
                    alias = alias.or_else(|| tree.child(next, Field::Name));
                    // The name `a` of the clause `as a` in Kotlin.
                    let clause = tree.child(next, Field::Alias);
                    let of_clause = clause.and_then(|clause| tree.operands(clause).next());
                    alias = alias.or(of_clause);
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
        let module = segments.join(self.rules.path_separator);
        let name = tree.name(node);
        let alias = alias.map_or(name, |alias| tree.name(alias));
        self.name_scopes.bind(scope, alias, NameTarget::Other);
        let import = Import {
            module: self.names.intern(module),
            level: 0,
            item: ImportedItem::Member(self.names.intern(name)),
            alias: Some(self.names.intern(alias)),
            scope,
            position: self.position_of(node),
        };
        self.facts.imports.push(import);
    }

    /// Adds the import of a module by its path: `import "a/b"` in Go.
    pub(super) fn import_module(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (Some(path), Some(module)) = (tree.child(node, Field::Path), self.module_of(node))
        else {
            return;
        };
        let scope = self.scope_of(self.enclosing_definition());
        let alias = tree.child(node, Field::Name).map(|name| tree.text(name));
        let import = Import {
            module: self.names.intern(module),
            level: 0,
            item: ImportedItem::Module,
            alias: alias.map(|alias| self.names.intern(alias)),
            scope,
            position: self.position_of(path),
        };
        self.facts.imports.push(import);
    }

    /// Returns the path of an imported module, without quotes.
    fn module_of(&self, import: NodeIndex) -> Option<&'t str> {
        let path = self.tree.child(import, Field::Path)?;
        let quotes: &[char] = &['"', '\'', '`', '<', '>'];
        let text = self.tree.text(path).trim_start_matches(quotes);
        // In Dart, a condition with a second path may follow.
        text.split(quotes).next()
    }

    /// Adds a star import.
    ///
    /// It may bring any name into scope.
    pub(super) fn import_star(&mut self, node: NodeIndex) {
        let scope = self.scope_of(self.enclosing_definition());
        let text = self.tree.text(node);
        let of_text = text
            .trim_end_matches('*')
            .trim_end_matches(self.rules.path_separator);
        let module = self.path_of_star(node).unwrap_or(of_text);
        self.name_scopes.mark_open(scope);
        self.add_star_import(node, module, scope);
    }

    /// Adds a star import, `import a.*` in Kotlin. A definition of the file hides an imported name.
    pub(super) fn import_weak_star(&mut self, node: NodeIndex) {
        let scope = self.scope_of(self.enclosing_definition());
        if let Some(module) = self.tree.operands(node).next() {
            self.add_star_import(module, self.tree.text(module), scope);
        }
    }

    fn add_star_import(&mut self, node: NodeIndex, module: &'t str, scope: ScopeId) {
        let import = Import {
            module: self.names.intern(module),
            level: 0,
            item: ImportedItem::Star,
            alias: None,
            scope,
            position: self.position_of(node),
        };
        self.facts.imports.push(import);
    }
}

impl<'t> FactsBuilder<'t> {
    /// Returns the path before a part of an import that lists segments of paths: `a.b` before `c`
    /// in `import a.b.c` and in `import d.e, a.b.{c}`.
    fn clause_before(&self, import: NodeIndex, part: NodeIndex) -> Option<&'t str> {
        let tree = self.tree;
        let first = tree.child(import, Field::Path)?;
        let before = tree.slice(tree.node(first).start, tree.node(part).start);
        let clause = before.rsplit(',').next()?;
        let path = clause.trim().trim_end_matches(self.rules.path_separator);
        (!path.is_empty() && path.len() <= MAX_MODULE).then_some(path)
    }

    /// Returns the path before a star that has a node of its own: `a.b` of `import a.b.{c, _}`.
    fn path_of_star(&self, star: NodeIndex) -> Option<&'t str> {
        let tree = self.tree;
        let parent = tree.parent(star);
        match tree.kind(parent) {
            Rule::Transparent => self.clause_before(tree.parent(parent), parent),
            _ => self.clause_before(parent, star),
        }
    }
}

/// Returns the part of a path before its last segment.
fn before<'t>(path: &'t str, last: &str) -> &'t str {
    let module = path.strip_suffix(last).unwrap_or_default();
    module.trim_matches(['\\', '.', ':'])
}
