//! What a text defines: one pass over the nodes in the order of the text.

use std::collections::HashMap;

use super::grammar_rules::Table;
use super::rules::{Field, FlatTree, Rule};
use crate::body_hash::Named;
use crate::raw_definition::{Beyond, MAX_NESTING, RawDefinition, name_path};
use crate::symbol::Outline;
use crate::tree::At;
use ragnav_base::item::DefinitionKind;

/// The first line of what a comment says is cut after this many characters.
const MAX_DOCSTRING: usize = 200;
/// Types are looked into for their names no deeper than this.
const MAX_TYPE_DEPTH: usize = 8;

/// A definition with what else is known of it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) raw: RawDefinition,
    pub(super) named: Named,
    pub(super) qualifier: Option<String>,
    pub(super) own: Option<At>,
    /// The first line of the comment before it.
    pub(super) docstring: Option<String>,
}

/// What is around a node, innermost last, with the first node behind it.
#[derive(Debug)]
enum Around {
    Definition(At, usize),
    /// The members of a type that goes by this name.
    Members(At, Option<String>),
}

impl Around {
    fn end(&self) -> At {
        match self {
            Self::Definition(end, _) | Self::Members(end, _) => *end,
        }
    }
}

struct Finder<'t> {
    tree: &'t FlatTree<'t>,
    table: &'t Table,
    found: Vec<Found>,
    around: Vec<Around>,
    /// The end of each node's last token that is no comment.
    ends: Vec<u32>,
    before: HashMap<At, Before>,
    is_partial: bool,
}

/// What stands before a node and belongs to it.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    decorator: Option<u32>,
    comment: Option<At>,
}

pub(super) fn find(tree: &FlatTree<'_>, table: &Table) -> Outline<Found> {
    let mut finder = Finder {
        tree,
        table,
        found: Vec::new(),
        around: Vec::new(),
        ends: ends(tree),
        before: HashMap::new(),
        is_partial: false,
    };
    for at in 0..tree.len() {
        finder.visit(at);
    }
    Outline {
        definitions: finder.found,
        is_partial: finder.is_partial,
    }
}

/// From the last node to the first, so that each knows its children's.
fn ends(tree: &FlatTree<'_>) -> Vec<u32> {
    let mut ends = vec![0; tree.len()];
    for at in (0..tree.len()).rev() {
        let node = tree.node(at);
        if node.kind == Rule::Comment {
            continue;
        }
        let own = ends.get(at).copied().unwrap_or_default();
        let own = if tree.is_leaf(at) && node.start < node.end {
            let text = tree.text(at).trim_end();
            node.start + ragnav_base::position::wire(text.len())
        } else {
            own
        };
        for place in [at, tree.parent(at)] {
            if let Some(end) = ends.get_mut(place) {
                *end = own.max(*end);
            }
        }
    }
    ends
}

