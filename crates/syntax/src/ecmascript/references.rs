//! What names become by what they are for: references and bindings.

use std::borrow::Cow;

use super::builder::{Assigned, Walk};
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Binds, Context, Role, To};
use super::value_text::{MAX_STEPS, Said};
use crate::facts::{
    Binding, Bound, Name, Position, Receiver, Reference, ReferenceKind, ScopeId, Space, Value,
};
use crate::tree::At;

impl<'t> Walk<'_, 't> {
    pub(super) fn leaf(&mut self, at: At, kind: Kind, context: Context) {
        match kind {
            Kind::Identifier | Kind::Shorthand | Kind::ShorthandPattern | Kind::TypeName => {
                self.identifier(at, context);
            }
            Kind::PropertyName => self.property(at, context),
            Kind::This | Kind::Super if context.role != Role::Done => {
                let kind = kind_of(context.role);
                self.refer(at, context.scope, kind, Receiver::None);
            }
            _ => {}
        }
    }

    fn identifier(&mut self, at: At, context: Context) {
        let scope = context.scope;
        match context.role {
            Role::Done => {}
            Role::Bound(binds) => self.bind(at, binds, scope),
            Role::Assigned(to) => self.assign(at, to, scope),
            Role::Member(_) | Role::AssignedMember(_) => self.property(at, context),
            role => self.refer(at, scope, kind_of(role), Receiver::None),
        }
    }

    /// A member's name; keys are for nothing.
    fn property(&mut self, at: At, context: Context) {
        match context.role {
            Role::Member(kind) => {
                let said = self.tree.receiver(at);
                let receiver = self.value(said).map_or(Receiver::Unknown, Receiver::Value);
                self.refer(at, context.scope, kind, receiver);
            }
            Role::AssignedMember(to) => self.assign_attribute(at, to, context.scope),
            Role::Bound(binds) => self.bind(at, binds, context.scope),
            _ => {}
        }
    }

    /// `a.b`: `b` is what the whole is for, `a` is read.
    pub(super) fn member(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let (Some(object), Some(property)) = (tree.operands(at).next(), tree.operands(at).last())
        else {
            return;
        };
        let is_import = self.imported_member(at, None, context.scope).is_some();
        let role = match context.role {
            _ if is_import => Role::Done,
            Role::Assigned(to) => Role::AssignedMember(to),
            role => Role::Member(kind_of(role)),
        };
        if property != object {
            self.give(property, role, context.scope);
        }
    }

    /// `a["b"]` is read or called as `a.b` is.
    pub(super) fn subscript(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let Some((name, _)) = tree.keyed(at) else {
            return;
        };
        if matches!(context.role, Role::Assigned(_)) {
            return;
        }
        let said = tree
            .operands(at)
            .next()
            .and_then(|object| tree.value(object));
        let receiver = self.value(said).map_or(Receiver::Unknown, Receiver::Value);
        self.refer(name, context.scope, kind_of(context.role), receiver);
    }

    pub(super) fn call(&mut self, at: At, context: Context) {
        self.exporting_call(at, context.scope);
        let role = match self.import_of(at, context.scope) {
            Some(_) => Role::Done,
            None => Role::Callee,
        };
        self.give_field(at, Field::Function, role, context.scope);
    }

    /// `<A.B>` calls `A.B`; a small letter stands for an element of the page.
    pub(super) fn element(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(at, Field::Name) else {
            return;
        };
        let is_intrinsic = tree.kind(name) == Kind::Identifier
            && tree
                .text(name)
                .starts_with(|letter: char| letter.is_ascii_lowercase());
        let role = if is_intrinsic {
            Role::Done
        } else {
            Role::Callee
        };
        self.give(name, role, context.scope);
    }

    pub(super) fn refer(
        &mut self,
        at: At,
        scope: ScopeId,
        kind: ReferenceKind,
        receiver: Receiver,
    ) {
        let text = self.tree.text(at);
        // The grammar makes up tokens where some are missing.
        if text.is_empty() {
            return;
        }
        let reference = Reference {
            name: self.names.name(text),
            receiver,
            kind,
            at: self.position(at),
            scope,
            space: self.space(at, kind),
        };
        self.facts.references.push(reference);
    }

    /// Imports, exports and aliases are of whatever goes by a name.
    fn space(&self, at: At, kind: ReferenceKind) -> Space {
        let tree = self.tree;
        let around = tree.parent(at);
        let is_exported = tree.kind(around) == Kind::Export
            || tree.kind(tree.parent(around)) == Kind::ExportClause;
        if kind == ReferenceKind::Import || is_exported || tree.is_aliased(at) {
            return Space::Any;
        }
        let is_type = tree.kind(at) == Kind::TypeName || tree.cast_around(at).is_some();
        if is_type { Space::Types } else { Space::Values }
    }

    pub(super) fn bind(&mut self, at: At, binds: Binds, value_scope: ScopeId) {
        let text = self.tree.text(at);
        if text.is_empty() {
            return;
        }
        let name = self.names.name(text);
        let to = self
            .bound_imports
            .get(&at)
            .map_or(binds.to, |&id| To::Import(id));
        if binds.exported {
            self.export_bound(at, name, to);
        }
        self.bind_as(name, at, binds.scope, bound(to), value_scope);
    }

    pub(super) fn bind_as(
        &mut self,
        name: Name,
        at: At,
        scope: ScopeId,
        to: Bound,
        value_scope: ScopeId,
    ) {
        self.shadow(name, scope);
        let binding = Binding {
            scope,
            name,
            at: self.position(at),
            to,
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    /// Which scope declares the name is known when all are.
    fn assign(&mut self, at: At, to: To, scope: ScopeId) {
        let text = self.tree.text(at);
        if text.is_empty() || matches!(text, "module" | "exports") {
            return;
        }
        let assigned = Assigned {
            name: self.names.name(text),
            at: self.position(at),
            to: self.bound_imports.get(&at).map_or(to, |&id| To::Import(id)),
            scope,
        };
        self.assigned.push(assigned);
    }

    pub(super) fn position(&mut self, at: At) -> Position {
        self.positions.at(self.tree.node(at).start as usize)
    }

    pub(super) fn name(&mut self, text: impl Into<Cow<'t, str>>) -> Name {
        self.names.name(text)
    }

    pub(super) fn value(&mut self, said: Option<Said<'t>>) -> Option<Value> {
        let Said { path, called } = said?;
        let path = self.names.name(path);
        Some(Value { path, called })
    }
}

impl<'t> FlatTree<'t> {
    /// What a member's name is a member of.
    fn receiver(&self, member: At) -> Option<Said<'t>> {
        if let Some(to) = self.cast_around(member) {
            let path = self.path(to)?;
            let called = false;
            return Some(Said { path, called });
        }
        let object = self.operands(self.parent(member)).next()?;
        self.value(object)
    }

    /// Whether a name is one of those that lead to what `import A = b.c` stands for.
    fn is_aliased(&self, at: At) -> bool {
        let mut around = self.parent(at);
        for _ in 0..MAX_STEPS {
            if self.kind(around) != Kind::Member {
                break;
            }
            around = self.parent(around);
        }
        self.kind(around) == Kind::ImportAlias
    }

    /// What a cast is to whose type a name is the end of: the grammar has `a as b.c.d` as `(a as b.c).d`.
    fn cast_around(&self, member: At) -> Option<At> {
        let around = self.parent(member);
        let object = self.operands(around).next()?;
        let is_member = self.kind(around) == Kind::Member && object != member;
        if !is_member || self.kind(object) != Kind::As {
            return None;
        }
        self.operands(object).last()
    }
}

pub(super) fn bound(to: To) -> Bound {
    match to {
        To::Variable(value) => Bound::Variable(value),
        To::Parameter(value) => Bound::Parameter(value),
        To::Definition(id) => Bound::Definition(id),
        To::Import(id) => Bound::Import(id),
    }
}

pub(super) fn kind_of(role: Role) -> ReferenceKind {
    match role {
        Role::Callee => ReferenceKind::Call,
        Role::Base => ReferenceKind::Inherit,
        _ => ReferenceKind::Reference,
    }
}
