//! Types and functions with template arguments, and calls that may deduce template arguments.
//!
//! Each is a fact of its own. A value refers to it by the number of its node.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::values::{MAX_STEPS, joined};
use crate::facts::{MODULE, ScopeId, Space, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The templates of the standard library whose values have types by their places.
const TUPLES: [&str; 3] = ["pair", "tuple", "variant"];

/// The name that stands for a template argument of an unknown type. As a keyword, it is the name of
/// no declaration.
const UNREADABLE: &str = "decltype";

impl FlatTree<'_> {
    /// Returns the arguments of a call, or those that a template has itself: `<C>` of `a::B<C>`.
    pub(super) fn arguments(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(node, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }

    /// Returns the whole path of a template, without arguments: `a.B` of `a::B<C>::D`, if the
    /// template is `B<C>`.
    fn template_path(&self, template: NodeIndex) -> Option<String> {
        let name = self.plain_name(template)?;
        let qualified = self.parent(template);
        let around = match self.node(template).field {
            Field::Scope => self.parent(qualified),
            _ => qualified,
        };
        if self.kind(around) != Kind::Qualified {
            return Some(name.to_owned());
        }
        let before = self.path_before_name(around)?;
        Some(joined(&before, name))
    }

    /// Returns the path of a template that has arguments. A template of the standard library has
    /// none: the tables of the standard library say what it means.
    fn applied_template(&self, template: NodeIndex) -> Option<String> {
        self.child(template, Field::Arguments)?;
        let path = self.template_path(template)?;
        let is_own = !path.starts_with("std.") && !self.is_cast(template);
        is_own.then_some(path)
    }

    /// Returns a template argument as a value: an instance of its type. A built-in type and a
    /// number have no value.
    fn argument_value(&self, argument: NodeIndex) -> Option<ValueText> {
        if let Some(value) = self.type_value(argument) {
            return Some(value);
        }
        let of = self.child(argument, Field::Type)?;
        let is_known = matches!(self.kind(of), Kind::PrimitiveType);
        (!is_known).then(|| ValueText::call(UNREADABLE))
    }

    /// Returns a template with arguments as a value, which is not called.
    pub(super) fn template_value(&self, template: NodeIndex) -> Option<ValueText> {
        if self.applied_template(template).is_some() {
            return Some(ValueText::numbered(template).with_arguments(true));
        }
        let name = self.plain_name(template)?;
        Some(ValueText::name(name).with_arguments(true))
    }

    /// Returns a qualified name as a value, which is not called: `a.B` of `a::B`. A number stands
    /// for `a::B<C>`, and for `::a`, which is looked up in the file.
    pub(super) fn qualified_value(&self, qualified: NodeIndex) -> Option<ValueText> {
        let mut value: Option<ValueText> = None;
        let mut part = qualified;
        for _ in 0..MAX_STEPS {
            let is_last = self.kind(part) != Kind::Qualified;
            if is_last {
                return self.after_scope(value, part);
            }
            value = match self.child(part, Field::Scope) {
                Some(name) => Some(self.after_scope(value, name)?),
                None => return self.global_value(part),
            };
            part = self.child(part, Field::Name)?;
        }
        None
    }

    /// Returns a name that begins with `::` as a value, which is not called: `::a` or `::a<B>`.
    fn global_value(&self, qualified: NodeIndex) -> Option<ValueText> {
        let mut name = qualified;
        for _ in 0..MAX_STEPS {
            match self.kind(name) {
                Kind::Qualified => name = self.child(name, Field::Name)?,
                Kind::TemplateFunction | Kind::TemplateType
                    if self.applied_template(name).is_some() =>
                {
                    return self.template_value(name);
                }
                _ => break,
            }
        }
        Some(ValueText::numbered(qualified))
    }

    /// Returns the whole name of which a name is a part, if it begins with `::`.
    fn global_name(&self, name: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(self.parent(name)), |one| Some(self.parent(*one)));
        let qualified = around
            .take(MAX_STEPS)
            .take_while(|one| self.kind(*one) == Kind::Qualified);
        let whole = qualified.last()?;
        self.child(whole, Field::Scope).is_none().then_some(whole)
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

    /// Returns the node of `b<C>` in `a.b<C>` and in `a.template b<C>`.
    pub(super) fn template_member(&self, field: NodeIndex) -> Option<NodeIndex> {
        let member = self.child(field, Field::Member)?;
        let inside = std::iter::once(member).chain(self.operands(member));
        let mut templates = inside.filter(|one| self.kind(*one) == Kind::TemplateFunction);
        templates.find(|one| self.child(*one, Field::Arguments).is_some())
    }

    /// Returns the expression whose member a template is.
    fn field_of_template(&self, template: NodeIndex) -> Option<NodeIndex> {
        let parent = self.parent(template);
        let mut around = [parent, self.parent(parent)].into_iter();
        around.find(|one| {
            self.kind(*one) == Kind::FieldExpression && self.template_member(*one) == Some(template)
        })
    }

    /// Returns the value of `a.b` of `a.b<C>`, which is not called.
    fn member_value(&self, field: NodeIndex) -> Option<ValueText> {
        let member = self.receiver_value(field)?.member(self.member_name(field)?);
        member.and_then(ValueText::within_limit)
    }

    /// Returns an instance of a type whose parts have types of their own: `std::tuple<A, B>`.
    pub(super) fn tuple_value(&self, template: NodeIndex) -> Option<ValueText> {
        let is_tuple = TUPLES.contains(&self.text(self.name_inside(template)));
        is_tuple.then(|| ValueText::numbered(template))
    }

    /// Reports whether code reads what a call returns, and that may follow from the arguments.
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
            && self.arguments(call).any(|one| {
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

    pub(super) fn is_result_read(&self, call: NodeIndex) -> bool {
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
}

impl FactsBuilder<'_> {
    /// Adds a type or function with its template arguments.
    pub(super) fn add_template(&mut self, template: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if let Some(path) = tree.applied_template(template) {
            let field = tree.field_of_template(template);
            let of = field.map_or_else(
                || {
                    let global = tree.global_name(template).map(ValueText::numbered);
                    Some(global.unwrap_or_else(|| ValueText::name(path)))
                },
                |field| tree.member_value(field),
            );
            let of = (of, Space::Any);
            let arguments = tree.arguments(template);
            let arguments = arguments.map(|one| tree.argument_value(one));
            self.writer.add_applied(template, scope, of, arguments);
            return;
        }
        let is_standard = tree.template_path(template);
        let is_standard = is_standard.is_some_and(|path| path.starts_with("std."));
        if is_standard && tree.tuple_value(template).is_some() {
            let parts = tree.arguments(template);
            let parts: Vec<_> = parts.map(|one| tree.argument_value(one)).collect();
            let parts = parts.into_iter().map(|one| self.writer.intern_value(one));
            let shape = TypeShape::Tuple(parts.collect());
            self.writer.add_type(template, scope, shape);
        }
    }

    /// Adds `::a`, which is looked up in the file.
    pub(super) fn add_global(&mut self, qualified: NodeIndex) {
        let tree = self.tree;
        if tree.child(qualified, Field::Scope).is_some() {
            return;
        }
        let value = tree.qualified_path(qualified).map(ValueText::name);
        let arguments = std::iter::empty();
        self.writer
            .add_applied(qualified, MODULE, (value, Space::Any), arguments);
    }

    /// Adds a call if what it returns may follow from its arguments.
    pub(super) fn add_inferring_call(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.may_infer_result(call) {
            return;
        }
        let function = tree.child(call, Field::Function);
        let function = function.and_then(|function| tree.value_text(function));
        let arguments = tree.arguments(call).map(|one| tree.value_text(one));
        self.writer
            .add_inferring_call(call, scope, function, arguments);
    }
}
