//! Finds declarations and the statements that contain them.

use super::kinds::{Field, FlatTree, Kind};
use crate::tree::NodeIndex;

impl FlatTree<'_> {
    /// Reports whether a class is a declaration and not an expression.
    pub(super) fn is_declaration(&self, class: NodeIndex) -> bool {
        matches!(
            self.kind(self.parent(class)),
            Kind::Program | Kind::Block | Kind::SwitchCase | Kind::AmbientDeclaration
        ) || self.node(class).field == Field::Declaration
    }

    /// Reports whether the node that binds a function is a member of a class or interface.
    pub(super) fn is_member(&self, binder: NodeIndex) -> bool {
        matches!(
            self.kind(binder),
            Kind::FieldDefinition | Kind::Method | Kind::MethodSignature
        ) && matches!(
            self.kind(self.parent(binder)),
            Kind::ClassBody | Kind::InterfaceBody
        )
    }

    /// Returns the statement, including `export` and `declare`, whose first name a node binds.
    ///
    /// Returns the node itself if it binds another name.
    pub(super) fn statement(&self, binder: NodeIndex) -> NodeIndex {
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

    pub(super) fn undecorated_start(&self, statement: NodeIndex) -> usize {
        let undecorated = self
            .children(statement)
            .find(|&child| !matches!(self.kind(child), Kind::Decorator | Kind::Comment));
        let first = undecorated.unwrap_or(statement);
        // The parser may insert an empty token at the start.
        self.node(first).start.max(self.node(statement).start) as usize
    }
}
