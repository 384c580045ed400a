//! Resolves values: dotted names with calls, subscripts and members.

use crate::entity::{Entity, ResolvedEntities};
use crate::flow_index::literal_number;
use crate::generics::without_large;
use crate::resolver::{HeadName, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ADDED, DefinitionId, LAMBDA, LITERAL, PARAMETER, Position, ScopeId, Space, TYPE_NUMBER,
    UNDECORATED, UNKNOWN, Value, tuple_parts,
};

/// Where a name is looked up: the scope, the namespace, and the position, if it matters which
/// assignment holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) scope: ScopeId,
    pub(super) space: Space,
    pub(super) at: Option<Position>,
}

impl From<(ScopeId, Space)> for Place {
    fn from((scope, space): (ScopeId, Space)) -> Self {
        Self {
            scope,
            space,
            at: None,
        }
    }
}

impl Resolver<'_> {
    /// Resolves a value in a scope, in any namespace.
    pub(super) fn resolve_value(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        value: Value,
    ) -> ResolvedEntities {
        self.resolve_value_at(source, scope, value, None)
    }

    /// Resolves a value in a scope, in any namespace, as it is at a position.
    pub(super) fn resolve_value_at(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        value: Value,
        at: Option<Position>,
    ) -> ResolvedEntities {
        let space = Space::Any;
        self.resolve_value_in(source, Place { scope, space, at }, value)
    }

    /// Resolves a value in a scope and namespace.
    pub(super) fn resolve_value_in(
        self,
        source: &SourceFile<'_>,
        place: impl Into<Place>,
        value: Value,
    ) -> ResolvedEntities {
        let path = source.file.facts.name(value.path);
        self.resolve_path_text(source, place, (path, value.is_called))
    }

    /// Resolves a path in a scope, as it is at a position.
    pub(super) fn resolve_path_at(
        self,
        source: &SourceFile<'_>,
        (scope, at): (ScopeId, Option<Position>),
        path: &str,
    ) -> ResolvedEntities {
        let space = Space::Any;
        self.resolve_path_text(source, Place { scope, space, at }, (path, false))
    }

    /// Resolves the text of a value; see [`Value`] for its syntax.
    pub(super) fn resolve_path_text(
        self,
        source: &SourceFile<'_>,
        place: impl Into<Place>,
        path: (&str, bool),
    ) -> ResolvedEntities {
        let place = place.into();
        let resolve = || self.compute_path_text(source, place, path);
        self.database.nest_path(resolve)
    }

    /// Reports whether a path begins with the name of a value or module from outside of the
    /// repository.
    pub(super) fn begins_outside(
        self,
        source: &SourceFile<'_>,
        place: impl Into<Place>,
        path: &str,
    ) -> bool {
        let place = place.into();
        let ends = path.match_indices('.').map(|(end, _)| end);
        let mut prefixes = ends
            .chain([path.len()])
            .filter_map(|end| path.get(..end).filter(|prefix| !prefix.is_empty()));
        prefixes.any(|prefix| {
            let found = self.resolve_path_text(source, place, (prefix, false));
            found.is_none()
        })
    }

    fn compute_path_text(
        self,
        source: &SourceFile<'_>,
        place: Place,
        (path, called): (&str, bool),
    ) -> ResolvedEntities {
        if let Some((element, make_container)) = container(path) {
            let mut found = self.resolve_path_text(source, place, (element, false));
            if let Some((number, _)) = literal_number(element)
                && self.has_methods_of_literals(source.path)
            {
                found = found.into_elements(&Entity::Container(source.path.clone(), number));
            }
            let containers = found.map(|entity| make_container(Box::new(entity)));
            return without_large(containers);
        }
        if let Some(parts) = between(path, TUPLE) {
            return self.resolve_tuple(source, place, parts);
        }
        if let Some(returned) = between(path, CALLABLE) {
            let returned = self.resolve_path_text(source, place, (returned, false));
            if called {
                return returned;
            }
            return ResolvedEntities::function_returning(returned);
        }
        match self.resolve_callee(source, place, (path, called)) {
            Ok(function) if called => self.call(source, place, &function),
            Ok(function) => function.found,
            Err(keyword) => keyword,
        }
    }

    /// Resolves the path of a function or class, which is no container. Where a keyword stands for
    /// the call, the error is what the call gives.
    pub(super) fn resolve_callee<'p>(
        self,
        source: &SourceFile<'_>,
        place: Place,
        (path, called): (&'p str, bool),
    ) -> Result<Callee<'p>, ResolvedEntities> {
        let mut segments = path.split('.').map(segment).peekable();
        let Some((first, mut suffixes)) = segments.next() else {
            return Err(ResolvedEntities::unknown());
        };
        let mut end = first.len() + suffixes.len();
        // Whether the path begins with the name of a type, which is to be found.
        let type_name = type_name(first);
        let mut is_type = type_name.is_some();
        let first = type_name.unwrap_or(first);
        let is_called = suffixes.starts_with('(');
        let is_only = segments.peek().is_none();
        let head = HeadName {
            text: first,
            is_called: is_called || (called && suffixes.is_empty() && is_only),
        };
        let keyword = self.resolve_keyword(source, place.scope, head);
        if keyword.is_some() && head.is_called && !is_called {
            return Err(keyword.unwrap_or_default());
        }
        if keyword.is_some() && is_called {
            suffixes = suffixes.split_once(')').map_or("", |(_, rest)| rest);
        }
        let mut resolution = match keyword {
            Some(found) => found,
            None if is_type && head.is_called => {
                is_type = false;
                self.resolve_type_name(source, place, first)
            }
            None => self.resolve_head(source, place, first),
        };
        let walk = PathWalk {
            source,
            place,
            path,
        };
        resolution = self.apply_suffixes(walk, (first, None), resolution, (suffixes, end));
        let mut last = first;
        let mut receiver = None;
        while let Some((name, suffixes)) = segments.next() {
            end += 1 + name.len() + suffixes.len();
            let is_member_read = suffixes.is_empty() && segments.peek().is_some();
            let of = resolution;
            resolution = self.resolve_members_of_value(&of, name);
            let is_last = segments.peek().is_none();
            let is_call = suffixes.starts_with('(') || (called && is_last);
            if is_call || suffixes.starts_with(PARAMETER) {
                resolution = self.or_called_member(source, (&of, name), resolution);
            }
            if is_type && is_call {
                is_type = false;
                resolution = self.only_types(resolution);
            }
            let read = |value: &Entity| self.resolve_read(value, (&of, name));
            resolution = self.read_properties(resolution, is_member_read, &read);
            resolution = self.as_own_instance(resolution, (&of, name));
            resolution = self.refine_by_path(walk, end - suffixes.len(), resolution);
            resolution = self.apply_suffixes(walk, (name, Some(&of)), resolution, (suffixes, end));
            receiver = suffixes.is_empty().then_some(of);
            last = name;
        }
        Ok(Callee {
            found: resolution,
            name: last,
            receiver,
        })
    }

    /// Returns the methods of an object by their name or, if its type declares none, what else a
    /// call of the name means.
    fn or_called_member(
        self,
        source: &SourceFile<'_>,
        (of, name): (&ResolvedEntities, &str),
        found: ResolvedEntities,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        match language.filter(|_| found.entities.is_empty()) {
            Some(language) => {
                let mut other = language.resolve_called_member(self, source, of, name);
                other.has_unknown |= found.has_unknown;
                other
            }
            None => found,
        }
    }

    /// Resolves what a call of a function or class gives.
    pub(super) fn call(
        self,
        source: &SourceFile<'_>,
        place: Place,
        callee: &Callee<'_>,
    ) -> ResolvedEntities {
        let returned = self.resolve_named_call(source, callee.name, &callee.found);
        self.with_receiver(
            source,
            place,
            returned,
            (callee.name, callee.receiver.as_ref()),
        )
    }

    /// Resolves a tuple by the texts of its parts, of which one that is not known is empty.
    fn resolve_tuple(self, source: &SourceFile<'_>, place: Place, parts: &str) -> ResolvedEntities {
        let parts = tuple_parts(parts).map(|part| match part {
            "" => ResolvedEntities::unknown(),
            part => self.resolve_path_text(source, place, (part, false)),
        });
        without_large(ResolvedEntities::single(Entity::Tuple(parts.collect())))
    }

    /// Resolves the name of a type. A value may have the same name.
    fn resolve_type_name(
        self,
        source: &SourceFile<'_>,
        place: Place,
        name: &str,
    ) -> ResolvedEntities {
        let space = Space::Types;
        let found = self.resolve_name_in(source, Place { space, ..place }, name);
        self.only_types(found)
    }

    /// Removes the definitions that are no types.
    fn only_types(self, found: ResolvedEntities) -> ResolvedEntities {
        let mut found = found;
        found
            .entities
            .retain(|entity| self.is_in(entity, Space::Types));
        found
    }

    /// Resolves the first name of a path, which may stand for an expression.
    fn resolve_head(self, source: &SourceFile<'_>, place: Place, name: &str) -> ResolvedEntities {
        if name == UNKNOWN {
            return ResolvedEntities::unknown();
        }
        let number = |prefix: char| name.strip_prefix(prefix)?.parse::<u32>().ok();
        if let Some(number) = number(TYPE_NUMBER).filter(|_| !source.file.facts.types.is_empty()) {
            return self.resolve_type(source, number);
        }
        if let Some(number) = number(UNDECORATED) {
            return ResolvedEntities::single(source.entity(DefinitionId(number)));
        }
        if !source.file.facts.flow.is_collected {
            return self.resolve_name_in(source, place, name);
        }
        let path = source.path.clone();
        let made = number(LITERAL)
            .map(|number| Entity::Container(path.clone(), number))
            .or_else(|| Some(Entity::Lambda(path.clone(), ScopeId(number(LAMBDA)?))));
        match made {
            Some(entity) => ResolvedEntities::single(entity),
            None => self.resolve_name_in(source, place, name),
        }
    }

    /// Replaces or extends what a path means by what the file binds to the path: `a.b = c`.
    fn refine_by_path(
        self,
        walk: PathWalk<'_, '_>,
        end: usize,
        resolution: ResolvedEntities,
    ) -> ResolvedEntities {
        if !walk.source.file.flow.has_paths {
            return resolution;
        }
        let prefix = walk.path.get(..end).unwrap_or_default();
        let Some((bound, is_only)) = self.resolve_bound_path(walk.source, walk.place, prefix)
        else {
            return resolution;
        };
        if is_only {
            return bound;
        }
        let mut all = resolution;
        all.merge(bound);
        all
    }

    pub(super) fn resolve_keyword(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        let language = self.database.language(source.path)?;
        language.resolve_keyword(self, source, scope, head)
    }

    /// Resolves the calls, subscripts and loops that follow a name, up to an end of the path.
    fn apply_suffixes(
        self,
        walk: PathWalk<'_, '_>,
        (name, of): (&str, Option<&ResolvedEntities>),
        resolution: ResolvedEntities,
        (suffixes, end): (&str, usize),
    ) -> ResolvedEntities {
        let source = walk.source;
        let mut resolution = resolution;
        let mut rest = suffixes;
        while !rest.is_empty() {
            if let Some((number, further)) = suffix(rest, '(', ')') {
                resolution = match number.parse() {
                    Ok(number) => self.resolve_numbered_call(source, (name, number), &resolution),
                    Err(_) => self.resolve_named_call(source, name, &resolution),
                };
                resolution = self.with_receiver(source, walk.place, resolution, (name, of));
                rest = further;
            } else if let Some((index, further)) = parameter_suffix(rest) {
                resolution = self.resolve_parameter_types(&resolution, index);
                rest = further;
            } else if let Some((start, further)) = slice_suffix(rest) {
                let mut added = self.added_elements(walk, end - rest.len(), &["", ADDED]);
                if let Some(of) = of.filter(|_| rest.len() == suffixes.len()) {
                    added.merge(self.member_elements(of, name, &[ADDED]));
                }
                resolution = self.resolve_slice(&resolution, start.parse().ok());
                resolution.merge(added.map(Entity::sequence));
                rest = further;
            } else if let Some((index, further)) = suffix(rest, '[', ']') {
                let mut found = self.resolve_elements(&resolution, "__getitem__", index);
                if let Some(of) = of.filter(|_| rest.len() == suffixes.len()) {
                    found.merge(self.member_elements(of, name, &[index, "", ADDED]));
                }
                found.merge(self.added_elements(walk, end - rest.len(), &["", ADDED]));
                rest = further;
                resolution = self.refine_by_path(walk, end - rest.len(), found);
            } else {
                let mut found = self.resolve_elements(&resolution, "__iter__", "");
                if let Some(of) = of.filter(|_| rest.len() == suffixes.len()) {
                    // A loop over a dictionary has the keys, not what subscripts assign.
                    found.merge(self.member_elements(of, name, &[ADDED]));
                }
                let indices: &[&str] = if self.has_keys(&resolution) {
                    &[ADDED]
                } else {
                    &["", ADDED]
                };
                found.merge(self.added_elements(walk, end - rest.len(), indices));
                resolution = found;
                rest = rest.get(1..).unwrap_or_default();
            }
        }
        resolution
    }

    /// Replaces the type of the own instance in what a call returns by the receiver of the call.
    pub(super) fn with_receiver(
        self,
        source: &SourceFile<'_>,
        place: Place,
        returned: ResolvedEntities,
        (name, receiver): (&str, Option<&ResolvedEntities>),
    ) -> ResolvedEntities {
        if let Some(receiver) = receiver {
            return self.as_own_instance(returned, (receiver, name));
        }
        let language = self.database.language(source.path);
        let implicit = language.and_then(|one| one.implicit_receiver(source, place.scope));
        match implicit {
            Some(receiver) => self.as_own_instance(returned, (&receiver, name)),
            None => returned,
        }
    }

    /// Resolves the elements that the file adds to a container: `a.append(b)`.
    fn added_elements(
        self,
        walk: PathWalk<'_, '_>,
        end: usize,
        indices: &[&str],
    ) -> ResolvedEntities {
        let container = walk.path.get(..end).unwrap_or_default();
        if !walk.source.file.flow.has_paths || container.contains('(') {
            return ResolvedEntities::none();
        }
        let mut all = ResolvedEntities::none();
        for index in indices {
            let elements = format!("{container}[{index}]");
            let found = self.resolve_bound_path(walk.source, walk.place, &elements);
            all.merge(found.map(|(found, _)| found).unwrap_or_default());
        }
        all.has_unknown = false;
        all
    }

    /// Replaces properties by the values that they return.
    fn read_properties(
        self,
        resolution: ResolvedEntities,
        is_member_read: bool,
        resolve_read: &dyn Fn(&Entity) -> Option<ResolvedEntities>,
    ) -> ResolvedEntities {
        let mut values = ResolvedEntities {
            has_unknown: resolution.has_unknown,
            ..ResolvedEntities::default()
        };
        for entity in resolution.entities {
            match entity.without_type_arguments() {
                Entity::Definition(path, id) if self.is_property(path, *id, is_member_read) => {
                    let read = self.resolve_returned(path, *id);
                    values.merge(match &entity {
                        Entity::Generic(_, arguments) => self.substitute(read, arguments),
                        _ => read,
                    });
                }
                _ => match resolve_read(&entity) {
                    Some(read) => values.merge(read),
                    None => {
                        values.entities.insert(entity);
                    }
                },
            }
        }
        values
    }

    /// Resolves what reading a member gives whose value is an object that stands for another one.
    fn resolve_read(
        self,
        value: &Entity,
        member: (&ResolvedEntities, &str),
    ) -> Option<ResolvedEntities> {
        let Entity::Instance(path, _) = value.without_type_arguments() else {
            return None;
        };
        let language = self.database.language(path)?;
        language.resolve_read(self, value, member)
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
}

