//! Resolves names in scopes.

use crate::entity::{Entity, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::{MODULE, SourceFile};
use crate::values::Place;
use ragnav_base::item::{DefinitionKind, StepKind};
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, ImportId, Name, Outer, Position, RETURNED, Scope,
    ScopeId, ScopeKind, Space, UNNAMED_MODULE, Value,
};

impl Resolver<'_> {
    /// Resolves a name in a scope, in any namespace.
    pub(super) fn resolve_name(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        self.resolve_name_in(source, (scope, Space::Any), name)
    }

    /// Resolves a name in a scope and namespace.
    pub(super) fn resolve_name_in(
        self,
        source: &SourceFile<'_>,
        place: impl Into<Place>,
        name: &str,
    ) -> ResolvedEntities {
        let mut place = place.into();
        place.at = place
            .at
            .filter(|_| self.has_order(source, place.scope, name));
        let Place { scope, space, at } = place;
        let key = MemoKey::InScope(source.path.clone(), (scope, space, at), name.to_owned());
        self.database
            .memoize(key, || self.compute_name(source, place, name))
    }

    fn compute_name(self, source: &SourceFile<'_>, place: Place, name: &str) -> ResolvedEntities {
        let Place { scope, space, at } = place;
        let mut at = at;
        let language = self.database.language(source.path);
        if matches!(space, Space::Methods | Space::Macros) {
            return language.map_or_else(ResolvedEntities::none, |language| match space {
                Space::Macros => language.resolve_macro_name(self, source, scope, name),
                _ => language.resolve_method_name(self, source, scope, name),
            });
        }
        let spaced = language.and_then(|language| {
            let place = (scope, space);
            language.resolve_spaced_name(self, source, place, name)
        });
        if let Some(resolution) = spaced {
            return resolution;
        }
        let Some(id) = source.file.find_name(name) else {
            return self.resolve_unbound(source, name);
        };
        let mut next = Some(scope);
        let mut is_first = true;
        // Whether a class outside of the repository may have the name.
        let mut may_be_inherited = false;
        let mut later: Vec<&Binding> = Vec::new();
        while let Some(current) = next {
            let Some(found) = source.file.facts.scope(current) else {
                break;
            };
            let is_seen = match found.kind {
                ScopeKind::Class => is_first && self.has_members_in_scope(source, found),
                _ => true,
            };
            let bindings: Vec<&Binding> = source
                .file
                .bindings(current, id)
                .filter(|binding| is_seen && !matches!(binding.target, BindingTarget::Attribute(_)))
                .filter(|binding| source.is_in(space, found, binding))
                .collect();
            let mut bindings = match at {
                Some(at) => visible(source, (current, id), bindings, at),
                None => source.file.flow.visible_anywhere((current, id), bindings),
            };
            if let Some(at) = at.filter(|_| self.defines_in_order(source, found)) {
                later = source.file.bindings(current, id).collect();
                later.retain(|binding| is_defined_after(source, binding, at));
                let is_later = |one: &Binding| later.iter().any(|two| two.position == one.position);
                bindings.retain(|binding| !is_later(binding));
            }
            match bindings.first().map(|binding| &binding.target) {
                Some(BindingTarget::Outer(Outer::Global)) => {
                    next = Some(MODULE);
                    is_first = false;
                    at = None;
                    continue;
                }
                Some(BindingTarget::Outer(Outer::Nonlocal)) | None => {}
                Some(_) => {
                    let key = (current, id);
                    let mut resolution = self.resolve_tested_bindings(source, key, &bindings);
                    resolution.has_unknown |= may_be_inherited;
                    return resolution;
                }
            }
            let member = self.scope_member(source, (current, found), (space, name));
            may_be_inherited |= member.has_unknown;
            if !member.entities.is_empty() {
                return member;
            }
            if language.is_some_and(|language| language.hides_outer_names(found)) {
                break;
            }
            // The scope of type parameters does not hide the names of the class around it.
            is_first = found.kind == ScopeKind::TypeParameters && is_first;
            let runs_later = || language.is_some_and(LanguageResolver::runs_blocks_later);
            let is_inline =
                runs_inline(found.kind) && !(found.kind == ScopeKind::Block && runs_later());
            at = at.filter(|_| is_inline);
            next = found.parent;
        }
        let mut resolution = self.resolve_unbound(source, name);
        if resolution.entities.is_empty() {
            // A type in quotes may be one that the class defines later.
            later.retain(|binding| !is_function(source, binding));
            resolution.merge(self.resolve_bindings(source, &later));
        }
        resolution.has_unknown |= may_be_inherited;
        resolution
    }

    /// Resolves a name that a scope does not bind, in a namespace.
    fn scope_member(
        self,
        source: &SourceFile<'_>,
        scope: (ScopeId, &Scope),
        (space, name): (Space, &str),
    ) -> ResolvedEntities {
        let Some(language) = self.database.language(source.path) else {
            return ResolvedEntities::none();
        };
        let mut member = language.resolve_scope_member(self, source, scope, name);
        if let Some(full) = language.full_name(name, space) {
            let found = language.resolve_scope_member(self, source, scope, &full);
            if !found.entities.is_empty() {
                member = found;
            }
        }
        let is_type = |entity: &Entity| {
            // A class that is only declared is an object in C++.
            let is_named = matches!(
                entity,
                Entity::Definition(..) | Entity::Folder(_) | Entity::Object(_)
            );
            is_named && self.is_in(entity, space)
        };
        match space {
            space if space.is_types() => member.entities.retain(is_type),
            Space::Qualifiers if self.has_enum_value(&member, name) => member.entities.clear(),
            _ => {}
        }
        member
    }

    /// Reports whether something may be a value of an enumeration of this name.
    fn has_enum_value(self, of: &ResolvedEntities, name: &str) -> bool {
        of.entities.iter().any(|entity| {
            let Entity::Instance(path, id) = entity else {
                return false;
            };
            let file = self.database.facts(path);
            file.is_some_and(|file| {
                let found = file.facts.definition(*id);
                found.is_some_and(|found| {
                    found.kind == DefinitionKind::Enum && file.facts.name(found.name) == name
                })
            })
        })
    }

    fn has_members_in_scope(self, source: &SourceFile<'_>, scope: &Scope) -> bool {
        let language = self.database.language(source.path);
        let class = scope.definition.and_then(|id| source.definition(id));
        let known = class.zip(language);
        known.is_none_or(|(class, language)| language.has_members_in_scope(class))
    }

    /// Reports whether the order of what binds a name matters in a scope or one that it is a part
    /// of.
    fn has_order(self, source: &SourceFile<'_>, scope: ScopeId, name: &str) -> bool {
        let Some(id) = source.file.find_name(name) else {
            return false;
        };
        let mut next = Some(scope);
        while let Some(scope) = next {
            let Some(found) = source.file.facts.scope(scope) else {
                return false;
            };
            let is_bound = || source.file.bindings(scope, id).next().is_some();
            if source.file.flow.has_order(scope, id)
                || (self.defines_in_order(source, found) && is_bound())
            {
                return true;
            }
            next = found.parent.filter(|_| runs_inline(found.kind));
        }
        false
    }

    /// Reports whether a scope is the body of a class that binds its members one after the other.
    fn defines_in_order(self, source: &SourceFile<'_>, scope: &Scope) -> bool {
        let language = || self.database.language(source.path);
        scope.kind == ScopeKind::Class
            && language().is_some_and(LanguageResolver::defines_members_in_order)
    }

    fn resolve_unbound(self, source: &SourceFile<'_>, name: &str) -> ResolvedEntities {
        let language = self.database.language(source.path);
        language.map_or_else(ResolvedEntities::none, |language| {
            language.resolve_unbound(self, source, name)
        })
    }

    /// Resolves a path that the file binds as a whole, and reports whether no other value of it can
    /// hold. Returns `None` if nothing binds it.
    pub(super) fn resolve_bound_path(
        self,
        source: &SourceFile<'_>,
        place: Place,
        path: &str,
    ) -> Option<(ResolvedEntities, bool)> {
        let id = source.file.find_name(path)?;
        let mut at = place.at;
        let mut next = Some(place.scope);
        while let Some(scope) = next {
            let found = source.file.facts.scope(scope)?;
            let bindings = source.file.bindings(scope, id);
            let bindings: Vec<&Binding> = bindings
                .filter(|binding| matches!(binding.target, BindingTarget::Variable(_)))
                .collect();
            if !bindings.is_empty() {
                let (bindings, is_only) = match at {
                    Some(at) => source.file.flow.visible_at((scope, id), bindings, at),
                    None => (
                        source.file.flow.visible_anywhere((scope, id), bindings),
                        false,
                    ),
                };
                if bindings.is_empty() {
                    return None;
                }
                let key = MemoKey::Path(source.path.clone(), (scope, at), path.to_owned());
                let resolution = self
                    .database
                    .memoize(key, || self.resolve_bindings(source, &bindings));
                return Some((resolution, is_only));
            }
            at = at.filter(|_| runs_inline(found.kind));
            next = found.parent;
        }
        None
    }

    /// Resolves a path that the scope binds as a whole.
    pub(super) fn resolve_path_name(
        self,
        source: &SourceFile<'_>,
        (scope, at): (ScopeId, Option<Position>),
        path: &str,
    ) -> ResolvedEntities {
        let space = Space::Any;
        let found = self.resolve_bound_path(source, Place { scope, space, at }, path);
        found.map_or_else(ResolvedEntities::unknown, |(resolution, _)| resolution)
    }

    pub(super) fn resolve_bindings(
        self,
        source: &SourceFile<'_>,
        bindings: &[&Binding],
    ) -> ResolvedEntities {
        ResolvedEntities::union(
            bindings
                .iter()
                .map(|binding| self.resolve_binding(source, binding)),
        )
    }

    fn resolve_binding(self, source: &SourceFile<'_>, binding: &Binding) -> ResolvedEntities {
        let compute = || self.compute_binding(source, binding);
        let facts = &source.file.facts;
        let name = match binding.target {
            BindingTarget::Import(id) => bound_import(source, binding, id),
            _ => facts.name(binding.name),
        };
        match step_of(&binding.target).filter(|_| name != RETURNED) {
            Some(kind) => {
                let at = (source.path, binding.position.line);
                self.database.record_step((kind, name), at, compute)
            }
            None => compute(),
        }
    }

    fn compute_binding(self, source: &SourceFile<'_>, binding: &Binding) -> ResolvedEntities {
        let Some(language) = self.database.language(source.path) else {
            return ResolvedEntities::unknown();
        };
        if let Some(parameter) = language.resolve_type_parameter(source, binding) {
            return ResolvedEntities::single(parameter);
        }
        let mut resolution = match &binding.target {
            BindingTarget::Definition(id) => ResolvedEntities::single(source.entity(*id)),
            BindingTarget::Import(id) => match source.file.import(*id) {
                Some(import) => {
                    let found = language.resolve_import(self, source, import);
                    if found.is_none() && language.is_missing_import(self, source, import) {
                        ResolvedEntities::unknown()
                    } else {
                        found
                    }
                }
                None => ResolvedEntities::unknown(),
            },
            BindingTarget::Parameter(None) => {
                let receiver = language.resolve_parameter(self, source, binding);
                self.or_arguments(source, binding, receiver)
            }
            BindingTarget::Parameter(Some(value)) => {
                let declared = self.resolve_value(source, binding.value_scope, *value);
                if self.is_any_type(source, *value) {
                    self.or_arguments(source, binding, declared)
                } else {
                    declared
                }
            }
            BindingTarget::Variable(Some(value)) | BindingTarget::Attribute(Some(value)) => {
                let at = Some(binding.position);
                let scope = scope_of_value(source, binding, *value);
                self.resolve_value_at(source, scope, *value, at)
            }
            BindingTarget::Variable(None)
            | BindingTarget::Attribute(None)
            | BindingTarget::Outer(_) => ResolvedEntities::unknown(),
        };
        resolution.merge(language.resolve_binding_extra(source, binding));
        resolution
    }

    /// Adds the arguments that calls pass to a parameter whose type is unknown.
    fn or_arguments(
        self,
        source: &SourceFile<'_>,
        binding: &Binding,
        declared: ResolvedEntities,
    ) -> ResolvedEntities {
        let mut found = declared;
        if found.are_external() {
            found.merge(self.resolve_arguments(source, binding));
        }
        found
    }
}

