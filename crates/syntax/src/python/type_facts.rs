//! Collects generic types with their type arguments, unions in them, and type variables.
//!
//! Source: the [specification] of the type system of Python.
//!
//! [specification]: https://typing.python.org/en/latest/spec/generics.html

use super::annotations::{self, KeepTypes};
use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::library_generics;
use super::value_text::ValueText;
use crate::facts::{
    Binding, BindingTarget, ImportedItem, ScopeId, ScopeKind, Space, TYPE_NUMBER, TypeFact,
    TypeShape, Value,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The maximum number of types of one file.
const MAX_TYPES: usize = 20_000;

/// The maximum depth of types in types, and of sides in a union.
const MAX_DEPTH: usize = 16;

/// The number of types among which the same type is searched.
const MAX_COMPARED: usize = 64;

/// The types of `builtins` that are often type arguments.
const BUILTIN_TYPES: [&str; 11] = [
    "bool", "bytes", "dict", "float", "int", "list", "object", "set", "str", "tuple", "type",
];

/// The modules that have the generics of `typing`.
const GENERIC_MODULES: [&str; 12] = [
    "asyncio",
    "collections",
    "collections.abc",
    "concurrent.futures",
    "contextlib",
    "contextvars",
    "multiprocessing",
    "queue",
    "types",
    "typing",
    "typing_extensions",
    "weakref",
];

/// Keeps the types in an annotation, whose names are looked up in a scope.
struct ScopedTypes<'b, 't> {
    builder: &'b mut FactsBuilder<'t>,
    scope: ScopeId,
}

impl KeepTypes for ScopedTypes<'_, '_> {
    fn keep_applied(&mut self, of: &str, arguments: Vec<Option<String>>) -> Option<String> {
        let builder = &mut *self.builder;
        let arguments = arguments.into_iter();
        let arguments = arguments.map(|path| Some(builder.type_value(&path?)));
        let arguments = arguments.collect();
        let shape = TypeShape::Applied {
            of: builder.path_value(of),
            space: Space::Any,
            arguments,
        };
        builder.keep_type(self.scope, shape)
    }

    fn may_be_renamed(&self, path: &str) -> bool {
        self.builder.may_be_renamed(path)
    }

    fn keep_union(&mut self, sides: Vec<String>) -> Option<String> {
        let sides = sides.into_iter();
        let sides = sides.map(|path| self.builder.type_value(&path)).collect();
        self.builder.keep_type(self.scope, TypeShape::AnyOf(sides))
    }
}

impl<'t> FactsBuilder<'t> {
    /// Returns the value of an annotation, whose names are looked up in a scope; see
    /// [`annotations::parse_annotation`].
    pub(super) fn annotation_text(
        &mut self,
        annotation: NodeIndex,
        scope: ScopeId,
    ) -> Option<ValueText<'t>> {
        let text = self.tree.text(annotation);
        let builder = self;
        annotations::parse_annotation(text, &mut ScopedTypes { builder, scope })
    }

    /// Returns the values of an annotation with several sides: `A()` and `B()` for `A | B`.
    pub(super) fn annotation_sides(
        &mut self,
        annotation: NodeIndex,
        scope: ScopeId,
    ) -> Vec<String> {
        let text = self.tree.text(annotation);
        let builder = self;
        annotations::parse_sides(text, &mut ScopedTypes { builder, scope })
    }

    /// Reports whether the name of a generic of the standard library may be that of another class,
    /// which the file defines or imports from elsewhere.
    fn may_be_renamed(&self, path: &str) -> bool {
        if self.own_generics.iter().any(|own| own == path) {
            return true;
        }
        let (first, is_member) = match path.split_once('.') {
            Some((first, _)) => (first, true),
            None => (path, false),
        };
        let bound = self.names.find(first);
        let mut is_imported = false;
        for import in &self.facts.imports {
            let is_star = import.item == ImportedItem::Star;
            let is_meant = bound.is_some() && import.alias == bound;
            let is_of_library = GENERIC_MODULES.contains(&self.names.text(import.module));
            if (is_star || is_meant) && !is_of_library {
                return true;
            }
            is_imported |= is_meant;
        }
        is_member && !is_imported
    }

    /// Returns the value of a base class, whose names are looked up in a scope.
    pub(super) fn base_text(&mut self, base: NodeIndex, scope: ScopeId) -> Option<ValueText<'t>> {
        if self.tree.kind(base) != Kind::Subscript {
            return self.tree.value_text(base);
        }
        let text = self.tree.text(base);
        let builder = &mut *self;
        let applied = annotations::parse_base(text, &mut ScopedTypes { builder, scope });
        applied.or_else(|| self.tree.base_text(base))
    }

    /// Returns the value of an assigned type with type arguments or union, or of a call of such a
    /// type, by the style of the names: a subscript of a class has the same form as one of a
    /// container.
    pub(super) fn assigned_type(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
    ) -> Option<ValueText<'t>> {
        let tree = self.tree;
        if tree.kind(node) != Kind::Call {
            let is_type = tree.kind(node) != Kind::Identifier && self.is_type_name(node, 0);
            return is_type.then(|| self.alias_text(node, scope)).flatten();
        }
        let function = tree.child(node, Field::Function)?;
        let is_type = tree.kind(function) == Kind::Subscript && self.is_type_name(function, 0);
        let made = is_type.then(|| self.annotation_text(function, scope));
        made.flatten()
    }

    /// Returns the value of the type that an alias stands for. Its names are looked up in a scope.
    pub(super) fn alias_text(&mut self, node: NodeIndex, scope: ScopeId) -> Option<ValueText<'t>> {
        let text = self.tree.text(node);
        let builder = self;
        annotations::parse_alias(text, &mut ScopedTypes { builder, scope })
    }

    /// Reports whether a name is in the style of the names of classes, [PEP 8].
    ///
    /// [PEP 8]: https://peps.python.org/pep-0008/#class-names
    fn is_class_name(&self, node: NodeIndex) -> bool {
        let name = self.tree.last_name(node).unwrap_or_default();
        let name = name.trim_start_matches('_');
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    }

    /// Reports whether an expression is a type with type arguments or a union, by the style of its
    /// names.
    fn is_type_name(&self, node: NodeIndex, depth: usize) -> bool {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return false;
        }
        let depth = depth + 1;
        match tree.kind(node) {
            Kind::Subscript => {
                let of = tree.child(node, Field::Value);
                let mut arguments = tree.operands(node).skip(1);
                of.is_some_and(|of| {
                    let is_known = library_generics::find_library_generic(tree.text(of)).is_some();
                    let is_argument = |one| self.is_type_argument(one, (is_known, depth));
                    let is_class = is_known || self.is_class_name(of);
                    is_class && !self.is_variable(of) && arguments.all(is_argument)
                })
            }
            Kind::BinaryOperator => {
                let is_union = tree.operator_method(node) == Some("__or__");
                let is_side = |side| self.is_type_argument(side, (false, depth));
                is_union && tree.operands(node).all(is_side)
            }
            _ => false,
        }
    }

    /// Reports whether the part of the file before this place binds a name to a variable or
    /// parameter.
    fn is_variable(&self, node: NodeIndex) -> bool {
        let Some(name) = self.names.find(self.tree.text(node)) else {
            return false;
        };
        let mut bindings = self.facts.bindings.iter();
        bindings.any(|binding| {
            let is_variable = matches!(
                binding.target,
                BindingTarget::Parameter(_) | BindingTarget::Variable(_)
            );
            binding.name == name && is_variable
        })
    }

    /// Reports whether an expression is a type argument by the style of its name. One of a generic
    /// of `typing` may be a string.
    fn is_type_argument(&self, node: NodeIndex, (may_be_string, depth): (bool, usize)) -> bool {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Identifier | Kind::Attribute => {
                BUILTIN_TYPES.contains(&tree.text(node)) || self.is_class_name(node)
            }
            Kind::None => true,
            Kind::String => may_be_string,
            _ => self.is_type_name(node, depth),
        }
    }

    /// Returns the value of a call that creates a type variable.
    pub(super) fn type_variable(
        &mut self,
        name: NodeIndex,
        call: NodeIndex,
        scope: ScopeId,
    ) -> Option<ValueText<'t>> {
        let tree = self.tree;
        let function = tree.child(call, Field::Function)?;
        let is_variable = tree.kind(call) == Kind::Call
            && tree.last_name(function) == Some("TypeVar")
            && tree.kind(name) == Kind::Identifier;
        let arguments = tree.operands(call).nth(1).filter(|_| is_variable)?;
        let constraints =
            tree.operands(arguments)
                .skip(1)
                .filter_map(|argument| match tree.kind(argument) {
                    Kind::KeywordArgument => {
                        let keyword = tree.operands(argument).next()?;
                        let bound = tree.child(argument, Field::Value)?;
                        (tree.text(keyword) == "bound").then_some(bound)
                    }
                    _ => Some(argument),
                });
        let constraints: Vec<NodeIndex> = constraints.collect();
        let own = self.open_scope(ScopeKind::TypeParameters, scope, None);
        if constraints.is_empty() {
            self.declare_variable(name, own, (None, scope));
        }
        for constraint in constraints {
            let value = self.annotation_text(constraint, scope);
            let value = self.intern_value(value);
            self.declare_variable(name, own, (value, scope));
        }
        let path = self.keep_type(scope, TypeShape::Variable(own))?;
        Some(ValueText {
            path: path.into(),
            is_called: false,
        })
    }

    /// Declares a type variable in a scope of its own, with what it must be.
    fn declare_variable(
        &mut self,
        name: NodeIndex,
        own: ScopeId,
        (value, value_scope): (Option<Value>, ScopeId),
    ) {
        let binding = Binding {
            scope: own,
            name: self.intern(self.tree.text(name)),
            position: self.position_of(name),
            target: BindingTarget::Variable(value),
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    /// Returns the value of a part of a type.
    fn type_value(&mut self, path: &str) -> Value {
        let called = path.strip_suffix("()");
        Value {
            path: self.intern(called.unwrap_or(path).to_owned()),
            is_called: called.is_some(),
        }
    }

    /// Keeps a type, and returns the path that refers to it.
    fn keep_type(&mut self, scope: ScopeId, shape: TypeShape) -> Option<String> {
        let types = &mut self.facts.types;
        let mut recent = types.iter().rev().take(MAX_COMPARED);
        let known = recent.find(|one| one.scope == scope && one.shape == shape);
        if let Some(known) = known {
            return Some(format!("{TYPE_NUMBER}{}", known.number));
        }
        if types.len() >= MAX_TYPES {
            return None;
        }
        let number = wire(types.len());
        types.push(TypeFact {
            number,
            scope,
            shape,
        });
        Some(format!("{TYPE_NUMBER}{number}"))
    }
}
