//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! Scopes are those of the language specification,
//! <https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/readme>,
//! with one difference: a variable is visible in its whole block. The members of a type or of a
//! namespace are not bound in its scope. A resolver looks them up, with those of other files and of
//! base types.

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind, kind_table};
use crate::body_hash;
use crate::facts::{Facts, MODULE};
use crate::facts_writer::FactsWriter;
use crate::node_roles::NodeRoles;
use crate::rule_based::FoundDefinition;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;
use crate::tree::NodeIndex;

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
    };
    for node in 0..flat.len() {
        walk.visit(node);
    }
    let hashes = body_hash::hash_bodies(&flat, &walk.writer.named);
    walk.writer.finish(hashes)
}

impl FactsBuilder<'_> {
    fn visit(&mut self, node: NodeIndex) {
        let Some(context) = self.roles.get(node) else {
            return;
        };
        let kind = self.tree.kind(node);
        if kind == Kind::Identifier {
            return self.visit_name(node, context);
        }
        if self.tree.is_leaf(node) {
            return;
        }
        self.roles
            .set_children(node, role_below(kind, context.role), context.scope);
        if context.role == Role::Handled {
            return;
        }
        self.set_types(node, context.scope);
        self.visit_declaration(node, kind, context);
    }

    fn visit_declaration(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Using => self.visit_using(node, scope),
            Kind::Namespace | Kind::FileNamespace => self.visit_namespace(node, scope),
            Kind::TypeDeclaration | Kind::Delegate => self.visit_type(node, scope),
            Kind::Method | Kind::LocalFunction => self.visit_method(node, scope),
            Kind::Property | Kind::Indexer | Kind::Event => self.visit_property(node, scope),
            Kind::EventField => self.visit_event_field(node, scope),
            Kind::Field => self.visit_field(node, scope),
            Kind::EnumMember => self.visit_enum_member(node, scope),
            Kind::Accessor => self.visit_accessor(node, scope),
            Kind::TypeParameter | Kind::Declarator => {
                self.roles
                    .set_field(node, Field::Name, Role::Handled, scope);
            }
            Kind::Constraints => self.visit_constraints(node, scope),
            _ => self.visit_statement(node, kind, context),
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Block if context.role == Role::OwnScope => {}
            Kind::Block | Kind::CatchClause | Kind::ScopeStatement => {
                self.open_block(node, scope);
            }
            Kind::Query => self.visit_query(node, scope),
            Kind::Foreach => self.visit_foreach(node, scope),
            Kind::Lambda | Kind::AnonymousMethod => self.visit_lambda(node, scope),
            Kind::Variable => self.visit_variables(node, scope),
            Kind::Parameter | Kind::Parameters => self.visit_parameter(node, scope),
            Kind::CatchDeclaration | Kind::DeclarationExpression => {
                self.visit_typed_name(node, scope);
            }
            Kind::TuplePattern => self.visit_tuple_pattern(node, scope),
            Kind::From => self.visit_from(node, scope),
            Kind::Let | Kind::Join | Kind::JoinInto => self.visit_first_name(node, scope),
            Kind::Label => self.roles.set_operand(node, 0, Role::Handled, scope),
            Kind::Jump => self.roles.set_children(node, Role::Handled, scope),
            Kind::PreprocessorIf => {
                self.roles
                    .set_field(node, Field::Condition, Role::Handled, scope);
            }
            Kind::Argument => {
                self.roles
                    .set_field(node, Field::Name, Role::Handled, scope);
            }
            _ => self.visit_expression(node, kind, context),
        }
    }

    fn visit_expression(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        self.add_receiver(node, scope);
        match kind {
            Kind::Invocation => {
                self.roles
                    .set_field(node, Field::Function, Role::Called, scope);
                self.add_known_result(node, scope);
                self.add_inferring_call(node, scope);
            }
            Kind::MemberAccess => self.visit_member_access(node, context),
            Kind::MemberBinding => self.visit_member_binding(node, context),
            Kind::ConditionalAccess => {
                self.roles
                    .set_field(node, Field::Condition, Role::Read, scope);
            }
            Kind::Qualified => self.visit_qualified(node, context),
            Kind::AliasQualified => {
                self.roles
                    .set_field(node, Field::Alias, Role::Handled, scope);
            }
            Kind::Generic => self.visit_generic(node, context),
            Kind::TupleType => self.add_tuple_type(node, scope),
            Kind::TupleExpression => self.add_named_tuple(node, scope),
            Kind::Binary => self.add_operation(node, scope),
            Kind::Creation => {
                self.roles
                    .set_field(node, Field::Type, Role::Created, scope);
            }
            Kind::ConstructorCall => self.visit_constructor_call(node, scope),
            Kind::ImplicitCreation => self.visit_implicit_creation(node, scope),
            Kind::Return => self.visit_return(node, scope),
            Kind::PrimaryBase => self.roles.set_field(node, Field::Type, Role::Base, scope),
            Kind::As | Kind::Is => self.roles.set_field(node, Field::Right, Role::Type, scope),
            Kind::Assignment => self.visit_assignment(node, scope),
            Kind::Initializer => self.visit_with_initializer(node, scope),
            Kind::Subpattern => self.visit_subpattern(node, scope),
            Kind::Attribute => self.visit_attribute(node, scope),
            Kind::AnonymousObject => self.visit_anonymous_object(node, scope),
            _ => {}
        }
    }
}

/// Returns the role that the children of a node have unless a visitor assigns another one.
fn role_below(kind: Kind, role: Role) -> Role {
    match (kind, role) {
        // Also where the name before is handled: `A` of `using B = C.D<A>;`.
        (Kind::TypeArguments, _) => Role::Type,
        (_, Role::Handled) => Role::Handled,
        (Kind::BaseList, _) => Role::Base,
        (Kind::ExplicitInterface, _) => Role::Type,
        (
            Kind::ArrayType | Kind::NullableType | Kind::RefType | Kind::AliasQualified,
            Role::Type | Role::Created | Role::Base,
        )
        | (Kind::ConditionalAccess | Kind::Generic | Kind::AliasQualified, Role::Called) => role,
        _ => Role::Read,
    }
}
