//! Resolves local names by the scopes that `locals.scm` captures.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ragnav_base::hash::HashMap;
use ragnav_base::sort::SmallSort;

use tree_sitter::{Query, Tree};

use super::run::run;

/// The number of scopes through which a name is looked up.
const MAX_SCOPES: usize = 64;

/// The role of a capture of `locals.scm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capture {
    Scope,
    Definition,
    Reference,
    Other,
}

/// A compiled `locals.scm`.
#[derive(Debug)]
pub(super) struct LocalQuery {
    query: Query,
    captures: Vec<Capture>,
    /// The patterns whose scopes see no names of the scopes around them.
    sealed: Vec<bool>,
    /// The scope in which each pattern defines a name.
    defining: Vec<DefiningScope>,
}

/// The scope in which a name is defined, as `#set! definition.….scope` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DefiningScope {
    /// The innermost scope around the name.
    Innermost,
    /// The scope around that one: of the name of a function that is a scope itself.
    Parent,
    /// The scope of the file.
    File,
}

impl LocalQuery {
    pub(super) fn new(query: Query) -> Self {
        let seals = |pattern: usize| {
            let mut settings = query.property_settings(pattern).iter();
            settings.any(|setting| {
                &*setting.key == "local.scope-inherits" && setting.value.as_deref() == Some("false")
            })
        };
        let names = query.capture_names().iter();
        Self {
            captures: names.map(|name| capture_of(name)).collect(),
            sealed: (0..query.pattern_count()).map(seals).collect(),
            defining: (0..query.pattern_count())
                .map(|pattern| defining_scope(&query, pattern))
                .collect(),
            query,
        }
    }

    /// Finds the local names of a text.
    pub(super) fn find<'t>(&self, tree: &Tree, text: &'t str) -> Locals<'t> {
        let mut scopes = vec![(0..text.len(), false)];
        let mut defined = BTreeMap::new();
        let mut references = BTreeSet::new();
        let is_partial = run(&self.query, tree, text, |found| {
            let is_sealed = self.sealed.get(found.pattern_index) == Some(&true);
            let defining = self.defining.get(found.pattern_index).copied();
            let defining = defining.unwrap_or(DefiningScope::Innermost);
            for capture in found.captures() {
                let range = capture.node.byte_range();
                let role = self.captures.get(capture.index as usize);
                match role.copied().unwrap_or(Capture::Other) {
                    Capture::Scope => scopes.push((range, is_sealed)),
                    Capture::Definition => {
                        _ = defined.entry((range.start, range.end)).or_insert(defining);
                    }
                    Capture::Reference => _ = references.insert((range.start, range.end)),
                    Capture::Other => {}
                }
            }
        });
        let mut locals = Locals {
            scopes: nest(scopes),
            references,
            is_partial,
            ..Locals::default()
        };
        for ((start, end), defining) in defined {
            let name = text.get(start..end).unwrap_or_default().trim();
            locals.define(name, (start, end), defining);
        }
        let defined = &locals.defined;
        locals
            .references
            .retain(|range| !defined.contains_key(range));
        locals
    }
}

fn defining_scope(query: &Query, pattern: usize) -> DefiningScope {
    let settings = query.property_settings(pattern).iter();
    let mut values = settings
        .filter(|setting| setting.key.starts_with("definition.") && setting.key.ends_with(".scope"))
        .filter_map(|setting| setting.value.as_deref());
    match values.next() {
        Some("parent") => DefiningScope::Parent,
        Some("global") => DefiningScope::File,
        _ => DefiningScope::Innermost,
    }
}

fn capture_of(name: &str) -> Capture {
    let mut parts = name.split('.');
    match (parts.next(), parts.next()) {
        (Some("local"), Some("scope")) => Capture::Scope,
        (Some("local"), Some("definition")) => Capture::Definition,
        (Some("local"), Some("reference")) => Capture::Reference,
        _ => Capture::Other,
    }
}

/// What a name means by the scopes around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalTarget {
    /// No scope of the file binds the name.
    Unbound,
    /// A variable, a parameter or the like.
    Variable,
    /// The definitions of a group.
    Definitions(GroupId),
    /// Variables and definitions of one scope.
    Several,
}

/// The number of a group: the names of one scope that are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupId(usize);

/// The names of one scope that are equal.
#[derive(Debug)]
struct Group {
    /// The offset of the first one.
    first: usize,
    count: usize,
    /// The number of those that are definitions of the file.
    definitions: usize,
}

