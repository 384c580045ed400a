//! Results of methods that have the type of the receiver: `return this` in a base class gives an
//! instance of the class whose method is called.
//!
//! Such a result is a type parameter with the name [`THIS`]. A call replaces it by its receiver.

use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::resolver::{HeadName, Resolver};
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{
    ARITY, Binding, BindingTarget, DefinitionFact, ScopeId, ScopeKind, THIS, TYPE, Value,
};

/// The maximum number of calls and variables that are followed to the own instance.
const MAX_STEPS: usize = 8;

/// A method, and the text of a value in it; see [`Value`] for its syntax.
#[derive(Clone, Copy)]
struct ReturnedText<'t, 'f> {
    source: &'t SourceFile<'f>,
    method: &'t DefinitionFact,
    path: &'t str,
    is_called: bool,
}

impl Resolver<'_> {
    /// Resolves what a method of an entity returns.
    pub(super) fn resolve_method_call(self, of: &Entity, name: &str) -> ResolvedEntities {
        let returned = self.resolve_call(&self.resolve_member(of, name));
        let receiver = ResolvedEntities::single(of.clone());
        self.as_own_instance(returned, (&receiver, name))
    }

    /// Replaces the type of the own instance in what a method returns by the receiver of the call.
    pub(super) fn as_own_instance(
        self,
        returned: ResolvedEntities,
        (receiver, name): (&ResolvedEntities, &str),
    ) -> ResolvedEntities {
        if !has_own_instance(&returned) {
            return returned;
        }
        let mut receivers = receiver.clone();
        if receivers.entities.len() > 1 {
            let returns_own = |entity: &Entity| self.returns_own_instance(entity, name);
            receivers.entities.retain(returns_own);
        }
        let mut all = receivers.map(|entity| self.instance_of_receiver(entity));
        all.has_unknown |= returned.has_unknown;
        let others = returned.entities.into_iter();
        all.entities
            .extend(others.filter(|entity| !is_own_instance(entity)));
        all
    }

    /// Returns the instance of the class whose method is called: `A` of `A.of()` and `super.of()`.
    pub(super) fn instance_of_receiver(self, receiver: Entity) -> Entity {
        match receiver {
            Entity::Definition(path, id) if self.has_members(&path, id) => {
                Entity::Instance(path, id)
            }
            Entity::Super(path, id) => Entity::Instance(path, id),
            Entity::Generic(of, arguments) => {
                Entity::Generic(Box::new(self.instance_of_receiver(*of)), arguments)
            }
            other => other,
        }
    }

    /// Reports whether a method of an entity returns the instance that it is called on.
    fn returns_own_instance(self, of: &Entity, name: &str) -> bool {
        has_own_instance(&self.resolve_call(&self.resolve_member(of, name)))
    }

    /// Resolves a value that the function with a scope returns without a declared type.
    pub(super) fn resolve_returned_value(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        returned: &Binding,
    ) -> ResolvedEntities {
        let BindingTarget::Variable(Some(value)) = returned.target else {
            return self.resolve_bindings(source, &[returned]);
        };
        let owner = source.file.facts.scope(scope).and_then(|of| of.definition);
        let method = owner.and_then(|id| source.definition(id));
        let method = method.filter(|method| method.scope == scope);
        let own = method.and_then(|method| own_instance(source, method));
        if let Some((method, own)) = method.zip(own) {
            let text = ReturnedText {
                source,
                method,
                path: source.file.facts.name(value.path),
                is_called: value.is_called,
            };
            if self.is_own_instance(text, MAX_STEPS) {
                return own;
            }
        }
        self.resolve_bindings(source, &[returned])
    }

    /// Reports whether a value in a method is the instance that the method is called on or a new
    /// one of its class: `this`, a variable with it, or `this.set()` of a method that returns it.
    fn is_own_instance(self, of: ReturnedText<'_, '_>, steps: usize) -> bool {
        let Some(language) = self.database.language(of.source.path) else {
            return false;
        };
        let Some(steps) = steps.checked_sub(1) else {
            return false;
        };
        let of = match without_call(of.path).filter(|_| !of.is_called) {
            Some(path) => ReturnedText {
                path,
                is_called: true,
                ..of
            },
            None => of,
        };
        if language.is_own_instance(of.source, of.method, (of.path, of.is_called)) {
            return true;
        }
        if of.is_called {
            return self.is_own_result(of, steps);
        }
        self.is_own_variable(of, steps)
    }

    /// Reports whether a method that a value names returns the own instance.
    fn is_own_result(self, called: ReturnedText<'_, '_>, steps: usize) -> bool {
        let Some((path, name)) = called.path.rsplit_once('.') else {
            return false;
        };
        let receiver = ReturnedText {
            path,
            is_called: false,
            ..called
        };
        let own = self.own_receiver(receiver, steps);
        own.is_some_and(|own| self.returns_own_instance(&own, name))
    }

    /// Returns what the receiver of a call is, if it is the own instance: `this`, its class, or
    /// `super`.
    fn own_receiver(self, of: ReturnedText<'_, '_>, steps: usize) -> Option<Entity> {
        let (path, class) = (of.source.path.clone(), of.method.parent?);
        if self.is_own_instance(of, steps) {
            return Some(Entity::Instance(path, class));
        }
        let language = self.database.language(of.source.path)?;
        if language.is_own_instance(of.source, of.method, (of.path, true)) {
            return Some(Entity::Definition(path, class));
        }
        let (text, is_called) = match of.path.strip_suffix("()") {
            Some(text) => (text, true),
            None => (of.path, false),
        };
        let head = HeadName { text, is_called };
        let keyword = self.resolve_keyword(of.source, of.method.scope, head)?;
        let inherited = Entity::Super(path, class);
        keyword.entities.contains(&inherited).then_some(inherited)
    }

    /// Reports whether a name is a variable that a method assigns the own instance, and nothing
    /// else.
    fn is_own_variable(self, of: ReturnedText<'_, '_>, steps: usize) -> bool {
        let (facts, scope) = (of.source.file, of.method.scope);
        let Some(name) = facts.find_name(of.path) else {
            return false;
        };
        let mut bindings = facts.bindings(scope, name);
        let (Some(only), None) = (bindings.next(), bindings.next()) else {
            return false;
        };
        let BindingTarget::Variable(Some(value)) = only.target else {
            return false;
        };
        let assigned = ReturnedText {
            path: facts.facts.name(value.path),
            is_called: value.is_called,
            ..of
        };
        only.value_scope == scope && self.is_own_instance(assigned, steps)
    }
}

