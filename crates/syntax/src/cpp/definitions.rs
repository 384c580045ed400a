//! Visits functions, macros with parameters, classes, enums and types.

use super::builder::{DeclaredPlace, FactsBuilder, Role};
use super::declarations::Declared;
use super::kinds::{Field, FlatTree, Kind};
use super::macro_names::is_macro_name;
use super::namespaces::dotted;
use crate::facts::{
    BindingTarget, CALLED_BY_SYSTEM, CLASS_OF_BODY, DEFINED_MACRO, DefinitionId, MODULE, Receiver,
    ReferenceKind, SPECIALIZATION, STATIC, ScopeId, ScopeKind, Space, Value,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl FlatTree<'_> {
    /// Returns the return type behind the parameters of a function.
    pub(super) fn trailing_return(&self, function: NodeIndex) -> Option<NodeIndex> {
        let mut operands = self.operands(function);
        operands.find(|one| self.kind(*one) == Kind::TrailingReturn)
    }

    /// Returns the value that a function returns whose declaration begins with a type.
    pub(super) fn result_value(&self, of: NodeIndex, declared: Declared) -> Option<ValueText> {
        let trailing = declared
            .function
            .and_then(|function| self.trailing_return(function));
        let of = trailing
            .and_then(|trailing| self.operands(trailing).next())
            .unwrap_or(of);
        self.type_value(of)
    }

    /// Reports whether what the grammar reads as a function is the use of a macro: `TEST(a, b) {}`.
    fn is_macro_use(&self, node: NodeIndex, declared: Declared) -> bool {
        declared.whole == declared.name
            && self.child(node, Field::Type).is_none()
            && is_macro_name(self.text(declared.name))
    }

    /// Reports whether a name is that of a macro whose argument the grammar of C reads as the name
    /// of a function: `TEST` of `TEST(a) {}`.
    pub(super) fn is_macro_before_body(&self, name: NodeIndex) -> bool {
        let function = self.parent(name);
        let declarator = self.child(function, Field::Declarator);
        self.kind(function) == Kind::Function
            && is_macro_name(self.text(name))
            && declarator.is_some_and(|declarator| self.text(declarator).starts_with('('))
    }
}

