//! Visits includes, macros without parameters, variables, parameters and prototypes.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use super::macro_names::is_macro_name;
use super::values::MAX_STEPS;
use crate::facts::{
    BindingTarget, Import, ImportedItem, MODULE, OPENED, Receiver, ReferenceKind, ScopeId,
    ScopeKind, Space, TUPLE_PART, UNDEFINED,
};
use crate::facts_writer::{NameAt, ReferenceTo};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

/// The word of the directive that removes a macro.
const UNDEF: &str = "undef";

/// The longest stored path of an include, in bytes.
const MAX_MODULE: usize = 400;

/// What a declarator declares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declared {
    /// The node of the name.
    pub(super) name: NodeIndex,
    /// The node of the whole name, such as `a::b`.
    pub(super) whole: NodeIndex,
    /// The declarator of the function, if it is one and not a pointer to one.
    pub(super) function: Option<NodeIndex>,
    /// Whether it is an array.
    pub(super) is_array: bool,
}

impl FlatTree<'_> {
    /// Returns what a declarator declares: `f` of `*a::f(int)`.
    pub(super) fn declared(&self, declarator: NodeIndex) -> Option<Declared> {
        let mut node = declarator;
        let mut function = None;
        let mut is_array = false;
        for _ in 0..MAX_STEPS {
            let kind = self.kind(node);
            match kind {
                Kind::FunctionDeclarator => {
                    function = Some(node);
                    if let Some(name) = self.name_in_parentheses(node) {
                        return Some(Declared {
                            name,
                            whole: name,
                            function,
                            is_array,
                        });
                    }
                }
                // `(*f)(int)` is a pointer to a function.
                Kind::PointerDeclarator => function = None,
                Kind::ArrayDeclarator => (function, is_array) = (None, true),
                Kind::Qualified => {
                    let name = self.last_name(node)?;
                    return Some(Declared {
                        name,
                        whole: node,
                        function,
                        is_array,
                    });
                }
                Kind::SpecialName => function = function.or(Some(node)),
                Kind::StructuredBinding => return None,
                _ => {}
            }
            if kind.is_name() || kind == Kind::SpecialName {
                return Some(Declared {
                    name: node,
                    whole: node,
                    function,
                    is_array,
                });
            }
            let further = self.child(node, Field::Declarator);
            let further = further.or_else(|| self.child(node, Field::Name));
            node = further.or_else(|| self.operands(node).last())?;
        }
        None
    }

    /// Returns the name in `API int (f)(int);`. Since the grammar does not know the macro, it reads
    /// the name as the parameter of a function that returns a function.
    fn name_in_parentheses(&self, function: NodeIndex) -> Option<NodeIndex> {
        let inner = self.child(function, Field::Declarator)?;
        let is_function = self.kind(inner) == Kind::FunctionDeclarator;
        let list = self
            .child(inner, Field::Parameters)
            .filter(|_| is_function)?;
        let mut parameters = self.operands(list);
        let only = parameters.next()?;
        let of = self.child(only, Field::Type)?;
        let is_only = parameters.next().is_none() && self.kind(of) == Kind::TypeIdentifier;
        is_only.then_some(of)
    }

    /// Returns the node of the last name of a qualified name.
    fn last_name(&self, qualified: NodeIndex) -> Option<NodeIndex> {
        let mut node = qualified;
        for _ in 0..MAX_STEPS {
            node = self.child(node, Field::Name)?;
            if self.kind(node) != Kind::Qualified {
                return Some(self.name_inside(node));
            }
        }
        None
    }

    /// Reports whether a declaration has a storage class such as `static`.
    pub(super) fn has_storage(&self, node: NodeIndex, class: &str) -> bool {
        self.children(node)
            .take_while(|child| self.node(*child).field != Field::Declarator)
            .any(|child| self.text(child) == class)
    }

    /// Reports whether a function has an attribute with which it runs without a call, such as
    /// `__attribute__((constructor))` or `[[gnu::constructor]]`:
    /// <https://gcc.gnu.org/onlinedocs/gcc/Common-Function-Attributes.html>.
    pub(super) fn is_called_by_system(&self, function: NodeIndex) -> bool {
        let body = self.child(function, Field::Body);
        let end = body.unwrap_or_else(|| self.subtree_end(function));
        let mut attributes = (function..end).filter(|one| self.kind(*one) == Kind::Attribute);
        attributes.any(|attribute| {
            let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let mut words = self.text(attribute).split(|letter| !is_of_word(letter));
            words.any(|word| CALLING_ATTRIBUTES.contains(&word.trim_matches('_')))
        })
    }
}

