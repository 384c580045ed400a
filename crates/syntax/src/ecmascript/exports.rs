//! Collects `export` statements.

use super::builder::FactsBuilder;
use super::export_names::{DEFAULT, STAR};
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Context, DeclaredTarget, Role, is_module};
use super::value_text::MAX_STEPS;
use crate::facts::{
    EXPORT_EQUALS, Export, ExportedItem, ImportedItem, Name, Receiver, ReferenceKind, ScopeId,
};
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    pub(super) fn visit_export(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let has = |word: &str| {
            let mut tokens = tree.children(node);
            tokens.any(|child| tree.kind(child) == Kind::Token && tree.text(child) == word)
        };
        if tree.child(node, Field::Source).is_some() {
            return self.visit_reexport(node, has("*"), context);
        }
        if has("namespace") && has("as") {
            return self.roles.set_children(node, Role::Handled, context.scope);
        }
        let expression = tree
            .operands(node)
            .find(|&child| tree.kind(child) != Kind::Decorator);
        if has("=") {
            if let Some(value) = expression.filter(|_| is_module(context)) {
                self.export_value(EXPORT_EQUALS, value, value, context.scope);
            }
            return;
        }
        if has("default") {
            if let Some(value) = expression.filter(|_| is_module(context)) {
                self.export_value(DEFAULT, value, value, context.scope);
            }
            return;
        }
        self.roles.set_field(
            node,
            Field::Declaration,
            Role::ExportedDeclaration,
            context.scope,
        );
        if let Some(clause) = expression.filter(|&child| tree.kind(child) == Kind::ExportClause) {
            self.export_locals(clause, context);
        } else if tree.child(node, Field::Declaration).is_none()
            && let Some(declaration) = expression
        {
            self.roles
                .set(declaration, Role::ExportedDeclaration, context.scope);
        }
    }

    /// Visits `export { a as b }`.
    fn export_locals(&mut self, clause: NodeIndex, context: Context) {
        let tree = self.tree;
        self.roles.set(clause, Role::Handled, context.scope);
        for specifier in tree.operands(clause) {
            let Some(name) = tree.child(specifier, Field::Name) else {
                continue;
            };
            let alias = tree.child(specifier, Field::Alias).unwrap_or(name);
            let local = self.intern(tree.export_name(name));
            let exported = self.intern(tree.export_name(alias));
            let kind = ReferenceKind::Reference;
            self.add_reference(name, context.scope, kind, Receiver::None);
            if is_module(context) {
                self.add_export(exported, ExportedItem::Local(local), alias);
            }
        }
    }

    /// Visits `export … from "a"`.
    fn visit_reexport(&mut self, node: NodeIndex, is_star: bool, context: Context) {
        let tree = self.tree;
        let Some((module, place)) = self.intern_source(node) else {
            return;
        };
        let scope = context.scope;
        let clause = tree
            .operands(node)
            .find(|&child| matches!(tree.kind(child), Kind::ExportClause | Kind::NamespaceExport));
        let Some(clause) = clause else {
            if is_star {
                let id = self.add_import(module, ImportedItem::Star, None, scope, place);
                let name = self.intern(STAR);
                self.add_export(name, ExportedItem::From(id), node);
            }
            return;
        };
        self.roles.set(clause, Role::Handled, scope);
        if tree.kind(clause) == Kind::NamespaceExport {
            let id = self.add_import(module, ImportedItem::Module, None, scope, place);
            // The grammar reads `default` as a keyword here.
            let named = tree.children(clause).last().unwrap_or(clause);
            let name = self.intern(tree.export_name(named));
            return self.add_export(name, ExportedItem::From(id), named);
        }
        for specifier in tree.operands(clause) {
            self.reexport_member(specifier, module, scope);
        }
    }

    fn reexport_member(&mut self, specifier: NodeIndex, module: Name, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(specifier, Field::Name) else {
            return;
        };
        let alias = tree.child(specifier, Field::Alias).unwrap_or(name);
        let item = ImportedItem::Member(self.intern(tree.export_name(name)));
        let place = self.position_of(name);
        let id = self.add_import(module, item, None, scope, place);
        self.add_reference(name, scope, ReferenceKind::Import, Receiver::None);
        let exported = self.intern(tree.export_name(alias));
        self.add_export(exported, ExportedItem::From(id), alias);
    }

    /// Exports the name of a declaration after `export`.
    pub(super) fn export_declared(&mut self, node: NodeIndex, name: Name, target: DeclaredTarget) {
        let item = match target {
            DeclaredTarget::Definition(id) => ExportedItem::Definition(id),
            DeclaredTarget::Import(id) => ExportedItem::From(id),
            _ => ExportedItem::Local(name),
        };
        self.add_export(name, item, node);
    }

    pub(super) fn add_export(&mut self, name: Name, item: ExportedItem, node: NodeIndex) {
        let position = self.position_of(node);
        self.facts.exported.push(Export {
            name,
            item,
            position,
        });
    }

    pub(super) fn export_value(
        &mut self,
        name: &'static str,
        value: NodeIndex,
        node: NodeIndex,
        scope: ScopeId,
    ) {
        let name = self.intern(name);
        self.export_as(name, value, node, scope);
    }

    /// Exports a value under a name that stands at a node.
    pub(super) fn export_as(
        &mut self,
        name: Name,
        value: NodeIndex,
        at: NodeIndex,
        scope: ScopeId,
    ) {
        let item = self.exported_item(value, scope);
        let value = self.tree.assigned_value(value);
        if item == ExportedItem::Other
            && matches!(self.tree.kind(value), Kind::Array | Kind::Object)
        {
            let place = self.facts.exported.len();
            self.exported_containers.push((place, value));
        }
        self.add_export(name, item, at);
    }

    fn exported_item(&mut self, value: NodeIndex, scope: ScopeId) -> ExportedItem {
        let tree = self.tree;
        let value = tree.assigned_value(value);
        if let Some(id) = self.definition_at(tree.strip_components(value)) {
            return ExportedItem::Definition(id);
        }
        let import = match tree.kind(value) {
            Kind::Identifier | Kind::Shorthand => {
                return ExportedItem::Local(self.intern(tree.text(value)));
            }
            Kind::Call => self.import_call(value, scope),
            Kind::Member => self.import_call_member(value, None, scope),
            _ => None,
        };
        if let Some(import) = import {
            return ExportedItem::From(import);
        }
        let value_text = self.value_text(value);
        self.intern_value(value_text)
            .map_or(ExportedItem::Other, ExportedItem::Value)
    }
}

impl FlatTree<'_> {
    /// Returns the value of a chain of assignments without parentheses and casts: `c` of
    /// `a = b = c`.
    pub(super) fn assigned_value(&self, value: NodeIndex) -> NodeIndex {
        let mut value = self.strip_wrappers(value);
        for _ in 0..MAX_STEPS {
            let right = self.child(value, Field::Right);
            match right.filter(|_| self.kind(value) == Kind::Assignment) {
                Some(right) => value = self.strip_wrappers(right),
                None => break,
            }
        }
        value
    }
}
