//! Writes the facts of one file: scopes, bindings, references and definitions.

use ragnav_base::hash::HashMap;
use ragnav_base::sort::SmallSort;

use crate::body_hash::NamedNode;
use crate::facts::{
    ArgumentFact, ArgumentsId, Assignment, Binding, BindingTarget, BodyHash, DefinitionFact,
    DefinitionId, Effect, Facts, Name, ParameterCount, Position, RETURNED, Receiver, Reference,
    ReferenceKind, Scope, ScopeId, ScopeKind, Space, TypeFact, TypeShape, Value,
};
use crate::name_interner::NameInterner;
use crate::position_cursor::PositionCursor;
use crate::raw_definition::into_symbols;
use crate::rule_based::FoundDefinition;
use crate::symbol::{Outline, Symbol};
use crate::tree::NodeIndex;
use crate::value_text::{ArgumentText, ValueText};
use ragnav_base::position::wire;

/// The maximum number of arguments of a call that may tell what it returns.
const MAX_ARGUMENTS: usize = 16;

/// A name with its place in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameAt<'t> {
    pub(crate) text: &'t str,
    pub(crate) offset: u32,
}

/// What a reference says beside its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReferenceTo {
    pub(crate) kind: ReferenceKind,
    pub(crate) receiver: Receiver,
    pub(crate) space: Space,
}

/// The writer of the facts of one file.
pub(crate) struct FactsWriter<'t> {
    pub(crate) facts: Facts,
    pub(crate) names: NameInterner<'t>,
    positions: PositionCursor<'t>,
    argument_lists: HashMap<Vec<ArgumentFact>, ArgumentsId>,
    /// The definitions that the walk has not reached, in reverse order.
    pending: Vec<(FoundDefinition, Symbol)>,
    /// The nodes of all definitions.
    pub(crate) named: Vec<NamedNode>,
}

impl<'t> FactsWriter<'t> {
    /// Starts the facts of a text with these definitions.
    pub(crate) fn new(text: &'t str, found: Outline<FoundDefinition>) -> Self {
        let raw = found.definitions.iter().map(|found| found.raw.clone());
        let symbols = into_symbols(raw.collect(), text);
        let named = found.definitions.iter().map(|found| found.named);
        let mut facts = Facts {
            is_partial: found.is_partial,
            ..Facts::default()
        };
        facts.scopes.push(Scope {
            kind: ScopeKind::Module,
            parent: None,
            definition: None,
        });
        Self {
            facts,
            names: NameInterner::default(),
            positions: PositionCursor::new(text),
            argument_lists: HashMap::default(),
            named: named.collect(),
            pending: found.definitions.into_iter().zip(symbols).rev().collect(),
        }
    }

    /// Returns the facts, with the hashes of the bodies of definitions.
    pub(crate) fn finish(self, hashes: Vec<BodyHash>) -> Facts {
        let mut facts = self.facts;
        for (definition, hash) in facts.definitions.iter_mut().zip(hashes) {
            definition.body = hash;
        }
        facts.references.small_sort_by_key(|one| one.position);
        facts.bindings.small_sort_by_key(|one| one.position);
        facts.types.small_sort_by_key(|one| one.number);
        facts.names = self.names.into_texts();
        facts
    }

