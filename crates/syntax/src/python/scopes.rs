//! What opens scopes, and parameters and attributes, which are bound in others' scopes.

use super::builder::{Context, Role, Walk};
use super::kinds::{Field, Kind};
use super::value_text::Said;
use crate::body_hash::Named;
use crate::facts::{BodyHash, Bound, DefinitionFact, DefinitionId, ScopeId, ScopeKind, Value};
use crate::tree::At;
use ragnav_base::position::wire;

impl<'t> Walk<'t> {
    pub(super) fn function(&mut self, at: At, context: Context) {
        let returns = self.tree.child(at, Field::ReturnType);
        let (scope, around) = self.definition(at, context, ScopeKind::Function);
        let in_class = self
            .scope(context.scope)
            .is_some_and(|scope| scope.kind == ScopeKind::Class);
        if in_class {
            let instance = self.instance(at).map(|name| (name, context.scope));
            if let Some(inside) = self.surroundings.get_mut(scope.0 as usize) {
                inside.instance = instance;
            }
        }
        self.give_field(at, Field::Parameters, Role::Read, scope);
        if let Some(returns) = returns {
            self.give(returns, Role::Annotation, around);
        } else if let Some(inside) = self.surroundings.get_mut(scope.0 as usize) {
            inside.returns = Some(scope);
        }
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    pub(super) fn class(&mut self, at: At, context: Context) {
        let (scope, around) = self.definition(at, context, ScopeKind::Class);
        self.give_field(at, Field::Superclasses, Role::Superclasses, around);
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    /// Opens a definition's scope and gives that and the one around it.
    fn definition(&mut self, at: At, context: Context, kind: ScopeKind) -> (ScopeId, ScopeId) {
        let id = self
            .is_expected(at)
            .then(|| DefinitionId(wire(self.found.len())));
        let mut around = context.scope;
        if let Some(parameters) = self.tree.child(at, Field::TypeParameters) {
            around = self.open(ScopeKind::TypeParameters, around, id);
            self.give(parameters, Role::Declared, around);
        }
        let scope = self.open(kind, around, id);
        if let Some(name) = self.tree.child(at, Field::Name) {
            self.give(name, Role::Done, context.scope);
            let to = id.map_or(Bound::Variable(None), Bound::Definition);
            self.bind(name, context.scope, to, context.scope);
            if id.is_some() {
                self.fact(at, name, scope);
            }
        }
        (scope, around)
    }

    /// Whether the next of the definitions that are told of by themselves is this one.
    fn is_expected(&self, at: At) -> bool {
        let start = self.tree.node(at).start as usize;
        self.expected
            .last()
            .is_some_and(|(raw, _)| raw.start == start)
    }

    fn fact(&mut self, at: At, name: At, scope: ScopeId) {
        let Some((raw, symbol)) = self.expected.pop() else {
            return;
        };
        let body = self.tree.child(at, Field::Body);
        let returns = self.tree.child(at, Field::ReturnType);
        let returns = returns.and_then(|returns| self.tree.annotation(returns));
        self.found.push(Named {
            definition: at,
            name,
        });
        let fact = DefinitionFact {
            kind: symbol.kind,
            name: self.name(self.tree.text(name)),
            qualifier: None,
            parent: raw.parent.map(|parent| DefinitionId(wire(parent))),
            ordinal: wire(symbol.ordinal),
            decorated_start_line: wire(symbol.decorated_start_line),
            start_line: wire(symbol.start_line),
            start_utf16: symbol.start_utf16,
            end_line: wire(symbol.end_line),
            name_at: self.position(name),
            scope,
            bases: self.bases(at),
            decorators: self.decorators(at),
            returns: self.value(returns),
            docstring: body.and_then(|body| self.tree.docstring(body)),
            body: BodyHash { hash: 0, tokens: 0 },
        };
        self.facts.definitions.push(fact);
    }

    fn bases(&mut self, class: At) -> Vec<Value> {
        let tree = self.tree;
        let arguments = tree.child(class, Field::Superclasses);
        let bases = arguments
            .into_iter()
            .flat_map(|arguments| tree.operands(arguments));
        bases
            .filter_map(|base| self.value(tree.base(base)))
            .collect()
    }

    fn decorators(&mut self, definition: At) -> Vec<Value> {
        let said = self.decorator_texts(definition);
        said.into_iter()
            .filter_map(|said| self.value(Some(said)))
            .collect()
    }

    pub(super) fn decorator_texts(&self, definition: At) -> Vec<Said<'t>> {
        let tree = self.tree;
        let parent = tree.parent(definition);
        if tree.kind(parent) != Kind::DecoratedDefinition {
            return Vec::new();
        }
        tree.operands(parent)
            .take_while(|&child| child < definition)
            .filter_map(|decorator| tree.value(tree.operands(decorator).next()?))
            .collect()
    }

    pub(super) fn lambda(&mut self, at: At, context: Context) {
        let scope = self.open(ScopeKind::Function, context.scope, None);
        self.give_field(at, Field::Parameters, Role::Read, scope);
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    pub(super) fn comprehension(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let scope = self.open(ScopeKind::Comprehension, context.scope, None);
        let mut role = Role::FirstFor;
        for part in tree.operands(at) {
            let is_for = tree.kind(part) == Kind::ForInClause;
            self.give(part, if is_for { role } else { Role::Read }, scope);
            if is_for {
                role = Role::Read;
            }
        }
    }

    pub(super) fn for_in(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let element = self.element(at);
        self.give_field(at, Field::Left, Role::Target(element), context.scope);
        if context.role != Role::FirstFor {
            return;
        }
        let around = self.around(context.scope);
        let rights = tree
            .children(at)
            .filter(|&child| tree.node(child).field == Field::Right);
        for right in rights {
            self.give(right, Role::Read, around);
        }
    }

    pub(super) fn superclasses(&mut self, at: At, context: Context) {
        let tree = self.tree;
        for base in tree.operands(at) {
            let is_keyword = tree.kind(base) == Kind::KeywordArgument;
            let role = if is_keyword { Role::Read } else { Role::Base };
            self.give(base, role, context.scope);
        }
    }
}
