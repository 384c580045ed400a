//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! Scopes are those of the language specification,
//! <https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html>, with one difference: a variable
//! is visible in its whole block. The members of a class are not bound in its scope by their own
//! names; a resolver looks them up with those that the class inherits.

use ragnav_base::hash::HashMap;

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind, kind_table};
use crate::body_hash;
use crate::facts::{
    BindingTarget, FIRST_ARGUMENT, Facts, MODULE, Receiver, ReferenceKind, ScopeId, ScopeKind,
    Space,
};
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
        imported: HashMap::default(),
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
        match kind {
            Kind::Identifier => return self.visit_name(node, context, Space::Names),
            Kind::TypeIdentifier => return self.visit_name(node, context, Space::Types),
            _ if self.tree.is_leaf(node) => return,
            _ => {}
        }
        let role = match (kind, context.role) {
            (_, Role::Handled) => Role::Handled,
            (Kind::SuperTypes, _) | (Kind::TypeList | Kind::AnnotatedType, Role::Base) => {
                Role::Base
            }
            _ => Role::Read,
        };
        self.roles.set_children(node, role, context.scope);
        if context.role == Role::Handled {
            return;
        }
        match kind {
            Kind::TypeDeclaration => self.visit_type(node, context.scope),
            Kind::Method => self.visit_method(node, context.scope),
            Kind::EnumConstant => self.visit_enum_constant(node, context.scope),
            Kind::Creation => self.visit_creation(node, context.scope),
            Kind::Lambda => self.visit_lambda(node, context.scope),
            Kind::TypeParameter => self.visit_type_parameter(node, context.scope),
            Kind::Import => self.visit_import(node, context.scope),
            Kind::Package => self.visit_package(node, context.scope),
            Kind::Field => self.visit_field(node, context.scope),
            Kind::LocalVariable => self.visit_variables(node, context.scope),
            _ => self.visit_statement(node, kind, context),
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Block | Kind::ClassBody if context.role == Role::OwnScope => {}
            Kind::Block
            | Kind::CatchClause
            | Kind::ForStatement
            | Kind::SwitchArm
            | Kind::TryWithResources => {
                self.open_block(node, scope);
            }
            Kind::Do | Kind::If | Kind::Ternary | Kind::While => {
                self.visit_conditional(node, scope);
            }
            Kind::EnhancedFor => self.visit_enhanced_for(node, scope),
            Kind::Parameter | Kind::Resource => self.visit_typed_name(node, scope),
            Kind::SpreadParameter => self.visit_spread_parameter(node, scope),
            Kind::CatchParameter => self.visit_catch_parameter(node, scope),
            Kind::InstanceOf => self.visit_instance_of(node, scope),
            Kind::Pattern => self.visit_pattern(node, scope),
            Kind::Label => self.roles.set_operand(node, 0, Role::Handled, scope),
            Kind::Jump => self.roles.set_children(node, Role::Handled, scope),
            Kind::Declarator => {
                self.roles
                    .set_field(node, Field::Name, Role::Handled, scope);
            }
            _ => self.visit_expression(node, kind, context),
        }
    }

    fn visit_expression(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::FieldAccess => self.visit_field_access(node, scope),
            Kind::ConstructorCall => self.visit_constructor_call(node, scope),
            Kind::MethodCall => {
                self.visit_method_call(node, scope);
                self.add_inferring_call(node, scope);
            }
            Kind::ClassLiteral => self.add_class_literal(node, scope),
            Kind::Return => self.visit_return(node, scope),
            Kind::MethodReference => self.visit_method_reference(node, scope),
            Kind::ScopedType => self.visit_scoped_type(node, context),
            Kind::GenericType => {
                self.roles.set_operand(node, 0, context.role, scope);
                self.add_generic_type(node, scope);
            }
            Kind::Annotation => self.visit_annotation(node, scope),
            Kind::ElementPair => self.visit_element(node, scope),
            _ => {}
        }
    }

    fn visit_name(&mut self, node: NodeIndex, Context { role, scope }: Context, space: Space) {
        // No class has this name since Java 10: <https://openjdk.org/jeps/286>.
        let is_inferred = space == Space::Types && self.tree.text(node) == "var";
        if let Some(kind) = reference_kind(role).filter(|_| !is_inferred) {
            self.add_reference(node, scope, (kind, Receiver::None, space));
        }
    }

    fn visit_field_access(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Selected) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        if tree.kind(name) != Kind::Identifier {
            return;
        }
        let object = tree.child(node, Field::Object);
        let receiver = self.receiver_of(object);
        self.add_reference(
            name,
            scope,
            (ReferenceKind::Reference, receiver, Space::Names),
        );
    }

    fn visit_method_call(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let receiver = match tree.child(node, Field::Object) {
            None => {
                self.bind_first_argument(node, name, scope);
                Receiver::None
            }
            object => self.receiver_of(object),
        };
        self.add_reference(name, scope, (ReferenceKind::Call, receiver, Space::Methods));
    }

    /// Binds the first argument of a method that several imports may mean, as its type tells which.
    fn bind_first_argument(&mut self, call: NodeIndex, name: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let name = self.name_at(name);
        let imports = self.imported.get(name.text).copied().unwrap_or_default();
        if let Some(first) = tree.first_argument(call).filter(|_| imports > 1) {
            let value = self.writer.intern_value(Some(ValueText::name(first)));
            let target = (BindingTarget::Variable(value), scope);
            let text = FIRST_ARGUMENT.to_owned();
            self.writer.bind_text_in(text, name.offset, MODULE, target);
        }
    }

    /// Visits `a::b`.
    fn visit_method_reference(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.operands(node).next();
        let name = tree.operands(node).last();
        let Some(name) = name.filter(|name| Some(*name) != of) else {
            return self.visit_constructor_reference(node, scope);
        };
        if tree.kind(name) == Kind::Identifier {
            self.roles.set(name, Role::Handled, scope);
            let receiver = self.receiver_of(of);
            let kind = ReferenceKind::Reference;
            self.add_reference(name, scope, (kind, receiver, Space::Methods));
        }
    }

    fn receiver_of(&mut self, object: Option<NodeIndex>) -> Receiver {
        let value = object.and_then(|object| self.tree.value_text(object));
        self.writer.receiver(value)
    }

    /// Visits `a.B` in a type.
    fn visit_scoped_type(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let names = tree
            .operands(node)
            .filter(|one| tree.kind(*one) != Kind::Annotation);
        let mut names: Vec<NodeIndex> = names.collect();
        let (Some(name), Some(kind)) = (names.pop(), reference_kind(context.role)) else {
            return;
        };
        self.roles.set(name, Role::Handled, context.scope);
        let of = names.pop().and_then(|of| tree.type_path(of));
        let receiver = self.writer.receiver(of.map(ValueText::name));
        self.add_reference(name, context.scope, (kind, receiver, Space::Types));
    }

    fn visit_annotation(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let last = match tree.kind(name) {
            Kind::ScopedIdentifier => tree.child(name, Field::Name),
            _ => Some(name),
        };
        let path = tree.type_path(name);
        let of = path.as_deref().and_then(|path| path.rsplit_once('.'));
        let receiver = match of {
            Some((of, _)) => self.writer.receiver(Some(ValueText::name(of))),
            None => Receiver::None,
        };
        if let Some(last) = last {
            let kind = ReferenceKind::Reference;
            self.add_reference(last, scope, (kind, receiver, Space::Types));
        }
        if tree.kind(name) == Kind::ScopedIdentifier {
            self.refer_to_first_type(name, scope);
            self.refer_to_outer_types(name, false, scope);
        }
    }

    /// Adds the reference to the type with which a path begins: `A` of `@A.B`. By convention it
    /// begins with a capital.
    fn refer_to_first_type(&mut self, path: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let names = path..tree.subtree_end(path);
        let mut names = names.filter(|one| tree.kind(*one) == Kind::Identifier);
        let first = names.next();
        let is_type = |name: &NodeIndex| tree.text(*name).starts_with(char::is_uppercase);
        if let Some(first) = first.filter(is_type) {
            let kind = ReferenceKind::Reference;
            self.add_reference(first, scope, (kind, Receiver::None, Space::Types));
        }
    }

    /// Visits `a = b` of an annotation, where `a` is a method of the type of the annotation.
    fn visit_element(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let annotation = tree.parent(tree.parent(node));
        let name = tree.child(annotation, Field::Name);
        let of = name.and_then(|name| tree.type_path(name));
        if let Some(key) = tree.child(node, Field::Key) {
            self.roles.set(key, Role::Handled, scope);
            let receiver = self.writer.receiver(of.map(ValueText::name));
            let kind = ReferenceKind::Reference;
            self.add_reference(key, scope, (kind, receiver, Space::Methods));
        }
    }

    /// Opens a scope. All children of the node are in it.
    pub(super) fn open_block(&mut self, node: NodeIndex, scope: ScopeId) -> ScopeId {
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        inside
    }
}

fn reference_kind(role: Role) -> Option<ReferenceKind> {
    match role {
        Role::Read | Role::OwnScope => Some(ReferenceKind::Reference),
        Role::Created => Some(ReferenceKind::Call),
        Role::Base => Some(ReferenceKind::Inherit),
        Role::Handled => None,
    }
}