/// What the path of a called function or class means.
#[derive(Debug)]
pub(super) struct Callee<'p> {
    pub(super) found: ResolvedEntities,
    /// The last name of the path.
    pub(super) name: &'p str,
    /// What the name is a member of.
    pub(super) receiver: Option<ResolvedEntities>,
}

/// A path that is resolved, and where.
#[derive(Clone, Copy)]
struct PathWalk<'s, 'f> {
    source: &'s SourceFile<'f>,
    place: Place,
    path: &'s str,
}

/// Splits a suffix such as `(3)` or `['a']` into what is between its brackets and the rest.
fn suffix(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    text.strip_prefix(open)?.split_once(close)
}

/// Splits a suffix such as `[1:]` into the start of the slice and the rest.
fn slice_suffix(text: &str) -> Option<(&str, &str)> {
    let (index, rest) = suffix(text, '[', ']')?;
    Some((index.strip_suffix(':')?, rest))
}

/// Splits a suffix such as `;1` into the index of the parameter and the rest.
fn parameter_suffix(text: &str) -> Option<(usize, &str)> {
    let text = text.strip_prefix(PARAMETER)?;
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    let (index, rest) = text.split_at_checked(end)?;
    Some((index.parse().ok()?, rest))
}

/// Returns the name of a type in an annotation: `A` of `:A`.
fn type_name(head: &str) -> Option<&str> {
    let name = head.strip_prefix(TYPE_NUMBER)?;
    let is_other = |first: char| first.is_ascii_digit() || first == TYPE_NUMBER;
    (!name.is_empty() && !name.starts_with(is_other)).then_some(name)
}

/// Splits a segment into its name and suffixes.
fn segment(text: &str) -> (&str, &str) {
    let end = text.find(['(', '[', '*', PARAMETER]).unwrap_or(text.len());
    text.split_at(end)
}

/// The brackets around what a function returns.
pub(super) const CALLABLE: (char, char) = ('<', '>');

/// The brackets around the parts of a tuple.
const TUPLE: (char, char) = ('(', ')');

/// Creates a container of an element type.
type MakeContainer = fn(Box<Entity>) -> Entity;

/// Splits the text of a container into the text of its elements and its constructor.
fn container(path: &str) -> Option<(&str, MakeContainer)> {
    let sequence = between(path, ('[', ']'));
    let mapping = between(path, ('{', '}'));
    match (sequence, mapping) {
        (Some(elements), _) => Some((elements, Entity::Sequence)),
        (None, Some(elements)) => Some((elements, Entity::Mapping)),
        (None, None) => None,
    }
}

/// Returns what a pair of brackets encloses.
pub(super) fn between(path: &str, (open, close): (char, char)) -> Option<&str> {
    path.strip_prefix(open)?.strip_suffix(close)
}
