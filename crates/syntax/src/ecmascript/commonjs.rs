//! Exports of `CommonJS`: what is assigned to `exports` and `module.exports`, or given to them by a call.
//!
//! Where a module gives them what cannot be read, it may export anything: that is a star of [`Exported::Other`].

use std::collections::HashMap;

use super::builder::{Star, Walk};
use super::export_names::STAR;
use super::kinds::{Field, Kind};
use super::roles::MODULE;
use super::value_text::MAX_STEPS;
use crate::facts::{EXPORT_EQUALS, Export, Exported, ImportId, Imported, Name, ScopeId};
use crate::tree::At;

/// A shadow farther outside than this many scopes is none.
const MAX_SCOPES: usize = 256;

impl Walk<'_, '_> {
    /// `module.exports = …`, `exports.a = …` and `module.exports.a = …`
    pub(super) fn assigned_exports(&mut self, left: At, right: At, scope: ScopeId) {
        let tree = self.tree;
        if tree.text(right).starts_with("void ") {
            return;
        }
        let mut operands = tree.operands(left);
        let (Some(object), Some(key)) = (operands.next(), operands.last()) else {
            return;
        };
        match tree.kind(left) {
            Kind::Member if self.is_exports(left, scope) => self.export_module(right, key, scope),
            Kind::Member if self.is_exports(object, scope) => {
                let name = self.name(tree.text(key));
                let what = self.exported(right, scope);
                self.add_export(name, what, key);
            }
            Kind::Subscript if self.is_exports(object, scope) => {
                self.export_keyed(key, right, scope);
            }
            _ => {}
        }
    }

    /// `Object.assign(exports, …)`, `Object.defineProperty(exports, "a", …)` and `__exportStar(…, exports)`
    pub(super) fn exporting_call(&mut self, call: At, scope: ScopeId) {
        let tree = self.tree;
        let Some((function, arguments)) = tree.named_call(call) else {
            return;
        };
        match (function, arguments.as_slice()) {
            ("assign", [to, parts @ ..]) if self.is_exports(*to, scope) => {
                for part in parts {
                    self.export_all(*part, *part, scope);
                }
            }
            ("defineProperty", [to, key, descriptor]) if self.is_exports(*to, scope) => {
                self.export_described(*key, *descriptor, scope);
            }
            ("__exportStar", [from, to]) if self.is_exports(*to, scope) => {
                self.export_all(*from, *from, scope);
            }
            _ => {}
        }
    }

    /// Whether this is what the module exports, and no variable of that name.
    fn is_exports(&self, at: At, scope: ScopeId) -> bool {
        let root = match self.tree.kind(at) {
            Kind::Identifier if self.tree.text(at) == "exports" => "exports",
            Kind::Member if self.tree.path(at).as_deref() == Some("module.exports") => "module",
            _ => return false,
        };
        let mut around = scope;
        for _ in 0..MAX_SCOPES {
            if around == MODULE {
                return true;
            }
            if self.shadows.contains(&(around, root)) {
                return false;
            }
            around = self.around(around);
        }
        true
    }

    /// Notes a scope inside which what the module exports goes by no name of its own.
    pub(super) fn shadow(&mut self, name: Name, scope: ScopeId) {
        let root = match self.names.text(name) {
            "exports" => "exports",
            "module" => "module",
            _ => return,
        };
        self.shadows.insert((scope, root));
    }

    /// An object's members are exported one by one.
    fn export_module(&mut self, value: At, at: At, scope: ScopeId) {
        let tree = self.tree;
        let mut value = value;
        let mut more = Vec::new();
        for _ in 0..MAX_STEPS {
            let whole = tree.assigned_value(value);
            match tree.named_call(whole) {
                Some(("assign", arguments)) => {
                    let Some((first, parts)) = arguments.split_first() else {
                        break;
                    };
                    more.extend(parts.iter().rev());
                    value = *first;
                }
                Some(("freeze" | "seal", arguments)) => match *arguments {
                    [only] => value = only,
                    _ => break,
                },
                _ => break,
            }
        }
        self.export_whole(value, at, scope);
        for part in more.into_iter().rev() {
            self.export_all(part, part, scope);
        }
    }

