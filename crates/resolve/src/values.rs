//! Resolves values: dotted names with calls, subscripts and members.

use crate::entity::{Entity, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::{HeadName, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, DefinitionFact, DefinitionId, RETURNED, ScopeId, Space, Value,
};

/// The scope and namespace in which the first name is looked up.
type Place = (ScopeId, Space);

impl Resolver<'_> {
    /// Resolves a value in a scope, in any namespace.
    pub(super) fn resolve_value(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        value: Value,
    ) -> ResolvedEntities {
        self.resolve_value_in(source, (scope, Space::Any), value)
    }

    /// Resolves a value in a scope and namespace.
    pub(super) fn resolve_value_in(
        self,
        source: &SourceFile<'_>,
        place: Place,
        value: Value,
    ) -> ResolvedEntities {
        let path = source.file.facts.name(value.path);
        self.resolve_path_text(source, place, (path, value.is_called))
    }

    /// Resolves the text of a value; see [`Value`] for its syntax.
    pub(super) fn resolve_path_text(
        self,
        source: &SourceFile<'_>,
        place: Place,
        (path, called): (&str, bool),
    ) -> ResolvedEntities {
        if let Some((element, make_container)) = container(path) {
            let element = self.resolve_path_text(source, place, (element, false));
            return element.map(|entity| make_container(Box::new(entity)));
        }
        let mut segments = path.split('.').map(segment).peekable();
        let Some((first, mut suffixes)) = segments.next() else {
            return ResolvedEntities::unknown();
        };
        let is_called = suffixes.starts_with(CALL);
        let is_only = segments.peek().is_none();
        let head = HeadName {
            text: first,
            is_called: is_called || (called && suffixes.is_empty() && is_only),
        };
        let keyword = self.resolve_keyword(source, place.0, head);
        if keyword.is_some() && head.is_called && !is_called {
            return keyword.unwrap_or_default();
        }
        if keyword.is_some() {
            suffixes = suffixes.strip_prefix(CALL).unwrap_or(suffixes);
        }
        let mut resolution = keyword.unwrap_or_else(|| self.resolve_name_in(source, place, first));
        resolution = self.apply_suffixes(source, first, resolution, suffixes);
        let mut last = first;
        while let Some((name, suffixes)) = segments.next() {
            let is_member_read = suffixes.is_empty() && segments.peek().is_some();
            resolution = self.resolve_members(&resolution, name);
            resolution = self.read_properties(resolution, is_member_read);
            resolution = self.apply_suffixes(source, name, resolution, suffixes);
            last = name;
        }
        if called {
            return self.resolve_named_call(source, last, &resolution);
        }
        resolution
    }

    fn resolve_keyword(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        let language = self.database.language(source.path)?;
        language.resolve_keyword(self, source, scope, head)
    }

    /// Resolves the calls, subscripts and loops that follow a name.
    fn apply_suffixes(
        self,
        source: &SourceFile<'_>,
        name: &str,
        resolution: ResolvedEntities,
        suffixes: &str,
    ) -> ResolvedEntities {
        let mut resolution = resolution;
        let mut rest = suffixes;
        while !rest.is_empty() {
            if let Some(further) = rest.strip_prefix(CALL) {
                resolution = self.resolve_named_call(source, name, &resolution);
                rest = further;
            } else if let Some(further) = rest.strip_prefix(SUBSCRIPT) {
                resolution = self.resolve_elements(&resolution, "__getitem__");
                rest = further;
            } else {
                resolution = self.resolve_elements(&resolution, "__iter__");
                rest = "";
            }
        }
        resolution
    }

    /// Resolves a call of entities that have this name.
    pub(super) fn resolve_named_call(
        self,
        source: &SourceFile<'_>,
        name: &str,
        called: &ResolvedEntities,
    ) -> ResolvedEntities {
        match self.database.language(source.path) {
            Some(language) if called.is_none() => language.resolve_external_call(name),
            _ => self.resolve_call(called),
        }
    }

    /// Resolves an element of a container, by subscript or by iteration.
    fn resolve_elements(self, of: &ResolvedEntities, method: &str) -> ResolvedEntities {
        let mut elements = ResolvedEntities {
            has_unknown: of.has_unknown,
            ..ResolvedEntities::default()
        };
        // A container from outside of the repository may contain anything.
        elements.has_unknown |= of.entities.is_empty();
        let is_loop = method == "__iter__";
        for entity in &of.entities {
            match entity {
                Entity::Sequence(one) => {
                    elements.merge(ResolvedEntities::single((**one).clone()));
                }
                Entity::Mapping(one) if !is_loop => {
                    elements.merge(ResolvedEntities::single((**one).clone()));
                }
                // `A[int]` is `A` with a type argument.
                Entity::Definition(path, id) if !is_loop && self.has_members(path, *id) => {
                    elements.merge(ResolvedEntities::single(entity.clone()));
                }
                Entity::Instance(..) => {
                    let returned_values = self.resolve_call(&self.resolve_member(entity, method));
                    if is_loop {
                        elements.merge(
                            self.resolve_elements(&returned_values.only_containers(), method),
                        );
                    } else {
                        elements.merge(returned_values);
                    }
                }
                _ => elements.has_unknown = true,
            }
        }
        elements
    }

    /// Replaces properties by the values that they return.
    fn read_properties(
        self,
        resolution: ResolvedEntities,
        is_member_read: bool,
    ) -> ResolvedEntities {
        let mut values = ResolvedEntities {
            has_unknown: resolution.has_unknown,
            ..ResolvedEntities::default()
        };
        for entity in resolution.entities {
            match &entity {
                Entity::Definition(path, id) if self.is_property(path, *id, is_member_read) => {
                    values.merge(self.resolve_returned(path, *id));
                }
                _ => {
                    values.entities.insert(entity);
                }
            }
        }
        values
    }

    fn is_property(self, path: &RepoPath, id: DefinitionId, is_member_read: bool) -> bool {
        let (Some(file), Some(language)) =
            (self.database.facts(path), self.database.language(path))
        else {
            return false;
        };
        let source = SourceFile { path, file: &file };
        let definition = source.definition(id);
        definition
            .is_some_and(|definition| language.is_property(&source, definition, is_member_read))
    }

    /// Resolves a call: an instance of a class, or the return value of a function.
    pub(super) fn resolve_call(self, called: &ResolvedEntities) -> ResolvedEntities {
        let mut returned_values = ResolvedEntities {
            has_unknown: called.has_unknown,
            ..ResolvedEntities::default()
        };
        for entity in &called.entities {
            if let Some(by_rule) = self.call_by_language_rule(entity) {
                returned_values.merge(by_rule);
                continue;
            }
            match entity {
                Entity::Definition(path, id) if self.has_members(path, *id) => {
                    returned_values
                        .entities
                        .insert(Entity::Instance(path.clone(), *id));
                }
                Entity::Definition(path, id) => {
                    returned_values.merge(self.resolve_returned(path, *id));
                }
                // The call is one of a method of the container.
                Entity::Sequence(_) | Entity::Mapping(_) => {
                    returned_values.entities.insert(entity.clone());
                }
                _ => returned_values.has_unknown = true,
            }
        }
        returned_values
    }

    /// Resolves the returned values of a function without return type.
    fn returned_values(
        self,
        source: &SourceFile<'_>,
        definition: &DefinitionFact,
    ) -> ResolvedEntities {
        let Some(name) = source.file.find_name(RETURNED) else {
            return ResolvedEntities::none();
        };
        let returned_values: Vec<&Binding> = source.file.bindings(definition.scope, name).collect();
        self.resolve_bindings(source, &returned_values)
    }

    fn call_by_language_rule(self, of: &Entity) -> Option<ResolvedEntities> {
        let language = self.database.language(of.file()?)?;
        language.resolve_call(self, of)
    }

    fn resolve_returned(self, path: &RepoPath, id: DefinitionId) -> ResolvedEntities {
        let key = MemoKey::Returned(path.clone(), id);
        self.database
            .memoize(key, || self.compute_returned(path, id))
    }

    fn compute_returned(self, path: &RepoPath, id: DefinitionId) -> ResolvedEntities {
        let (Some(file), Some(language)) =
            (self.database.facts(path), self.database.language(path))
        else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let Some(definition) = source.definition(id) else {
            return ResolvedEntities::unknown();
        };
        if let Some(value) = definition.returns {
            return self.resolve_value(&source, source.enclosing_scope(definition), value);
        }
        let mut returned_values = self.returned_values(&source, definition);
        returned_values.has_unknown = true;
        if returned_values.entities.is_empty() && language.is_constructor_function(definition) {
            returned_values
                .entities
                .insert(Entity::Instance(path.clone(), id));
        }
        returned_values
    }
}

/// The suffix of a call.
const CALL: &str = "()";
/// The suffix of a subscript.
const SUBSCRIPT: &str = "[]";

/// Splits a segment into its name and suffixes.
fn segment(text: &str) -> (&str, &str) {
    let end = text.find(['(', '[', '*']).unwrap_or(text.len());
    text.split_at(end)
}

/// Creates a container of an element type.
type MakeContainer = fn(Box<Entity>) -> Entity;

/// Splits the text of a container into the text of its elements and its constructor.
fn container(path: &str) -> Option<(&str, MakeContainer)> {
    let sequence = path
        .strip_prefix('[')
        .and_then(|path| path.strip_suffix(']'));
    let mapping = path
        .strip_prefix('{')
        .and_then(|path| path.strip_suffix('}'));
    match (sequence, mapping) {
        (Some(elements), _) => Some((elements, Entity::Sequence)),
        (None, Some(elements)) => Some((elements, Entity::Mapping)),
        (None, None) => None,
    }
}
