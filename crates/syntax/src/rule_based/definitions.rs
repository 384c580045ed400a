//! Finds the definitions of a text in one pass over the nodes.

use ragnav_base::hash::{HashMap, HashSet};

use super::docstrings::first_line;
use super::grammar_rules::GrammarRules;
use super::nodes::{definition_end, last_node, token_ends, type_name};
use super::rules::{Field, FlatTree, Rule};
use crate::body_hash::NamedNode;
use crate::facts::Conditions;
use crate::raw_definition::{LimitExceeded, MAX_NESTING, RawDefinition, name_path};
use crate::symbol::Outline;
use crate::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// A definition with its nodes and its docstring.
#[derive(Debug)]
pub(crate) struct FoundDefinition {
    pub(crate) raw: RawDefinition,
    pub(crate) named: NamedNode,
    pub(crate) qualifier: Option<String>,
    pub(crate) own: Option<NodeIndex>,
    /// The name, if it differs from the text of its node.
    pub(crate) spelled: Option<String>,
    /// Whether other files may add members.
    pub(crate) is_open: bool,
    /// Whether its body sees the members of another type.
    pub(crate) is_extension: bool,
    /// The first line of the comment before the definition.
    pub(crate) docstring: Option<String>,
}

/// A construct that encloses a node, with the first node after it.
#[derive(Debug)]
enum Container {
    Definition(NodeIndex, usize),
    /// The members of a type: an `impl` block of Rust, with the name of the type.
    Members(NodeIndex, Option<String>),
}

impl Container {
    fn end(&self) -> NodeIndex {
        match self {
            Self::Definition(end, _) | Self::Members(end, _) => *end,
        }
    }
}

struct Finder<'t> {
    tree: &'t FlatTree<'t>,
    rules: &'t GrammarRules,
    found: Vec<FoundDefinition>,
    namespaces: HashSet<&'t str>,
    enclosing: Vec<Container>,
    /// The end of the last token in each node that is not a comment.
    ends: Vec<u32>,
    before: HashMap<NodeIndex, Leading>,
    is_partial: bool,
}

/// The decorators and comments that precede a node and belong to it.
#[derive(Debug, Clone, Copy, Default)]
struct Leading {
    decorator: Option<u32>,
    comment: Option<NodeIndex>,
}

pub(super) fn find_definitions(
    tree: &FlatTree<'_>,
    rules: &GrammarRules,
) -> Outline<FoundDefinition> {
    let mut finder = Finder {
        tree,
        rules,
        found: Vec::new(),
        namespaces: HashSet::default(),
        enclosing: Vec::new(),
        ends: token_ends(tree),
        before: HashMap::default(),
        is_partial: false,
    };
    for node in 0..tree.len() {
        finder.visit(node);
    }
    Outline {
        has_errors: false,
        definitions: finder.found,
        conditions: Conditions::default(),
        is_partial: finder.is_partial,
    }
}