/// Returns the name of an imported module: that of a call such as `import("./a")`, which binds no
/// name, is its specifier.
fn bound_import<'f>(source: &SourceFile<'f>, binding: &Binding, id: ImportId) -> &'f str {
    let facts = &source.file.facts;
    let name = facts.name(binding.name);
    let import = source.file.import(id);
    let import = import.filter(|_| name.starts_with(UNNAMED_MODULE));
    import.map_or(name, |import| facts.name(import.module))
}

/// Returns the scope in which the value of a binding is looked up. In the body of a class, `a = a`
/// gives the outer meaning of a name to the class.
fn scope_of_value(source: &SourceFile<'_>, binding: &Binding, value: Value) -> ScopeId {
    let scope = source.file.facts.scope(binding.value_scope);
    let class = scope.filter(|scope| scope.kind == ScopeKind::Class);
    let outer = class.filter(|_| value.path == binding.name && !value.is_called);
    outer
        .and_then(|class| class.parent)
        .unwrap_or(binding.value_scope)
}

/// Returns how a name leads to what it is bound to; `None` if that is the definition itself or
/// what calls pass, which have steps of their own.
fn step_of(target: &BindingTarget) -> Option<StepKind> {
    match target {
        BindingTarget::Import(_) => Some(StepKind::ImportedAs),
        BindingTarget::Parameter(Some(_)) => Some(StepKind::TypedBy),
        BindingTarget::Variable(_) | BindingTarget::Attribute(_) => Some(StepKind::AssignedTo),
        BindingTarget::Definition(_) | BindingTarget::Parameter(None) | BindingTarget::Outer(_) => {
            None
        }
    }
}

