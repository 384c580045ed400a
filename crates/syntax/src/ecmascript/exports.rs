//! Exports: `export` statements.

use super::builder::Walk;
use super::export_names::{DEFAULT, STAR};
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Context, Role, To, is_module};
use super::value_text::MAX_STEPS;
use crate::facts::{
    EXPORT_EQUALS, Export, Exported, Imported, Name, Receiver, ReferenceKind, ScopeId,
};
use crate::tree::At;

impl Walk<'_, '_> {
    pub(super) fn export(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let has = |word: &str| {
            let mut tokens = tree.children(at);
            tokens.any(|child| tree.kind(child) == Kind::Token && tree.text(child) == word)
        };
        if tree.child(at, Field::Source).is_some() {
            return self.reexport(at, has("*"), context);
        }
        if has("namespace") && has("as") {
            return self.give_all(at, Role::Done, context.scope);
        }
        let expression = tree
            .operands(at)
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
        self.give_field(at, Field::Declaration, Role::Exported, context.scope);
        if let Some(clause) = expression.filter(|&child| tree.kind(child) == Kind::ExportClause) {
            self.export_locals(clause, context);
        } else if tree.child(at, Field::Declaration).is_none()
            && let Some(declared) = expression
        {
            self.give(declared, Role::Exported, context.scope);
        }
    }

    /// `export { a as b }`
    fn export_locals(&mut self, clause: At, context: Context) {
        let tree = self.tree;
        self.give(clause, Role::Done, context.scope);
        for specifier in tree.operands(clause) {
            let Some(name) = tree.child(specifier, Field::Name) else {
                continue;
            };
            let alias = tree.child(specifier, Field::Alias).unwrap_or(name);
            let local = self.name(tree.exported_name(name));
            let exported = self.name(tree.exported_name(alias));
            let kind = ReferenceKind::Reference;
            self.refer(name, context.scope, kind, Receiver::None);
            if is_module(context) {
                self.add_export(exported, Exported::Local(local), alias);
            }
        }
    }

    /// `export … from "a"`
    fn reexport(&mut self, at: At, is_star: bool, context: Context) {
        let tree = self.tree;
        let Some((module, place)) = self.source(at) else {
            return;
        };
        let scope = context.scope;
        let clause = tree
            .operands(at)
            .find(|&child| matches!(tree.kind(child), Kind::ExportClause | Kind::NamespaceExport));
        let Some(clause) = clause else {
            if is_star {
                let id = self.add_import(module, Imported::Star, None, scope, place);
                let name = self.name(STAR);
                self.add_export(name, Exported::From(id), at);
            }
            return;
        };
        self.give(clause, Role::Done, scope);
        if tree.kind(clause) == Kind::NamespaceExport {
            let id = self.add_import(module, Imported::Module, None, scope, place);
            // To the grammars `default` is a keyword here.
            let named = tree.children(clause).last().unwrap_or(clause);
            let name = self.name(tree.exported_name(named));
            return self.add_export(name, Exported::From(id), named);
        }
        for specifier in tree.operands(clause) {
            self.reexport_member(specifier, module, scope);
        }
    }

    fn reexport_member(&mut self, specifier: At, module: Name, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(specifier, Field::Name) else {
            return;
        };
        let alias = tree.child(specifier, Field::Alias).unwrap_or(name);
        let what = Imported::Member(self.name(tree.exported_name(name)));
        let place = self.position(name);
        let id = self.add_import(module, what, None, scope, place);
        self.refer(name, scope, ReferenceKind::Import, Receiver::None);
        let exported = self.name(tree.exported_name(alias));
        self.add_export(exported, Exported::From(id), alias);
    }

    /// A name that a declaration after `export` binds.
    pub(super) fn export_bound(&mut self, at: At, name: Name, to: To) {
        let what = match to {
            To::Definition(id) => Exported::Definition(id),
            To::Import(id) => Exported::From(id),
            _ => Exported::Local(name),
        };
        self.add_export(name, what, at);
    }

    pub(super) fn add_export(&mut self, name: Name, what: Exported, at: At) {
        let at = self.position(at);
        self.facts.exported.push(Export { name, what, at });
    }

    pub(super) fn export_value(&mut self, name: &'static str, value: At, at: At, scope: ScopeId) {
        let name = self.name(name);
        let what = self.exported(value, scope);
        self.add_export(name, what, at);
    }

    pub(super) fn exported(&mut self, value: At, scope: ScopeId) -> Exported {
        let tree = self.tree;
        let value = tree.assigned_value(value);
        if let Some(id) = self.definition_at(value) {
            return Exported::Definition(id);
        }
        let import = match tree.kind(value) {
            Kind::Identifier | Kind::Shorthand => {
                return Exported::Local(self.name(tree.text(value)));
            }
            Kind::Call => self.import_of(value, scope),
            Kind::Member => self.imported_member(value, None, scope),
            _ => None,
        };
        if let Some(import) = import {
            return Exported::From(import);
        }
        let said = tree.value(value);
        self.value(said).map_or(Exported::Other, Exported::Value)
    }
}

impl FlatTree<'_> {
    /// What is assigned in the end, behind brackets and casts: `c` of `a = b = c`.
    pub(super) fn assigned_value(&self, value: At) -> At {
        let mut value = self.bare(value);
        for _ in 0..MAX_STEPS {
            let right = self.child(value, Field::Right);
            match right.filter(|_| self.kind(value) == Kind::Assignment) {
                Some(right) => value = self.bare(right),
                None => break,
            }
        }
        value
    }
}
