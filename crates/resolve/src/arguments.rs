//! Resolves parameters to the arguments of the calls in the same file.

use crate::entity::{Entity, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::{DefinitionKind, StepKind};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ArgumentPlace, Binding, CallFact, DefinitionId, Name, ScopeId, Signature, Value,
};

/// The maximum number of calls by name that are consulted for one parameter, and of other calls.
const MAX_CALLS: usize = 200;

/// A parameter of a function.
enum Parameter {
    /// The parameter at an index.
    Index(usize),
    /// The parameter that receives all arguments from an index on.
    Rest(usize),
}

impl Resolver<'_> {
    /// Resolves a parameter to the arguments that the calls of its function pass in the same file.
    pub(super) fn resolve_arguments(
        self,
        source: &SourceFile<'_>,
        binding: &Binding,
    ) -> ResolvedEntities {
        let mut all = ResolvedEntities::none();
        let flow = &source.file.flow;
        let Some(signature) = flow.signature(binding.scope) else {
            return all;
        };
        let Some(parameter) = parameter(signature, binding.name) else {
            return all;
        };
        let scopes = &source.file.facts.scopes;
        let owner = scopes
            .get(binding.scope.0 as usize)
            .and_then(|scope| scope.definition);
        let owner = owner.filter(|id| {
            source
                .definition(*id)
                .is_some_and(|found| found.scope == binding.scope)
        });
        for place in calls_to(source, owner) {
            let Some(call) = source.file.facts.flow.calls.get(place) else {
                continue;
            };
            let arguments = [false, true]
                .map(|is_bound| values_for(signature, &parameter, binding.name, (call, is_bound)));
            if arguments.iter().all(Vec::is_empty) {
                continue;
            }
            let Some(is_bound) = self.is_call_of(source, (place, call), (owner, binding.scope))
            else {
                continue;
            };
            let values = arguments
                .into_iter()
                .nth(usize::from(is_bound))
                .unwrap_or_default();
            all.merge(self.resolve_passed(source, call, &parameter, &values));
        }
        all
    }

    /// Resolves the arguments of a call that a parameter receives, or `None` if it receives none.
    pub(super) fn resolve_argument_of_call(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        (signature, name): (&Signature, Name),
        is_bound: bool,
        keyword: &str,
    ) -> Option<ResolvedEntities> {
        let parameter = parameter(signature, name)?;
        let keyword = source.file.find_name(keyword);
        let name = keyword.unwrap_or(Name(u32::MAX));
        let values = values_for(signature, &parameter, name, (call, is_bound));
        (!values.is_empty()).then(|| self.resolve_passed(source, call, &parameter, &values))
    }

    fn resolve_passed(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        parameter: &Parameter,
        values: &[Value],
    ) -> ResolvedEntities {
        let resolutions = values
            .iter()
            .map(|value| self.resolve_value_at(source, call.scope, *value, Some(call.position)));
        let callee = source.file.facts.name(call.callee.path);
        let step = (StepKind::PassedTo, callee);
        let at = (source.path, call.position.line);
        let union = || ResolvedEntities::union(resolutions);
        let passed = self.database.record_step(step, at, union);
        match parameter {
            Parameter::Index(_) => passed,
            Parameter::Rest(_) => passed.map(Entity::sequence),
        }
    }

    /// Reports whether a call runs a function with a receiver. Returns `None` if it runs another
    /// one.
    fn is_call_of(
        self,
        source: &SourceFile<'_>,
        (place, call): (usize, &CallFact),
        (owner, scope): (Option<DefinitionId>, ScopeId),
    ) -> Option<bool> {
        // The parameters of every function ask what a call of a variable runs.
        let key = MemoKey::Callee(source.path.clone(), place);
        let called = self.database.memoize_part(key, || {
            self.resolve_value_at(source, call.scope, call.callee, Some(call.position))
        });
        let mut found = None;
        for entity in &called.entities {
            let is_bound = match entity.without_type_arguments() {
                Entity::Lambda(path, of) if path == source.path && *of == scope => Some(false),
                Entity::Definition(path, id) if path == source.path && Some(*id) == owner => {
                    Some(self.is_bound(source, call, (path, *id)))
                }
                Entity::Definition(path, class) | Entity::Super(path, class) => {
                    let place = owner.map(|owner| (source.path.clone(), owner));
                    let is_constructor = place.is_some_and(|place| {
                        self.constructors((path, *class), None).contains(&place)
                    });
                    is_constructor.then_some(true)
                }
                Entity::Instance(..) => {
                    let method = self.resolve_member(entity, "__call__");
                    let own = owner.map(|owner| source.entity(owner));
                    own.is_some_and(|own| method.entities.contains(&own))
                        .then_some(true)
                }
                _ => None,
            };
            found = found.or(is_bound);
        }
        found
    }

    /// Reports whether a called method has its receiver already: `a.b()`, unless `a` is a class and
    /// `b` is no class method.
    pub(super) fn is_bound(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        (path, method): (&RepoPath, DefinitionId),
    ) -> bool {
        if self.is_class_method(path, method) {
            return true;
        }
        let path = source.file.facts.name(call.callee.path);
        let Some((receiver, _)) = path.rsplit_once('.') else {
            return true;
        };
        let place = (call.scope, Some(call.position));
        let receiver = self.resolve_path_at(source, place, receiver);
        let mut receivers = receiver.entities.iter().map(Entity::without_type_arguments);
        !receivers.any(
            |entity| matches!(entity, Entity::Definition(path, id) if self.has_members(path, *id)),
        )
    }

    fn is_class_method(self, path: &RepoPath, method: DefinitionId) -> bool {
        let (file, language) = (self.database.facts(path), self.database.language(path));
        file.zip(language).is_some_and(|(file, language)| {
            let source = SourceFile { path, file: &file };
            let method = source.definition(method);
            method.is_some_and(|method| language.is_class_method(&source, method))
        })
    }
}

