//! Imports by calls: `require(…)` and `import(…)`.

use super::builder::Walk;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::MAX_STEPS;
use crate::facts::{ImportId, Imported, Name, Receiver, ReferenceKind, ScopeId};
use crate::tree::At;

/// What is done with a promise is no member of the module that it is of.
const OF_PROMISES: [&str; 3] = ["catch", "finally", "then"];

impl Walk<'_, '_> {
    /// The import that a call is, `require("a")` or `import("a")`.
    pub(super) fn import_of(&mut self, call: At, scope: ScopeId) -> Option<ImportId> {
        if let Some(&id) = self.imported.get(&call) {
            return Some(id);
        }
        let source = self.tree.imported_module(call)?;
        let module = self.name(self.tree.string_content(source)?);
        let place = self.position(source);
        let id = self.add_import(module, Imported::Module, None, scope, place);
        self.imported.insert(call, id);
        Some(id)
    }

    /// The import that a member of such a call is, by the name that it is bound to.
    pub(super) fn imported_member(
        &mut self,
        member: At,
        alias: Option<At>,
        scope: ScopeId,
    ) -> Option<ImportId> {
        let tree = self.tree;
        if let Some(&id) = self.imported.get(&member) {
            return Some(id);
        }
        let mut operands = tree.operands(member);
        let (object, property) = (operands.next()?, operands.last()?);
        let (call, is_awaited) = tree.unwrapped(object);
        let source = tree.imported_module(call)?;
        let is_promise = !is_awaited && tree.is_dynamic(call);
        if is_promise && OF_PROMISES.contains(&tree.text(property)) {
            return None;
        }
        let module = self.name(tree.string_content(source)?);
        let what = Imported::Member(self.name(tree.text(property)));
        let alias = alias.map(|alias| self.name(tree.text(alias)));
        let place = self.position(property);
        let id = self.add_import(module, what, alias, scope, place);
        self.refer(property, scope, ReferenceKind::Import, Receiver::None);
        self.imported.insert(call, id);
        self.imported.insert(member, id);
        Some(id)
    }

    /// `const a = require("b")`, `const { a } = require("b")`, `const a = require("b").c`.
    pub(super) fn required(&mut self, target: At, value: At, scope: ScopeId) {
        let tree = self.tree;
        let (value, _) = tree.unwrapped(value);
        let is_name = tree.kind(target) == Kind::Identifier;
        if tree.kind(value) == Kind::Member {
            let alias = is_name.then_some(target);
            let id = self.imported_member(value, alias, scope);
            if let (Some(id), Some(alias)) = (id, alias) {
                self.bound_imports.insert(alias, id);
            }
            return;
        }
        let Some(source) = tree.imported_module(value) else {
            return;
        };
        let Some(text) = tree.string_content(source) else {
            return;
        };
        let module = self.name(text);
        if is_name {
            let alias = Some(self.name(tree.text(target)));
            let place = self.position(target);
            let id = self.add_import(module, Imported::Module, alias, scope, place);
            self.refer(target, scope, ReferenceKind::Import, Receiver::None);
            self.imported.insert(value, id);
            self.bound_imports.insert(target, id);
        } else if tree.kind(target) == Kind::ObjectPattern {
            self.required_parts(target, value, module, scope);
        }
    }

    fn required_parts(&mut self, pattern: At, call: At, module: Name, scope: ScopeId) {
        let tree = self.tree;
        for part in tree.operands(pattern) {
            let Some((key, bound)) = tree.taken(part) else {
                continue;
            };
            let Some(text) = tree.key(key) else {
                continue;
            };
            let what = Imported::Member(self.name(text));
            let alias = bound.map(|bound| self.name(tree.text(bound)));
            let place = self.position(key);
            let id = self.add_import(module, what, alias, scope, place);
            self.refer(key, scope, ReferenceKind::Import, Receiver::None);
            self.imported.insert(call, id);
            if let Some(bound) = bound {
                self.bound_imports.insert(bound, id);
            }
        }
    }
}

impl FlatTree<'_> {
    /// Where the module's name stands that `require(…)` or `import(…)` is called with.
    fn imported_module(&self, call: At) -> Option<At> {
        if self.kind(call) != Kind::Call {
            return None;
        }
        let function = self.child(call, Field::Function)?;
        let is_require =
            self.kind(function) == Kind::Identifier && self.text(function) == "require";
        if !is_require && !self.is_dynamic(call) {
            return None;
        }
        let arguments = self.operands(call).last()?;
        let first = self.operands(arguments).next()?;
        (self.kind(first) == Kind::String).then_some(first)
    }

    fn is_dynamic(&self, call: At) -> bool {
        let function = self.child(call, Field::Function);
        function.is_some_and(|function| self.kind(function) == Kind::ImportKeyword)
    }

    /// What is in brackets, casts and `await`, and whether it is awaited.
    fn unwrapped(&self, at: At) -> (At, bool) {
        let mut inner = at;
        let mut is_awaited = false;
        for _ in 0..MAX_STEPS {
            let kind = self.kind(inner);
            let is_wrapped = matches!(
                kind,
                Kind::Parenthesized | Kind::Await | Kind::As | Kind::NonNull
            );
            let Some(wrapped) = self.operands(inner).next().filter(|_| is_wrapped) else {
                break;
            };
            is_awaited |= kind == Kind::Await;
            inner = wrapped;
        }
        (inner, is_awaited)
    }

    /// Under which key a part of a pattern takes what, and the name it binds.
    fn taken(&self, part: At) -> Option<(At, Option<At>)> {
        let target = match self.kind(part) {
            Kind::AssignmentPattern => self.child(part, Field::Left)?,
            _ => part,
        };
        match self.kind(target) {
            Kind::ShorthandPattern => Some((target, Some(target))),
            Kind::PairPattern => {
                let (key, value) = (
                    self.child(target, Field::Key)?,
                    self.child(target, Field::Value)?,
                );
                let bound = match self.kind(value) {
                    Kind::AssignmentPattern => self.child(value, Field::Left)?,
                    _ => value,
                };
                let is_name = self.kind(bound) == Kind::Identifier;
                Some((key, is_name.then_some(bound)))
            }
            _ => None,
        }
    }
}
