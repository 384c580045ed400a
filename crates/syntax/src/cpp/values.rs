//! Reads types and expressions as values: `a::T` is an instance of that type, and `a.b()->c` a
//! path.
//!
//! Pointers and references are what they point to.

use super::kinds::{Field, FlatTree, Kind};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
pub(super) const MAX_STEPS: usize = 24;

/// The casts whose result has the type of their argument.
const CASTS: [&str; 4] = [
    "static_cast",
    "dynamic_cast",
    "const_cast",
    "reinterpret_cast",
];

impl FlatTree<'_> {
    /// Returns the name in a template with arguments, or else the node itself.
    pub(super) fn name_inside(&self, node: NodeIndex) -> NodeIndex {
        let mut inner = node;
        for _ in 0..MAX_STEPS {
            if !matches!(
                self.kind(inner),
                Kind::TemplateFunction | Kind::TemplateType
            ) {
                break;
            }
            let name = self.child(inner, Field::Name);
            let name = name.or_else(|| self.operands(inner).next());
            let Some(name) = name else { break };
            inner = name;
        }
        inner
    }

    /// Returns the text of the name in a template with arguments, or of the node itself.
    pub(super) fn plain_name(&self, node: NodeIndex) -> Option<&str> {
        let name = self.name_inside(node);
        self.kind(name).is_name().then(|| self.text(name))
    }

    /// Returns the names before the last one of a qualified name, joined with dots: `a.b` of
    /// `a::b::c`, and nothing of `::c`. Returns `None` if one of them is no name.
    pub(super) fn path_before_name(&self, qualified: NodeIndex) -> Option<String> {
        let mut names = Vec::new();
        let mut node = qualified;
        for _ in 0..MAX_STEPS {
            if let Some(scope) = self.child(node, Field::Scope) {
                let name = self.name_inside(scope);
                if !self.kind(name).is_name() {
                    return None;
                }
                names.push(self.text(name));
            }
            let parent = self.parent(node);
            if self.kind(parent) != Kind::Qualified {
                names.reverse();
                return Some(names.join("."));
            }
            node = parent;
        }
        None
    }

    /// Returns the whole path of a qualified name: `a.b` of `a::b<c>`.
    pub(super) fn qualified_path(&self, qualified: NodeIndex) -> Option<String> {
        let mut inner = qualified;
        for _ in 0..MAX_STEPS {
            let name = self.child(inner, Field::Name)?;
            if self.kind(name) == Kind::Qualified {
                inner = name;
                continue;
            }
            let last = self.plain_name(name)?;
            let before = self.path_before_name(inner)?;
            return Some(joined(&before, last));
        }
        None
    }

    /// Returns the value of something of a type.
    pub(super) fn type_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.type_value_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn type_value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => Some(ValueText::call(self.text(node))),
            Kind::Qualified => {
                if let Some(held) = self.standard_type_value(node, steps) {
                    return Some(held);
                }
                self.qualified_value(node)?.called()
            }
            Kind::TemplateType | Kind::TemplateFunction => self.template_value(node)?.called(),
            Kind::TagSpecifier | Kind::EnumSpecifier | Kind::TypeDescriptor => {
                let name = self.child(node, Field::Name);
                let of = name.or_else(|| self.child(node, Field::Type))?;
                self.type_value_within(of, steps)
            }
            Kind::Decltype => {
                self.value_within(self.operands(node).next()?, steps)?;
                Some(ValueText::numbered(node))
            }
            Kind::DependentType => self.type_value_within(self.operands(node).next()?, steps),
            Kind::MacroType => self.type_value_within(self.child(node, Field::Type)?, steps),
            _ => None,
        }
    }

    /// Reports whether a name has template arguments.
    pub(super) fn has_arguments(&self, name: NodeIndex) -> bool {
        let mut inside = name..self.subtree_end(name);
        inside.any(|inner| self.kind(inner) == Kind::TemplateArguments)
    }

    /// Returns the value of an expression, or `None` if it is neither a path nor a value of a known
    /// type.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.value_within(self.child(node, field)?, steps);
        match self.kind(node) {
            Kind::Identifier => Some(ValueText::name(self.text(node))),
            Kind::This => Some(ValueText::name("this")),
            Kind::Qualified => self.qualified_value(node),
            Kind::TemplateFunction | Kind::TemplateType => self.template_value(node),
            Kind::Lambda => Some(ValueText::numbered(node)),
            Kind::FieldExpression => {
                if let Some(template) = self.template_member(node) {
                    return Some(ValueText::numbered(template));
                }
                self.receiver_within(node, steps)?
                    .member_or_returning(self.member_name(node)?)
            }
            Kind::Binary => self.operation_value(node, steps),
            Kind::Call => self.call_value(node, steps),
            Kind::Cast | Kind::New | Kind::CompoundLiteral => {
                self.type_value_within(self.child(node, Field::Type)?, steps)
            }
            Kind::PointerExpression if self.has_token(node, "*") => {
                of(Field::Argument)?.pointed_to()
            }
            Kind::PointerExpression => of(Field::Argument),
            Kind::Assignment => of(Field::Left),
            Kind::Conditional => {
                let mut operands = self.operands(node).skip(1);
                operands.find_map(|one| self.value_within(one, steps))
            }
            Kind::Parenthesized => self.value_within(self.operands(node).next()?, steps),
            Kind::Subscript => of(Field::Argument)?.element(),
            _ => None,
        }
    }

    /// Returns the value before `.` or `->` of a member.
    pub(super) fn receiver_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.receiver_within(node, MAX_STEPS)?.within_limit()
    }

    /// Returns the name of the member in `a.b` or `a->b<C>`.
    pub(super) fn member_name(&self, node: NodeIndex) -> Option<&str> {
        self.plain_name(self.child(node, Field::Member)?)
    }

    fn receiver_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let of = self.value_within(self.child(node, Field::Argument)?, steps)?;
        if self.has_token(node, "->") {
            of.pointed_to()
        } else {
            Some(of)
        }
    }

    fn has_token(&self, node: NodeIndex, token: &str) -> bool {
        self.children(node).any(|child| self.text(child) == token)
    }

    fn call_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        if let Some(value) = self.standard_call_value(node, steps) {
            return Some(value);
        }
        let function = self.child(node, Field::Function)?;
        if self.is_cast(function) {
            let arguments = self.child(function, Field::Arguments)?;
            return self.type_value_within(self.operands(arguments).next()?, steps);
        }
        if self.may_infer_result(node) {
            return Some(ValueText::numbered(node));
        }
        self.value_within(function, steps)?.call_result()
    }

    /// Reports whether a name with template arguments is a cast.
    pub(super) fn is_cast(&self, function: NodeIndex) -> bool {
        self.kind(function) == Kind::TemplateFunction
            && CASTS.contains(&self.text(self.name_inside(function)))
    }
}

/// Returns the path of a name, given the path of the scope around it, which may be empty.
pub(super) fn joined(before: &str, name: &str) -> String {
    if before.is_empty() {
        name.to_owned()
    } else {
        format!("{before}.{name}")
    }
}
