//! Visits the names that types declare: type parameters, mapped and conditional types.

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, Role, variable_role};
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    pub(super) fn visit_type(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::TypeParameter => self.type_parameter(node, context),
            Kind::MappedType => {
                self.roles
                    .set_field(node, Field::Name, variable_role(scope), scope);
            }
            Kind::InferType => self.roles.set_operand(node, 0, variable_role(scope), scope),
            Kind::IndexSignature | Kind::TypePredicate => {
                self.roles
                    .set_field(node, Field::Name, Role::Handled, scope);
            }
            Kind::Asserts => {
                let first = self.tree.operands(node).next();
                if let Some(first) = first.filter(|&first| self.tree.is_leaf(first)) {
                    self.roles.set(first, Role::Handled, scope);
                }
            }
            Kind::EnumBody => self.visit_enum_body(node, context),
            Kind::EnumAssignment => self.visit_enum_assignment(node, context),
            Kind::InterfaceBody => self.visit_members(node, context),
            Kind::PropertySignature => self.visit_property_signature(node, context),
            _ => {}
        }
    }

    /// Visits a type parameter.
    ///
    /// The grammar lacks the modifiers `in` and `out`: it reads the modifier as the name, and the
    /// name as an error.
    fn type_parameter(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let scope = context.scope;
        // A type parameter has the members of its constraint, or else of its default.
        let bound = tree.child(node, Field::Constraint);
        let bound = bound.or_else(|| tree.child(node, Field::Value));
        let bound = bound.and_then(|bound| tree.operands(bound).next());
        let value_text = bound.and_then(|bound| tree.annotation_text(bound));
        let declaration = Declaration {
            scope,
            target: DeclaredTarget::Variable(self.intern_value(value_text)),
            is_exported: false,
        };
        self.roles
            .set_field(node, Field::Name, Role::Declared(declaration), scope);
        let is_error = |child: &NodeIndex| tree.kind(*child) == Kind::Error;
        let beside =
            Some(tree.subtree_end(node)).filter(|&beside| tree.parent(beside) == tree.parent(node));
        let inside = tree.operands(node).find(is_error);
        let error = inside.or(beside.filter(is_error));
        let end = error.and_then(|error| tree.operands(error).last());
        let name = tree.child(node, Field::Name);
        if let (Some(error), Some(end), Some(name)) = (error, end, name)
            && matches!(tree.text(name), "in" | "out")
            && matches!(tree.kind(end), Kind::Identifier | Kind::TypeName)
            && let Role::Declared(declaration) = variable_role(scope)
        {
            self.roles.set(name, Role::Handled, scope);
            self.roles.set(error, Role::Handled, scope);
            self.bind(end, declaration, scope);
        }
    }
}