/// Returns the bindings of a name that hold at a position, or all if none does.
fn visible<'b>(
    source: &SourceFile<'_>,
    key: (ScopeId, Name),
    bindings: Vec<&'b Binding>,
    at: Position,
) -> Vec<&'b Binding> {
    let (found, _) = source.file.flow.visible_at(key, bindings.clone(), at);
    if found.is_empty() { bindings } else { found }
}

/// Reports whether the body of a construct runs where it stands.
fn runs_inline(kind: ScopeKind) -> bool {
    matches!(
        kind,
        ScopeKind::Block | ScopeKind::Comprehension | ScopeKind::Class
    )
}

/// Reports whether a binding is a definition that ends after a position.
fn is_defined_after(source: &SourceFile<'_>, binding: &Binding, at: Position) -> bool {
    definition_of(source, binding).is_some_and(|definition| {
        let end = Position {
            line: definition.end_line,
            start_utf16: definition.end_utf16,
        };
        at < end
    })
}

fn is_function(source: &SourceFile<'_>, binding: &Binding) -> bool {
    definition_of(source, binding).is_some_and(|definition| {
        matches!(
            definition.kind,
            DefinitionKind::Function | DefinitionKind::Method
        )
    })
}

fn definition_of<'f>(source: &SourceFile<'f>, binding: &Binding) -> Option<&'f DefinitionFact> {
    match binding.target {
        BindingTarget::Definition(id) => source.definition(id),
        _ => None,
    }
}
