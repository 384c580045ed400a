//! Facts: one walk in the order of the text, in which each node tells those inside it what they are for.

use super::Table;
use super::definitions::Found;
use super::mentions::{Mention, Of, Seen};
use super::rules::{Field, FlatTree, OWN, Rule};
use crate::item::DefinitionKind;
use crate::lang::facts::{
    Binding, BodyHash, Bound, DefinitionFact, DefinitionId, Facts, Position, ReferenceKind, Scope,
    ScopeId, ScopeKind, Value,
};
use crate::lang::names::{Names, Positions};
use crate::lang::symbols_of;
use crate::lang::tree::At;
use crate::position::wire;

/// What a node is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// It is read.
    #[default]
    Read,
    /// It is mentioned, also where a name by itself is none.
    Mentioned,
    /// It is called.
    Callee,
    /// It is imported.
    Import,
    /// It is inherited from.
    Inherit,
    /// The names in it are variables, seen from this offset on.
    Local(u32),
    /// It names what is being defined.
    Defined,
    /// Nothing in it is a mention.
    Skip,
}

/// The file's own scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// The walk with what it found so far.
pub(super) struct Walk<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) table: &'t Table,
    pub(super) facts: Facts,
    pub(super) names: Names<'t>,
    pub(super) positions: Positions<'t>,
    pub(super) mentions: Vec<Mention<'t>>,
    pub(super) seen: Seen<'t>,
    /// One for each node of the tree, set before the node's turn comes.
    roles: Vec<Role>,
    /// The definitions around a node with the first node behind each, innermost last.
    open: Vec<(At, DefinitionId)>,
    /// To where variables are seen, innermost last, with the first node behind.
    regions: Vec<(At, u32)>,
}

pub(super) fn facts<'t>(
    tree: &'t FlatTree<'t>,
    text: &'t str,
    table: &'t Table,
    found: Vec<Found>,
    hashes: Vec<BodyHash>,
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
    walk.define(&found, &hashes, text);
    let mut found = found.iter().zip((0..).map(DefinitionId)).peekable();
    for at in 0..tree.len() {
        walk.leave(at);
        let here = found.next_if(|(found, _)| found.named.definition == at);
        walk.visit(at, here);
    }
    walk.finish()
}

impl<'t> Walk<'t> {
    /// The definitions with their scopes and names.
    fn define(&mut self, found: &[Found], hashes: &[BodyHash], text: &str) {
        let raw = found.iter().map(|found| found.raw.clone()).collect();
        let symbols = symbols_of(raw, text);
        let all = found.iter().zip(&symbols).zip(hashes);
        for ((found, symbol), body) in all {
            let parent = found.raw.parent.map(|parent| DefinitionId(wire(parent)));
            let id = DefinitionId(wire(self.facts.definitions.len()));
            let around = self.scope_of(parent);
            let scope = self.open_scope(found.raw.kind, id, around);
            let name = self.names.name(self.tree.text(found.named.name));
            let qualifier = found.qualifier.clone();
            let name_at = self.position(found.named.name);
            self.facts.definitions.push(DefinitionFact {
                kind: found.raw.kind,
                name,
                qualifier: qualifier.map(|qualifier| self.names.name(qualifier)),
                parent,
                ordinal: wire(symbol.ordinal),
                decorated_start_line: wire(symbol.decorated_start_line),
                start_line: wire(symbol.start_line),
                start_utf16: symbol.start_utf16,
                end_line: wire(symbol.end_line),
                name_at,
                scope,
                bases: Vec::new(),
                decorators: Vec::new(),
                returns: None,
                docstring: found.docstring.clone(),
                body: *body,
            });
            self.bind(found, id, around, scope);
        }
    }

    /// A member of a type is no name of the scope around, and neither is one that has to be asked of its instance.
    fn bind(&mut self, found: &Found, id: DefinitionId, around: ScopeId, own: ScopeId) {
        let is_method = found.raw.kind == DefinitionKind::Method;
        if found.qualifier.is_some() || (is_method && !self.table.sees_members) {
            return;
        }
        let text = self.tree.text(found.named.name);
        if is_method && !self.is_plain_method(found) {
            self.seen.bind(around, text, false);
            self.seen.open(own);
            return;
        }
        self.seen.bind(around, text, true);
        let binding = Binding {
            scope: around,
            name: self.names.name(text),
            at: self.position(found.named.name),
            to: Bound::Definition(id),
            value_scope: around,
        };
        self.facts.bindings.push(binding);
    }

    /// Not one of a class without a name, which inherits what nobody says here, and not one of a Ruby class itself.
    fn is_plain_method(&self, found: &Found) -> bool {
        let is_of_class = self.table.has_module_methods
            && self.tree.kind(found.named.definition) != Rule::Function;
        let parent = found.raw.parent;
        let parent = parent.and_then(|parent| self.facts.definitions.get(parent));
        let is_in_type = parent.is_some_and(|parent| {
            !matches!(
                parent.kind,
                DefinitionKind::Function | DefinitionKind::Method
            )
        });
        is_in_type && !is_of_class
    }

