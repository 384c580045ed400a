//! Exports: `export` statements, and assignments to `exports` and `module.exports`.

use super::facts::{Context, Role, To, Walk};
use super::imports::is_module;
use super::kinds::{Field, FlatTree, Kind};
use super::naming::{DEFAULT, MAX_STEPS};
use crate::lang::facts::{
    EXPORT_EQUALS, Export, Exported, Imported, Name, Receiver, ReferenceKind, ScopeId,
};
use crate::lang::tree::At;

/// What a module exports everything of another one as.
const STAR: &str = "*";

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
            let named = tree.operands(clause).next().unwrap_or(clause);
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

    fn add_export(&mut self, name: Name, what: Exported, at: At) {
        let at = self.position(at);
        self.facts.exported.push(Export { name, what, at });
    }

    fn export_value(&mut self, name: &'static str, value: At, at: At, scope: ScopeId) {
        let name = self.name(name);
        let what = self.exported(value, scope);
        self.add_export(name, what, at);
    }

    fn exported(&mut self, value: At, scope: ScopeId) -> Exported {
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

    /// `module.exports = …`, `exports.a = …` and `module.exports.a = …`
    pub(super) fn assigned_exports(&mut self, left: At, right: At, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(left) != Kind::Member || tree.text(right).starts_with("void ") {
            return;
        }
        let Some(segments) = tree.segments(left) else {
            return;
        };
        let texts: Vec<&str> = segments.iter().map(|&at| tree.text(at)).collect();
        let at = segments.last().copied().unwrap_or(left);
        match *texts {
            ["module", "exports"] => self.export_module(right, at, scope),
            ["exports", name] | ["module", "exports", name] => {
                let name = self.name(name);
                let what = self.exported(right, scope);
                self.add_export(name, what, at);
            }
            _ => {}
        }
    }

    /// An object's members are exported one by one.
    fn export_module(&mut self, value: At, at: At, scope: ScopeId) {
        let tree = self.tree;
        let object = tree.assigned_value(value);
        if tree.kind(object) != Kind::Object {
            return self.export_value(EXPORT_EQUALS, value, at, scope);
        }
        if let Some(name) = tree.assigned_name(object) {
            let local = Exported::Local(self.name(tree.text(name)));
            let whole = self.name(EXPORT_EQUALS);
            self.add_export(whole, local, at);
        }
        for member in tree.operands(object) {
            self.export_member(member, scope);
        }
    }

    fn export_member(&mut self, member: At, scope: ScopeId) {
        let tree = self.tree;
        let (key, value) = match tree.kind(member) {
            Kind::Shorthand => (Some(member), Some(member)),
            Kind::Method => (tree.child(member, Field::Name), Some(member)),
            Kind::Pair => (
                tree.child(member, Field::Key),
                tree.child(member, Field::Value),
            ),
            Kind::Spread => {
                let Some(spread) = tree.operands(member).next() else {
                    return;
                };
                if let Some(id) = self.import_of(spread, scope) {
                    let name = self.name(STAR);
                    self.add_export(name, Exported::From(id), member);
                }
                return;
            }
            _ => return,
        };
        let key = key.and_then(|key| Some((key, tree.key(key)?)));
        if let (Some((key, text)), Some(value)) = (key, value) {
            let name = self.name(text);
            let what = self.exported(value, scope);
            self.add_export(name, what, key);
        }
    }
}

impl FlatTree<'_> {
    /// The variable that a value is assigned to as well: `a` of `var a = exports = module.exports = {}`.
    fn assigned_name(&self, value: At) -> Option<At> {
        let mut inside = value;
        for _ in 0..MAX_STEPS {
            let around = self.parent(inside);
            let name = match self.kind(around) {
                Kind::Assignment => self.child(around, Field::Left)?,
                Kind::VariableDeclarator => self.child(around, Field::Name)?,
                _ => return None,
            };
            let is_variable = self.kind(name) == Kind::Identifier && self.text(name) != "exports";
            if is_variable {
                return Some(name);
            }
            inside = around;
        }
        None
    }

    /// What is assigned in the end, behind brackets and casts: `c` of `a = b = c`.
    fn assigned_value(&self, value: At) -> At {
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
