//! A file and its facts.

use crate::entity::{Entity, Object, ResolvedEntities};
use crate::file_facts::FileFacts;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, Scope, ScopeId, ScopeKind, Space,
    TYPE_NUMBER, TypeShape, Value,
};

pub(super) use ragnav_syntax::facts::MODULE;

/// A file whose facts are loaded.
#[derive(Clone, Copy)]
pub(super) struct SourceFile<'f> {
    pub(super) path: &'f RepoPath,
    pub(super) file: &'f FileFacts,
}

impl<'f> SourceFile<'f> {
    pub(super) fn definition(&self, id: DefinitionId) -> Option<&'f DefinitionFact> {
        self.file.facts.definition(id)
    }

    /// Returns the id of a definition of the file.
    pub(super) fn id_of(&self, definition: &DefinitionFact) -> Option<DefinitionId> {
        let definitions = self.file.facts.definitions.iter();
        let mut ids = (0..).map(DefinitionId).zip(definitions);
        let found = ids.find(|(_, one)| one.name_position == definition.name_position);
        found.map(|(id, _)| id)
    }

    pub(super) fn entity(&self, id: DefinitionId) -> Entity {
        Entity::Definition(self.path.clone(), id)
    }

    /// Returns the type to which the path of a value refers by its number.
    pub(super) fn type_shape(&self, path: &str) -> Option<&'f TypeShape> {
        let number: u32 = path.strip_prefix(TYPE_NUMBER)?.parse().ok()?;
        let types = &self.file.facts.types;
        let at = types.binary_search_by_key(&number, |one| one.number).ok()?;
        types.get(at).map(|one| &one.shape)
    }

    /// Returns the generic type of a value that is one with type arguments.
    pub(super) fn without_type_arguments(&self, value: Value) -> Value {
        match self.type_shape(self.file.facts.name(value.path)) {
            Some(TypeShape::Applied { of, .. }) => *of,
            _ => value,
        }
    }

    /// Reports whether a binding belongs to a namespace. An import may belong to any.
    pub(super) fn is_in(&self, space: Space, scope: &Scope, binding: &Binding) -> bool {
        let is_parameter = scope.kind == ScopeKind::TypeParameters;
        let own = match &binding.target {
            BindingTarget::Variable(_) if is_parameter => Space::Types,
            BindingTarget::Variable(_) | BindingTarget::Parameter(_) => Space::Values,
            BindingTarget::Definition(id) => match self.definition(*id).map(|found| found.kind) {
                Some(DefinitionKind::Interface | DefinitionKind::Type) => Space::Types,
                Some(DefinitionKind::Function | DefinitionKind::Method) => Space::Values,
                _ => Space::Any,
            },
            BindingTarget::Import(_) | BindingTarget::Attribute(_) | BindingTarget::Outer(_) => {
                Space::Any
            }
        };
        let is_method = matches!(&binding.target, BindingTarget::Definition(id)
            if self.definition(*id).is_some_and(|found| found.kind == DefinitionKind::Method));
        match space {
            Space::Any | Space::Qualifiers | Space::Setters => true,
            Space::Names => !is_method,
            Space::Methods => is_method,
            Space::Macros => false,
            Space::Types | Space::GenericTypes(_) | Space::Attributes => {
                matches!(own, Space::Types | Space::Any)
            }
            Space::Values => matches!(own, Space::Values | Space::Any),
        }
    }

    /// Returns the interfaces and types that merge with a variable: `interface A {}` beside
    /// `const A`. An importer of the name gets both.
    pub(super) fn types_merged_with(&self, variable: &Binding) -> ResolvedEntities {
        if !matches!(variable.target, BindingTarget::Variable(_)) {
            return ResolvedEntities::none();
        }
        let bindings = self.file.bindings(variable.scope, variable.name);
        let types = bindings.filter_map(|binding| match binding.target {
            BindingTarget::Definition(id) if is_type(self.definition(id)?) => Some(id),
            _ => None,
        });
        types.map(|id| self.entity(id)).collect()
    }

    /// Reports whether a variable merges with an interface or a type.
    pub(super) fn has_merged_variable(&self, of: &DefinitionFact) -> bool {
        let mut bindings = self.file.bindings(self.enclosing_scope(of), of.name);
        let is_variable = |one: &Binding| matches!(one.target, BindingTarget::Variable(_));
        is_type(of) && bindings.any(is_variable)
    }

    /// Reports whether a definition has a modifier.
    pub(super) fn has_modifier(&self, of: &DefinitionFact, word: &str) -> bool {
        let mut modifiers = of.decorators.iter();
        modifiers.any(|modifier| self.file.facts.name(modifier.path) == word)
    }

    /// Returns the scope that contains a definition.
    pub(super) fn enclosing_scope(&self, definition: &DefinitionFact) -> ScopeId {
        let scope = self.file.facts.scope(definition.scope);
        scope.and_then(|scope| scope.parent).unwrap_or(MODULE)
    }

    /// Returns the scope in which the declared result of a function is looked up, or what a type
    /// alias stands for. The scope of an alias is that of its type parameters.
    pub(super) fn result_scope(&self, definition: &DefinitionFact) -> ScopeId {
        let own = self.file.facts.scope(definition.scope);
        let has_parameters = own.is_some_and(|own| own.kind == ScopeKind::TypeParameters);
        if has_parameters {
            definition.scope
        } else {
            self.enclosing_scope(definition)
        }
    }

    /// Reports whether a definition in a class is a member of that class, and not of a class
    /// without a name inside it.
    pub(super) fn is_direct(&self, member: &DefinitionFact, class: &DefinitionFact) -> bool {
        let facts = &self.file.facts;
        let parent = |id: ScopeId| facts.scope(id)?.parent;
        let around = std::iter::successors(parent(member.scope), |id| parent(*id));
        let mut around = around.take_while(|id| *id != class.scope);
        !around.any(|id| {
            let scope = facts.scope(id);
            scope.is_some_and(|scope| scope.kind == ScopeKind::Namespace)
        })
    }

    /// Reports whether a definition is a constructor with the name of its class.
    pub(super) fn is_named_constructor(&self, definition: &DefinitionFact) -> bool {
        let class = definition.parent.and_then(|id| self.definition(id));
        class.is_some_and(|class| class.name == definition.name)
    }

    /// Returns the object of this name if definitions have it in their qualifier.
    pub(super) fn object(&self, inside: Option<DefinitionId>, name: &str) -> Option<Entity> {
        let is_one = self.file.has_members_under(inside, name);
        is_one.then(|| {
            Entity::Object(Object {
                file: self.path.clone(),
                inside,
                bound_in: None,
                name: name.to_owned(),
            })
        })
    }

    /// Returns the object that a variable holds if definitions have it in their qualifier.
    pub(super) fn object_of(&self, binding: &Binding) -> Option<Object> {
        let facts = &self.file.facts;
        let inside = facts.scope(binding.scope)?.definition;
        let object = Object {
            file: self.path.clone(),
            inside,
            bound_in: Some(binding.scope),
            name: facts.name(binding.name).to_owned(),
        };
        self.file.has_members_of(&object).then_some(object)
    }

    /// Reports whether a scope or one around it binds a name.
    pub(super) fn is_bound(&self, scope: ScopeId, name: &str) -> bool {
        let name = self.file.find_name(name);
        name.is_some_and(|name| self.file.binding_scope(scope, name).is_some())
    }

    /// Returns the bindings of a name in the module's scope.
    pub(super) fn module_bindings(&self, name: &str) -> Vec<&Binding> {
        let id = self.file.find_name(name);
        id.map(|id| self.file.bindings(MODULE, id).collect())
            .unwrap_or_default()
    }
}

fn is_type(definition: &DefinitionFact) -> bool {
    matches!(
        definition.kind,
        DefinitionKind::Interface | DefinitionKind::Type
    )
}