#[derive(Debug)]
struct LocalScope {
    range: Range<usize>,
    parent: Option<usize>,
    is_sealed: bool,
}

/// The local names of a text.
#[derive(Debug, Default)]
pub(super) struct Locals<'t> {
    scopes: Vec<LocalScope>,
    groups: Vec<Group>,
    /// The group of each name in each scope.
    by_name: HashMap<(usize, &'t str), GroupId>,
    /// The group of each range that is a definition.
    defined: BTreeMap<(usize, usize), GroupId>,
    /// The ranges of the names that are references, without those that are definitions.
    pub(super) references: BTreeSet<(usize, usize)>,
    pub(super) is_partial: bool,
}

impl<'t> Locals<'t> {
    /// Adds a name that `locals.scm` defines. Names come in source order.
    fn define(&mut self, name: &'t str, range: (usize, usize), defining: DefiningScope) {
        let scope = self.defining_scope(range.0, defining);
        let next = GroupId(self.groups.len());
        let id = *self.by_name.entry((scope, name)).or_insert(next);
        if id == next {
            self.groups.push(Group {
                first: range.0,
                count: 0,
                definitions: 0,
            });
        }
        if let Some(group) = self.groups.get_mut(id.0) {
            group.count += 1;
        }
        self.defined.insert(range, id);
    }

    fn defining_scope(&self, start: usize, defining: DefiningScope) -> usize {
        let innermost = self.scope_at(start);
        let parent = self.scopes.get(innermost).and_then(|scope| scope.parent);
        match defining {
            DefiningScope::Innermost => innermost,
            DefiningScope::Parent => parent.unwrap_or_default(),
            DefiningScope::File => 0,
        }
    }

    /// Resolves a name at an offset. A definition is visible behind its name.
    pub(super) fn resolve(&self, name: &str, offset: usize) -> LocalTarget {
        let mut scope = Some(self.scope_at(offset));
        for _ in 0..MAX_SCOPES {
            let Some(at) = scope else { break };
            if let Some(id) = self.by_name.get(&(at, name)).copied()
                && let Some(group) = self.groups.get(id.0)
                && group.first < offset
            {
                return match group.definitions {
                    0 => LocalTarget::Variable,
                    all if all == group.count => LocalTarget::Definitions(id),
                    _ => LocalTarget::Several,
                };
            }
            let own = self.scopes.get(at);
            scope = own.filter(|own| !own.is_sealed).and_then(|own| own.parent);
        }
        LocalTarget::Unbound
    }

    /// Reports whether `locals.scm` captures a name as a definition.
    pub(super) fn is_defined(&self, name: &Range<usize>) -> bool {
        self.defined.contains_key(&(name.start, name.end))
    }

    /// Records that a name is that of a definition of the file. Returns its group, if it has one.
    pub(super) fn add_definition(&mut self, name: &Range<usize>) -> Option<GroupId> {
        let id = self.defined.get(&(name.start, name.end)).copied()?;
        self.groups.get_mut(id.0)?.definitions += 1;
        Some(id)
    }

    /// Returns the number of names in a group.
    pub(super) fn count(&self, id: GroupId) -> usize {
        self.groups.get(id.0).map_or(0, |group| group.count)
    }

    /// Returns the innermost scope around an offset.
    fn scope_at(&self, offset: usize) -> usize {
        let before = self
            .scopes
            .partition_point(|scope| scope.range.start <= offset);
        let mut at = before.saturating_sub(1);
        // The scope that begins last may have ended; one of its parents contains the offset.
        while let Some(scope) = self.scopes.get(at) {
            match scope.parent {
                Some(parent) if scope.range.end <= offset => at = parent,
                _ => break,
            }
        }
        at
    }
}

/// Sorts scopes, and finds the parent of each. The scope of the file is the first.
fn nest(mut scopes: Vec<(Range<usize>, bool)>) -> Vec<LocalScope> {
    scopes.small_sort_by_key(|(range, is_sealed)| (range.start, Reverse(range.end), *is_sealed));
    let mut nested: Vec<LocalScope> = Vec::with_capacity(scopes.len());
    let mut open: Vec<usize> = Vec::new();
    for (range, is_sealed) in scopes {
        while open
            .pop_if(|at| {
                nested
                    .get(*at)
                    .is_some_and(|outer| outer.range.end < range.end)
            })
            .is_some()
        {}
        let parent = open.last().copied();
        open.push(nested.len());
        nested.push(LocalScope {
            range,
            parent,
            is_sealed,
        });
    }
    nested
}
