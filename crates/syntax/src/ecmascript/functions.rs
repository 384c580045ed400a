//! Functions, their parameters, and patterns.

use super::facts::{Binds, Context, Role, To, Walk};
use super::kinds::{Field, FlatTree, Kind};
use super::mentions::bound;
use super::scopes::is_exported;
use crate::facts::{
    Bound, DefinitionId, RETURNED, Receiver, ReferenceKind, ScopeId, ScopeKind, Value,
};
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

    pub(super) fn parameters(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let binds = Binds {
            scope: context.scope,
            to: To::Parameter(None),
            exported: false,
        };
        let role = match context.role {
            Role::Signature => Role::Signature,
            _ => Role::Bound(binds),
        };
        for parameter in tree.operands(at) {
            self.give(parameter, role, context.scope);
        }
    }

    /// TypeScript's parameters hold patterns.
    pub(super) fn parameter(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let Some(pattern) = tree.child(at, Field::Pattern) else {
            return;
        };
        let Role::Bound(binds) = context.role else {
            return self.give(pattern, Role::Done, context.scope);
        };
        let around = self.around(binds.scope);
        let annotation = tree.child(at, Field::Type);
        if let Some(annotation) = annotation {
            self.give(annotation, Role::Read, around);
        }
        let said = annotation.and_then(|annotation| tree.annotation(annotation));
        let value = self.value(said);
        let role = Role::Bound(Binds {
            to: To::Parameter(value),
            ..binds
        });
        match tree.kind(pattern) {
            Kind::This => {
                let name = self.name("this");
                self.bind_as(name, pattern, binds.scope, Bound::Parameter(value), around);
                self.give(pattern, Role::Done, context.scope);
            }
            Kind::Identifier => {
                self.parameter_property(at, pattern, value, binds.scope);
                self.give(pattern, role, around);
            }
            _ => self.give(pattern, role, context.scope),
        }
    }

    /// `constructor(private name: Type)` declares an attribute.
    fn parameter_property(&mut self, at: At, name: At, value: Option<Value>, scope: ScopeId) {
        let tree = self.tree;
        let mut words = tree.children(at).take_while(|&child| child < name);
        let is_property = words
            .any(|word| tree.kind(word) == Kind::Accessibility || tree.text(word) == "readonly");
        let class = self.surroundings(scope).instance;
        let around = self.around(scope);
        if let Some(class) = class.filter(|_| is_property) {
            let text = self.name(tree.text(name));
            self.bind_as(text, name, class, Bound::Attribute(value), around);
        }
    }

    /// What is taken out of `a` by the name `b` is `a.b`.
    pub(super) fn object_pattern(&mut self, at: At, context: Context) {
        let tree = self.tree;
        for part in tree.operands(at) {
            let key = match tree.kind(part) {
                Kind::ShorthandPattern => Some(part),
                Kind::PairPattern => tree.child(part, Field::Key),
                _ => None,
            };
            if let (Some(key), Role::Bound(Binds { to, .. }) | Role::Assigned(to)) =
                (key, context.role)
            {
                self.taken_out_of(to, key, context.scope);
            }
            let role = match context.role {
                Role::Bound(binds) => Role::Bound(Binds {
                    to: self.part_of(binds.to, key),
                    ..binds
                }),
                Role::Assigned(to) => Role::Assigned(self.part_of(to, key)),
                Role::Done => Role::Done,
                _ => Role::Read,
            };
            self.give(part, role, context.scope);
        }
    }

    /// A key mentions the member that it takes, where it can be said of what.
    fn taken_out_of(&mut self, to: To, key: At, scope: ScopeId) {
        let is_name = matches!(
            self.tree.kind(key),
            Kind::PropertyName | Kind::ShorthandPattern
        );
        if let (To::Variable(Some(whole)) | To::Parameter(Some(whole)), true) = (to, is_name)
            && self.names.text(whole.path) != "require"
        {
            let kind = ReferenceKind::Reference;
            self.refer(key, scope, kind, Receiver::Value(whole));
        }
    }

    fn part_of(&mut self, to: To, key: Option<At>) -> To {
        let tree = self.tree;
        let key = key.and_then(|key| tree.key(key));
        let (To::Variable(Some(whole)), Some(key)) = (to, key) else {
            return to.of_parts();
        };
        let call = if whole.called { "()" } else { "" };
        let path = self.names.text(whole.path);
        if path.len() + key.len() > MAX_PATH {
            return to.of_parts();
        }
        let path = format!("{path}{call}.{key}");
        To::Variable(Some(Value {
            path: self.name(path),
            called: false,
        }))
    }

    pub(super) fn pair_pattern(&mut self, at: At, context: Context) {
        self.give_field(at, Field::Value, context.role, context.scope);
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

/// Patterns in patterns make names longer than the text.
const MAX_PATH: usize = 200;
