//! What types declare: their parameters, and names in mapped and conditional types.

use super::builder::Walk;
use super::kinds::{Field, Kind};
use super::roles::{Binds, Context, Role, To, declared};
use crate::tree::At;

impl Walk<'_, '_> {
    pub(super) fn visit_type(&mut self, at: At, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::TypeParameter => self.type_parameter(at, context),
            Kind::MappedType => self.give_field(at, Field::Name, declared(scope), scope),
            Kind::InferType => self.give_first(at, declared(scope), scope),
            Kind::IndexSignature | Kind::TypePredicate => {
                self.give_field(at, Field::Name, Role::Done, scope);
            }
            Kind::Asserts => {
                let first = self.tree.operands(at).next();
                if let Some(first) = first.filter(|&first| self.tree.is_leaf(first)) {
                    self.give(first, Role::Done, scope);
                }
            }
            Kind::EnumBody => self.enum_body(at, context),
            Kind::EnumAssignment => self.enum_assignment(at, context),
            Kind::InterfaceBody => self.members(at, context),
            Kind::PropertySignature => self.property_signature(at, context),
            _ => {}
        }
    }

    /// The grammar does not know `in` and `out`: to it the name behind them is an error.
    fn type_parameter(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let scope = context.scope;
        // What extends a class has its members.
        let constraint = tree.child(at, Field::Constraint);
        let constraint = constraint.and_then(|constraint| tree.operands(constraint).next());
        let said = constraint.and_then(|constraint| tree.annotation(constraint));
        let binds = Binds {
            scope,
            to: To::Variable(self.value(said)),
            exported: false,
        };
        self.give_field(at, Field::Name, Role::Bound(binds), scope);
        let is_error = |child: &At| tree.kind(*child) == Kind::Error;
        let beside = Some(tree.next(at)).filter(|&beside| tree.parent(beside) == tree.parent(at));
        let inside = tree.operands(at).find(is_error);
        let error = inside.or(beside.filter(is_error));
        let behind = error.and_then(|error| tree.operands(error).last());
        let name = tree.child(at, Field::Name);
        if let (Some(error), Some(behind), Some(name)) = (error, behind, name)
            && matches!(tree.text(name), "in" | "out")
            && matches!(tree.kind(behind), Kind::Identifier | Kind::TypeName)
            && let Role::Bound(binds) = declared(scope)
        {
            self.give(name, Role::Done, scope);
            self.give(error, Role::Done, scope);
            self.bind(behind, binds, scope);
        }
    }
}
