//! Facts: one walk in the order of the text, in which each node tells those inside it what they are for.

use super::builder::{Of, Role, Walk};
use super::definitions::Found;
use super::grammar_rules::Table;
use super::name_scopes::Seen;
use super::rules::{Field, FlatTree, OWN, Rule};
use crate::facts::{BodyHash, DefinitionId, Facts, ReferenceKind, Scope, ScopeKind, Value};
use crate::name_table::Names;
use crate::positions::Positions;
use crate::tree::At;

pub(super) fn facts<'t>(
    tree: &'t FlatTree<'t>,
    text: &'t str,
    table: &'t Table,
    found: &[Found],
    hashes: &[BodyHash],
) -> Facts {
    let mut walk = Walk {
        tree,
        table,
        facts: Facts::default(),
        names: Names::default(),
        positions: Positions::new(text),
        mentions: Vec::new(),
        seen: Seen::default(),
        roles: vec![Role::Read; tree.len()],
        open: Vec::new(),
        regions: Vec::new(),
    };
    walk.facts.scopes.push(Scope {
        kind: ScopeKind::Module,
        parent: None,
        definition: None,
    });
    walk.seen.add_scope(false);
    walk.define(found, hashes, text);
    let mut found = found.iter().zip((0..).map(DefinitionId)).peekable();
    for at in 0..tree.len() {
        walk.leave(at);
        let here = found.next_if(|(found, _)| found.named.definition == at);
        walk.visit(at, here);
    }
    walk.finish()
}

impl<'t> Walk<'t> {
    fn leave(&mut self, at: At) {
        while self.open.pop_if(|(end, _)| *end <= at).is_some() {
            self.seen.leave_definition();
        }
        while self.regions.pop_if(|(end, _)| *end <= at).is_some() {}
    }

    fn visit(&mut self, at: At, found: Option<(&Found, DefinitionId)>) {
        let tree = self.tree;
        let kind = tree.kind(at);
        let role = self.roles.get(at).copied().unwrap_or_default();
        if kind.is_name() {
            return self.name(at, kind, role);
        }
        if tree.is_leaf(at) {
            return;
        }
        if found.is_some() || kind.is_region() {
            self.regions.push((tree.next(at), tree.node(at).end));
        }
        self.give(at, kind, role);
        if found.is_none() && matches!(kind, Rule::Defines(_)) {
            self.give_undefined(at);
        }
        if let Some((found, id)) = found {
            self.open.push((tree.next(at), id));
            self.seen
                .enter_definition(found.own.map(|own| tree.text(own)));
            self.set(found.named.name, Role::Defined);
            self.give_field(at, Field::Declarator, Role::Defined);
            self.give_field(at, Field::Bounds, Role::Inherit);
        }
    }

    fn name(&mut self, at: At, kind: Rule, role: Role) {
        let calls = self.table.has_open_classes && self.tree.kind(at) == Rule::Variable;
        let mentioned = match role {
            Role::Skip | Role::Defined => return,
            Role::Local(from) => return self.local(at, from),
            Role::Read if calls => ReferenceKind::Call,
            Role::Read if kind == Rule::Variable => return,
            Role::Read | Role::Mentioned => ReferenceKind::Reference,
            Role::Callee => ReferenceKind::Call,
            Role::Import => ReferenceKind::Import,
            Role::Inherit => ReferenceKind::Inherit,
        };
        if !OWN.contains(&self.tree.text(at)) {
            self.mention(at, mentioned);
        }
    }

    fn local(&mut self, at: At, from: u32) {
        let node = self.tree.node(at);
        let to = self.regions.last().map_or(u32::MAX, |(_, end)| *end);
        let from = from.max(node.end);
        self.seen.add_local(self.tree.text(at), from, to);
    }

    /// What stands before the name of a member.
    pub(super) fn of(&self, at: At) -> Of<'t> {
        let tree = self.tree;
        let parent = tree.parent(at);
        let field = tree.node(at).field;
        let of = match tree.kind(parent) {
            Rule::Member { of, name, .. } | Rule::Invokes { of, name } if name == field => of,
            Rule::Tokens if self.is_behind_dot(at) => return Of::Unknown,
            _ => return Of::Nothing,
        };
        let is_path = of == Field::Path;
        let Some(of) = tree.child(parent, of) else {
            return Of::Nothing;
        };
        let text = tree.text(of);
        // `self::a` is of a module.
        let is_module = is_path && text == "self";
        if !is_module && OWN.contains(&text) {
            return Of::Own;
        }
        if self.seen.is_own(text) {
            return Of::Receiver(text);
        }
        if tree.kind(of).is_name() {
            return Of::Name(text);
        }
        Of::Unknown
    }

    fn is_behind_dot(&self, at: At) -> bool {
        let start = self.tree.node(at).start;
        let before = self.tree.slice(start.saturating_sub(1), start);
        matches!(before, "." | ":")
    }

    /// Notes that the definition around inherits from what is named.
    pub(super) fn inherit(&mut self, heir: DefinitionId, base: &'t str) {
        let path = self.names.name(base);
        if let Some(heir) = self.facts.definitions.get_mut(heir.0 as usize) {
            heir.bases.push(Value {
                path,
                called: false,
            });
        }
    }
}