/// The attributes of functions that run without a call.
const CALLING_ATTRIBUTES: [&str; 7] = [
    "constructor",
    "destructor",
    "ifunc",
    "interrupt",
    "interrupt_handler",
    "signal",
    "used",
];

/// Returns the path of the namespaces that the body of a macro opens. Those that are `inline` are a
/// part of the one around.
fn opened_namespace(body: &str) -> Option<String> {
    let spaced = body.replace('{', " { ").replace('\\', " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut names = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_open = words.get(at + 2) == Some(&"{");
        if *word == "namespace" && is_open && before != Some(&"inline") {
            names.extend(words.get(at + 1)?.split("::"));
        }
    }
    (!names.is_empty()).then(|| names.join("."))
}

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_include(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        let Some(path) = tree.child(node, Field::Path) else {
            return;
        };
        // `#include MACRO`
        if tree.kind(path) != Kind::String {
            return;
        }
        self.add_include(tree.text(path), tree.node(path).start, scope);
    }

    /// Adds an include of a path with its quotes.
    pub(super) fn add_include(&mut self, text: &'t str, offset: u32, scope: ScopeId) {
        let module = text.trim_matches(['"', '<', '>']);
        if module.is_empty() || module.len() > MAX_MODULE {
            return;
        }
        let import = Import {
            module: self.writer.names.intern(module),
            level: u32::from(text.starts_with('"')),
            item: ImportedItem::Module,
            alias: None,
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
    }

    /// Visits a macro without parameters, which other code may read as a variable.
    pub(super) fn visit_macro_variable(&mut self, node: NodeIndex, scope: ScopeId) {
        if let Some(name) = self.tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            let target = BindingTarget::Variable(None);
            let (text, offset) = (self.tree.text(name), self.tree.node(name).start);
            self.writer
                .bind_text(text.to_owned(), offset, MODULE, target);
            // A header that only defines macros counts as one of C.
            self.bind_opened_namespace(node, (text, offset), scope);
        }
    }

    /// Binds the namespace that a macro opens: `a.b` of
    /// `#define BEGIN namespace a { namespace b {`.
    fn bind_opened_namespace(
        &mut self,
        node: NodeIndex,
        (name, offset): (&str, u32),
        scope: ScopeId,
    ) {
        let body = self.tree.child(node, Field::Value);
        let path = body.and_then(|body| opened_namespace(self.tree.text(body)));
        if let Some(path) = path.filter(|path| path.len() <= MAX_MODULE) {
            let value = self.writer.intern_value(Some(ValueText::name(name)));
            let target = (BindingTarget::Attribute(value), scope);
            self.writer
                .bind_text_in(format!("{OPENED}{path}"), offset, MODULE, target);
        }
    }

    /// Visits the name in `#ifdef a` and `defined(a)`, which may be that of a macro only.
    pub(super) fn visit_macro_test(&mut self, name: Option<NodeIndex>, scope: ScopeId) {
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
            let to = (ReferenceKind::Reference, Receiver::None, Space::Macros);
            self.add_reference(name, scope, to);
        }
    }

    /// Visits `#undef a`, behind which earlier definitions of `a` have no meaning.
    pub(super) fn visit_undef(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let text = tree.text(node);
        let found = undefined_name(text).filter(|(_, name)| name.len() <= MAX_MODULE);
        let Some((start, name)) = found else {
            return;
        };
        let offset = tree.node(node).start + wire(start);
        let target = (BindingTarget::Variable(None), scope);
        self.writer
            .bind_text_in(format!("{UNDEFINED}{name}"), offset, MODULE, target);
        let to = ReferenceTo {
            kind: ReferenceKind::Reference,
            receiver: Receiver::None,
            space: Space::Macros,
        };
        let name = NameAt { text: name, offset };
        self.writer.add_reference(name, scope, to);
    }

    /// Visits `T a = b, *c, f(int);`, also as a member of a class.
    pub(super) fn visit_declaration(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if self.writer.next_definition(node).is_some() {
            return self.visit_function(node, scope);
        }
        let of = tree.child(node, Field::Type);
        if let Some(of) = of {
            self.roles.set(of, Role::Read, scope);
        }
        let children = tree.children(node);
        let declarators = children.filter(|child| tree.node(*child).field == Field::Declarator);
        let declarators: Vec<NodeIndex> = declarators.collect();
        // No value leads to a definition of C.
        let type_value = of.filter(|_| !self.is_c());
        let type_value = type_value.and_then(|of| tree.type_value(of));
        for child in declarators {
            let (declarator, given) = match tree.kind(child) {
                Kind::InitDeclarator => (
                    tree.child(child, Field::Declarator).unwrap_or(child),
                    tree.child(child, Field::Value),
                ),
                _ => (child, tree.child(node, Field::Value)),
            };
            self.roles.set(child, Role::Declarator, scope);
            if let Some(given) = given {
                self.roles.set(given, Role::Read, scope);
            }
            if tree.kind(child) == Kind::InitDeclarator {
                self.roles.set(child, Role::Read, scope);
            }
            let of = given.and_then(|given| tree.value_text(given));
            self.bind_structured(declarator, (scope, scope), of.as_ref());
            let is_local = tree.kind(node) == Kind::Declaration && self.place_of(scope).is_none();
            let made = is_local
                .then(|| self.add_construction(child, (type_value.as_ref(), scope)))
                .flatten();
            if let Some(declared) = tree.declared(declarator) {
                let of = made.or_else(|| type_value.clone());
                self.visit_declared((node, declared), scope, (of, given));
            }
        }
    }

    fn visit_declared(
        &mut self,
        (node, declared): (NodeIndex, Declared),
        scope: ScopeId,
        (of, given): (Option<ValueText>, Option<NodeIndex>),
    ) {
        let tree = self.tree;
        let is_local = self.place_of(scope).is_none();
        // In a function of C++, `T a(b);` declares a variable.
        let is_function = declared.function.is_some() && (self.is_c() || !is_local);
        let text = tree.text(declared.name).to_owned();
        let offset = tree.node(declared.name).start;
        if is_function && tree.kind(declared.name).is_name() {
            let (kind, receiver) = (ReferenceKind::Reference, Receiver::None);
            if declared.whole == declared.name {
                if self.is_friend(node) {
                    // A friend is a member of the namespace around the class.
                    let around = self.scope_around_classes(scope);
                    self.declare_only((text, offset), around, None);
                } else {
                    let trailing = tree.child(node, Field::Type).filter(|_| !self.is_c());
                    let trailing = trailing.and_then(|one| tree.result_value(one, declared));
                    self.declare_only((text, offset), scope, of.or(trailing));
                }
                self.handled.insert(declared.name);
                self.add_reference(declared.name, scope, (kind, receiver, Space::Any));
            } else {
                self.roles.set(declared.whole, Role::Read, scope);
            }
            return;
        }
        if tree.kind(declared.whole) == Kind::Qualified {
            return;
        }
        let given = given.filter(|_| !self.is_c());
        let given = given.and_then(|given| tree.value_text(given));
        let value = match (of, declared.is_array) {
            (Some(of), true) => Some(of.into_sequence()),
            (of, _) => of.or(given),
        };
        self.bind_variable((text, offset), (node, scope), value);
    }

    /// Binds a variable, or a field of a class.
    fn bind_variable(
        &mut self,
        (text, offset): (String, u32),
        (node, scope): (NodeIndex, ScopeId),
        value: Option<ValueText>,
    ) {
        let is_field = self.tree.kind(node) == Kind::FieldDeclaration;
        if is_field && self.is_c() {
            return;
        }
        let has_arguments = value.as_ref().is_some_and(|value| value.has_arguments);
        // `T` of `T *T;` is not the variable.
        let head = value
            .as_ref()
            .map(|value| value.path.split(['.', '(', '[']));
        let is_own = head.is_some_and(|mut head| head.next() == Some(text.as_str()));
        let value_scope = if is_own {
            self.writer.facts.enclosing_scope(scope)
        } else {
            scope
        };
        let value = self.writer.intern_value(value);
        let make = if is_field {
            BindingTarget::Attribute
        } else {
            BindingTarget::Variable
        };
        if is_field && !self.tree.has_storage(node, "static") {
            self.bind_part((offset, scope), (make(value), value_scope));
        }
        let mut targets = vec![make(value)];
        targets.extend(has_arguments.then_some(make(None)));
        for target in targets {
            let (path, bound) = match self.place_of(scope).filter(|_| !is_field) {
                Some(place) => (format!("{}{text}", place.prefix), MODULE),
                None => (text.clone(), scope),
            };
            self.writer
                .bind_text_in(path, offset, bound, (target, value_scope));
        }
    }

    /// Binds a field by its place, for [structured bindings].
    ///
    /// [structured bindings]: https://eel.is/c++draft/dcl.struct.bind
    fn bind_part(&mut self, (offset, class): (u32, ScopeId), target: (BindingTarget, ScopeId)) {
        let count = self.field_counts.entry(class).or_default();
        let part = format!("{TUPLE_PART}{count}");
        *count += 1;
        self.writer.bind_text_in(part, offset, class, target);
    }

    /// Binds the names of `auto [a, b] = c;`. They have the types of the parts of a pair or tuple,
    /// or of the fields of a class.
    fn bind_structured(
        &mut self,
        declarator: NodeIndex,
        (inside, scope): (ScopeId, ScopeId),
        of: Option<&ValueText>,
    ) {
        let tree = self.tree;
        let end = tree.subtree_end(declarator);
        let list = (declarator..end).find(|one| tree.kind(*one) == Kind::StructuredBinding);
        let names = list.into_iter().flat_map(|list| tree.operands(list));
        for (place, name) in names.collect::<Vec<_>>().into_iter().enumerate() {
            let value = of.cloned();
            let part = format!("{TUPLE_PART}{place}");
            let value = value.and_then(|of| of.member(&part)?.within_limit());
            let name = self.name_at(name);
            self.writer
                .bind_value(name, inside, (value, scope), BindingTarget::Variable);
        }
    }

    /// Visits `f(int)` of a prototype that the parser did not read as one, because a macro follows.
    pub(super) fn visit_stray_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        // `A(b)` in a list of uses of macros declares nothing.
        let is_prototype =
            |one: &Declared| one.whole == one.name && !is_macro_name(tree.text(one.name));
        let declared = tree.declared(node).filter(is_prototype);
        let is_local = self.place_of(scope).is_none();
        if let Some(declared) = declared.filter(|_| !is_local) {
            let text = tree.text(declared.name).to_owned();
            let offset = tree.node(declared.name).start;
            self.declare_only((text, offset), scope, None);
        }
    }

    pub(super) fn is_friend(&self, node: NodeIndex) -> bool {
        self.tree.kind(self.tree.parent(node)) == Kind::Friend
    }

    /// Visits a parameter. The function around it binds the name.
    pub(super) fn visit_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        self.roles
            .set_field(node, Field::Declarator, Role::Declarator, scope);
    }

    /// Binds the names of parameters in the scope of a function.
    pub(super) fn bind_parameters(
        &mut self,
        list: Option<NodeIndex>,
        (signature, inside): (ScopeId, ScopeId),
    ) {
        self.bind_given_parameters(list, (signature, inside), (&[], inside));
    }

    /// Binds the names of parameters in the scope of a function. A parameter of type `auto` has the
    /// value that is given for its place.
    fn bind_given_parameters(
        &mut self,
        list: Option<NodeIndex>,
        (signature, inside): (ScopeId, ScopeId),
        (given, around): (&[Option<ValueText>], ScopeId),
    ) {
        let tree = self.tree;
        let Some(list) = list else {
            return;
        };
        let parameters: Vec<NodeIndex> = tree.operands(list).collect();
        for (place, parameter) in parameters.into_iter().enumerate() {
            if tree.kind(parameter) == Kind::Identifier {
                // A parameter in the style of early C.
                self.roles.set(parameter, Role::Handled, inside);
                let target = (BindingTarget::Parameter(None), inside);
                self.writer.bind(self.name_at(parameter), inside, target);
                continue;
            }
            let declarator = tree.child(parameter, Field::Declarator);
            let declared = declarator.and_then(|declarator| tree.declared(declarator));
            let Some(declared) = declared.filter(|one| tree.kind(one.name) == Kind::Identifier)
            else {
                continue;
            };
            let of = tree.child(parameter, Field::Type);
            let value = of.and_then(|of| tree.type_value(of));
            let value = value.filter(|_| !self.is_c());
            let name = self.name_at(declared.name);
            let value = match (value, given.get(place)) {
                (None, Some(given)) => (given.clone(), around),
                (value, _) => (value, signature),
            };
            self.writer
                .bind_value(name, inside, value, BindingTarget::Parameter);
        }
    }

    /// Visits `catch (T a) { … }`.
    pub(super) fn visit_catch(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_block(node, scope);
        let parameters = self.tree.child(node, Field::Parameters);
        self.bind_parameters(parameters, (inside, inside));
    }

    /// Visits `for (T a : b) { … }`.
    pub(super) fn visit_range_for(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        self.roles.set_field(node, Field::Right, Role::Read, scope);
        let declarator = tree.child(node, Field::Declarator);
        if let Some(declarator) = declarator {
            self.roles.set(declarator, Role::Declarator, inside);
        }
        let declared = declarator.and_then(|declarator| tree.declared(declarator));
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let right = tree.child(node, Field::Right);
        let element = right.and_then(|right| tree.value_text(right)?.looped());
        if let Some(declarator) = declarator {
            self.bind_structured(declarator, (inside, scope), element.as_ref());
        }
        let value = value.or(element).and_then(ValueText::within_limit);
        if let Some(declared) = declared {
            let name = self.name_at(declared.name);
            let value = (value, scope);
            self.writer
                .bind_value(name, inside, value, BindingTarget::Variable);
        }
    }

    pub(super) fn visit_lambda(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.writer.open_scope(ScopeKind::Arrow, scope, None);
        self.places.insert(inside, None);
        self.roles.set_children(node, Role::Read, inside);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
        let declarator = tree.child(node, Field::Declarator);
        let list = declarator.and_then(|one| tree.child(one, Field::Parameters));
        let given = tree.given_by_algorithm(node);
        self.bind_given_parameters(list, (inside, inside), (&given, scope));
        let result = declarator.and_then(|one| tree.trailing_return(one));
        let result = result.and_then(|result| tree.operands(result).next());
        let returned = result.map(|result| (tree.node(result).start, tree.type_value(result)));
        if returned.is_none() {
            self.returning.insert(inside);
        }
        self.writer.add_lambda(node, (scope, inside), returned);
    }

    /// Visits `return a;` in a function without a declared result.
    pub(super) fn visit_return(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let facts = &self.writer.facts;
        let mut around = std::iter::successors(Some(scope), |id| facts.scope(*id)?.parent);
        let function = around.find(|id| {
            let kind = facts.scope(*id).map(|found| found.kind);
            matches!(kind, Some(ScopeKind::Arrow | ScopeKind::Function))
        });
        let Some(function) = function.filter(|found| self.returning.contains(found)) else {
            return;
        };
        if let Some(returned) = tree.operands(node).next() {
            let value = (tree.value_text(returned), scope);
            let offset = tree.node(returned).start;
            self.writer.bind_returned(offset, function, value);
        }
    }

    /// Visits `a = b` in the captures of a lambda.
    pub(super) fn visit_capture(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let enclosing = self.writer.facts.enclosing_scope(scope);
        self.roles
            .set_field(node, Field::Right, Role::Read, enclosing);
        let given = tree.child(node, Field::Right);
        let value = given.and_then(|given| tree.value_text(given));
        if let Some(name) = tree.child(node, Field::Left) {
            self.roles.set(name, Role::Handled, scope);
            let name = self.name_at(name);
            let value = (value, enclosing);
            self.writer
                .bind_value(name, scope, value, BindingTarget::Variable);
        }
    }
}

/// Returns the name in the directive `#undef a`, after the offset at which it begins.
fn undefined_name(text: &str) -> Option<(usize, &str)> {
    let directive = text.trim_start().strip_prefix('#')?;
    let rest = directive.trim_start().strip_prefix(UNDEF)?;
    let name = rest.trim_start();
    let is_separate = name.len() < rest.len();
    let start = text.len() - name.len();
    let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let name = name.get(..end.unwrap_or(name.len()))?;
    (is_separate && !name.is_empty()).then_some((start, name))
}
