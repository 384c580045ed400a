//! Turns tags into definitions, nested by their ranges.

use std::cmp::Reverse;
use std::ops::Range;

use super::names::{dotted, read_name};
use super::tags::{Role, Tag};
use crate::facts::Conditions;
use crate::raw_definition::{LimitExceeded, MAX_NESTING, RawDefinition, name_path};
use crate::symbol::Outline;
use ragnav_base::item::DefinitionKind;
use ragnav_base::sort::SmallSort;

/// A definition with its name. Ranges are bytes.
#[derive(Debug)]
pub(super) struct FoundDefinition {
    pub(super) raw: RawDefinition,
    /// The range of the name, without a qualifier.
    pub(super) name: Range<usize>,
    pub(super) qualifier: Option<String>,
    /// The end of the definition's node, which may be behind its last token.
    pub(super) node_end: usize,
    /// The number of enclosing definitions.
    pub(super) depth: usize,
    pub(super) docstring: Option<String>,
}

/// Finds the definitions among tags. An enclosing definition precedes those inside it.
pub(super) fn find_definitions(tags: Outline<Tag>, text: &str) -> Outline<FoundDefinition> {
    let mut finder = Finder {
        text,
        found: Vec::new(),
        enclosing: Vec::new(),
        is_partial: tags.is_partial,
    };
    let is_definition = |tag: &Tag| matches!(tag.role, Role::Definition(_));
    let mut defining: Vec<Tag> = tags.definitions.into_iter().filter(is_definition).collect();
    defining.small_sort_by_key(|tag| (tag.node.start, Reverse(tag.node.end), tag.name.start));
    for tag in defining {
        finder.add(tag);
    }
    Outline {
        has_errors: false,
        definitions: finder.found,
        conditions: Conditions::default(),
        is_partial: finder.is_partial,
    }
}

struct Finder<'t> {
    text: &'t str,
    found: Vec<FoundDefinition>,
    /// The indices of the definitions around the current one, innermost last.
    enclosing: Vec<usize>,
    is_partial: bool,
}

impl Finder<'_> {
    fn add(&mut self, tag: Tag) {
        while let Some(last) = self.enclosing.last() {
            let end = self.found.get(*last).map_or(0, |outer| outer.node_end);
            if end > tag.node.start && end >= tag.node.end {
                break;
            }
            self.enclosing.pop();
        }
        match self.definition(tag) {
            Ok(Some(found)) => self.push(found),
            Ok(None) => {}
            Err(LimitExceeded) => self.is_partial = true,
        }
    }

    fn push(&mut self, found: FoundDefinition) {
        let outer = self.enclosing.last().and_then(|at| self.found.get(*at));
        let is_same_node = outer.is_some_and(|outer| {
            (outer.raw.start, outer.node_end) == (found.raw.start, found.node_end)
        });
        if !is_same_node {
            self.enclosing.push(self.found.len());
        }
        self.found.push(found);
    }

    fn definition(&self, tag: Tag) -> Result<Option<FoundDefinition>, LimitExceeded> {
        let Role::Definition(kind) = tag.role else {
            return Ok(None);
        };
        let written = self.text.get(tag.name.clone()).unwrap_or_default();
        let Some(name) = read_name(written) else {
            return Ok(None);
        };
        let enclosing = self.enclosing_of(&tag);
        if enclosing.len() >= MAX_NESTING {
            return Err(LimitExceeded);
        }
        let parent = enclosing.last().copied();
        let outer = parent.and_then(|parent| self.found.get(parent));
        let outer = outer.map(|outer| &outer.raw);
        let qualifier = name.qualifier.map(dotted);
        let name_path = name_path(outer, qualifier.as_deref(), name.name)?;
        let name_end = tag.name.start + written.trim_end().len();
        Ok(Some(FoundDefinition {
            raw: RawDefinition {
                kind: kind_in(kind, outer),
                name_path,
                parent,
                decorated_start: tag.node.start,
                start: tag.node.start,
                end: self.end_of(&tag.node),
            },
            name: name_end - name.name.len()..name_end,
            qualifier,
            node_end: tag.node.end,
            depth: enclosing.len(),
            docstring: tag.docstring,
        }))
    }

    /// Returns the definitions around a tag. Names that share a node are not inside each other.
    fn enclosing_of(&self, tag: &Tag) -> &[usize] {
        let last = self.enclosing.last().and_then(|at| self.found.get(*at));
        let is_same_node = last.is_some_and(|outer| {
            (outer.raw.start, outer.node_end) == (tag.node.start, tag.node.end)
        });
        let len = self.enclosing.len() - usize::from(is_same_node);
        self.enclosing.get(..len).unwrap_or_default()
    }

    /// Returns the end of the last token. Some nodes include the blank lines after them.
    fn end_of(&self, node: &Range<usize>) -> usize {
        let text = self.text.get(node.clone()).unwrap_or_default();
        node.start + text.trim_end().len()
    }
}

/// Returns the kind of a definition: a function directly in a type is a method.
fn kind_in(kind: DefinitionKind, outer: Option<&RawDefinition>) -> DefinitionKind {
    let is_in_type = outer.is_some_and(|outer| {
        matches!(
            outer.kind,
            DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::Enum
        )
    });
    match kind {
        DefinitionKind::Function if is_in_type => DefinitionKind::Method,
        kind => kind,
    }
}
