//! Builds the facts of a text from its tags and local names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::Tree;

use super::bodies::Tokens;
use super::definitions::{FoundDefinition, find_definitions};
use super::enclosing::Enclosing;
use super::locals::{GroupId, LocalTarget, Locals};
use super::names::read_name;
use super::tags::{Role, Tag};
use crate::facts::{
    Binding, BindingTarget, BodyHash, DefinitionFact, DefinitionId, Facts, MODULE, Receiver,
    Reference, ReferenceKind, Scope, ScopeId, ScopeKind, Space, Value,
};
use crate::name_interner::NameInterner;
use crate::position_cursor::PositionCursor;
use crate::raw_definition::into_symbols;
use crate::symbol::Outline;
use ragnav_base::hash::HashMap;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;

/// The number of scopes through which a name is looked up.
const MAX_SCOPES: usize = 64;

pub(super) fn build_facts(
    tags: Outline<Tag>,
    locals: Locals<'_>,
    tree: &Tree,
    text: &str,
) -> Facts {
    let references = wanted_references(&tags.definitions);
    let named: BTreeSet<(usize, usize)> = tags.definitions.iter().map(name_range).collect();
    let tokens = Tokens::read(tree, text);
    let Outline {
        definitions: found,
        is_partial,
        ..
    } = find_definitions(tags, text);
    let mut builder = Builder {
        text,
        locals,
        facts: Facts::default(),
        names: NameInterner::default(),
        positions: PositionCursor::new(text),
        bound: HashMap::default(),
    };
    builder.add_definitions(&found, &tokens.hash(&found, text));
    builder.add_references(references, &named, &found);
    let is_partial = is_partial || builder.locals.is_partial;
    let mut facts = builder.finish();
    facts.is_partial = is_partial;
    facts
}

/// A reference of the text that is not resolved yet.
struct WantedReference {
    kind: ReferenceKind,
    is_not_local: bool,
}

fn wanted_references(tags: &[Tag]) -> BTreeMap<(usize, usize), WantedReference> {
    let wanted = tags.iter().filter_map(|tag| match tag.role {
        Role::Reference(kind) => {
            let is_not_local = tag.is_not_local;
            Some((name_range(tag), WantedReference { kind, is_not_local }))
        }
        Role::Definition(_) | Role::None => None,
    });
    wanted.collect()
}

fn name_range(tag: &Tag) -> (usize, usize) {
    (tag.name.start, tag.name.end)
}

struct Builder<'t> {
    text: &'t str,
    locals: Locals<'t>,
    facts: Facts,
    names: NameInterner<'t>,
    positions: PositionCursor<'t>,
    /// The definitions that are bound to each name of a scope.
    bound: HashMap<(ScopeId, &'t str), BoundName>,
}

/// The definitions that are bound to a name of a scope.
struct BoundName {
    /// Their group in `locals.scm`; `None` if they have several.
    group: Option<GroupId>,
    count: usize,
}

impl<'t> Builder<'t> {
    fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    fn scope_of(&self, definition: Option<DefinitionId>) -> ScopeId {
        let definition = definition.and_then(|id| self.facts.definition(id));
        definition.map_or(MODULE, |definition| definition.scope)
    }

    fn add_definitions(&mut self, found: &[FoundDefinition], hashes: &[BodyHash]) {
        self.facts.scopes.push(Scope {
            kind: ScopeKind::Module,
            parent: None,
            definition: None,
        });
        let raw = found.iter().map(|found| found.raw.clone()).collect();
        let symbols = into_symbols(raw, self.text);
        for ((found, symbol), body) in found.iter().zip(&symbols).zip(hashes) {
            let id = DefinitionId(wire(self.facts.definitions.len()));
            let parent = found.raw.parent.map(|parent| DefinitionId(wire(parent)));
            let enclosing = self.scope_of(parent);
            let kind = if is_function(found.raw.kind) {
                ScopeKind::Function
            } else {
                // Members in scope are looked up as in a namespace, not as in a Python class.
                ScopeKind::Namespace
            };
            let scope = self.facts.add_scope(kind, enclosing, Some(id));
            let name = self.slice(found.name.clone());
            let qualifier = found.qualifier.clone();
            let name_position = self.positions.position_at(found.name.start);
            self.facts.definitions.push(DefinitionFact {
                kind: found.raw.kind,
                name: self.names.intern(name),
                qualifier: qualifier.map(|qualifier| self.names.intern(qualifier)),
                parent,
                ordinal: wire(symbol.ordinal),
                decorated_start_line: wire(symbol.decorated_start_line),
                start_line: wire(symbol.start_line),
                start_utf16: symbol.start_utf16,
                end_line: wire(symbol.end_line),
                end_utf16: symbol.end_utf16,
                name_position,
                scope,
                bases: Vec::new(),
                decorators: Vec::new(),
                returns: None,
                parameters: None,
                docstring: found.docstring.clone(),
                body: *body,
            });
            if let Some(group) = self.locals.add_definition(&found.name) {
                self.bind(id, name, enclosing, group);
            }
        }
    }

