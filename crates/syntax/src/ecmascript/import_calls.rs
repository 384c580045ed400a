//! Collects imports by calls: `require(…)` and `import(…)`.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::{MAX_STEPS, ValueText};
use crate::facts::{
    Binding, BindingTarget, ImportId, ImportedItem, Name, Position, Receiver, ReferenceKind,
    ScopeId, UNNAMED_MODULE,
};
use crate::tree::NodeIndex;

/// Methods of promises. `import("a").then` is not a member of the module.
const PROMISE_METHODS: [&str; 3] = ["catch", "finally", "then"];

impl FactsBuilder<'_, '_> {
    /// Returns the import of a call, `require("a")` or `import("a")`, and adds it if necessary.
    pub(super) fn import_call(&mut self, call: NodeIndex, scope: ScopeId) -> Option<ImportId> {
        if let Some(&id) = self.imported.get(&call) {
            return Some(id);
        }
        let source = self.tree.imported_module(call)?;
        let module = self.intern(self.tree.string_content(source)?);
        let place = self.position_of(source);
        let id = self.add_import(module, ImportedItem::Module, None, scope, place);
        self.imported.insert(call, id);
        self.bind_unnamed(call, id, (scope, place));
        Some(id)
    }

    /// Returns the import of a member of such a call, `require("a").b`, bound to `alias`.
    pub(super) fn import_call_member(
        &mut self,
        member: NodeIndex,
        alias: Option<NodeIndex>,
        scope: ScopeId,
    ) -> Option<ImportId> {
        let tree = self.tree;
        if let Some(&id) = self.imported.get(&member) {
            return Some(id);
        }
        let (call, property) = tree.imported_member(member)?;
        let source = tree.imported_module(call)?;
        let module = self.intern(tree.string_content(source)?);
        let item = ImportedItem::Member(self.intern(tree.text(property)));
        let alias = alias.map(|alias| self.intern(tree.text(alias)));
        let place = self.position_of(property);
        let id = self.add_import(module, item, alias, scope, place);
        self.add_reference(property, scope, ReferenceKind::Import, Receiver::None);
        self.imported.insert(call, id);
        self.imported.insert(member, id);
        if alias.is_none() {
            self.bind_unnamed(member, id, (scope, place));
        }
        Some(id)
    }

    /// Binds what a call imports, or a member of it, under the name by which values refer to it.
    fn bind_unnamed(
        &mut self,
        imported: NodeIndex,
        id: ImportId,
        (scope, position): (ScopeId, Position),
    ) {
        let name = self.intern(unnamed(imported));
        self.facts.bindings.push(Binding {
            scope,
            name,
            position,
            target: BindingTarget::Import(id),
            value_scope: scope,
        });
    }

    /// Binds `const a = require("b")`, `const { a } = require("b")` and `const a = require("b").c`.
    pub(super) fn bind_require(&mut self, target: NodeIndex, value: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (value, _) = tree.unwrap_expression(value);
        let is_name = tree.kind(target) == Kind::Identifier;
        if tree.kind(value) == Kind::Member {
            let alias = is_name.then_some(target);
            let id = self.import_call_member(value, alias, scope);
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
        let module = self.intern(text);
        if is_name {
            let alias = Some(self.intern(tree.text(target)));
            let place = self.position_of(target);
            let id = self.add_import(module, ImportedItem::Module, alias, scope, place);
            self.add_reference(target, scope, ReferenceKind::Import, Receiver::None);
            self.imported.insert(value, id);
            self.bound_imports.insert(target, id);
        } else if tree.kind(target) == Kind::ObjectPattern {
            self.bind_require_pattern(target, value, module, scope);
        }
    }

    /// Binds the parameter of a function that receives a module:
    /// `import("a").then(({ b }) => b())`.
    pub(super) fn bind_imported_parameter(&mut self, function: NodeIndex, scope: ScopeId) {
        let received = self.tree.received_module(function);
        if let Some((parameter, call)) = received {
            self.bind_require(parameter, call, scope);
        }
    }

    fn bind_require_pattern(
        &mut self,
        pattern: NodeIndex,
        call: NodeIndex,
        module: Name,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let mut entries = tree.operands(pattern).map(|part| tree.pattern_entry(part));
        if entries.any(|entry| matches!(entry, Some((_, None)))) {
            // The parts of a pattern in it are read from the module as a value.
            self.import_call(call, scope);
        }
        for part in tree.operands(pattern) {
            let Some((key, bound)) = tree.pattern_entry(part) else {
                continue;
            };
            let Some(text) = tree.key(key) else {
                continue;
            };
            let item = ImportedItem::Member(self.intern(text));
            let alias = bound.map(|bound| self.intern(tree.text(bound)));
            let place = self.position_of(key);
            let id = self.add_import(module, item, alias, scope, place);
            self.add_reference(key, scope, ReferenceKind::Import, Receiver::None);
            self.imported.insert(call, id);
            if let Some(bound) = bound {
                self.bound_imports.insert(bound, id);
            }
        }
    }
}

/// Returns the name of what a call imports, or of a member of it, which have none in the text.
fn unnamed(imported: NodeIndex) -> String {
    format!("{UNNAMED_MODULE}{imported}")
}

/// Reports whether a path is that of a module that a call imports.
pub(super) fn is_module(path: &str) -> bool {
    path.starts_with(UNNAMED_MODULE)
}

impl FlatTree<'_> {
    /// Returns the module that a call imports as a value, or the member of it that an expression
    /// reads: `import("a")`, `(await import("a")).b`.
    pub(super) fn module_value<'v>(&self, node: NodeIndex) -> Option<ValueText<'v>> {
        if self.imported_module(node).is_none() {
            self.imported_member(node)?;
        }
        Some(ValueText {
            path: unnamed(node).into(),
            is_called: false,
        })
    }

