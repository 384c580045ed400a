//! Which names of a text are looked up at the top of its file.

use std::collections::BTreeSet;

use ragnav_base::item::DefinitionKind;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{
    Binding, BindingTarget, MODULE, Outer, Receiver, Reference, ScopeId, ScopeKind,
};

/// Which types bind the names of their members in their bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassScopes {
    /// All: a name in the body of a class of Python means a member of it.
    All,
    /// Enumerations: `B` of `enum E { A, B = A }`.
    Enums,
}

/// Reports whether a reference is a name that the top of the file binds, or that nothing binds.
pub(super) fn is_of_module(file: &FileFacts, reference: &Reference, classes: ClassScopes) -> bool {
    if reference.receiver != Receiver::None {
        return false;
    }
    let mut is_first = true;
    let mut next = Some(reference.scope);
    while let Some(scope) = next.filter(|scope| *scope != MODULE) {
        let Some(found) = file.facts.scope(scope) else {
            break;
        };
        let is_enum = || {
            let id = found.definition.map(|id| id.0 as usize);
            let definition = id.and_then(|id| file.facts.definitions.get(id));
            definition.is_some_and(|one| one.kind == DefinitionKind::Enum)
        };
        let is_seen = found.kind != ScopeKind::Class
            || (is_first && (classes == ClassScopes::All || is_enum()));
        let own = bindings(file, scope).filter(|one| is_seen && one.name == reference.name);
        for binding in own {
            match binding.target {
                BindingTarget::Outer(Outer::Global) => return true,
                BindingTarget::Outer(Outer::Nonlocal) | BindingTarget::Attribute(_) => {}
                _ => return false,
            }
        }
        is_first = found.kind == ScopeKind::TypeParameters && is_first;
        next = found.parent;
    }
    true
}

/// Reports whether a function is around a scope, so that its code does not run when the file is
/// imported.
pub(super) fn runs_in_function(file: &FileFacts, scope: ScopeId) -> bool {
    let mut next = Some(scope);
    while let Some(found) = next.and_then(|scope| file.facts.scope(scope)) {
        if matches!(found.kind, ScopeKind::Function | ScopeKind::Arrow) {
            return true;
        }
        next = found.parent;
    }
    false
}

fn bindings(file: &FileFacts, scope: ScopeId) -> impl Iterator<Item = &Binding> {
    let all = file.facts.bindings.iter();
    all.filter(move |binding| binding.scope == scope)
}

/// Returns the bindings of a name at the top of a file.
pub(super) fn bindings_at_top<'f>(
    file: &'f FileFacts,
    name: &'f str,
) -> impl Iterator<Item = &'f Binding> {
    bindings(file, MODULE).filter(move |binding| {
        let is_attribute = matches!(binding.target, BindingTarget::Attribute(_));
        file.facts.name(binding.name) == name && !is_attribute
    })
}

/// Reports whether a function of the file assigns to a name at its top.
pub(super) fn is_assigned_by_functions(file: &FileFacts, name: &str) -> bool {
    file.facts.bindings.iter().any(|binding| {
        binding.target == BindingTarget::Outer(Outer::Global)
            && file.facts.name(binding.name) == name
    })
}

/// Returns the names that references look up at the top of a file.
pub(super) fn names_of<'f>(
    file: &'f FileFacts,
    references: impl Iterator<Item = &'f Reference>,
    classes: ClassScopes,
) -> BTreeSet<String> {
    let own = references.filter(|one| is_of_module(file, one, classes));
    own.map(|one| file.facts.name(one.name).to_owned())
        .collect()
}

/// Reports whether a text contains a name as a whole word.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + name.len()..)
            .and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