/// Returns the calls that may run a function, as indices.
fn calls_to(source: &SourceFile<'_>, owner: Option<DefinitionId>) -> Vec<usize> {
    let (facts, flow) = (&source.file.facts, &source.file.flow);
    let mut places: Vec<usize> = Vec::new();
    let definition = owner.and_then(|id| source.definition(id));
    if let Some(definition) = definition {
        let name = facts.name(definition.name);
        places.extend(flow.calls_of(name));
        let is_constructor = matches!(name, "__init__" | "__new__" | "constructor");
        let classes = facts
            .definitions
            .iter()
            .filter(|found| is_constructor && found.kind == DefinitionKind::Class);
        for class in classes {
            places.extend(flow.calls_of(facts.name(class.name)));
        }
    }
    places.truncate(MAX_CALLS);
    places.extend(flow.indirect_calls().iter().take(MAX_CALLS));
    places.sort_unstable();
    places.dedup();
    places
}

fn parameter(signature: &Signature, name: Name) -> Option<Parameter> {
    let index = signature.parameters.iter().position(|found| *found == name);
    let rest = Parameter::Rest(signature.parameters.len());
    index
        .map(Parameter::Index)
        .or((signature.rest == Some(name)).then_some(rest))
}

/// Returns the arguments of a call that a parameter receives.
fn values_for(
    signature: &Signature,
    parameter: &Parameter,
    name: Name,
    (call, is_bound): (&CallFact, bool),
) -> Vec<Value> {
    let shift = usize::from(is_bound && signature.has_receiver);
    let is_for = |place: ArgumentPlace| match (place, parameter) {
        (ArgumentPlace::Index(index), Parameter::Index(own)) => index as usize + shift == *own,
        (ArgumentPlace::Index(index), Parameter::Rest(first)) => index as usize + shift >= *first,
        (ArgumentPlace::Keyword(found), Parameter::Index(_)) => found == name,
        (ArgumentPlace::Keyword(_), Parameter::Rest(_)) => false,
    };
    let arguments = call
        .arguments
        .iter()
        .filter(|argument| is_for(argument.place));
    arguments.map(|argument| argument.value).collect()
}
