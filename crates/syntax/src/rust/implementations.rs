//! What `impl` blocks say about the types of the same file.

use ragnav_base::hash::{HashMap, HashSet};

use super::builder::{
    AssociatedConstant, Bound, FactsBuilder, Implementation, MethodReceiver, OwnMethod,
};
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{
    Binding, BindingTarget, COMES_FIRST, COMES_FIRST_BESIDE, COMES_FIRST_INSIDE, DefinitionFact,
    DefinitionId, FOR_ALL_TYPES, ScopeId, TYPE_NAME, Value,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;

/// The traits that nearly all types implement.
const COMMON_TRAITS: [&str; 5] = ["Clone::", "Send::", "Sized::", "Sync::", "Unpin::"];

impl FactsBuilder<'_> {
    /// Adds what `impl` blocks say to the types of the file: the traits that they implement, whose
    /// methods values of the types have, and the bounds of their type parameters.
    pub(super) fn add_implementations(&mut self) {
        let types = self.types();
        let mut bounds: HashMap<ScopeId, Vec<Bound<'_>>> = HashMap::default();
        for bound in std::mem::take(&mut self.bounds) {
            bounds.entry(bound.scope).or_default().push(bound);
        }
        let mut constants: HashMap<ScopeId, Vec<AssociatedConstant<'_>>> = HashMap::default();
        for constant in std::mem::take(&mut self.constants) {
            constants.entry(constant.inside).or_default().push(constant);
        }
        let mut of_types = Vec::new();
        for found in std::mem::take(&mut self.implementations) {
            let bounds = bounds.get(&found.inside).map_or(&[][..], Vec::as_slice);
            let Some((of, enclosing)) = types.get(&(found.scope, found.of.clone())) else {
                self.add_trait_for_all(&found, bounds);
                continue;
            };
            if let Some(base) = &found.base {
                let path = self.writer.names.intern(base.clone());
                let base = Value {
                    path,
                    is_called: false,
                };
                if let Some(of) = self.writer.facts.definitions.get_mut(*of) {
                    of.bases.push(base);
                }
            }
            let own = constants.remove(&found.inside).unwrap_or_default();
            let id = DefinitionId(wire(*of));
            of_types.extend(own.into_iter().map(|one| (id, one)));
            self.add_bounds(&found, *enclosing, bounds);
        }
        self.add_constants(&of_types);
    }

    /// Adds the constants of `impl` blocks to their types: `A::MAX`. Of several with one name, for
    /// different type arguments or traits, it is open which one code means.
    fn add_constants(&mut self, all: &[(DefinitionId, AssociatedConstant<'_>)]) {
        let mut counts: HashMap<(DefinitionId, &str), usize> = HashMap::default();
        for (of, constant) in all {
            *counts.entry((*of, constant.name.text)).or_default() += 1;
        }
        for (of, constant) in all {
            let name = constant.name.text;
            let definition = self.writer.facts.definition(*of);
            let Some(scope) = definition.map(|definition| definition.scope) else {
                continue;
            };
            let is_only = counts.get(&(*of, name)) == Some(&1);
            let value = constant.value.clone().filter(|_| is_only);
            let value = self.writer.intern_value(value);
            let target = (BindingTarget::Attribute(value), constant.inside);
            self.writer
                .bind_text_in(name.to_owned(), constant.name.offset, scope, target);
        }
    }

    /// Adds the bounds of a block such as `impl<T: A> B for T` to the scope of the trait `B`.
    fn add_trait_for_all(&mut self, block: &Implementation<'_>, bounds: &[Bound<'_>]) {
        let name = block.base.as_deref();
        let name = name.and_then(|name| name.strip_suffix(TYPE_NAME));
        let is_for_all = self.variables.contains(&(block.inside, block.of.as_str()));
        let Some(name) = name.filter(|_| is_for_all) else {
            return;
        };
        let definitions = self.writer.facts.definitions.iter();
        let traits = definitions.filter(|one| {
            one.kind == DefinitionKind::Interface && self.writer.names.text(one.name) == name
        });
        let scopes: Vec<ScopeId> = traits.map(|one| one.scope).collect();
        let bounds = bounds.iter().filter(|one| one.name.text == block.of);
        let is_other = |one: &&Bound<'_>| !COMMON_TRAITS.contains(&one.of.path.as_str());
        let mut values: Vec<Option<ValueText>> = vec![None];
        values.extend(bounds.filter(is_other).map(|one| Some(one.of.clone())));
        for scope in scopes {
            for value in &values {
                let value = self.writer.intern_value(value.clone());
                let target = (BindingTarget::Attribute(value), block.inside);
                self.writer
                    .bind_text_in(FOR_ALL_TYPES.to_owned(), 0, scope, target);
            }
        }
    }

    /// Returns the types of the file by the scope that declares them and their names: the index of
    /// each, and the scope of its type parameters.
    fn types(&self) -> HashMap<(ScopeId, String), (usize, ScopeId)> {
        let facts = &self.writer.facts;
        let types = facts.definitions.iter().enumerate();
        let types = types.filter_map(|(place, definition)| {
            let is_type = matches!(
                definition.kind,
                DefinitionKind::Class | DefinitionKind::Enum
            );
            let enclosing = facts.scope(definition.scope)?.parent?;
            let scope = facts.enclosing_scope(enclosing);
            let name = self.writer.names.text(definition.name).to_owned();
            is_type.then_some(((scope, name), (place, enclosing)))
        });
        types.collect()
    }

    /// Adds the bounds of the arguments of a block to the parameters of its type: a field of type
    /// `T` has the methods of `A` where `impl<T: A> B<T>` reads it.
    fn add_bounds(&mut self, block: &Implementation<'_>, enclosing: ScopeId, bounds: &[Bound<'_>]) {
        let Some(parameters) = self.type_parameters.get(&enclosing) else {
            return;
        };
        for (parameter, argument) in parameters.iter().zip(&block.arguments) {
            for bound in bounds.iter().filter(|bound| bound.name.text == *argument) {
                let value = self.writer.intern_value(Some(bound.of.clone()));
                let binding = Binding {
                    scope: enclosing,
                    name: self.writer.names.intern(*parameter),
                    position: self.writer.position_at(bound.name.offset),
                    target: BindingTarget::Variable(value),
                    value_scope: block.inside,
                };
                self.writer.facts.bindings.push(binding);
            }
        }
    }

    /// Marks the methods of types that come before methods of traits with their names. One of a
    /// trait comes first if it takes the receiver [earlier]: with `self` before `&self`, and with
    /// `&self` before `&mut self`. Traits that other files implement are taken to have `&self`.
    ///
    /// [earlier]: https://doc.rust-lang.org/reference/expressions/method-call-expr.html
    pub(super) fn mark_own_methods(&mut self) {
        let key = |one: &DefinitionFact| (one.parent, one.qualifier, one.name);
        let all = &self.writer.facts.definitions;
        let receiver_of = |id: &DefinitionId| self.receivers.get(id).copied();
        let mut of_traits = HashMap::default();
        for (id, one) in (0..).map(DefinitionId).zip(all) {
            let receiver = receiver_of(&id).filter(|_| one.qualifier.is_some());
            if let Some(receiver) = receiver.filter(|_| !one.bases.is_empty()) {
                let earliest = of_traits.entry(key(one)).or_insert(receiver);
                *earliest = receiver.min(*earliest);
            }
        }
        let marks = [COMES_FIRST, COMES_FIRST_BESIDE, COMES_FIRST_INSIDE];
        let marks = marks.map(|mark| self.writer.intern_value(Some(ValueText::name(mark))));
        let [public, beside, private] = marks;
        let all = self.writer.facts.definitions.iter_mut();
        for (id, one) in (0..).map(DefinitionId).zip(all) {
            let Some(visibility) = self.own_methods.get(&id) else {
                continue;
            };
            let twin = of_traits.get(&key(one)).copied();
            let earliest = twin.unwrap_or(MethodReceiver::Shared);
            if self.receivers.get(&id).is_none_or(|own| *own > earliest) {
                continue;
            }
            match visibility {
                OwnMethod::Public => one.decorators.extend(public),
                _ if twin.is_none() => {}
                OwnMethod::Beside => one.decorators.extend(beside),
                OwnMethod::Private => one.decorators.extend(private),
            }
        }
    }
}