impl Finder<'_> {
    fn visit(&mut self, at: At) {
        while self.around.pop_if(|around| around.end() <= at).is_some() {}
        self.find(at);
        if !self.tree.is_leaf(at) {
            self.note_before(at);
        }
        self.before.remove(&at);
    }

    fn find(&mut self, at: At) {
        let rule = self.tree.kind(at);
        if rule == Rule::Members && self.around.len() < MAX_NESTING {
            let of = self.tree.child(at, Field::Type);
            let name = of.and_then(|of| type_name(self.tree, of));
            let end = self.tree.next(at);
            self.around.push(Around::Members(end, name));
        }
        let found = self.definition(at, rule);
        self.is_partial |= found.is_err();
        if let Ok(Some(found)) = found {
            if found.raw.kind != DefinitionKind::Type {
                let end = self.tree.next(at);
                self.around.push(Around::Definition(end, self.found.len()));
            }
            self.found.push(found);
        }
    }

    /// Notes for each child which decorators and comments stand before it.
    fn note_before(&mut self, at: At) {
        let tree = self.tree;
        let mut before = Before::default();
        let mut last_end = tree.node(at).start;
        for child in tree.children(at) {
            let node = tree.node(child);
            // Some comments end with their line break.
            let gap = tree.slice(last_end.saturating_sub(1), node.start);
            if gap.matches('\n').nth(1).is_some() {
                before.comment = None;
            }
            match node.kind {
                Rule::Comment => {
                    // What stands behind something on its line is about that.
                    if gap.contains('\n') || last_end == 0 || before.comment.is_some() {
                        before.comment.get_or_insert(child);
                    }
                }
                Rule::Decorator => {
                    before.decorator.get_or_insert(node.start);
                }
                _ => {
                    if before.comment.is_some() || before.decorator.is_some() {
                        self.before.insert(child, std::mem::take(&mut before));
                    }
                }
            }
            last_end = node.end;
        }
    }

    fn definition(&self, at: At, rule: Rule) -> Result<Option<Found>, Beyond> {
        let by_rule = match rule {
            Rule::Defines(kind) => kind,
            Rule::Function => DefinitionKind::Function,
            _ => return Ok(None),
        };
        let tree = self.tree;
        let defined = (self.table.defined)(tree, at);
        let defined = defined.map(|defined| (tree.text(defined.name), defined));
        let Some((name, defined)) = defined.filter(|(name, _)| !name.is_empty()) else {
            return Ok(None);
        };
        if self.around.len() >= MAX_NESTING {
            return Err(Beyond);
        }
        let members = match self.around.last() {
            Some(Around::Members(_, name)) => Some(name),
            _ => None,
        };
        let parent = self.parent();
        let around = parent.and_then(|parent| self.found.get(parent));
        let kind = match (defined.kind, rule) {
            (Some(kind), _) => kind,
            (None, Rule::Function) if self.has_methods(around) || members.is_some() => {
                DefinitionKind::Method
            }
            (None, _) => by_rule,
        };
        let qualifier = defined.qualifier.or_else(|| members.cloned().flatten());
        let around = around.map(|around| &around.raw);
        let name_path = name_path(around, qualifier.as_deref(), name)?;
        let before = self.before.get(&at).copied().unwrap_or_default();
        let node = tree.node(at);
        let start = self.start(at);
        Ok(Some(Found {
            raw: RawDefinition {
                kind,
                name_path,
                parent,
                decorated_start: before.decorator.unwrap_or(node.start) as usize,
                start: start as usize,
                end: self.ends.get(at).copied().unwrap_or(node.end) as usize,
            },
            named: Named {
                definition: at,
                name: defined.name,
            },
            qualifier,
            own: defined.own,
            docstring: before.comment.and_then(|at| first_line(tree.text(at))),
        }))
    }

    /// The definition that is around.
    fn parent(&self) -> Option<usize> {
        self.around.iter().rev().find_map(|around| match around {
            Around::Definition(_, index) => Some(*index),
            Around::Members(..) => None,
        })
    }

    fn has_methods(&self, around: Option<&Found>) -> bool {
        let is_type = matches!(self.around.last(), Some(Around::Definition(..)));
        is_type
            && around.is_some_and(|around| match around.raw.kind {
                DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::Enum => true,
                DefinitionKind::Namespace => self.table.has_open_classes,
                _ => false,
            })
    }

    /// Where a definition begins behind the decorators in it.
    fn start(&self, at: At) -> u32 {
        let tree = self.tree;
        let mut first = at;
        for _ in 0..2 {
            let mut parts = tree.children(first).filter(|&part| {
                !matches!(tree.kind(part), Rule::Decorator | Rule::Comment)
                    && (tree.kind(part) != Rule::Modifiers || self.has_own(part))
            });
            let Some(part) = parts.next() else {
                break;
            };
            first = part;
            if tree.kind(part) != Rule::Modifiers {
                break;
            }
        }
        if first == at {
            tree.node(at).start
        } else {
            tree.node(first).start
        }
    }

    /// Whether modifiers are not decorators alone.
    fn has_own(&self, modifiers: At) -> bool {
        let tree = self.tree;
        tree.children(modifiers)
            .any(|part| !matches!(tree.kind(part), Rule::Decorator | Rule::Comment))
    }
}

/// The name that a type goes by, of which this may be a reference or an instance.
pub(crate) fn type_name(tree: &FlatTree<'_>, at: At) -> Option<String> {
    let mut of = at;
    for _ in 0..MAX_TYPE_DEPTH {
        of = match tree.kind(of) {
            Rule::Name | Rule::Variable => return Some(tree.text(of).to_owned()),
            Rule::Member { name, .. } => tree.child(of, name)?,
            // Several types, of which none gives its name to the whole.
            Rule::Reads => return None,
            _ => {
                let named = tree.child(of, Field::Type);
                named.or_else(|| tree.operands(of).next())?
            }
        };
    }
    None
}

/// The first line of a comment that says something.
fn first_line(comment: &str) -> Option<String> {
    let marks: &[char] = &['/', '*', '!', '#', ' ', '\t'];
    let mut lines = comment.lines().map(|line| line.trim_matches(marks).trim());
    let line = lines.find(|line| !line.is_empty())?;
    Some(line.chars().take(MAX_DOCSTRING).collect())
}
