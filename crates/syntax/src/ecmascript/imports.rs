//! Imports: `import` statements.

use super::builder::Walk;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Binds, Context, Role, To, is_exported};
use super::value_text::Said;
use crate::facts::{
    Import, ImportId, Imported, Name, Position, Receiver, ReferenceKind, ScopeId, Space,
};
use crate::tree::At;
use ragnav_base::position::wire;

impl Walk<'_, '_> {
    pub(super) fn import(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let Some((module, place)) = self.source(at) else {
            return;
        };
        let mut is_bare = true;
        for clause in tree.operands(at) {
            let is_clause = matches!(tree.kind(clause), Kind::ImportClause | Kind::ImportRequire);
            if !is_clause {
                continue;
            }
            is_bare = false;
            self.give(clause, Role::Done, context.scope);
            for part in tree.operands(clause) {
                self.import_part(part, module, context);
            }
        }
        if is_bare {
            self.add_import(module, Imported::Module, None, context.scope, place);
        }
    }

    /// The module that a statement names, and where.
    pub(super) fn source(&mut self, at: At) -> Option<(Name, Position)> {
        let tree = self.tree;
        let direct = tree.child(at, Field::Source);
        let source = direct.or_else(|| {
            let mut clauses = tree.operands(at);
            let clause = clauses.find(|&clause| tree.kind(clause) == Kind::ImportRequire)?;
            tree.child(clause, Field::Source)
        })?;
        let text = tree.string_content(source)?;
        Some((self.name(text), self.position(source)))
    }

    fn import_part(&mut self, part: At, module: Name, context: Context) {
        let tree = self.tree;
        match tree.kind(part) {
            Kind::Identifier if tree.kind(tree.parent(part)) == Kind::ImportRequire => {
                self.import_named(module, Imported::Module, part, part, context);
            }
            Kind::Identifier => {
                let what = Imported::Member(self.name("default"));
                self.import_named(module, what, part, part, context);
            }
            Kind::NamespaceImport => {
                let name = tree.operands(part).next();
                if let Some(name) = name {
                    self.import_named(module, Imported::Module, name, name, context);
                }
            }
            Kind::NamedImports => {
                for specifier in tree.operands(part) {
                    self.import_specifier(specifier, module, context);
                }
            }
            _ => {}
        }
    }

    fn import_specifier(&mut self, at: At, module: Name, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(at, Field::Name) else {
            return;
        };
        let alias = tree.child(at, Field::Alias).unwrap_or(name);
        let what = Imported::Member(self.name(tree.exported_name(name)));
        self.import_named(module, what, name, alias, context);
    }

    fn import_named(
        &mut self,
        module: Name,
        what: Imported,
        name: At,
        alias: At,
        context: Context,
    ) {
        let tree = self.tree;
        let scope = context.scope;
        let place = self.position(name);
        let bound = self.name(tree.text(alias));
        let id = self.add_import(module, what, Some(bound), scope, place);
        self.refer(name, scope, ReferenceKind::Import, Receiver::None);
        let binds = Binds {
            scope,
            to: To::Import(id),
            exported: is_exported(context),
        };
        self.bind(alias, binds, scope);
    }

    pub(super) fn add_import(
        &mut self,
        module: Name,
        what: Imported,
        alias: Option<Name>,
        scope: ScopeId,
        at: Position,
    ) -> ImportId {
        let id = ImportId(wire(self.facts.imports.len()));
        self.facts.imports.push(Import {
            module,
            level: 0,
            what,
            alias,
            scope,
            at,
        });
        id
    }

    /// `import A = B.C`
    pub(super) fn import_alias(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let mut operands = tree.operands(at);
        let (Some(name), Some(to)) = (operands.next(), operands.next()) else {
            return;
        };
        let path = tree.path(to);
        let said = path.map(|path| Said {
            path,
            called: false,
        });
        let binds = Binds {
            scope: context.scope,
            to: To::Variable(self.value(said)),
            exported: is_exported(context),
        };
        self.give(name, Role::Bound(binds), context.scope);
        self.aliases.insert(tree.text(name));
    }

    /// Names of types are those of aliases too, which are bound as variables are.
    pub(super) fn mention_aliases(&mut self) {
        if self.aliases.is_empty() {
            return;
        }
        for reference in &mut self.facts.references {
            let first = match reference.receiver {
                Receiver::None => self.names.text(reference.name),
                Receiver::Value(value) => first_name(self.names.text(value.path)),
                Receiver::Unknown => continue,
            };
            if self.aliases.contains(first) {
                reference.space = Space::Any;
            }
        }
    }
}

/// The name that a dotted one begins with.
fn first_name(path: &str) -> &str {
    let end = path.find(['.', '(']).unwrap_or(path.len());
    path.get(..end).unwrap_or(path)
}

impl<'t> FlatTree<'t> {
    /// The name in an export or import, which may be a string.
    pub(super) fn exported_name(&self, at: At) -> &'t str {
        match self.kind(at) {
            Kind::String => self.string_content(at).unwrap_or_default(),
            _ => self.text(at),
        }
    }
}
