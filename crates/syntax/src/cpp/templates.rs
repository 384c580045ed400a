//! Types and functions with template arguments, and calls whose arguments may tell those.
//!
//! Each is a fact of its own, to which values refer by its number.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::values::MAX_STEPS;
use crate::facts::{ScopeId, Space, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The template of the standard library that holds values of several types by their places.
const TUPLES: [&str; 2] = ["pair", "tuple"];

impl FlatTree<'_> {
    /// Returns the template arguments that a name has itself: `<C>` of `a::B<C>`.
    fn template_arguments(&self, template: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(template, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }

    /// Returns the whole path of a template, without arguments: `a.B` of `a::B<C>::D`, if the
    /// template is `B<C>`.
    fn template_path(&self, template: NodeIndex) -> Option<String> {
        let name = self.name_inside(template);
        let name = self.kind(name).is_name().then(|| self.text(name))?;
        let qualified = self.parent(template);
        let around = match self.node(template).field {
            Field::Scope => self.parent(qualified),
            _ => qualified,
        };
        if self.kind(around) != Kind::Qualified {
            return Some(name.to_owned());
        }
        let before = self.path_before_name(around)?;
        Some(if before.is_empty() {
            name.to_owned()
        } else {
            format!("{before}.{name}")
        })
    }

    /// Returns what is applied to template arguments of the repository's types. Those of the
    /// standard library have values of their own.
    fn applied_template(&self, template: NodeIndex) -> Option<String> {
        let mut arguments = self.template_arguments(template);
        if !arguments.any(|one| self.type_value(one).is_some()) {
            return None;
        }
        let path = self.template_path(template)?;
        let is_own = !path.starts_with("std.") && !self.is_cast(template);
        is_own.then_some(path)
    }

    /// Returns a template with arguments as a value, which is not called.
    pub(super) fn template_value(&self, template: NodeIndex) -> Option<ValueText> {
        if self.applied_template(template).is_some() {
            return Some(ValueText::numbered(template).with_arguments(true));
        }
        let name = self.name_inside(template);
        let name = self.kind(name).is_name().then(|| self.text(name))?;
        Some(ValueText::name(name).with_arguments(true))
    }

    /// Returns a qualified name as a value, which is not called: `a.B` of `a::B`, and a number in
    /// place of `a::B<C>`.
    pub(super) fn qualified_value(&self, qualified: NodeIndex) -> Option<ValueText> {
        let mut value: Option<ValueText> = None;
        let mut part = qualified;
        for _ in 0..MAX_STEPS {
            let is_last = self.kind(part) != Kind::Qualified;
            let name = if is_last {
                Some(part)
            } else {
                self.child(part, Field::Scope)
            };
            if let Some(name) = name {
                value = Some(self.after_scope(value, name)?);
            }
            if is_last {
                return value;
            }
            part = self.child(part, Field::Name)?;
        }
        None
    }

    /// Returns a name as a member of the namespaces and classes before it.
    fn after_scope(&self, before: Option<ValueText>, name: NodeIndex) -> Option<ValueText> {
        if matches!(self.kind(name), Kind::TemplateFunction | Kind::TemplateType) {
            let value = self.template_value(name)?;
            // The fact of a template has the whole path.
            return match before {
                Some(before) if !value.is_numbered() => before.member(&value.path),
                _ => Some(value),
            };
        }
        let text = self.kind(name).is_name().then(|| self.text(name))?;
        match before {
            Some(before) => before.member(text),
            None => Some(ValueText::name(text)),
        }
    }

    /// Returns the value of something of a type whose parts have types of their own:
    /// `std::tuple<A, B>`.
    pub(super) fn tuple_value(&self, template: NodeIndex) -> Option<ValueText> {
        let is_tuple = TUPLES.contains(&self.text(self.name_inside(template)));
        let mut arguments = self.template_arguments(template);
        let has_type = is_tuple && arguments.any(|one| self.type_value(one).is_some());
        has_type.then(|| ValueText::numbered(template))
    }

    /// Reports whether arguments of a call may tell what it returns, and code reads that.
    pub(super) fn may_infer_result(&self, call: NodeIndex) -> bool {
        let is_function =
            self.child(call, Field::Function)
                .is_some_and(|function| match self.kind(function) {
                    Kind::Identifier => true,
                    Kind::Qualified => !self.text(function).starts_with("std::"),
                    _ => false,
                });
        is_function
            && self.is_result_read(call)
            && self.call_arguments(call).any(|one| {
                matches!(
                    self.kind(one),
                    Kind::Call
                        | Kind::CompoundLiteral
                        | Kind::FieldExpression
                        | Kind::Identifier
                        | Kind::Lambda
                        | Kind::New
                        | Kind::PointerExpression
                        | Kind::Subscript
                        | Kind::This
                )
            })
    }

    fn is_result_read(&self, call: NodeIndex) -> bool {
        let parent = self.parent(call);
        match self.kind(parent) {
            Kind::FieldExpression | Kind::PointerExpression | Kind::RangeFor | Kind::Subscript => {
                true
            }
            Kind::InitDeclarator => {
                let of = self.child(self.parent(parent), Field::Type);
                of.is_some_and(|of| self.kind(of) == Kind::Placeholder)
            }
            _ => false,
        }
    }

    fn call_arguments(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }
}

impl FactsBuilder<'_> {
    /// Adds a type or function with its template arguments.
    pub(super) fn add_template(&mut self, template: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if let Some(path) = tree.applied_template(template) {
            let of = (Some(ValueText::name(path)), Space::Any);
            let arguments = tree.template_arguments(template);
            let arguments = arguments.map(|one| tree.type_value(one));
            self.writer.add_applied(template, scope, of, arguments);
            return;
        }
        let is_standard = tree.template_path(template);
        let is_standard = is_standard.is_some_and(|path| path.starts_with("std."));
        if is_standard && tree.tuple_value(template).is_some() {
            let parts = tree.template_arguments(template);
            let parts: Vec<_> = parts.map(|one| tree.type_value(one)).collect();
            let parts = parts.into_iter().map(|one| self.writer.intern_value(one));
            let shape = TypeShape::Tuple(parts.collect());
            self.writer.add_type(template, scope, shape);
        }
    }

    /// Adds a call whose arguments may tell what it returns.
    pub(super) fn add_inferring_call(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.may_infer_result(call) {
            return;
        }
        let function = tree.child(call, Field::Function);
        let function = function.and_then(|function| tree.value_text(function));
        let arguments = tree.call_arguments(call).map(|one| tree.value_text(one));
        self.writer
            .add_inferring_call(call, scope, function, arguments);
    }
}