/// Returns what a path calls at its end: `a.b` of `a.b(3)`.
fn without_call(path: &str) -> Option<&str> {
    let (called, _) = path.strip_suffix(')')?.rsplit_once('(')?;
    Some(called)
}

/// Returns the type of the instance that a method is called on. A function has none.
pub(super) fn own_instance(
    source: &SourceFile<'_>,
    method: &DefinitionFact,
) -> Option<ResolvedEntities> {
    let class = source.definition(method.parent?)?;
    Some(ResolvedEntities::single(Entity::TypeParameter(
        TypeParameter {
            file: source.path.clone(),
            scope: class.scope,
            name: THIS.to_owned(),
        },
    )))
}

fn is_own_instance(entity: &Entity) -> bool {
    matches!(entity, Entity::TypeParameter(one) if one.name == THIS)
}

fn has_own_instance(found: &ResolvedEntities) -> bool {
    found.entities.iter().any(is_own_instance)
}

/// Returns the type of the instance that a method is called on, if it returns a type parameter of
/// its class that must be that class: `B set()` in `class A<B extends A<B>>`, the "curiously
/// recurring" pattern of builders.
pub(super) fn recurring_type(
    source: &SourceFile<'_>,
    method: &DefinitionFact,
    returns: Value,
) -> Option<ResolvedEntities> {
    let facts = &source.file.facts;
    let class = source.definition(method.parent.filter(|_| returns.is_called)?)?;
    let name_of = |value: Value| {
        let path = facts.name(source.without_type_arguments(value).path);
        let name = path.strip_prefix(TYPE).unwrap_or(path);
        name.split_once(ARITY).map_or(name, |(name, _)| name)
    };
    let id = source.file.find_name(name_of(returns))?;
    let around = source.enclosing_scope(class);
    let scope = facts.scope(around)?;
    let is_own_bound = |bound: Value| name_of(bound) == facts.name(class.name);
    let mut bindings = source.file.bindings(around, id);
    let must_be_class = bindings.any(|binding| {
        matches!(binding.target, BindingTarget::Variable(Some(bound)) if is_own_bound(bound))
    });
    let is_own = scope.kind == ScopeKind::TypeParameters && must_be_class;
    own_instance(source, method).filter(|_| is_own)
}
