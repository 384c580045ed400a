//! Resolves the elements of containers.

use crate::entity::{Entity, ResolvedEntities};
use crate::generics::without_large;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    BEFORE_COPY, BUILTIN_RESULT, CALL_RESULT, COPIED, LITERAL, OWN_CALL, OWN_METHOD, RANGE_INDICES,
    Space,
};

/// The maximum number of elements of a slice that are known one by one.
const MAX_PARTS: usize = 64;

/// The maximum number of entities that an element may be. Beyond it nothing is known.
const MAX_ELEMENTS: usize = 256;

impl Resolver<'_> {
    /// Resolves the elements that methods of a class assign, `self.a['b'] = c`, or add,
    /// `self.a.append(c)`.
    pub(super) fn member_elements(
        self,
        of: &ResolvedEntities,
        name: &str,
        indices: &[&str],
    ) -> ResolvedEntities {
        let instances = of.entities.iter().filter(|entity| {
            let Entity::Instance(path, _) = entity.without_type_arguments() else {
                return false;
            };
            let file = self.database.facts(path);
            file.is_some_and(|file| file.flow.has_paths)
        });
        let mut found = ResolvedEntities::none();
        for instance in instances {
            for index in indices {
                let member = self.resolve_member(instance, &format!("{name}[{index}]"));
                found.entities.extend(member.entities);
            }
        }
        found
    }

    /// Resolves an element of a container, by subscript or by iteration.
    pub(super) fn resolve_elements(
        self,
        of: &ResolvedEntities,
        method: &str,
        index: &str,
    ) -> ResolvedEntities {
        let mut elements = ResolvedEntities {
            has_unknown: of.has_unknown,
            ..ResolvedEntities::default()
        };
        // A container from outside of the repository may contain anything.
        elements.has_unknown |= of.entities.is_empty();
        let is_loop = method == "__iter__";
        for entity in &of.entities {
            if elements.entities.len() > MAX_ELEMENTS {
                return ResolvedEntities::unknown();
            }
            if let Some(method) = self.element_method(entity).filter(|_| !is_loop) {
                elements.merge(self.resolve_method_call(entity, method));
                continue;
            }
            if let Some(found) = self.resolve_loop_variable(entity, index) {
                elements.merge(found);
                continue;
            }
            if let Some(found) = self.field_element(entity, index, is_loop) {
                elements.merge(found);
                continue;
            }
            match entity {
                Entity::Sequence(one) => {
                    elements.merge(ResolvedEntities::single((**one).clone()));
                }
                Entity::Mapping(one) if !is_loop => {
                    elements.merge(ResolvedEntities::single((**one).clone()));
                }
                Entity::Mapping(one) => {
                    let language = one.file().and_then(|file| self.database.language(file));
                    let entry = language.map(|language| language.resolve_entry(one));
                    elements.merge(entry.unwrap_or_else(ResolvedEntities::unknown));
                }
                Entity::Tuple(parts) => match index.parse::<usize>() {
                    Ok(index) => {
                        let part = parts.get(index).cloned();
                        elements.merge(part.unwrap_or_else(ResolvedEntities::unknown));
                    }
                    Err(_) => elements.merge(any_part(parts)),
                },
                Entity::Container(path, number) => {
                    elements.merge(self.container_elements((path, *number), index, is_loop));
                }
                // `A[int]` is `A` with a type argument.
                Entity::Definition(path, id) if !is_loop && self.has_members(path, *id) => {
                    elements.merge(ResolvedEntities::single(entity.clone()));
                }
                Entity::Generic(inner, arguments) => {
                    let inner = ResolvedEntities::single((**inner).clone());
                    let found = self.resolve_elements(&inner, method, index);
                    elements.merge(self.substitute(found, arguments));
                }
                Entity::TypeParameter(parameter) => {
                    let mut constraint = self.constraint(parameter);
                    // Type parameters could be constraints of each other.
                    let is_other = |one: &Entity| !matches!(one, Entity::TypeParameter(_));
                    constraint.entities.retain(is_other);
                    elements.merge(self.resolve_elements(&constraint, method, index));
                }
                Entity::Shape(..) if !is_loop => {
                    elements.merge(self.resolve_member(entity, method));
                }
                Entity::Instance(..) => {
                    let returned_values = self.resolve_method_call(entity, method);
                    if is_loop {
                        elements.merge(self.next_elements(&returned_values));
                        let containers = returned_values.only_containers();
                        elements.merge(self.resolve_elements(&containers, method, index));
                    } else {
                        // A value without this method may have another way to give its parts,
                        // such as the method `Deconstruct` of C#.
                        elements.has_unknown |= returned_values.is_none();
                        elements.merge(returned_values);
                    }
                }
                _ => elements.has_unknown = true,
            }
        }
        elements
    }

    /// Resolves what a variable of a loop of Go gets if it is no element: the first one over a
    /// container has a key, a channel is a tuple with one part, and a function passes values to its
    /// parameter `yield`. See <https://go.dev/ref/spec#For_range>.
    fn resolve_loop_variable(self, of: &Entity, index: &str) -> Option<ResolvedEntities> {
        let place = RANGE_INDICES.iter().position(|one| *one == index)?;
        match of.without_type_arguments() {
            Entity::Sequence(_) | Entity::Mapping(_) if place == 0 => {
                Some(ResolvedEntities::unknown())
            }
            Entity::Tuple(parts) => Some(parts.get(place).cloned().unwrap_or_default()),
            Entity::Lambda(..) | Entity::External(_) | Entity::Definition(..) => {
                let of = ResolvedEntities::single(of.clone());
                let receiver = self.resolve_parameter_types(&of, 0);
                Some(self.resolve_parameter_types(&receiver, place))
            }
            _ => None,
        }
    }

    /// Resolves an element of an instance whose fields are its elements, or of a class whose
    /// attributes are.
    fn field_element(self, of: &Entity, index: &str, is_loop: bool) -> Option<ResolvedEntities> {
        let (Entity::Instance(path, _) | Entity::Definition(path, _)) = of else {
            return None;
        };
        let language = self.database.language(path)?;
        let index = (!is_loop).then_some(index);
        language.resolve_field_element(self, of, index)
    }

    /// Resolves a part of a container from a known or unknown index on.
    pub(super) fn resolve_slice(
        self,
        of: &ResolvedEntities,
        start: Option<usize>,
    ) -> ResolvedEntities {
        let mut slices = ResolvedEntities {
            has_unknown: of.has_unknown || of.entities.is_empty(),
            ..ResolvedEntities::default()
        };
        for entity in &of.entities {
            let elements = |method| {
                let of = ResolvedEntities::single(entity.clone());
                self.resolve_elements(&of, method, "")
            };
            slices.merge(match (entity, start) {
                (Entity::Sequence(_), _) => ResolvedEntities::single(entity.clone()),
                (Entity::Tuple(parts), Some(start)) => {
                    slice_of(parts.iter().skip(start).cloned().collect())
                }
                (Entity::Container(path, number), Some(start)) => {
                    let indices = start..start.saturating_add(MAX_PARTS);
                    let parts = indices.map(|index| {
                        self.container_elements((path, *number), &index.to_string(), false)
                    });
                    slice_of(parts.collect())
                }
                (Entity::Tuple(_) | Entity::Container(..), None) => {
                    elements("__iter__").map(Entity::sequence)
                }
                _ if self.inherits_container(entity) => {
                    elements("__getitem__").map(Entity::sequence)
                }
                // The method of a class receives a slice as any other index.
                _ => elements("__getitem__"),
            });
        }
        slices
    }

    /// Reports whether a class has the elements of a container of the standard library that it
    /// extends.
    fn inherits_container(self, of: &Entity) -> bool {
        if !matches!(of.without_type_arguments(), Entity::Instance(..)) {
            return false;
        }
        let found = self.resolve_member(of, "__getitem__");
        !found.is_none() && found.are_external()
    }

    /// Returns the method of an instance or a class that a subscript calls.
    fn element_method(self, of: &Entity) -> Option<&'static str> {
        match of {
            Entity::Instance(path, _) | Entity::Definition(path, _) => {
                self.database.language(path)?.element_method()
            }
            _ => None,
        }
    }

    /// Resolves what the iterators among some entities return.
    fn next_elements(self, iterators: &ResolvedEntities) -> ResolvedEntities {
        let mut all = ResolvedEntities::none();
        for iterator in &iterators.entities {
            match iterator.without_type_arguments() {
                Entity::Instance(..) => {
                    all.merge(self.resolve_method_call(iterator, "__next__"));
                }
                // An iterator of JavaScript returns objects with a value.
                Entity::Container(path, number) => {
                    let next = self.object_element(path, *number, "next");
                    let result = self.resolve_call(&next.unwrap_or_default());
                    all.merge(self.resolve_members(&result, "value"));
                }
                _ => {}
            }
        }
        all
    }

    /// Resolves an element of a container that an expression creates.
    fn container_elements(
        self,
        (path, number): (&RepoPath, u32),
        index: &str,
        is_loop: bool,
    ) -> ResolvedEntities {
        let Some(file) = self.database.facts(path) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let exact = format!("{LITERAL}{number}[{index}]");
        let any = format!("{LITERAL}{number}[]");
        // A value whose key is not known may be that of any key.
        let any_key = format!("{LITERAL}{number}['']");
        let is_key_read = index.starts_with('\'');
        let mut all = ResolvedEntities::none();
        for name in file.flow.elements(number) {
            let text = file.facts.name(*name);
            // A loop over a dictionary has its keys.
            let is_key = text.ends_with("']") || text.contains('.');
            let is_meant = if is_loop { !is_key } else { index.is_empty() };
            if text.ends_with(COPIED) {
                // The copied members are not known one by one.
                all.has_unknown = true;
                continue;
            }
            let is_any_key = is_key_read && text == any_key;
            if is_meant || is_any_key || text == exact || text == any {
                all.merge(self.resolve_path_name(&source, (MODULE, None), text));
            }
        }
        all.has_unknown |= all.entities.is_empty();
        all
    }

    /// Resolves a property of an object that an expression creates. Returns `None` if the
    /// expression gives it no value.
    fn object_element(self, path: &RepoPath, number: u32, name: &str) -> Option<ResolvedEntities> {
        let file = self.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let resolve = |name: &str| {
            let property = format!("{LITERAL}{number}.{name}");
            self.resolve_bound_path(&source, (MODULE, Space::Any).into(), &property)
        };
        if name != CALL_RESULT {
            let own = resolve(name).map(|(found, _)| found);
            return own.or_else(|| {
                let (copied, _) = resolve(COPIED)?;
                let mut found = self.resolve_members(&copied, name);
                let before = resolve(&format!("{BEFORE_COPY}.{name}"));
                found.merge(before.map(|(before, _)| before).unwrap_or_default());
                Some(found)
            });
        }
        let (method, _) = resolve(OWN_METHOD)?;
        let mut methods = method.entities.iter().map(Entity::without_type_arguments);
        let is_own = methods.any(|one| matches!(one, Entity::Definition(..)));
        let (found, _) = resolve(if is_own { OWN_CALL } else { BUILTIN_RESULT })?;
        Some(found)
    }

    /// Resolves a member of a container that an expression creates, as what a call of it returns.
    pub(super) fn container_member(
        self,
        path: &RepoPath,
        number: u32,
        name: &str,
    ) -> ResolvedEntities {
        // An object of JavaScript has members instead of keys.
        if let Some(found) = self.object_element(path, number, name) {
            return found;
        }
        let language = self.database.language(path);
        if let Some(language) = language.filter(|one| one.has_methods_of_literals()) {
            return self.literal_method(language, (path, number), name);
        }
        let returning = |map: fn(Entity) -> Entity| {
            let elements = self.container_elements((path, number), "", false);
            ResolvedEntities::external_function(without_large(elements.map(map)), Vec::new())
        };
        match name {
            "copy" => ResolvedEntities::single(Entity::Container(path.clone(), number)),
            "values" => returning(Entity::sequence),
            "items" => returning(|value| Entity::sequence(Entity::entry(value))),
            "popitem" => returning(Entity::entry),
            "get" | "get_nowait" | "pop" | "popleft" | "result" | "setdefault" => {
                returning(|value| value)
            }
            // The other methods of a list or a dictionary are those of the library.
            _ => ResolvedEntities::none(),
        }
    }

    /// Reports whether containers that expressions of a file create have methods of the library.
    pub(super) fn has_methods_of_literals(self, path: &RepoPath) -> bool {
        let language = self.database.language(path);
        language.is_some_and(LanguageResolver::has_methods_of_literals)
    }

    /// Resolves a method of a container that an expression creates, which is one of the library.
    fn literal_method(
        self,
        language: &dyn LanguageResolver,
        (path, number): (&RepoPath, u32),
        name: &str,
    ) -> ResolvedEntities {
        let container = Entity::Container(path.clone(), number);
        if !self.is_array(path, number) {
            let found = language.resolve_member_of_literal(&container, false, name);
            return found.unwrap_or_else(ResolvedEntities::unknown);
        }
        if let Some(found) = language.resolve_member_of_literal(&container, true, name) {
            return found;
        }
        let elements = self.container_elements((path, number), "", false);
        if elements.entities.len() > MAX_PARTS {
            return ResolvedEntities::unknown();
        }
        let elements = elements.into_elements(&container).entities.into_iter();
        let arrays = elements.map(Entity::sequence);
        let found = arrays.map(|array| language.resolve_container_member(&array, name));
        let mut found = ResolvedEntities::union(found);
        found.has_unknown |= found.is_none();
        found
    }

    /// Reports whether a value is a container with keys, such as a dictionary.
    pub(super) fn has_keys(self, of: &ResolvedEntities) -> bool {
        of.entities.iter().any(|entity| match entity {
            Entity::Container(path, number) => !self.is_array(path, *number),
            _ => false,
        })
    }

    /// Reports whether a container has elements, and no members.
    fn is_array(self, path: &RepoPath, number: u32) -> bool {
        let Some(file) = self.database.facts(path) else {
            return false;
        };
        let mut names = file.flow.elements(number).iter();
        names.all(|name| {
            let text = file.facts.name(*name);
            !text.ends_with("']") && !text.contains('.')
        })
    }
}

/// Returns a tuple of the parts up to the last one that is known. If one before it is not, the
/// parts have no places.
fn slice_of(mut parts: Vec<ResolvedEntities>) -> ResolvedEntities {
    let is_known = |part: &ResolvedEntities| !part.entities.is_empty();
    let Some(last) = parts.iter().rposition(is_known) else {
        return ResolvedEntities::unknown();
    };
    parts.truncate(last + 1);
    if parts.iter().all(is_known) {
        return ResolvedEntities::single(Entity::Tuple(parts));
    }
    ResolvedEntities::union(parts.into_iter()).map(Entity::sequence)
}

/// Returns what any part of a tuple may be, which is not known if one part is not.
pub(super) fn any_part(parts: &[ResolvedEntities]) -> ResolvedEntities {
    if parts.iter().any(|part| part.has_unknown) {
        return ResolvedEntities::unknown();
    }
    ResolvedEntities::union(parts.iter().cloned())
}
