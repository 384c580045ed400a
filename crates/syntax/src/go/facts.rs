//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! Scopes are those of the language specification,
//! <https://go.dev/ref/spec#Declarations_and_scope>, with one difference: a variable is visible in
//! its whole block. Where that would hide a name that the declaration itself reads, as in
//! `a := a.b()`, the rest of the block is a scope of its own.

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind, kind_table};
use crate::body_hash;
use crate::facts::{Facts, MODULE, Receiver, ReferenceKind, ScopeId, ScopeKind, Space};
use crate::facts_writer::{FactsWriter, ReferenceTo};
use crate::node_roles::NodeRoles;
use crate::rule_based::FoundDefinition;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// Builds the facts of a text with these definitions.
pub(super) fn build_facts(tree: &SyntaxTree, text: &str, found: Outline<FoundDefinition>) -> Facts {
    let flat = FlatTree::new(tree, text, kind_table(tree));
    let context = Context {
        role: Role::Read,
        scope: MODULE,
    };
    let mut walk = FactsBuilder {
        tree: &flat,
        writer: FactsWriter::new(text, found),
        roles: NodeRoles::new(&flat, context),
        rests: 0,
    };
    for node in 0..flat.len() {
        walk.visit(node);
    }
    let hashes = body_hash::hash_bodies(&flat, &walk.writer.named);
    walk.writer.finish(hashes)
}

/// The maximum nesting of literals in one whose type is written.
const MAX_LITERALS: usize = 8;

impl FactsBuilder<'_> {
    fn visit(&mut self, node: NodeIndex) {
        let Some(context) = self.roles.get(node) else {
            return;
        };
        let kind = self.tree.kind(node);
        if matches!(kind, Kind::Identifier | Kind::TypeIdentifier) {
            return self.visit_name(node, context);
        }
        if self.tree.is_leaf(node) {
            return;
        }
        // In broken code the names of a list can stand beside other code, which is read.
        let role = match (kind, context.role) {
            (Kind::ExpressionList | Kind::LiteralElement, role @ Role::Handled)
            // `(f)(a)`, `*T` and `T[int]` are what is inside.
            | (Kind::Parenthesized | Kind::PointerType, role) => role,
            _ => Role::Read,
        };
        self.roles.set_children(node, role, context.scope);
        match kind {
            Kind::Function | Kind::Method => self.visit_function(node, context.scope),
            Kind::FunctionLiteral => self.visit_function_literal(node, context.scope),
            Kind::FunctionType => self.visit_function_type(node, context.scope),
            Kind::StructType => self.visit_struct(node, context.scope),
            Kind::TypeSpec => self.visit_type(node, context.scope),
            Kind::MethodElem => self.visit_method_elem(node, context.scope),
            Kind::FieldDeclaration => self.visit_field(node, context.scope),
            Kind::TypeElem => self.visit_type_elem(node, context.scope),
            Kind::ImportSpec => self.visit_import(node, context.scope),
            Kind::PackageClause => self.visit_package_clause(node, context.scope),
            Kind::ConstDeclaration => self.visit_constants(node, context.scope),
            Kind::VarSpec => self.visit_variables(node, context.scope),
            Kind::ShortVar => self.visit_short_variables(node, context.scope),
            Kind::TypeParameter => self.visit_type_parameter(node, context.scope),
            _ => self.visit_statement(node, kind, context),
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Block | Kind::Case if context.role == Role::OwnScope => {}
            Kind::Block | Kind::Case | Kind::ForStatement | Kind::IfStatement | Kind::Switch => {
                self.open_block(node, scope);
            }
            Kind::Parameter | Kind::VariadicParameter | Kind::ConstSpec => {
                for name in self.tree.names_of(node) {
                    self.roles.set(name, Role::Handled, scope);
                }
            }
            Kind::RangeClause => self.visit_range(node, scope),
            Kind::ReceiveStatement => self.visit_receive(node, scope),
            Kind::TypeSwitch => self.visit_type_switch(node, scope),
            _ => self.visit_expression(node, kind, context),
        }
    }

    fn visit_expression(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Call => {
                self.roles
                    .set_field(node, Field::Function, Role::Callee, scope);
                self.add_generic_call(node, scope);
            }
            // A conversion such as `T(a)` creates an instance, as a call of a class does.
            Kind::Conversion => self.roles.set_field(node, Field::Type, Role::Callee, scope),
            Kind::GenericType => {
                self.roles.set_field(node, Field::Type, context.role, scope);
                self.add_generic_type(node, scope);
            }
            Kind::Index if context.role == Role::Callee => {
                self.roles
                    .set_field(node, Field::Operand, Role::Callee, scope);
            }
            Kind::Selector => self.visit_member(node, (Field::Operand, Field::Selected), context),
            Kind::QualifiedType => self.visit_member(node, (Field::Package, Field::Name), context),
            Kind::KeyedElement => self.visit_keyed_element(node, scope),
            _ => {}
        }
    }

    fn visit_name(&mut self, node: NodeIndex, Context { role, scope }: Context) {
        if let Some(kind) = reference_kind(role) {
            self.add_reference(node, scope, (kind, Receiver::None));
        }
    }

    /// Visits `a.b` or `pkg.T`.
    fn visit_member(&mut self, node: NodeIndex, (of, name): (Field, Field), context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(node, name) else {
            return;
        };
        self.roles.set(name, Role::Handled, context.scope);
        let Some(kind) = reference_kind(context.role) else {
            return;
        };
        let value = tree.child(node, of).and_then(|of| match tree.kind(of) {
            Kind::PackageIdentifier => Some(ValueText::name(tree.text(of))),
            _ => tree.value_text(of),
        });
        let receiver = self.writer.receiver(value);
        self.add_reference(name, context.scope, (kind, receiver));
    }

    fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver): (ReferenceKind, Receiver),
    ) {
        let to = ReferenceTo {
            kind,
            receiver,
            space: Space::Any,
        };
        self.writer.add_reference(self.name_at(node), scope, to);
    }

    /// Visits `key: value` of a literal. A name before the colon is a field, unless the literal is
    /// a map or an array.
    fn visit_keyed_element(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let key = tree.child(node, Field::Key);
        let name = key.and_then(|key| tree.operands(key).next());
        let name = name.filter(|name| tree.kind(*name) == Kind::Identifier);
        let (Some(key), Some(name)) = (key, name) else {
            return;
        };
        let of = tree.literal_type(tree.parent(node), MAX_LITERALS);
        if of.as_ref().is_some_and(ValueText::is_container) {
            return;
        }
        self.roles.set(key, Role::Handled, scope);
        if of.is_some() {
            let receiver = self.writer.receiver(of);
            self.add_reference(name, scope, (ReferenceKind::Reference, receiver));
        }
    }

    /// Opens a scope. All children of the node are in it.
    fn open_block(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
    }
}

fn reference_kind(role: Role) -> Option<ReferenceKind> {
    match role {
        Role::Read | Role::OwnScope => Some(ReferenceKind::Reference),
        Role::Callee => Some(ReferenceKind::Call),
        Role::Base => Some(ReferenceKind::Inherit),
        Role::Handled => None,
    }
}
