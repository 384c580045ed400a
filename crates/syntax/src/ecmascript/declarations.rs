//! Declarations and the statements around them.

use super::kinds::{Field, FlatTree, Kind};
use crate::tree::At;

impl FlatTree<'_> {
    /// Whether a class is a statement or exported as one, and no expression.
    pub(super) fn is_declaration(&self, class: At) -> bool {
        matches!(
            self.kind(self.parent(class)),
            Kind::Program | Kind::Block | Kind::SwitchCase | Kind::AmbientDeclaration
        ) || self.node(class).field == Field::Declaration
    }

    /// Whether what binds a function is a member of a class or interface.
    pub(super) fn is_member(&self, binder: At) -> bool {
        matches!(
            self.kind(binder),
            Kind::FieldDefinition | Kind::Method | Kind::MethodSignature
        ) && matches!(
            self.kind(self.parent(binder)),
            Kind::ClassBody | Kind::InterfaceBody
        )
    }

    /// The statement whose first name a binder binds, with `export` and `declare`; else the binder.
    pub(super) fn statement(&self, binder: At) -> At {
        let mut statement = binder;
        let declaration = self.parent(binder);
        if self.kind(binder) == Kind::VariableDeclarator {
            if self
                .operands(declaration)
                .find(|&child| self.kind(child) == Kind::VariableDeclarator)
                != Some(binder)
            {
                return binder;
            }
            statement = declaration;
        }
        if self.kind(binder) == Kind::Assignment
            && self.kind(declaration) == Kind::ExpressionStatement
        {
            return declaration;
        }
        while matches!(
            self.kind(self.parent(statement)),
            Kind::Export | Kind::AmbientDeclaration
        ) && statement > 0
        {
            statement = self.parent(statement);
        }
        statement
    }

    pub(super) fn undecorated_start(&self, statement: At) -> usize {
        let undecorated = self
            .children(statement)
            .find(|&child| !matches!(self.kind(child), Kind::Decorator | Kind::Comment));
        let first = undecorated.unwrap_or(statement);
        // An empty token is one that the grammar made up.
        self.node(first).start.max(self.node(statement).start) as usize
    }
}
