//! Functions, their parameters, and patterns.

use super::builder::Walk;
use super::kinds::{Field, FlatTree, Kind};
use super::references::bound;
use super::roles::{Binds, Context, Role, To, is_exported};
use crate::facts::{Bound, DefinitionId, RETURNED, ScopeId, ScopeKind};
use crate::tree::At;
use ragnav_base::item::DefinitionKind;

impl Walk<'_, '_> {
    pub(super) fn function(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let kind = tree.kind(at);
        let id = self.definition_at(at);
        if kind == Kind::MethodSignature && id.is_none() {
            return self.function_type(at, context);
        }
        let mut around = context.scope;
        // A function that is a value is seen by its own name inside itself alone, and what it declares hides that.
        if kind == Kind::FunctionExpression && tree.child(at, Field::Name).is_some() {
            around = self.open(ScopeKind::Block, around, id);
        }
        let named = around;
        let around = self.type_parameters(at, around, id);
        let opened = match kind {
            Kind::ArrowFunction => ScopeKind::Arrow,
            _ => ScopeKind::Function,
        };
        let scope = self.open(opened, around, id);
        self.own_scope(id, scope);
        self.own_name(at, id, named, context);
        self.this(at, id, scope, context.scope);
        self.give_field(at, Field::Parameters, Role::Read, scope);
        let parameter = Binds {
            scope,
            to: To::Parameter(None),
            exported: false,
        };
        self.give_field(at, Field::Parameter, Role::Bound(parameter), scope);
        self.give_field(at, Field::ReturnType, Role::Read, around);
        let body = tree.child(at, Field::Body);
        if let Some(body) = body {
            let is_block = tree.kind(body) == Kind::Block;
            if is_block && tree.is_strict(body) {
                self.set_strict(scope);
            }
            if !is_block {
                self.bind_returned(body, scope, scope);
            }
            let inside = if is_block {
                self.body_scope(at, scope)
            } else {
                scope
            };
            self.give(body, if is_block { Role::Body } else { Role::Read }, inside);
        }
    }

    /// What a body declares is not seen by the default values of parameters: where these mention names, it has a scope of its own.
    fn body_scope(&mut self, function: At, scope: ScopeId) -> ScopeId {
        let tree = self.tree;
        let parameters = tree.child(function, Field::Parameters);
        if !parameters.is_some_and(|parameters| tree.has_named_default(parameters)) {
            return scope;
        }
        let body = self.open(ScopeKind::Block, scope, None);
        self.set_host(body);
        body
    }

    /// A declaration binds its name around itself, an expression inside itself, a method in its class.
    fn own_name(&mut self, at: At, id: Option<DefinitionId>, around: ScopeId, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(at, Field::Name) else {
            return;
        };
        let to = id.map_or(To::Variable(None), To::Definition);
        let (scope, exported) = match tree.kind(at) {
            Kind::FunctionDeclaration => {
                let surroundings = self.surroundings(context.scope);
                let is_own = surroundings.is_strict && !tree.is_ambient(at);
                let holder = if is_own {
                    context.scope
                } else {
                    surroundings.host
                };
                (holder, is_exported(context))
            }
            Kind::FunctionExpression => (around, false),
            _ => return self.bind_member(name, bound(to), context.scope, context.scope),
        };
        let binds = Binds {
            scope,
            to,
            exported,
        };
        self.give(name, Role::Bound(binds), context.scope);
    }

    /// A member of a class, interface or enum by its key; an object's members are not bound.
    pub(super) fn bind_member(&mut self, key: At, to: Bound, class: ScopeId, value_scope: ScopeId) {
        let tree = self.tree;
        let is_class = self
            .scope(class)
            .is_some_and(|class| class.kind == ScopeKind::Class);
        if tree.kind(key) == Kind::ComputedName {
            let around = if is_class { self.around(class) } else { class };
            self.give(key, Role::Read, around);
        } else {
            self.give(key, Role::Done, class);
        }
        let is_member = !matches!(tree.kind(tree.parent(tree.parent(key))), Kind::Object);
        if let Some(text) = tree.key(key).filter(|_| is_class && is_member) {
            let name = self.name(text);
            self.bind_as(name, key, class, to, value_scope);
        }
    }

    /// What `this` is in a function: an arrow function has none of its own.
    fn this(&mut self, at: At, id: Option<DefinitionId>, scope: ScopeId, around: ScopeId) {
        let tree = self.tree;
        if tree.kind(at) == Kind::ArrowFunction {
            return;
        }
        let inherited = self.surroundings(around).instance;
        let is_object = tree.kind(tree.parent(at)) == Kind::Object;
        // A method's scope stands in its class's, or in its type parameters'.
        if inherited == Some(around) && !is_object {
            let in_class = self
                .scope(around)
                .is_some_and(|around| around.kind == ScopeKind::Class);
            if in_class {
                return;
            }
        }
        let is_function = id.is_some_and(|id| {
            let definition = self.facts.definitions.get(id.0 as usize);
            definition.is_some_and(|fact| fact.kind == DefinitionKind::Function)
        });
        self.set_instance(scope, is_function.then_some(scope));
        let hides = inherited
            .and_then(|inherited| self.scope(inherited))
            .is_some_and(|inherited| inherited.kind == ScopeKind::Class);
        if hides {
            let name = self.name("this");
            self.bind_as(name, at, scope, Bound::Parameter(None), scope);
        }
    }

    pub(super) fn returned(&mut self, at: At, context: Context) {
        let value = self.tree.operands(at).next();
        let function = self.surroundings(context.scope).function;
        let in_function = self
            .scope(function)
            .is_some_and(|scope| matches!(scope.kind, ScopeKind::Arrow | ScopeKind::Function));
        if let Some(value) = value.filter(|_| in_function) {
            self.bind_returned(value, function, context.scope);
        }
    }

    /// What a definition gives that does not say what.
    fn bind_returned(&mut self, value: At, function: ScopeId, scope: ScopeId) {
        let definition = self.scope(function).and_then(|scope| scope.definition);
        let definition = definition.and_then(|id| self.facts.definitions.get(id.0 as usize));
        let is_silent =
            definition.is_some_and(|fact| fact.scope == function && fact.returns.is_none());
        let said = self.tree.value(value);
        if is_silent {
            let to = Bound::Variable(self.value(said));
            let name = self.name(RETURNED);
            self.bind_as(name, value, function, to, scope);
        }
    }

    /// What has parameters and no body: only the types in it are mentioned.
    pub(super) fn function_type(&mut self, at: At, context: Context) {
        let scope = self.type_parameters(at, context.scope, None);
        self.give_field(at, Field::Parameters, Role::Signature, scope);
        self.give_field(at, Field::ReturnType, Role::Read, scope);
        self.give_field(at, Field::Type, Role::Read, scope);
    }
}

impl FlatTree<'_> {
    /// Whether a parameter has a default value that mentions a name.
    fn has_named_default(&self, parameters: At) -> bool {
        let mut behind = parameters;
        for at in parameters..self.next(parameters) {
            let is_name = matches!(self.kind(at), Kind::Identifier | Kind::Shorthand);
            if is_name && at < behind {
                return true;
            }
            let value = match self.kind(self.parent(at)) {
                Kind::AssignmentPattern => Field::Right,
                Kind::Parameter => Field::Value,
                _ => continue,
            };
            if self.node(at).field != value {
                continue;
            }
            if is_name {
                return true;
            }
            behind = behind.max(self.next(at));
        }
        false
    }
}