    pub(crate) fn open_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        self.facts.add_scope(kind, parent, definition)
    }

    pub(crate) fn bind(
        &mut self,
        name: NameAt<'t>,
        scope: ScopeId,
        (target, value_scope): (BindingTarget, ScopeId),
    ) {
        if matches!(name.text, "" | "_") {
            return;
        }
        let binding = Binding {
            scope,
            name: self.names.intern(name.text),
            position: self.position_at(name.offset),
            target,
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    /// Returns the scope of the function around a scope.
    pub(crate) fn function_around(&self, scope: ScopeId) -> Option<ScopeId> {
        let at = |id: ScopeId| Some((id, self.facts.scope(id)?));
        let mut around = std::iter::successors(at(scope), |(_, scope)| at(scope.parent?));
        let function = around.find(|(_, scope)| scope.kind == ScopeKind::Function)?;
        Some(function.0)
    }

    /// Notes that a test of the class of a variable, at a position, holds in a range of bytes.
    pub(crate) fn note_test(
        &mut self,
        (scope, name): (ScopeId, Name),
        offset: u32,
        range: &std::ops::Range<u32>,
    ) {
        let fact = Assignment {
            scope,
            name,
            position: self.position_at(offset),
            end: self.position_at(range.start),
            loop_start: None,
            block_end: Some(self.position_at(range.end)),
            effect: Effect::Joins,
        };
        self.facts.flow.assignments.push(fact);
    }

    /// Binds a name that does not stand in the text as it is.
    pub(crate) fn bind_text(
        &mut self,
        text: String,
        offset: u32,
        scope: ScopeId,
        target: BindingTarget,
    ) {
        let binding = Binding {
            scope,
            name: self.names.intern(text),
            position: self.position_at(offset),
            target,
            value_scope: scope,
        };
        self.facts.bindings.push(binding);
    }

    /// Binds a name that does not stand in the text as it is. Its value is looked up in another
    /// scope.
    pub(crate) fn bind_text_in(
        &mut self,
        text: String,
        offset: u32,
        scope: ScopeId,
        (target, value_scope): (BindingTarget, ScopeId),
    ) {
        let binding = Binding {
            scope,
            name: self.names.intern(text),
            position: self.position_at(offset),
            target,
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    /// Binds the name that stands for an expression to each value that it may have.
    pub(crate) fn bind_choice(
        &mut self,
        (node, offset): (NodeIndex, u32),
        scope: ScopeId,
        values: Vec<Option<ValueText>>,
    ) {
        let name = ValueText::choice(node).path;
        for value in values {
            let target = BindingTarget::Variable(self.intern_value(value));
            self.bind_text(name.clone(), offset, scope, target);
        }
    }

    /// Binds what the function with a scope returns to a value, which is looked up in another one.
    pub(crate) fn bind_returned(
        &mut self,
        offset: u32,
        function: ScopeId,
        (value, scope): (Option<ValueText>, ScopeId),
    ) {
        let target = BindingTarget::Variable(self.intern_value(value));
        self.bind_text_in(RETURNED.to_owned(), offset, function, (target, scope));
    }

    /// Adds a type, to which values refer by the number of its node.
    pub(crate) fn add_type(&mut self, node: NodeIndex, scope: ScopeId, shape: TypeShape) {
        self.facts.types.push(TypeFact {
            number: wire(node),
            scope,
            shape,
        });
    }

    /// Adds a generic type or function with its type arguments.
    pub(crate) fn add_applied(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (of, space): (Option<ValueText>, Space),
        arguments: impl Iterator<Item = Option<ValueText>>,
    ) {
        let of = self.intern_value(of.and_then(ValueText::within_limit));
        if let Some(of) = of {
            let arguments = arguments.map(|one| self.intern_value(one)).collect();
            let shape = TypeShape::Applied {
                of,
                space,
                arguments,
            };
            self.add_type(node, scope, shape);
        }
    }

    /// Adds a call whose arguments may tell what it returns. If there are too many, a last argument
    /// is unknown.
    pub(crate) fn add_inferring_call(
        &mut self,
        call: NodeIndex,
        scope: ScopeId,
        of: Option<ValueText>,
        arguments: impl Iterator<Item = Option<ValueText>>,
    ) {
        let of = self.intern_value(of.and_then(ValueText::within_limit));
        let Some(of) = of else {
            return;
        };
        let arguments = arguments.take(MAX_ARGUMENTS + 1).enumerate();
        let arguments = arguments.map(|(place, one)| {
            let counts = |_: &ValueText| place < MAX_ARGUMENTS;
            self.intern_value(one.and_then(ValueText::within_limit).filter(counts))
        });
        let arguments = arguments.collect();
        self.add_type(call, scope, TypeShape::Call { of, arguments });
    }

    /// Adds a lambda as a function, with what it returns if its body is an expression or its result
    /// is declared.
    pub(crate) fn add_lambda(
        &mut self,
        lambda: NodeIndex,
        (scope, inside): (ScopeId, ScopeId),
        returned: Option<(u32, Option<ValueText>)>,
    ) {
        self.add_type(lambda, scope, TypeShape::Function(inside));
        if let Some((offset, value)) = returned {
            self.bind_returned(offset, inside, (value, inside));
        }
    }

    /// Binds a name to a value, which is looked up in another scope. `target` makes the target.
    pub(crate) fn bind_value(
        &mut self,
        name: NameAt<'t>,
        scope: ScopeId,
        (value, value_scope): (Option<ValueText>, ScopeId),
        target: fn(Option<Value>) -> BindingTarget,
    ) {
        let has_arguments = value.as_ref().is_some_and(|value| value.has_arguments);
        let value = self.intern_value(value);
        self.bind(name, scope, (target(value), value_scope));
        if has_arguments {
            self.bind(name, scope, (target(None), value_scope));
        }
    }

    pub(crate) fn add_reference(&mut self, name: NameAt<'t>, scope: ScopeId, to: ReferenceTo) {
        // The parser inserts empty tokens where some are missing.
        if name.text.is_empty() {
            return;
        }
        let reference = Reference {
            name: self.names.intern(name.text),
            receiver: to.receiver,
            kind: to.kind,
            position: self.position_at(name.offset),
            scope,
            space: to.space,
            arguments: None,
        };
        self.facts.references.push(reference);
    }

    /// Adds a reference with the arguments of the call, if it is one.
    pub(crate) fn add_call(
        &mut self,
        name: NameAt<'t>,
        scope: ScopeId,
        (to, arguments): (ReferenceTo, Option<Vec<ArgumentText>>),
    ) {
        let before = self.facts.references.len();
        self.add_reference(name, scope, to);
        let arguments = arguments.map(|list| self.intern_arguments(list));
        if let Some(added) = self.facts.references.get_mut(before) {
            added.arguments = arguments;
        }
    }

    fn intern_arguments(&mut self, list: Vec<ArgumentText>) -> ArgumentsId {
        let list = list.into_iter().map(|argument| match argument {
            ArgumentText::Unknown => ArgumentFact::Unknown,
            ArgumentText::Null => ArgumentFact::Null,
            ArgumentText::Function => ArgumentFact::Function,
            ArgumentText::Value(value) => {
                let value = self.intern_value(value.within_limit());
                value.map_or(ArgumentFact::Unknown, ArgumentFact::Value)
            }
        });
        let list: Vec<ArgumentFact> = list.collect();
        if let Some(known) = self.argument_lists.get(&list) {
            return *known;
        }
        let added = ArgumentsId(wire(self.facts.arguments.len()));
        self.facts.arguments.push(list.clone());
        self.argument_lists.insert(list, added);
        added
    }

    /// Adds a reference to a value that the text does not name: `super` stands for a constructor.
    pub(crate) fn refer_to_value(
        &mut self,
        word: NameAt<'t>,
        scope: ScopeId,
        path: String,
        (kind, arguments): (ReferenceKind, Option<Vec<ArgumentText>>),
    ) {
        let value = ValueText::name(path).within_limit();
        let Some(value) = self.intern_value(value) else {
            return;
        };
        let to = ReferenceTo {
            kind,
            receiver: Receiver::Itself(value),
            space: Space::Any,
        };
        self.add_call(word, scope, (to, arguments));
    }

    /// Returns a value as the receiver of a reference.
    pub(crate) fn receiver(&mut self, value: Option<ValueText>) -> Receiver {
        let value = self.intern_value(value);
        value.map_or(Receiver::Unknown, Receiver::Value)
    }

    pub(crate) fn position_at(&mut self, offset: u32) -> Position {
        self.positions.position_at(offset as usize)
    }

    pub(crate) fn intern_value(&mut self, value: Option<ValueText>) -> Option<Value> {
        let value = value?;
        let path = self.names.intern(value.path);
        Some(Value {
            path,
            is_called: value.is_called,
        })
    }

    /// Returns the id of a definition if it is the next one.
    pub(crate) fn next_definition(&self, node: NodeIndex) -> Option<DefinitionId> {
        let (found, _) = self.pending.last()?;
        let is_next = found.named.definition == node;
        is_next.then(|| DefinitionId(wire(self.facts.definitions.len())))
    }

    /// Returns the node of the next definition.
    pub(crate) fn next_node(&self) -> Option<NodeIndex> {
        let (found, _) = self.pending.last()?;
        Some(found.named.definition)
    }

    /// Returns the node of the name of the next definition.
    pub(crate) fn next_name(&self) -> Option<NodeIndex> {
        let (found, _) = self.pending.last()?;
        Some(found.named.name)
    }

    /// Says how many parameters the definition has that was added last.
    pub(crate) fn count_parameters(&mut self, parameters: Option<ParameterCount>) {
        if let Some(last) = self.facts.definitions.last_mut() {
            last.parameters = parameters;
        }
    }

    /// Adds decorators to the definition that was added last.
    pub(crate) fn decorate(&mut self, names: impl Iterator<Item = &'t str>) {
        let Some(last) = self.facts.definitions.last_mut() else {
            return;
        };
        let decorators = names.map(|name| Value {
            path: self.names.intern(name),
            is_called: false,
        });
        last.decorators.extend(decorators);
    }

    /// Adds the next definition. Its first result is what a call returns, and further ones are its
    /// members `1`, `2` and so on.
    pub(crate) fn add_definition(
        &mut self,
        name: NameAt<'t>,
        scope: ScopeId,
        bases: Vec<ValueText>,
        results: Vec<Option<ValueText>>,
    ) {
        let Some((found, symbol)) = self.pending.pop() else {
            return;
        };
        let name_position = self.position_at(name.offset);
        let mut results = results.into_iter();
        let returns = results.next().flatten();
        let returns = self.intern_value(returns);
        let value_scope = self.facts.enclosing_scope(scope);
        for (place, value) in (1..).zip(results) {
            let Some(value) = self.intern_value(value) else {
                continue;
            };
            self.facts.bindings.push(Binding {
                scope,
                name: self.names.intern(place.to_string()),
                position: name_position,
                target: BindingTarget::Attribute(Some(value)),
                value_scope,
            });
        }
        let bases = bases.into_iter();
        let bases = bases.filter_map(|base| self.intern_value(Some(base)));
        let bases = bases.collect();
        let fact = DefinitionFact {
            kind: found.raw.kind,
            name: match found.spelled {
                Some(spelled) => self.names.intern(spelled),
                None => self.names.intern(name.text),
            },
            qualifier: found.qualifier.map(|name| self.names.intern(name)),
            parent: found.raw.parent.map(|parent| DefinitionId(wire(parent))),
            ordinal: wire(symbol.ordinal),
            decorated_start_line: wire(symbol.decorated_start_line),
            start_line: wire(symbol.start_line),
            start_utf16: symbol.start_utf16,
            end_line: wire(symbol.end_line),
            end_utf16: symbol.end_utf16,
            name_position,
            scope,
            bases,
            decorators: Vec::new(),
            returns,
            parameters: None,
            docstring: found.docstring,
            body: BodyHash { hash: 0, tokens: 0 },
        };
        self.facts.definitions.push(fact);
    }
}
