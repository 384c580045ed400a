//! Builds the facts in one pass, in which each node assigns roles to its children.

use super::builder::{FactsBuilder, ReceiverText, Role};
use super::definitions::FoundDefinition;
use super::grammar_rules::GrammarRules;
use super::name_scopes::{NameScopes, NameTarget};
use super::nodes::definition_end;
use super::rules::{Field, FlatTree, OWN_INSTANCE_NAMES, Rule};
use crate::facts::{BodyHash, DefinitionId, Facts, ReferenceKind, Scope, ScopeKind, Value};
use crate::name_interner::NameInterner;
use crate::position_cursor::PositionCursor;
use crate::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The number of nodes between a name and the node with its receiver.
const MAX_TRANSPARENT: usize = 4;

pub(super) fn build_facts<'t>(
    tree: &'t FlatTree<'t>,
    text: &'t str,
    rules: &'t GrammarRules,
    found: &[FoundDefinition],
    hashes: &[BodyHash],
) -> Facts {
    let mut walk = FactsBuilder {
        tree,
        rules,
        facts: Facts::default(),
        names: NameInterner::default(),
        positions: PositionCursor::new(text),
        pending_references: Vec::new(),
        name_scopes: NameScopes::default(),
        roles: vec![Role::Read; tree.len()],
        open: Vec::new(),
        scope_ends: Vec::new(),
        receiver_ends: Vec::new(),
    };
    walk.facts.scopes.push(Scope {
        kind: ScopeKind::Module,
        parent: None,
        definition: None,
    });
    walk.name_scopes.add_scope();
    walk.add_definitions(found, hashes, text);
    let mut found = found.iter().zip((0..).map(DefinitionId)).peekable();
    for node in 0..tree.len() {
        walk.leave(node);
        let here = found.next_if(|(found, _)| found.named.definition == node);
        walk.visit(node, here);
    }
    walk.finish()
}

impl<'t> FactsBuilder<'t> {
    fn leave(&mut self, node: NodeIndex) {
        while self.open.pop_if(|(end, _)| *end <= node).is_some() {
            self.name_scopes.leave_definition();
        }
        while self.scope_ends.pop_if(|(end, _)| *end <= node).is_some() {}
        while self.receiver_ends.pop_if(|end| *end <= node).is_some() {}
    }

    fn visit(&mut self, node: NodeIndex, found: Option<(&FoundDefinition, DefinitionId)>) {
        let tree = self.tree;
        let kind = tree.kind(node);
        let role = self.roles.get(node).copied().unwrap_or_default();
        if kind.is_name() {
            return self.visit_name(node, kind, role);
        }
        if tree.is_leaf(node) {
            return;
        }
        let end = definition_end(tree, node);
        if found.is_some() || kind.is_scope() {
            let last = tree.node(end.saturating_sub(1)).end;
            self.scope_ends.push((end, last.max(tree.node(node).end)));
        }
        let is_extension = found.is_some_and(|(found, _)| found.is_extension);
        if is_extension || matches!(kind, Rule::ReceiverScope(_)) {
            self.receiver_ends.push(end);
        }
        self.assign_roles(node, kind, role);
        if found.is_none() && matches!(kind, Rule::Definition(_)) {
            self.skip_tag(node);
        }
        if let Some((found, id)) = found {
            self.open.push((end, id));
            self.name_scopes
                .enter_definition(found.own.map(|own| tree.text(own)));
            self.set_role(found.named.name, Role::DefinitionName);
            self.set_field_role(node, Field::Declarator, Role::DefinitionName);
            if found.raw.kind == DefinitionKind::Namespace {
                self.set_field_role(node, Field::Name, Role::Skip);
            }
            self.set_field_role(node, Field::Bounds, Role::Base);
        }
    }

    fn visit_name(&mut self, node: NodeIndex, kind: Rule, role: Role) {
        let reference_kind = match role {
            Role::Skip | Role::DefinitionName => return,
            Role::Variable(_) | Role::Field | Role::ForwardVariable
                if matches!(kind, Rule::ReferenceName | Rule::PathName) =>
            {
                ReferenceKind::Reference
            }
            Role::Import if kind == Rule::ReferenceName => ReferenceKind::Reference,
            Role::Field => return self.visit_field(node),
            Role::Read | Role::Reference | Role::Callee if kind == Rule::VariableName => {
                return self.visit_variable(node, 0);
            }
            Role::Variable(from) => return self.visit_variable(node, from),
            Role::ForwardVariable => return self.visit_forward_variable(node),
            Role::Read if kind == Rule::Identifier => return,
            Role::Read | Role::Reference => ReferenceKind::Reference,
            Role::Callee => ReferenceKind::Call,
            Role::Import => ReferenceKind::Import,
            Role::Base => ReferenceKind::Inherit,
        };
        if !OWN_INSTANCE_NAMES.contains(&self.tree.text(node)) {
            self.add_reference(node, reference_kind);
        }
    }