    fn open_scope(&mut self, kind: DefinitionKind, id: DefinitionId, around: ScopeId) -> ScopeId {
        let scope_kind = match kind {
            DefinitionKind::Function | DefinitionKind::Method => ScopeKind::Function,
            // What sees a class's members by their names does so as in a namespace.
            _ => ScopeKind::Namespace,
        };
        let is_sealed = kind == DefinitionKind::Namespace && self.table.seals_namespaces;
        self.seen.add_scope(is_sealed);
        let scope = ScopeId(wire(self.facts.scopes.len()));
        self.facts.scopes.push(Scope {
            kind: scope_kind,
            parent: Some(around),
            definition: Some(id),
        });
        // What is mixed in is not said in the head of a Ruby class.
        if self.table.has_module_methods && scope_kind == ScopeKind::Namespace {
            self.seen.open(scope);
        }
        scope
    }

    /// The scope that a definition opens; the file's without one.
    pub(super) fn scope_of(&self, definition: Option<DefinitionId>) -> ScopeId {
        let definition = definition.and_then(|id| self.facts.definitions.get(id.0 as usize));
        definition.map_or(MODULE, |definition| definition.scope)
    }

    /// The innermost definition around.
    pub(super) fn around(&self) -> Option<DefinitionId> {
        self.open.last().map(|(_, id)| *id)
    }

    pub(super) fn position(&mut self, at: At) -> Position {
        self.positions.at(self.tree.node(at).start as usize)
    }

    fn leave(&mut self, at: At) {
        while self.open.pop_if(|(end, _)| *end <= at).is_some() {
            self.seen.leave_definition();
        }
        while self.regions.pop_if(|(end, _)| *end <= at).is_some() {}
    }