impl FlatTree<'_> {
    /// Returns who sees a function that is a method of a type itself, for all type arguments.
    pub(super) fn own_method(&self, function: NodeIndex, name: NodeIndex) -> Option<OwnMethod> {
        let block = self.parent(self.parent(function));
        let is_of_trait = self.child(block, Field::Trait).is_some();
        if self.kind(block) != Kind::Impl || is_of_trait || !self.is_for_all_arguments(block) {
            return None;
        }
        let head = self.slice(self.node(function).start, self.node(name).start);
        let visibility: String = head.split_whitespace().collect();
        match visibility.as_str() {
            text if text.starts_with("pub(super)") => Some(OwnMethod::Beside),
            text if text.starts_with("pub(self)") => Some(OwnMethod::Private),
            text if text.starts_with("pub(in") => None,
            text if text.starts_with("pub") => Some(OwnMethod::Public),
            _ => Some(OwnMethod::Private),
        }
    }

    /// Reports whether the arguments of the type of an `impl` block are its own type parameters.
    fn is_for_all_arguments(&self, block: NodeIndex) -> bool {
        let of = self.child(block, Field::Type);
        let arguments = of.and_then(|of| self.child(of, Field::TypeArguments));
        let parameters = self.child(block, Field::TypeParameters);
        let parameters = parameters.into_iter().flat_map(|list| self.operands(list));
        let own: HashSet<&str> = parameters
            .map(|one| self.text(self.child(one, Field::Name).unwrap_or(one)))
            .collect();
        let mut arguments = arguments.into_iter().flat_map(|list| self.operands(list));
        arguments.all(|one| self.text(one).starts_with('\'') || own.contains(self.text(one)))
    }

    /// Returns how a method takes its receiver. In a block for `&A`, `self` is `&A`.
    pub(super) fn method_receiver(&self, function: NodeIndex) -> MethodReceiver {
        let list = self.child(function, Field::Parameters);
        let first = list.and_then(|list| self.operands(list).next());
        let own = first.filter(|one| self.kind(*one) == Kind::SelfParameter);
        let own = own.map_or(MethodReceiver::Value, |one| self.reference_of(one));
        let of = self.child(self.parent(self.parent(function)), Field::Type);
        let of = of.map_or(MethodReceiver::Value, |of| self.reference_of(of));
        match (own, of) {
            (MethodReceiver::Value, of) => of,
            (own, MethodReceiver::Value) => own,
            // `&&A` comes after any of `A`.
            _ => MethodReceiver::Exclusive,
        }
    }

    /// Returns the kind of reference with which a receiver or a type begins.
    fn reference_of(&self, node: NodeIndex) -> MethodReceiver {
        let Some(text) = self.text(node).strip_prefix('&') else {
            return MethodReceiver::Value;
        };
        let mut words = text.split_whitespace();
        let first = words.find(|word| !word.starts_with('\''));
        if first == Some("mut") {
            MethodReceiver::Exclusive
        } else {
            MethodReceiver::Shared
        }
    }
}
