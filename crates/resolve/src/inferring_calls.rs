//! Infers what type parameters stand for from the arguments of a call that parameters receive by
//! their place or by their name.

use crate::entity::{Entity, ResolvedEntities, TypeArguments};
use crate::fields::fields;
use crate::generics::mentioned_parameters;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ArgumentPlace, BindingTarget, CallFact, DefinitionFact, DefinitionId, Name,
};

/// A declared type, and what is passed for it.
type Passed = (ResolvedEntities, ResolvedEntities);

impl Resolver<'_> {
    /// Infers what the type parameters of a called function or class stand for, in a language in
    /// which these are variables.
    pub(super) fn inferred_by_call(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        called: &Entity,
    ) -> TypeArguments {
        let Entity::Definition(path, id) = called.without_type_arguments() else {
            return TypeArguments::default();
        };
        let of = (path, *id);
        let parameters = self.type_parameters(path, *id);
        if parameters.is_empty() {
            return TypeArguments::default();
        }
        let passed = if self.has_members(path, *id) {
            self.passed_to_class(source, call, of)
        } else {
            self.passed_to_function(source, (call, false), of)
        };
        let passed = passed.into_iter().map(|(declared, actual)| {
            let declared = match called {
                Entity::Generic(_, carried) => self.substitute(declared, carried),
                _ => declared,
            };
            (declared, actual)
        });
        self.infer_from(&passed.collect::<Vec<Passed>>(), &parameters)
    }

    /// Reports whether what a call of a function or class gives may depend on type variables.
    pub(super) fn may_infer(self, called: &Entity) -> bool {
        let Entity::Definition(path, id) = called.without_type_arguments() else {
            return false;
        };
        if !self.has_type_variables(path) {
            return false;
        }
        if self.has_members(path, *id) {
            return !self.type_parameters(path, *id).is_empty();
        }
        !mentioned_parameters(&self.resolve_returned(path, *id)).is_empty()
    }

    /// Returns the declared types of the parameters of a function, with what a call passes to them.
    /// `is_new` means that the function is the constructor of the called class.
    fn passed_to_function(
        self,
        source: &SourceFile<'_>,
        (call, is_new): (&CallFact, bool),
        (path, id): (&RepoPath, DefinitionId),
    ) -> Vec<Passed> {
        let file = self.database.facts(path);
        let definition = file.as_ref().and_then(|file| file.facts.definition(id));
        let Some((file, definition)) = file.as_ref().zip(definition) else {
            return Vec::new();
        };
        let Some(signature) = file.flow.signature(definition.scope) else {
            return Vec::new();
        };
        let is_bound = is_new || self.is_bound(source, call, (path, id));
        let of = SourceFile { path, file };
        let passed = signature.parameters.iter().filter_map(|name| {
            let keyword = file.facts.name(*name);
            let of_call = (signature, *name);
            let actual = self.resolve_argument_of_call(source, call, of_call, is_bound, keyword)?;
            Some((self.annotated_parameter(&of, (definition, *name)), actual))
        });
        let mut passed: Vec<Passed> = passed.collect();
        if let Some(name) = signature.rest {
            let of_call = (signature, name);
            let actual = self.resolve_argument_of_call(source, call, of_call, is_bound, "");
            let declared = self.annotated_parameter(&of, (definition, name));
            passed.extend(actual.map(|actual| (declared, actual)));
        }
        passed
    }

    /// Resolves the type that a function declares for its parameter of a name, whatever calls pass.
    pub(super) fn annotated_parameter(
        self,
        source: &SourceFile<'_>,
        (function, name): (&DefinitionFact, Name),
    ) -> ResolvedEntities {
        let bindings = source.file.bindings(function.scope, name);
        let declared = bindings.filter_map(|binding| match binding.target {
            BindingTarget::Parameter(value) => {
                Some(self.resolve_value(source, binding.value_scope, value?))
            }
            _ => None,
        });
        ResolvedEntities::union(declared)
    }

    /// Returns the declared types of the parameters of the constructor of a class, with what a call
    /// passes to them.
    fn passed_to_class(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        (path, id): (&RepoPath, DefinitionId),
    ) -> Vec<Passed> {
        let mut constructors = self.constructors((path, id), None).into_iter();
        let Some((of, constructor)) = constructors.next() else {
            return self.passed_to_fields(source, call, (path, id));
        };
        if constructors.next().is_some() {
            return Vec::new();
        }
        let passed = self.passed_to_function(source, (call, true), (&of, constructor));
        let file = self.database.facts(&of);
        let base = file.and_then(|file| file.facts.definition(constructor)?.parent);
        let Some(base) = base.filter(|base| (&of, *base) != (path, id)) else {
            return passed;
        };
        let [class, base] = [(path, id), (&of, base)];
        let [class, base] = [class, base].map(|(path, id)| Entity::Instance(path.clone(), id));
        let carried = self.arguments_for_base(&class, &base).unwrap_or_default();
        let passed = passed.into_iter();
        let passed = passed.map(|(declared, actual)| (self.substitute(declared, &carried), actual));
        passed.collect()
    }

    /// Returns the declared types of the fields of a class without a constructor, such as a
    /// dataclass, with what a call passes for them.
    fn passed_to_fields(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        (path, id): (&RepoPath, DefinitionId),
    ) -> Vec<Passed> {
        let file = self.database.facts(path);
        let class = file.as_ref().and_then(|file| file.facts.definition(id));
        let Some((file, class)) = file.as_ref().zip(class) else {
            return Vec::new();
        };
        // The fields of bases come first, and are not counted here.
        let bases = self.bases_of(&(path.clone(), id));
        let has_base = bases.iter().any(|base| !base.are_external());
        let own = fields(&SourceFile { path, file }, class);
        let fields = if has_base { Vec::new() } else { own };
        let instance = Entity::Instance(path.clone(), id);
        let passed = call.arguments.iter().filter_map(|argument| {
            let name = match argument.place {
                ArgumentPlace::Index(index) => file.facts.name(*fields.get(index as usize)?),
                ArgumentPlace::Keyword(name) => source.file.facts.name(name),
            };
            let at = Some(call.position);
            let actual = self.resolve_value_at(source, call.scope, argument.value, at);
            Some((self.resolve_member(&instance, name), actual))
        });
        passed.collect()
    }
}