    /// Returns the call that imports a module, and the member that an expression reads of it.
    fn imported_member(&self, member: NodeIndex) -> Option<(NodeIndex, NodeIndex)> {
        if self.kind(member) != Kind::Member {
            return None;
        }
        let mut operands = self.operands(member);
        let (object, property) = (operands.next()?, operands.last()?);
        let (call, is_awaited) = self.unwrap_expression(object);
        self.imported_module(call)?;
        let is_promise = !is_awaited && self.is_dynamic_import(call);
        let is_method = is_promise && PROMISE_METHODS.contains(&self.text(property));
        (!is_method).then_some((call, property))
    }

    /// Returns the specifier with which `require(…)` or `import(…)` is called.
    fn imported_module(&self, call: NodeIndex) -> Option<NodeIndex> {
        if self.kind(call) != Kind::Call {
            return None;
        }
        let function = self.child(call, Field::Function)?;
        let is_require =
            self.kind(function) == Kind::Identifier && self.text(function) == "require";
        if !is_require && !self.is_dynamic_import(call) {
            return None;
        }
        let arguments = self.operands(call).last()?;
        let first = self.operands(arguments).next()?;
        (self.kind(first) == Kind::String).then_some(first)
    }

    /// Returns the parameter of a function that receives a module, and the call that imports it.
    fn received_module(&self, function: NodeIndex) -> Option<(NodeIndex, NodeIndex)> {
        let arguments = self.parent(function);
        let then = self.child(self.parent(arguments), Field::Function)?;
        let is_first = self.operands(arguments).next() == Some(function);
        if !is_first || self.kind(arguments) != Kind::Arguments || self.kind(then) != Kind::Member {
            return None;
        }
        let mut operands = self.operands(then);
        let (object, property) = (operands.next()?, operands.last()?);
        let (call, is_awaited) = self.unwrap_expression(object);
        let is_promise = !is_awaited && self.is_dynamic_import(call);
        if !is_promise || self.text(property) != "then" {
            return None;
        }
        let single = self.child(function, Field::Parameter);
        let first = single.or_else(|| {
            let parameters = self.child(function, Field::Parameters)?;
            self.operands(parameters).next()
        })?;
        let pattern = self.child(first, Field::Pattern);
        Some((pattern.unwrap_or(first), call))
    }

    fn is_dynamic_import(&self, call: NodeIndex) -> bool {
        let function = self.child(call, Field::Function);
        function.is_some_and(|function| self.kind(function) == Kind::ImportKeyword)
    }

    /// Strips parentheses, casts and `await`. Also reports whether the value is awaited.
    fn unwrap_expression(&self, node: NodeIndex) -> (NodeIndex, bool) {
        let mut inner = node;
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

    /// Returns the key of an entry of an object pattern and the name that the entry binds.
    fn pattern_entry(&self, part: NodeIndex) -> Option<(NodeIndex, Option<NodeIndex>)> {
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