    fn visit(&mut self, at: At, found: Option<(&Found, DefinitionId)>) {
        let tree = self.tree;
        let rule = tree.kind(at);
        let role = self.roles.get(at).copied().unwrap_or_default();
        if rule.is_name() {
            return self.name(at, rule, role);
        }
        if tree.is_leaf(at) {
            return;
        }
        if found.is_some() || rule.is_region() {
            self.regions.push((tree.next(at), tree.node(at).end));
        }
        self.give(at, rule, role);
        if found.is_none() && matches!(rule, Rule::Defines(_)) {
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

    /// `struct a { … }` that another name stands for.
    fn give_undefined(&mut self, at: At) {
        if self.tree.child(at, Field::Body).is_some() {
            self.give_field(at, Field::Name, Role::Skip);
        }
    }

    /// Tells the children of a node what they are for.
    fn give(&mut self, at: At, rule: Rule, role: Role) {
        let handed_on = match role {
            Role::Callee | Role::Mentioned => Role::Read,
            _ => role,
        };
        let read = if role == Role::Skip {
            Role::Skip
        } else {
            Role::Read
        };
        match rule {
            Rule::Skip => self.give_all(at, Role::Skip),
            _ if role == Role::Skip => self.give_all(at, Role::Skip),
            Rule::Import => self.give_all(at, Role::Import),
            Rule::Inherit => self.give_all(at, Role::Inherit),
            Rule::Reads => self.give_all(at, read),
            Rule::Mentions => self.give_all(at, Role::Mentioned),
            Rule::Through => self.give_all(at, role),
            Rule::Star => {
                self.star(at);
                self.give_all(at, Role::Skip);
            }
            Rule::ImportPath => {
                self.module_import(at);
                self.give_all(at, Role::Skip);
            }
            Rule::ImportAs => {
                self.give_all(at, role);
                self.give_field(at, Field::Alias, Role::Skip);
            }
            Rule::Call(callee) => {
                self.give_all(at, Role::Read);
                self.give_field(at, callee, Role::Callee);
            }
            Rule::New => {
                self.give_all(at, Role::Read);
                let callee = self.tree.operands(at).next();
                callee.into_iter().for_each(|at| self.set(at, Role::Callee));
            }
            Rule::Invokes { of, name } => {
                self.give_all(at, Role::Read);
                self.give_field(at, name, Role::Callee);
                let constructs = self.table.calls_bare_names && self.is_new(at, name);
                let of_role = if constructs {
                    Role::Callee
                } else {
                    Role::Mentioned
                };
                self.give_field(at, of, of_role);
            }
            Rule::Member { of, name, is_value } => self.give_member(at, role, (of, name, is_value)),
            _ => self.give_names(at, rule, role, handed_on),
        }
    }

    fn give_names(&mut self, at: At, rule: Rule, role: Role, handed_on: Role) {
        match rule {
            Rule::Path => {
                self.give_all(at, Role::Skip);
                let last = self.tree.operands(at).last();
                last.into_iter().for_each(|last| self.set(last, role));
            }
            Rule::Except(field) => {
                self.give_all(at, handed_on);
                self.give_field(at, field, Role::Read);
            }
            Rule::First => {
                self.give_all(at, Role::Skip);
                let first = self.tree.operands(at).next();
                first
                    .into_iter()
                    .for_each(|first| self.set(first, Role::Mentioned));
            }
            Rule::Skips(field) => {
                self.give_all(at, handed_on);
                self.give_field(at, field, Role::Skip);
            }
            Rule::Embeds if self.tree.child(at, Field::Name).is_none() => {
                self.give_field(at, Field::Type, Role::Inherit);
            }
            Rule::Local(names, value) => {
                self.give_all(at, Role::Read);
                let value = self.tree.child(at, value);
                let from = value.map_or(0, |value| self.tree.node(value).end);
                self.give_field(at, names, Role::Local(from));
            }
            Rule::Locals => {
                for child in self.tree.children(at) {
                    if self.tree.kind(child).is_name() {
                        self.set(child, Role::Local(0));
                    }
                }
            }
            Rule::Region(field) if field != Field::Other => {
                self.give_field(at, field, Role::Local(0));
            }
            Rule::Declarator => self.give_declarator(at, role),
            Rule::Decorator => self.give_field(at, Field::Name, Role::Mentioned),
            Rule::Members => {
                self.give_field(at, Field::Type, Role::Mentioned);
                self.give_field(at, Field::Trait, Role::Inherit);
            }
            Rule::Tokens => self.give_tokens(at),
            Rule::Block | Rule::Region(_) | Rule::Defines(_) | Rule::Function => {}
            _ => self.give_all(at, handed_on),
        }
    }

    fn give_member(&mut self, at: At, role: Role, (of, name, is_value): (Field, Field, bool)) {
        let (of_role, name_role) = match role {
            Role::Import => (Role::Skip, Role::Import),
            Role::Callee | Role::Inherit => (Role::Mentioned, role),
            _ if is_value => (Role::Mentioned, Role::Mentioned),
            _ => (Role::Mentioned, Role::Skip),
        };
        self.give_all(at, Role::Read);
        self.give_field(at, of, of_role);
        self.give_field(at, name, name_role);
    }

    /// A function that is declared and not defined is mentioned; what points to one is a variable.
    fn give_declarator(&mut self, at: At, role: Role) {
        let declares = matches!(role, Role::Local(_));
        let Some(name) = self.tree.child(at, Field::Declarator) else {
            return;
        };
        let is_function = self.tree.kind(name).is_name();
        let name_role = if declares && is_function {
            Role::Mentioned
        } else {
            role
        };
        self.set(name, name_role);
        if declares {
            self.give_field(at, Field::Parameters, Role::Skip);
        }
    }

    /// A name before brackets is called; one behind a dot is a field otherwise.
    fn give_tokens(&mut self, at: At) {
        let tree = self.tree;
        let mut last: Option<At> = None;
        let mut is_field = false;
        for child in tree.children(at) {
            let text = tree.text(child);
            let is_call = tree.kind(child) == Rule::Tokens && text.starts_with('(');
            if let Some(name) = last.filter(|_| is_call) {
                self.set(name, Role::Callee);
            }
            last = tree.kind(child).is_name().then_some(child);
            if last.is_some() && is_field {
                self.set(child, Role::Skip);
            }
            is_field = text == ".";
        }
    }

    fn is_new(&self, at: At, name: Field) -> bool {
        let name = self.tree.child(at, name);
        name.is_some_and(|name| self.tree.text(name) == "new")
    }

    fn give_all(&mut self, at: At, role: Role) {
        if role == Role::Read {
            return;
        }
        for child in self.tree.children(at) {
            self.set(child, role);
        }
    }

    fn give_field(&mut self, at: At, field: Field, role: Role) {
        for child in self.tree.children(at) {
            if self.tree.node(child).field == field {
                self.set(child, role);
            }
        }
    }

    fn set(&mut self, at: At, role: Role) {
        let known = self.roles.get_mut(at);
        // What names a definition does so however deep inside its node it stands.
        if let Some(known) = known.filter(|known| **known != Role::Defined) {
            *known = role;
        }
    }

    fn name(&mut self, at: At, rule: Rule, role: Role) {
        let calls = self.table.calls_bare_names && self.tree.kind(at) == Rule::Variable;
        let kind = match role {
            Role::Skip | Role::Defined => return,
            Role::Local(from) => return self.local(at, from),
            Role::Read if calls => ReferenceKind::Call,
            Role::Read if rule == Rule::Variable => return,
            Role::Read | Role::Mentioned => ReferenceKind::Reference,
            Role::Callee => ReferenceKind::Call,
            Role::Import => ReferenceKind::Import,
            Role::Inherit => ReferenceKind::Inherit,
        };
        if !OWN.contains(&self.tree.text(at)) {
            self.mention(at, kind);
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
        if !is_module && (OWN.contains(&text) || self.seen.is_own(text)) {
            return Of::Own;
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
