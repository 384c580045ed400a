//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! Scopes are those of the reference, <https://doc.rust-lang.org/reference/names/scopes.html>. A
//! variable is visible in its whole block; where that would hide a name that the declaration itself
//! reads, or an earlier variable, the rest of the block is a scope of its own.

use ragnav_base::hash::{HashMap, HashSet};

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind, kind_table};
use super::values::MAX_STEPS;
use crate::body_hash;
use crate::facts::{Facts, MODULE, Receiver, ReferenceKind, ScopeId, Space, TypeShape};
use crate::facts_writer::FactsWriter;
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
        bound: HashSet::default(),
        variables: HashSet::default(),
        implementations: Vec::new(),
        constants: Vec::new(),
        own_methods: HashMap::default(),
        receivers: HashMap::default(),
        bounds: Vec::new(),
        type_parameters: HashMap::default(),
        untyped: HashMap::default(),
        rests: 0,
    };
    for node in 0..flat.len() {
        walk.visit(node);
    }
    walk.add_implementations();
    walk.mark_own_methods();
    let hashes = body_hash::hash_bodies(&flat, &walk.writer.named);
    walk.writer.finish(hashes)
}

impl FactsBuilder<'_> {
    fn visit(&mut self, node: NodeIndex) {
        let Some(context) = self.roles.get(node) else {
            return;
        };
        let kind = self.tree.kind(node);
        self.add_dependent_result(node, context);
        match kind {
            Kind::Identifier => return self.visit_name(node, context, Space::Values),
            Kind::TypeIdentifier => return self.visit_name(node, context, Space::Types),
            _ if self.tree.is_leaf(node) => return,
            _ => {}
        }
        let role = match (kind, context.role) {
            (_, role @ (Role::Handled | Role::MacroBody))
            | (Kind::Parenthesized | Kind::GenericFunction, role @ Role::Callee) => role,
            (Kind::TraitBounds | Kind::TraitType, Role::Base) => Role::Base,
            (_, Role::Attribute) => Role::Handled,
            _ => Role::Read,
        };
        self.roles.set_children(node, role, context.scope);
        match context.role {
            Role::Handled => {}
            Role::Attribute => self.visit_attribute(node, context.scope),
            Role::MacroBody => self.visit_macro_body(node, context.scope),
            _ => self.visit_item(node, kind, context),
        }
    }

    fn visit_item(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Function => self.visit_function(node, scope),
            Kind::Struct | Kind::Enum => self.visit_type(node, scope),
            Kind::Trait => self.visit_trait(node, scope),
            Kind::Impl => self.visit_impl(node, scope),
            Kind::TypeItem | Kind::AssociatedType => self.visit_type_item(node, scope),
            Kind::Mod => self.visit_module(node, scope),
            Kind::MacroDefinition => self.visit_macro(node, scope),
            Kind::ConstItem | Kind::ConstParameter => self.visit_constant(node, scope),
            Kind::FieldDeclaration => self.visit_field(node, scope),
            Kind::OrderedFields => self.visit_ordered_fields(node, scope),
            Kind::EnumVariant => self.visit_variant(node, scope),
            Kind::TypeParameter => self.visit_type_parameter(node, scope),
            Kind::WherePredicate => self.visit_where_predicate(node, scope),
            Kind::Use => self.visit_use(node, scope),
            Kind::ExternCrate => self.visit_extern_crate(node, scope),
            Kind::Attribute => self.roles.set_children(node, Role::Attribute, scope),
            Kind::Lifetime => self.roles.set_children(node, Role::Handled, scope),
            _ => self.visit_statement(node, kind, context),
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Block if context.role == Role::OwnScope => {}
            Kind::Block | Kind::If => {
                self.open_block(node, scope);
            }
            Kind::Assignment => self.visit_assignment(node, scope),
            Kind::Let => self.visit_let(node, scope),
            Kind::LetCondition => self.visit_let_condition(node, scope),
            Kind::For => self.visit_for(node, scope),
            Kind::MatchArm => self.visit_match_arm(node, scope),
            Kind::Closure => self.visit_closure(node, scope),
            _ => self.visit_expression(node, kind, context),
        }
    }

    fn visit_expression(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Call => {
                self.roles
                    .set_field(node, Field::Function, Role::Callee, scope);
                self.add_inferring_call(node, scope);
                self.visit_telling_call(node, scope);
            }
            Kind::FunctionType => self.add_function_type(node, scope),
            Kind::GenericFunction => {
                self.roles
                    .set_field(node, Field::Function, context.role, scope);
                self.add_generic_function(node, scope);
            }
            Kind::GenericType => {
                self.roles.set_field(node, Field::Type, context.role, scope);
                self.add_generic_type(node, scope);
            }
            Kind::FieldExpression => self.visit_field_expression(node, context),
            Kind::Scoped => self.visit_scoped(node, context),
            Kind::BracketedType if context.role == Role::Path => {
                self.roles.set_children(node, Role::Read, scope);
            }
            Kind::TypeBinding | Kind::FieldInitializer => {
                let names = [Field::Name, Field::Selected];
                for field in names {
                    self.roles.set_field(node, field, Role::Handled, scope);
                }
            }
            Kind::MacroInvocation => self.visit_macro_invocation(node, scope),
            Kind::TokenTree => self.visit_tokens(node, scope),
            _ => {}
        }
    }

    fn visit_name(&mut self, node: NodeIndex, Context { role, scope }: Context, space: Space) {
        if self.tree.text(node) == "Self" || self.bound.contains(&node) {
            return;
        }
        let space = if role == Role::Path {
            Space::Types
        } else {
            space
        };
        let receiver = match role {
            Role::MacroBody => Receiver::Unknown,
            _ => Receiver::None,
        };
        let end = self.tree.node(node).end;
        let is_called = role == Role::MacroBody && self.tree.slice(end, end + 1) == "(";
        let role = if is_called { Role::Callee } else { role };
        if let Some(kind) = reference_kind(role) {
            self.add_reference(node, scope, (kind, receiver, space));
        }
    }

    /// Visits `a.b`. Only methods are definitions, so only a call refers to one.
    fn visit_field_expression(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Selected) else {
            return;
        };
        self.add_literal_owner(node, context.scope);
        // `(a.b)(c)` calls what the field holds.
        let is_method = tree.kind(tree.parent(node)) != Kind::Parenthesized;
        let is_called = context.role == Role::Callee && is_method;
        if !is_called || tree.kind(name) != Kind::FieldIdentifier {
            return;
        }
        let value = tree.owner_value(node, MAX_STEPS);
        let value = value.and_then(ValueText::within_limit);
        let receiver = self.writer.receiver(value);
        let to = (ReferenceKind::Call, receiver, Space::Any);
        self.add_reference(name, context.scope, to);
    }

    /// Adds the value of a block or a branch that depends on its variables, to which other values
    /// refer by its number.
    fn add_dependent_result(&mut self, node: NodeIndex, context: Context) {
        if matches!(
            context.role,
            Role::Handled | Role::Attribute | Role::MacroBody
        ) {
            return;
        }
        let value = self.tree.dependent_result(node);
        if let Some(value) = self.writer.intern_value(value) {
            let shape = TypeShape::AnyOf(vec![value]);
            self.writer.add_type(node, context.scope, shape);
        }
    }

    /// Adds a container or a tuple whose member is named, to which paths refer by its number.
    fn add_literal_owner(&mut self, field: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(of) = tree.child(field, Field::Value) else {
            return;
        };
        let value = tree.value_text(of).filter(ValueText::is_literal);
        if let Some(value) = self.writer.intern_value(value) {
            self.writer
                .add_type(of, scope, TypeShape::AnyOf(vec![value]));
        }
    }

    /// Visits `a::b` in an expression or a type.
    fn visit_scoped(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        self.roles
            .set_field(node, Field::Path, Role::Path, context.scope);
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, context.scope);
        let Some(kind) = reference_kind(context.role) else {
            return;
        };
        let is_type = tree.kind(name) == Kind::TypeIdentifier || context.role == Role::Path;
        let is_macro = tree.kind(tree.parent(node)) == Kind::MacroInvocation;
        let space = match (is_macro, is_type) {
            (true, _) => Space::Macros,
            (_, true) => Space::Types,
            _ => Space::Values,
        };
        let of = tree.child(node, Field::Path).map(|of| tree.path(of));
        let receiver = match of {
            None => Receiver::None,
            Some(of) => self.writer.receiver(of.map(ValueText::name)),
        };
        if matches!(tree.kind(name), Kind::Identifier | Kind::TypeIdentifier) {
            self.add_reference(name, context.scope, (kind, receiver, space));
        }
    }
}

pub(super) fn reference_kind(role: Role) -> Option<ReferenceKind> {
    match role {
        Role::Read | Role::OwnScope | Role::Path | Role::MacroBody => {
            Some(ReferenceKind::Reference)
        }
        Role::Callee => Some(ReferenceKind::Call),
        Role::Base => Some(ReferenceKind::Inherit),
        Role::Attribute | Role::Handled => None,
    }
}