    fn visit_variable(&mut self, node: NodeIndex, from: u32) {
        let span = self.tree.node(node);
        let to = self.scope_ends.last().map_or(u32::MAX, |(_, end)| *end);
        let from = from.max(span.end);
        self.name_scopes
            .add_variable(self.tree.name(node), from, to);
    }

    fn visit_field(&mut self, node: NodeIndex) {
        let scope = self.scope_of(self.enclosing_definition());
        let name = self.tree.text(node);
        self.name_scopes.bind(scope, name, NameTarget::Variable);
    }

    fn visit_forward_variable(&mut self, node: NodeIndex) {
        let scope = self.scope_of(self.enclosing_definition());
        let name = self.tree.text(node);
        if !self.name_scopes.is_definition(&self.facts, scope, name) {
            self.visit_variable(node, 0);
        }
    }

    /// Returns the text before the dot of a member name.
    pub(super) fn receiver_of(&self, node: NodeIndex) -> ReceiverText<'t> {
        let tree = self.tree;
        let (mut node, mut parent) = (node, tree.parent(node));
        // The name `f` of `a.f<T>` is inside of `f<T>`.
        for _ in 0..MAX_TRANSPARENT {
            if tree.kind(parent) != Rule::Transparent {
                break;
            }
            (node, parent) = (parent, tree.parent(parent));
        }
        let field = tree.node(node).field;
        let of = match tree.kind(parent) {
            Rule::Member {
                receiver: of, name, ..
            }
            | Rule::MethodCall { receiver: of, name }
                if name == field =>
            {
                of
            }
            Rule::DottedName => {
                // Only the last of many segments has a receiver that tells something.
                let end = tree.node(node).end;
                if tree.slice(end, end.saturating_add(1)) == "." {
                    let is_first = node == parent + 1;
                    return if is_first {
                        ReceiverText::None
                    } else {
                        ReceiverText::Unknown
                    };
                }
                let before = tree.operands(parent).take_while(|other| *other < node);
                return before.last().map_or(ReceiverText::None, |before| {
                    self.receiver_text(before, false)
                });
            }
            Rule::MemberOfOther if tree.operands(parent).next() == Some(node) => {
                return ReceiverText::Unknown;
            }
            Rule::Segments => return self.segment_before(parent, node),
            Rule::Assignment if field == Field::Left && self.is_in_initializer(parent) => {
                return ReceiverText::Unknown;
            }
            Rule::Import if self.follows_dot(node) => {
                return ReceiverText::Unknown;
            }
            Rule::Path if tree.kind(node) == Rule::ReferenceName && self.follows_dot(node) => {
                return ReceiverText::Unknown;
            }
            _ if tree.kind(node) == Rule::PathName && self.follows_dot(node) => {
                return ReceiverText::Unknown;
            }
            _ => return ReceiverText::None,
        };
        let is_path = of == Field::Path;
        let Some(of) = tree.child(parent, of) else {
            return ReceiverText::None;
        };
        self.receiver_text(of, is_path)
    }

    /// Returns the text of a receiver. `is_path` tells whether it is the start of a path of Rust.
    fn receiver_text(&self, of: NodeIndex, is_path: bool) -> ReceiverText<'t> {
        let tree = self.tree;
        let text = tree.text(of);
        // The path `self::a` in Rust starts at the module, not at the instance.
        let is_module = is_path && text == "self";
        if !is_module && OWN_INSTANCE_NAMES.contains(&text) {
            return ReceiverText::OwnInstance;
        }
        if self.name_scopes.is_own(text) {
            return ReceiverText::InstanceParameter(text);
        }
        let is_part = tree.kind(of) == Rule::PathName && self.follows_dot(of);
        if tree.kind(of).is_name() && !is_part {
            return ReceiverText::Name(tree.name(of));
        }
        ReceiverText::Unknown
    }

    /// Returns the segment before another one in a dotted name: `a` before `b` of `a.b.c`. What is
    /// before `c` is unknown.
    fn segment_before(&self, path: NodeIndex, segment: NodeIndex) -> ReceiverText<'t> {
        let tree = self.tree;
        let before = tree.children(path).take_while(|&child| child < segment);
        let mut names = before.filter(|&child| tree.kind(child).is_name());
        match (names.next(), names.next()) {
            (None, _) => ReceiverText::None,
            (Some(name), None) => ReceiverText::Name(tree.name(name)),
            (Some(_), Some(_)) => ReceiverText::Unknown,
        }
    }

    fn is_in_initializer(&self, node: NodeIndex) -> bool {
        self.tree.kind(self.tree.parent(node)) == Rule::Initializer
    }

    fn follows_dot(&self, node: NodeIndex) -> bool {
        let start = self.tree.node(node).start;
        let before = self.tree.slice(start.saturating_sub(1), start);
        matches!(before, "." | ":")
    }

    /// Adds a base to a definition.
    pub(super) fn add_base(&mut self, derived: DefinitionId, base: &'t str) {
        let path = self.names.intern(base);
        if let Some(derived) = self.facts.definitions.get_mut(derived.0 as usize) {
            derived.bases.push(Value {
                path,
                is_called: false,
            });
        }
    }
}
