//! Collects `import` statements.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, Role, is_exported};
use super::value_text::ValueText;
use crate::facts::{
    Import, ImportId, ImportedItem, Name, Position, Receiver, ReferenceKind, ScopeId, Space,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

impl FactsBuilder<'_, '_> {
    pub(super) fn visit_import(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some((module, place)) = self.intern_source(node) else {
            return;
        };
        let mut is_bare = true;
        for clause in tree.operands(node) {
            let is_clause = matches!(tree.kind(clause), Kind::ImportClause | Kind::ImportRequire);
            if !is_clause {
                continue;
            }
            is_bare = false;
            self.roles.set(clause, Role::Handled, context.scope);
            for part in tree.operands(clause) {
                self.import_part(part, module, context);
            }
        }
        if is_bare {
            self.add_import(module, ImportedItem::Module, None, context.scope, place);
        }
    }

    /// Returns the specifier of a statement and its position.
    pub(super) fn intern_source(&mut self, node: NodeIndex) -> Option<(Name, Position)> {
        let tree = self.tree;
        let direct = tree.child(node, Field::Source);
        let source = direct.or_else(|| {
            let mut clauses = tree.operands(node);
            let clause = clauses.find(|&clause| tree.kind(clause) == Kind::ImportRequire)?;
            tree.child(clause, Field::Source)
        })?;
        let text = tree.string_content(source)?;
        Some((self.intern(text), self.position_of(source)))
    }

    fn import_part(&mut self, part: NodeIndex, module: Name, context: Context) {
        let tree = self.tree;
        match tree.kind(part) {
            Kind::Identifier if tree.kind(tree.parent(part)) == Kind::ImportRequire => {
                self.import_named(module, ImportedItem::Module, part, part, context);
            }
            Kind::Identifier => {
                let item = ImportedItem::Member(self.intern("default"));
                self.import_named(module, item, part, part, context);
            }
            Kind::NamespaceImport => {
                let name = tree.operands(part).next();
                if let Some(name) = name {
                    self.import_named(module, ImportedItem::Module, name, name, context);
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

    fn import_specifier(&mut self, node: NodeIndex, module: Name, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let alias = tree.child(node, Field::Alias).unwrap_or(name);
        let item = ImportedItem::Member(self.intern(tree.export_name(name)));
        self.import_named(module, item, name, alias, context);
    }

    fn import_named(
        &mut self,
        module: Name,
        item: ImportedItem,
        name: NodeIndex,
        alias: NodeIndex,
        context: Context,
    ) {
        let tree = self.tree;
        let scope = context.scope;
        let place = self.position_of(name);
        let bound = self.intern(tree.text(alias));
        let id = self.add_import(module, item, Some(bound), scope, place);
        self.add_reference(name, scope, ReferenceKind::Import, Receiver::None);
        let declaration = Declaration {
            scope,
            target: DeclaredTarget::Import(id),
            is_exported: is_exported(context),
        };
        self.bind(alias, declaration, scope);
    }

    pub(super) fn add_import(
        &mut self,
        module: Name,
        item: ImportedItem,
        alias: Option<Name>,
        scope: ScopeId,
        position: Position,
    ) -> ImportId {
        let id = ImportId(wire(self.facts.imports.len()));
        self.facts.imports.push(Import {
            module,
            level: 0,
            item,
            alias,
            scope,
            position,
        });
        id
    }

    /// Visits `import A = B.C`.
    pub(super) fn visit_import_alias(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let (Some(name), Some(target)) = (operands.next(), operands.next()) else {
            return;
        };
        let path = tree.path(target);
        let value_text = path.map(|path| ValueText {
            path,
            is_called: false,
        });
        let declaration = Declaration {
            scope: context.scope,
            target: DeclaredTarget::Variable(self.intern_value(value_text)),
            is_exported: is_exported(context),
        };
        self.roles
            .set(name, Role::Declared(declaration), context.scope);
        self.aliases.insert(tree.text(name));
    }

    /// Makes references to import aliases match any namespace.
    ///
    /// `A` of `import A = B.C` is bound like a variable, but may be a type.
    pub(super) fn widen_alias_references(&mut self) {
        if self.aliases.is_empty() {
            return;
        }
        for reference in &mut self.facts.references {
            let first = match reference.receiver {
                Receiver::None => self.names.text(reference.name),
                Receiver::Value(value) | Receiver::Itself(value) => {
                    first_name(self.names.text(value.path))
                }
                Receiver::Unknown => continue,
            };
            if self.aliases.contains(first) {
                reference.space = Space::Any;
            }
        }
    }
}

/// Returns the first name of a dotted name.
fn first_name(path: &str) -> &str {
    let end = path.find(['.', '(']).unwrap_or(path.len());
    path.get(..end).unwrap_or(path)
}

impl<'t> FlatTree<'t> {
    /// Returns the name in an import or export, which may be a string.
    pub(super) fn export_name(&self, node: NodeIndex) -> &'t str {
        match self.kind(node) {
            Kind::String => self.string_content(node).unwrap_or_default(),
            _ => self.text(node),
        }
    }
}