    fn export_whole(&mut self, value: At, at: At, scope: ScopeId) {
        let tree = self.tree;
        let object = tree.assigned_value(value);
        if self.is_exports(object, scope) {
            return;
        }
        if tree.kind(object) != Kind::Object {
            return self.export_value(EXPORT_EQUALS, value, at, scope);
        }
        if let Some(name) = tree.assigned_name(object) {
            let local = Exported::Local(self.name(tree.text(name)));
            let whole = self.name(EXPORT_EQUALS);
            self.add_export(whole, local, at);
        }
        self.export_members(object, scope);
    }

    fn export_members(&mut self, object: At, scope: ScopeId) {
        let tree = self.tree;
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
                if let Some(spread) = tree.operands(member).next() {
                    self.export_all(spread, member, scope);
                }
                return;
            }
            _ => return,
        };
        if let (Some(key), Some(value)) = (key, value) {
            self.export_keyed(key, value, scope);
            let given = tree.is_getter(member).then(|| tree.given(member)).flatten();
            if let Some(given) = given {
                self.export_keyed(key, given, scope);
            }
        }
    }

    /// What is exported under a key; a module may export anything under one that is worked out.
    fn export_keyed(&mut self, key: At, value: At, scope: ScopeId) {
        let tree = self.tree;
        let is_key = matches!(
            tree.kind(key),
            Kind::ComputedName
                | Kind::Identifier
                | Kind::PropertyName
                | Kind::Shorthand
                | Kind::String
        );
        let is_worked_out =
            tree.kind(tree.parent(key)) == Kind::Subscript && tree.kind(key) != Kind::String;
        let text = tree.key(key).filter(|_| is_key && !is_worked_out);
        if let Some(text) = text {
            let name = self.name(text);
            let what = self.exported(value, scope);
            return self.add_export(name, what, key);
        }
        if is_worked_out || matches!(tree.kind(key), Kind::ComputedName) {
            self.export_anything(key);
        }
    }

    /// A property by its descriptor: `{ value: a }` or `{ get() { return a } }`.
    fn export_described(&mut self, key: At, descriptor: At, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(key) != Kind::String {
            return self.export_anything(key);
        }
        // It says of the module how it was made.
        if tree.string_content(key) == Some("__esModule") {
            return;
        }
        let given = tree
            .operands(descriptor)
            .find_map(|part| tree.described(part));
        if let Some(given) = given {
            return self.export_keyed(key, given, scope);
        }
        if let Some(text) = tree.key(key) {
            let name = self.name(text);
            self.add_export(name, Exported::Other, key);
        }
    }

    /// All that an object holds is exported.
    fn export_all(&mut self, of: At, at: At, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.bare(of);
        if tree.kind(of) == Kind::Object {
            return self.export_members(of, scope);
        }
        if tree.kind(of) == Kind::Identifier {
            let name = self.name(tree.text(of));
            let at = self.position(at);
            return self.stars.push(Star { name, at });
        }
        match self.import_of(of, scope) {
            Some(id) => {
                let name = self.name(STAR);
                self.add_export(name, Exported::From(id), at);
            }
            None => self.export_anything(at),
        }
    }

    fn export_anything(&mut self, at: At) {
        let name = self.name(STAR);
        self.add_export(name, Exported::Other, at);
    }

    /// Which names are those of modules is known when all are.
    pub(super) fn export_stars(&mut self) {
        if self.stars.is_empty() {
            return;
        }
        let imports = (0..).map(ImportId).zip(&self.facts.imports);
        let modules: HashMap<Name, ImportId> = imports
            .filter(|(_, import)| import.what == Imported::Module && import.scope == MODULE)
            .filter_map(|(id, import)| Some((import.alias?, id)))
            .collect();
        let name = self.name(STAR);
        for star in std::mem::take(&mut self.stars) {
            let module = modules.get(&star.name).copied();
            self.facts.exported.push(Export {
                name,
                what: module.map_or(Exported::Other, Exported::From),
                at: star.at,
            });
        }
    }
}