impl Finder<'_> {
    fn visit(&mut self, node: NodeIndex) {
        while self
            .enclosing
            .pop_if(|enclosing| enclosing.end() <= node)
            .is_some()
        {}
        self.visit_definition(node);
        if !self.tree.is_leaf(node) {
            self.collect_leading(node);
        }
        self.before.remove(&node);
    }

    fn visit_definition(&mut self, node: NodeIndex) {
        let rule = self.tree.kind(node);
        if rule == Rule::Members && self.enclosing.len() < MAX_NESTING {
            let of = self.tree.child(node, Field::Type);
            let name = of.and_then(|of| type_name(self.tree, of));
            let end = self.tree.subtree_end(node);
            self.enclosing.push(Container::Members(end, name));
        }
        let found = self.read_definition(node, rule);
        self.is_partial |= found.is_err();
        if let Ok(Some(found)) = found {
            if found.raw.kind == DefinitionKind::Namespace {
                self.namespaces.insert(self.tree.name(found.named.name));
            }
            if found.raw.kind != DefinitionKind::Type {
                let end = definition_end(self.tree, node);
                self.enclosing
                    .push(Container::Definition(end, self.found.len()));
            }
            self.found.push(found);
        }
    }

    /// Records for each child the decorators and comments that precede it.
    fn collect_leading(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let is_template = tree.kind(node) == Rule::Template;
        let mut before = Leading::default();
        if is_template || tree.kind(node) == Rule::Wrapper {
            before = self.before.get(&node).copied().unwrap_or_default();
        }
        if is_template {
            before.decorator = before.decorator.or(Some(tree.node(node).start));
        }
        let mut last_end = tree.node(node).start;
        for child in tree.children(node) {
            let span = tree.node(child);
            // In some grammars a comment includes its line break.
            let gap = tree.slice(last_end.saturating_sub(1), span.start);
            if gap.matches('\n').nth(1).is_some() {
                before.comment = None;
            }
            match span.kind {
                Rule::Comment => {
                    // A comment at the end of a line of code belongs to that line.
                    if gap.contains('\n') || last_end == 0 || before.comment.is_some() {
                        before.comment.get_or_insert(child);
                    }
                }
                Rule::Decorator => {
                    before.decorator.get_or_insert(span.start);
                }
                kind if is_template && !kind.may_define() => {}
                _ => {
                    if before.comment.is_some() || before.decorator.is_some() {
                        self.before.insert(child, std::mem::take(&mut before));
                    }
                }
            }
            last_end = span.end;
        }
    }

    fn read_definition(
        &self,
        node: NodeIndex,
        rule: Rule,
    ) -> Result<Option<FoundDefinition>, LimitExceeded> {
        let by_rule = match rule {
            Rule::Definition(kind)
            | Rule::DefinitionOfRest(kind)
            | Rule::DefinitionWithAccessors(kind) => kind,
            Rule::Function => DefinitionKind::Function,
            Rule::MemberDeclaration(..) if self.is_in_type() => DefinitionKind::Method,
            _ => return Ok(None),
        };
        let tree = self.tree;
        let defined = (self.rules.find_definition)(tree, node);
        let Some(defined) = defined else {
            return Ok(None);
        };
        let name = defined.spelled.as_deref();
        let name = name.unwrap_or_else(|| tree.name(defined.name));
        if name.is_empty() {
            return Ok(None);
        }
        if self.enclosing.len() >= MAX_NESTING {
            return Err(LimitExceeded);
        }
        let members = match self.enclosing.last() {
            Some(Container::Members(_, name)) => Some(name),
            _ => None,
        };
        let parent = self.parent_definition();
        let enclosing = parent.and_then(|parent| self.found.get(parent));
        let kind = match (defined.kind, rule) {
            (Some(kind), _) => kind,
            (None, Rule::Function)
                if self.has_methods(enclosing)
                    || members.is_some()
                    || self.is_of_type(defined.qualifier.as_deref()) =>
            {
                DefinitionKind::Method
            }
            (None, _) => by_rule,
        };
        let qualifier = defined.qualifier.or_else(|| members.cloned().flatten());
        let enclosing = enclosing.map(|enclosing| &enclosing.raw);
        let name_path = name_path(enclosing, qualifier.as_deref(), name)?;
        let last = last_node(tree, node);
        let before = self.before.get(&node).copied().unwrap_or_default();
        let span = tree.node(node);
        let start = self.undecorated_start(node);
        Ok(Some(FoundDefinition {
            raw: RawDefinition {
                kind,
                name_path,
                parent,
                decorated_start: before.decorator.unwrap_or(span.start) as usize,
                start: start as usize,
                end: self.ends.get(last).copied().unwrap_or(span.end) as usize,
            },
            named: NamedNode {
                definition: node,
                name: defined.name,
            },
            qualifier,
            own: defined.own,
            spelled: defined.spelled,
            is_open: defined.is_open,
            is_extension: defined.is_extension,
            docstring: match defined.doc {
                Some(doc) => first_line(tree.text(doc)),
                None => self.docstring(before, span.start),
            },
        }))
    }

    /// Returns the first line of the comments before a definition that starts at an offset.
    fn docstring(&self, before: Leading, start: u32) -> Option<String> {
        let comment = self.tree.node(before.comment?).start;
        let end = before.decorator.filter(|decorator| *decorator > comment);
        first_line(self.tree.slice(comment, end.unwrap_or(start)))
    }

    /// Returns the innermost enclosing definition.
    fn parent_definition(&self) -> Option<usize> {
        self.enclosing
            .iter()
            .rev()
            .find_map(|enclosing| match enclosing {
                Container::Definition(_, index) => Some(*index),
                Container::Members(..) => None,
            })
    }

    /// Reports whether a type encloses the current node directly.
    fn is_in_type(&self) -> bool {
        let enclosing = self.parent_definition();
        self.has_methods(enclosing.and_then(|index| self.found.get(index)))
    }

    /// Reports whether a qualifier names a type: `A` of `void A::f() {}`. A namespace is one only
    /// if this file opens it.
    fn is_of_type(&self, qualifier: Option<&str>) -> bool {
        let last = qualifier.and_then(|path| path.rsplit('.').next());
        last.is_some_and(|last| !self.namespaces.contains(last))
    }

    fn has_methods(&self, enclosing: Option<&FoundDefinition>) -> bool {
        let is_type = matches!(self.enclosing.last(), Some(Container::Definition(..)));
        is_type
            && enclosing.is_some_and(|enclosing| match enclosing.raw.kind {
                DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::Enum => true,
                DefinitionKind::Namespace => self.rules.has_methods_in_namespaces,
                _ => false,
            })
    }

    /// Returns the start of a definition, after its decorators.
    fn undecorated_start(&self, node: NodeIndex) -> u32 {
        let tree = self.tree;
        let mut first = node;
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
        if first == node {
            tree.node(node).start
        } else {
            tree.node(first).start
        }
    }

    /// Reports whether modifiers contain more than decorators.
    fn has_own(&self, modifiers: NodeIndex) -> bool {
        let tree = self.tree;
        tree.children(modifiers)
            .any(|part| !matches!(tree.kind(part), Rule::Decorator | Rule::Comment))
    }
}