    fn bind(&mut self, id: DefinitionId, name: &'t str, scope: ScopeId, group: GroupId) {
        let bound = self.bound.entry((scope, name)).or_insert(BoundName {
            group: Some(group),
            count: 0,
        });
        bound.count += 1;
        bound.group = bound.group.filter(|known| *known == group);
        let position = self.facts.definition(id);
        let Some(position) = position.map(|definition| definition.name_position) else {
            return;
        };
        self.facts.bindings.push(Binding {
            scope,
            name: self.names.intern(name),
            position,
            target: BindingTarget::Definition(id),
            value_scope: scope,
        });
    }

    /// Adds the references of `tags.scm`, and those of `locals.scm` that are resolved.
    fn add_references(
        &mut self,
        mut references: BTreeMap<(usize, usize), WantedReference>,
        named: &BTreeSet<(usize, usize)>,
        found: &[FoundDefinition],
    ) {
        let wanted: BTreeSet<(usize, usize)> = references.keys().copied().collect();
        let local = self.locals.references.difference(named).copied();
        let all: BTreeSet<(usize, usize)> = local.chain(wanted).collect();
        let mut enclosing = Enclosing::new(found);
        for (start, end) in all {
            let definition = enclosing.at(start);
            match references.remove(&(start, end)) {
                Some(wanted) => self.add_tagged(start..end, &wanted, definition),
                None => self.add_local(start..end, definition),
            }
        }
    }

    fn add_tagged(
        &mut self,
        range: Range<usize>,
        wanted: &WantedReference,
        enclosing: Option<DefinitionId>,
    ) {
        let Some(name) = read_name(self.slice(range.clone())) else {
            return;
        };
        if self.locals.is_defined(&range) {
            return;
        }
        let is_local = self.locals.references.contains(&(range.start, range.end));
        let target = match (is_local || wanted.is_not_local, name.qualifier) {
            (true, None) => self.locals.resolve(name.name, range.start),
            _ => LocalTarget::Unbound,
        };
        if target == LocalTarget::Variable {
            return;
        }
        let mut scope = self.scope_of(enclosing);
        if wanted.kind == ReferenceKind::Inherit
            && let Some(derived) = enclosing.filter(|id| self.is_type(*id))
        {
            self.add_base(derived, name.name);
            scope = self.facts.enclosing_scope(scope);
        }
        let start = range.end - name.name.len();
        self.push(name.name, start, wanted.kind, scope, target);
    }

    fn add_local(&mut self, range: Range<usize>, enclosing: Option<DefinitionId>) {
        let name = self.slice(range.clone());
        let target = self.locals.resolve(name, range.start);
        let scope = self.scope_of(enclosing);
        if self.is_proven(name, scope, target) {
            let kind = ReferenceKind::Reference;
            self.push(name, range.start, kind, scope, target);
        }
    }

    fn push(
        &mut self,
        name: &'t str,
        start: usize,
        kind: ReferenceKind,
        scope: ScopeId,
        target: LocalTarget,
    ) {
        let is_proven = kind != ReferenceKind::Import && self.is_proven(name, scope, target);
        let position = self.positions.position_at(start);
        self.facts.references.push(Reference {
            name: self.names.intern(name),
            receiver: if is_proven {
                Receiver::None
            } else {
                Receiver::Unknown
            },
            kind,
            position,
            scope,
            space: Space::Any,
            arguments: None,
        });
    }

    /// Reports whether the bindings of the scopes lead to the same definitions as `locals.scm`.
    fn is_proven(&self, name: &str, scope: ScopeId, target: LocalTarget) -> bool {
        let LocalTarget::Definitions(group) = target else {
            return false;
        };
        let mut at = scope;
        for _ in 0..MAX_SCOPES {
            if let Some(bound) = self.bound.get(&(at, name)) {
                return bound.group == Some(group) && bound.count == self.locals.count(group);
            }
            if at == MODULE {
                break;
            }
            at = self.facts.enclosing_scope(at);
        }
        false
    }

    fn is_type(&self, id: DefinitionId) -> bool {
        let definition = self.facts.definition(id);
        definition.is_some_and(|definition| !is_function(definition.kind))
    }

    fn add_base(&mut self, derived: DefinitionId, name: &'t str) {
        let path = self.names.intern(name);
        if let Some(definition) = self.facts.definitions.get_mut(derived.0 as usize) {
            definition.bases.push(Value {
                path,
                is_called: false,
            });
        }
    }

    fn finish(mut self) -> Facts {
        let anything = self.names.intern("");
        self.facts.add_unknown_bases(anything);
        self.facts
            .bindings
            .small_sort_by_key(|binding| binding.position);
        self.facts.names = self.names.into_texts();
        self.facts
    }
}

fn is_function(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Function | DefinitionKind::Method)
}