impl FactsBuilder<'_> {
    /// Visits a function with a body, or a method that a class declares.
    pub(super) fn visit_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let declarator = tree.child(node, Field::Declarator);
        let declared = declarator.and_then(|declarator| tree.declared(declarator));
        let signature = self.signature_scope(node, declared, scope);
        let inside = self.open_function(ScopeKind::Function, signature, id);
        self.roles.set_children(node, Role::Read, inside);
        if let Some(of) = tree.child(node, Field::Type) {
            self.roles.set(of, Role::Read, scope);
        }
        if let Some(declarator) = declarator {
            self.roles.set(declarator, Role::Declarator, signature);
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
        let function = declared.and_then(|declared| declared.function);
        let list = function.and_then(|function| tree.child(function, Field::Parameters));
        self.bind_parameters(list, (signature, inside));
        let trailing = function.and_then(|function| tree.trailing_return(function));
        self.signatures.extend(trailing.map(|node| (node, inside)));
        let of = tree.child(node, Field::Type);
        if trailing.is_none() && of.is_some_and(|of| tree.kind(of) == Kind::Placeholder) {
            self.returning.insert(inside);
        }
        let Some(declared) = declared else {
            return;
        };
        if self.uses_macro(node, declared, scope) {
            if id.is_some() {
                let name = self.name_at(declared.name);
                self.writer
                    .add_definition(name, inside, Vec::new(), Vec::new());
            }
            let to = (ReferenceKind::Call, Receiver::None, Space::Any);
            return self.add_reference(declared.name, scope, to);
        }
        if let Some(id) = id {
            self.define_function((node, id), declared, (scope, inside));
        }
    }

    /// Opens the scope of the signature of a method outside of its class, which sees the members of
    /// the class. So does the body of a test in a fixture: that of `TEST_F(Fixture, Name) { … }`.
    fn signature_scope(
        &mut self,
        node: NodeIndex,
        declared: Option<Declared>,
        scope: ScopeId,
    ) -> ScopeId {
        let path = match declared {
            Some(declared) if self.uses_macro(node, declared, scope) => self.fixture(declared),
            _ => self.class_path(declared),
        };
        let Some(path) = path else {
            return scope;
        };
        let offset = declared.map_or(0, |one| self.tree.node(one.whole).start);
        self.open_class_of_body(ValueText::name(path), offset, scope)
    }

    /// Opens a scope that sees the members of a class.
    pub(super) fn open_class_of_body(
        &mut self,
        class: ValueText,
        offset: u32,
        scope: ScopeId,
    ) -> ScopeId {
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        let value = self.writer.intern_value(Some(class));
        let target = (BindingTarget::Variable(value), scope);
        self.writer
            .bind_text_in(CLASS_OF_BODY.to_owned(), offset, inside, target);
        inside
    }

    /// Reports whether what the grammar reads as a function is the use of a macro. A constructor of
    /// a class in capital letters looks like one.
    fn uses_macro(&self, node: NodeIndex, declared: Declared, scope: ScopeId) -> bool {
        self.tree.is_macro_use(node, declared) && !self.is_constructor(declared, scope)
    }

    /// Reports whether a name is that of the class whose member it is.
    fn is_constructor(&self, declared: Declared, scope: ScopeId) -> bool {
        let place = self.place_of(scope);
        let class = place
            .as_ref()
            .and_then(|place| place.prefix.split('.').nth_back(1));
        class == Some(self.tree.text(declared.name))
    }

    /// Returns the fixture of a test: the class whose members its body sees.
    fn fixture(&self, declared: Declared) -> Option<String> {
        let list = self.tree.child(declared.function?, Field::Parameters)?;
        let place = place_of_fixture(self.tree.text(declared.name))?;
        let argument = self.tree.operands(list).nth(place)?;
        let of = self.tree.child(argument, Field::Type)?;
        (self.tree.kind(of) == Kind::TypeIdentifier).then(|| self.tree.text(of).to_owned())
    }

    /// Returns the fixture of a test whose name is a string, and the offset of the fixture:
    /// `Fixture` of [`TEST_CASE_METHOD(Fixture, "empty")`][Catch2].
    ///
    /// [Catch2]: https://github.com/catchorg/Catch2/blob/devel/docs/test-fixtures.md
    pub(super) fn fixture_of_call(&self, head: NodeIndex) -> Option<(ValueText, u32)> {
        let tree = self.tree;
        let call = tree.operands(head).next()?;
        let name = tree.text(tree.child(call, Field::Function)?);
        if !is_macro_name(name) || !name.contains("METHOD") && !name.contains("FIXTURE") {
            return None;
        }
        let mut arguments = tree.operands(tree.child(call, Field::Arguments)?);
        let first = arguments.next()?;
        let is_named = arguments
            .next()
            .is_some_and(|one| tree.kind(one) == Kind::String);
        let is_class = matches!(tree.kind(first), Kind::Identifier | Kind::Qualified);
        let class = ValueText::name(dotted(tree.text(first)));
        (is_named && is_class).then(|| (class, tree.node(first).start))
    }

    /// Returns the path of the class in `a::B::f`.
    fn class_path(&self, declared: Option<Declared>) -> Option<String> {
        let declared = declared.filter(|one| self.tree.kind(one.whole) == Kind::Qualified)?;
        let mut inner = declared.whole;
        while let Some(name) = self.tree.child(inner, Field::Name) {
            if self.tree.kind(name) != Kind::Qualified {
                break;
            }
            inner = name;
        }
        let path = self.tree.path_before_name(inner)?;
        let value = ValueText::name(path).within_limit()?;
        Some(value.path).filter(|path| !path.is_empty())
    }

    fn define_function(
        &mut self,
        (node, id): (NodeIndex, DefinitionId),
        declared: Declared,
        (scope, inside): (ScopeId, ScopeId),
    ) {
        let tree = self.tree;
        let result = tree.child(node, Field::Type).filter(|_| !self.is_c());
        let result = result.and_then(|of| tree.result_value(of, declared));
        let name = self.name_at(self.writer.next_name().unwrap_or(declared.name));
        let (text, offset) = (name.text.to_owned(), name.offset);
        let is_internal = self.is_internal(node, scope);
        self.writer
            .add_definition(name, inside, Vec::new(), vec![result]);
        if is_internal {
            self.mark(id, STATIC);
        }
        if tree.is_called_by_system(node) {
            self.mark(id, CALLED_BY_SYSTEM);
        }
        let path = match self.class_path(Some(declared)) {
            Some(path) => format!("{path}.{text}"),
            None => text,
        };
        if tree.kind(declared.name).is_name() {
            // A friend is a member of the namespace around the class.
            let scope = if self.is_friend(node) {
                self.scope_around_classes(scope)
            } else {
                scope
            };
            self.declare_text((path, offset), scope, BindingTarget::Definition(id));
        }
    }

    pub(super) fn scope_around_classes(&self, scope: ScopeId) -> ScopeId {
        let mut outer = scope;
        while let Some(found) = self.writer.facts.scope(outer) {
            let is_inside = matches!(found.kind, ScopeKind::Class | ScopeKind::TypeParameters);
            match found.parent.filter(|_| is_inside) {
                Some(parent) => outer = parent,
                None => break,
            }
        }
        outer
    }

    /// Visits `A(b)` of `C() : A(b) {}`: the initialiser of a base class or a field.
    pub(super) fn visit_field_initializer(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(of) = tree.operands(node).next() else {
            return;
        };
        let name = tree.name_inside(of);
        if tree.kind(name) == Kind::FieldIdentifier {
            let to = (ReferenceKind::Call, Receiver::None, Space::Types);
            self.add_reference(name, scope, to);
        }
    }

    /// Reports whether only this file sees a function: it is `static`, or in a namespace without a
    /// name.
    fn is_internal(&self, node: NodeIndex, scope: ScopeId) -> bool {
        let is_member = self.tree.kind(node) == Kind::FieldDeclaration;
        let place = self.place_of(scope);
        (!is_member && self.tree.has_storage(node, "static"))
            || place.is_some_and(|place| place.is_internal)
    }

    /// Adds a word to the modifiers of a definition.
    fn mark(&mut self, id: DefinitionId, modifier: &'static str) {
        let path = self.writer.names.intern(modifier);
        let definition = self.writer.facts.definitions.get_mut(id.0 as usize);
        if let Some(definition) = definition {
            let is_called = false;
            definition.decorators.push(Value { path, is_called });
        }
    }

    /// Visits `#define f(a) …`.
    pub(super) fn visit_macro(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let Some(id) = self.writer.next_definition(node) else {
            return;
        };
        let inside = self.open_function(ScopeKind::Function, scope, Some(id));
        let (text, offset) = (tree.text(name).to_owned(), tree.node(name).start);
        let name = self.name_at(name);
        self.writer
            .add_definition(name, inside, Vec::new(), Vec::new());
        self.mark(id, STATIC);
        self.mark(id, DEFINED_MACRO);
        let target = BindingTarget::Definition(id);
        self.writer.bind_text(text, offset, MODULE, target);
    }

    /// Visits a struct, a union, a class or an enum, with its body or without.
    pub(super) fn visit_tag(&mut self, node: NodeIndex, context: super::builder::Context) {
        let tree = self.tree;
        let scope = context.scope;
        let name = tree.child(node, Field::Name);
        let Some(body) = tree.child(node, Field::Body) else {
            if let Some(name) = name {
                self.mention_tag(node, name, scope);
            }
            return;
        };
        if context.role == Role::OwnScope {
            if let Some(name) = name {
                self.roles.set(name, Role::Handled, scope);
            }
            return;
        }
        let Some(id) = self.writer.next_definition(node) else {
            self.visit_other_body((name, body), scope);
            return;
        };
        let found = self
            .writer
            .next_name()
            .filter(|one| tree.kind(*one).is_name());
        let Some(own) = found else {
            return;
        };
        let path = name.and_then(|name| tree.qualified_path(name));
        let outer = match &path {
            Some(path) => self.open_outer_class(path, own, scope),
            None => scope,
        };
        let tag = path.unwrap_or_else(|| self.tag_of(own));
        let inside = self.open_named(ScopeKind::Class, outer, (&tag, Some(id)));
        if let Some(name) = name {
            self.roles.set(name, Role::Arguments, scope);
            if tree.kind(name) == Kind::Qualified {
                self.roles.set(name, Role::Declarator, scope);
            }
        }
        self.roles.set(body, Role::Read, inside);
        let bases = self.base_classes(node);
        let offset = tree.node(own).start;
        let own = self.name_at(own);
        self.writer.add_definition(own, inside, bases, Vec::new());
        if name.is_some_and(|name| tree.has_arguments(name)) {
            self.mark(id, SPECIALIZATION);
        }
        self.declare_text((tag, offset), scope, BindingTarget::Definition(id));
    }

    /// Opens a scope around the body of `class A::B { … }`, which sees the members of `A`.
    fn open_outer_class(&mut self, path: &str, name: NodeIndex, scope: ScopeId) -> ScopeId {
        let outer = path
            .rsplit_once('.')
            .map(|(outer, _)| ValueText::name(outer));
        match outer.and_then(ValueText::within_limit) {
            Some(outer) => self.open_class_of_body(outer, self.tree.node(name).start, scope),
            None => scope,
        }
    }

    /// Visits a body whose definition has another name, or none.
    fn visit_other_body(&mut self, (name, body): (Option<NodeIndex>, NodeIndex), scope: ScopeId) {
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
        }
        if self.is_c() {
            return;
        }
        // The members of `struct { int a; };` in a class are those of the class.
        self.roles.set(body, Role::Read, scope);
    }

    /// Visits `struct a` without a body, which also declares it.
    fn mention_tag(&mut self, node: NodeIndex, name: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(name) != Kind::TypeIdentifier {
            return;
        }
        self.roles.set(name, Role::Handled, scope);
        let parent = tree.kind(tree.parent(node));
        let is_alone = !matches!(parent, Kind::Parameter | Kind::TypeDescriptor);
        if self.is_c() || is_alone {
            let tag = self.tag_of(name);
            self.declare_only((tag, tree.node(name).start), scope, None);
        }
        // The tags of C are names of their own.
        let space = if self.is_c() {
            Space::Names
        } else {
            Space::Types
        };
        let kind = ReferenceKind::Reference;
        self.add_reference(name, scope, (kind, Receiver::None, space));
    }

    /// Visits `friend class A;`, which declares a class of the namespace around.
    pub(super) fn visit_friend(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let names_class =
            |child: NodeIndex| matches!(tree.text(child), "class" | "struct" | "union");
        let mut names = tree.operands(node);
        let name = names.find(|one| tree.kind(*one) == Kind::TypeIdentifier);
        if let Some(name) = name.filter(|_| tree.children(node).any(names_class)) {
            let declared = (tree.text(name).to_owned(), tree.node(name).start);
            self.declare_only(declared, self.scope_around_classes(scope), None);
        }
    }

    fn base_classes(&self, node: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let clauses = tree.operands(node);
        let clauses = clauses.filter(|one| tree.kind(*one) == Kind::BaseClause);
        let bases = clauses.flat_map(|clause| tree.operands(clause));
        let bases = bases.filter_map(|base| tree.type_value(base));
        let bases = bases.filter(|base| base.is_called || base.is_container());
        bases.map(|base| ValueText::name(base.path)).collect()
    }

    /// Visits a constant of an enum.
    pub(super) fn visit_enumerator(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let (text, offset) = (tree.text(name).to_owned(), tree.node(name).start);
        let of = tree.parent(tree.parent(node));
        let is_scoped = tree
            .children(of)
            .any(|child| matches!(tree.text(child), "class" | "struct"));
        let kind = self.writer.facts.scope(scope).map(|scope| scope.kind);
        let mut enclosing = scope;
        if kind == Some(ScopeKind::Class) {
            let target = (BindingTarget::Attribute(None), scope);
            self.writer
                .bind_text_in(text.clone(), offset, scope, target);
            enclosing = self.writer.facts.enclosing_scope(scope);
        }
        if !is_scoped {
            self.declare_text((text, offset), enclosing, BindingTarget::Variable(None));
        }
    }

    /// Visits `typedef T a, *b;`. The first name is a definition.
    pub(super) fn visit_type_definition(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let of = tree.child(node, Field::Type);
        let children = tree.children(node);
        let declarators = children.filter(|child| tree.node(*child).field == Field::Declarator);
        let declarators: Vec<NodeIndex> = declarators.collect();
        for declarator in &declarators {
            self.roles.set(*declarator, Role::Declarator, scope);
        }
        let declared = declarators.iter().map(|one| tree.declared(*one));
        let names: Vec<NodeIndex> = declared.flatten().map(|one| one.name).collect();
        self.handled.extend(&names);
        let value = of.and_then(|of| tree.type_value(of));
        if let (Some(id), Some(name)) = (id, names.first()) {
            self.define_type((node, id), *name, scope, value.clone());
        }
        for name in names.into_iter().skip(usize::from(id.is_some())) {
            let value = self.writer.intern_value(value.clone());
            self.declare(name, scope, BindingTarget::Variable(value));
        }
    }

    fn define_type(
        &mut self,
        (node, id): (NodeIndex, DefinitionId),
        name: NodeIndex,
        scope: ScopeId,
        value: Option<ValueText>,
    ) {
        let tree = self.tree;
        let text = tree.text(name);
        let inside = self.open_named(ScopeKind::Class, scope, (text, Some(id)));
        let of = tree.child(node, Field::Type);
        let tag = of.and_then(|of| tree.child(of, Field::Name));
        let has_body = of.is_some_and(|of| tree.child(of, Field::Body).is_some());
        let is_one = has_body && tag.is_none_or(|tag| tree.text(tag) == text);
        if let Some(of) = of.filter(|_| is_one) {
            // The body of the type is that of the definition.
            self.roles.set(of, Role::OwnScope, inside);
        }
        let value = value.filter(|_| !is_one && !self.is_c());
        let at = self.name_at(name);
        self.writer
            .add_definition(at, inside, Vec::new(), vec![value]);
        self.declare(name, scope, BindingTarget::Definition(id));
        if let Some(tag) = tag.filter(|_| is_one && self.is_c()) {
            let tag = (self.tag_of(tag), tree.node(tag).start);
            self.declare_text(tag, scope, BindingTarget::Definition(id));
        }
    }

    /// Visits `using a = b;`, or a concept.
    pub(super) fn visit_alias(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let value = tree.child(node, Field::Type);
        let value = value.and_then(|of| tree.type_value(of));
        if let Some(id) = self.writer.next_definition(node) {
            let inside = self.writer.open_scope(ScopeKind::Class, scope, Some(id));
            let at = self.name_at(name);
            self.writer
                .add_definition(at, inside, Vec::new(), vec![value]);
            self.declare(name, scope, BindingTarget::Definition(id));
        }
    }

    pub(super) fn visit_template(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self
            .writer
            .open_scope(ScopeKind::TypeParameters, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        let parameters = self.tree.child(node, Field::Parameters);
        self.bind_parameters(parameters, (inside, inside));
    }

    pub(super) fn visit_type_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let name = tree.child(node, Field::Name).or_else(|| {
            let mut operands = tree.operands(node);
            operands.find(|one| tree.kind(*one) == Kind::TypeIdentifier)
        });
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
            let target = (BindingTarget::Variable(None), scope);
            self.writer.bind(self.name_at(name), scope, target);
        }
    }

    /// Records the place of a scope without changing what it declares.
    pub(super) fn set_place(&mut self, scope: ScopeId, place: Option<DeclaredPlace>) {
        self.places.insert(scope, place);
    }
}

/// Returns the index of the argument by which the macro of a test names the fixture: 0 for
/// `TEST_F(Fixture, Name)`, and others for the macros of [Boost.Test]. `None` is for macros that
/// take no fixture, because their arguments may happen to have the name of a class.
///
/// [Boost.Test]: https://www.boost.org/doc/libs/release/libs/test/doc/html/
fn place_of_fixture(test: &str) -> Option<usize> {
    match test {
        "GTEST_TEST" | "TEST" => None,
        "BOOST_FIXTURE_TEST_CASE" | "BOOST_FIXTURE_TEST_CASE_WITH_DECOR" => Some(1),
        "BOOST_FIXTURE_TEST_CASE_TEMPLATE" => Some(3),
        _ => (!test.starts_with("BOOST_")).then_some(0),
    }
}
