//! Builds the facts of C and C++ in one pass, in which each node assigns roles to its children.
//!
//! Scopes are those of the standards, with one difference: a variable is visible in its whole
//! block. What a namespace or a class declares is bound in the file by its whole path, since other
//! files declare members of the same namespace, and define those of the class.

use ragnav_base::hash::{HashMap, HashSet};

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Dialect, Field, FlatTree, Kind, kind_table};
use super::values::MAX_STEPS;
use crate::body_hash;
use crate::facts::{Facts, MODULE, Receiver, ReferenceKind, ScopeId, ScopeKind, Space};
use crate::facts_writer::FactsWriter;
use crate::node_roles::NodeRoles;
use crate::rule_based::FoundDefinition;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// Builds the facts of a text with these definitions.
pub(in super::super) fn build_facts(
    tree: &SyntaxTree,
    text: &str,
    found: Outline<FoundDefinition>,
    dialect: Dialect,
) -> Facts {
    let flat = FlatTree::new(tree, text, kind_table(tree, dialect));
    let context = Context {
        role: Role::Read,
        scope: MODULE,
    };
    let mut walk = FactsBuilder {
        dialect,
        tree: &flat,
        writer: FactsWriter::new(text, found),
        roles: NodeRoles::new(&flat, context),
        places: HashMap::default(),
        declared: HashSet::default(),
        signatures: HashMap::default(),
        handled: HashSet::default(),
        returning: HashSet::default(),
        field_counts: HashMap::default(),
    };
    for node in 0..flat.len() {
        walk.add_skipped(node);
        walk.visit(node);
    }
    walk.add_skipped(flat.len());
    walk.add_removed_macros(text);
    let hashes = body_hash::hash_bodies(&flat, &walk.writer.named);
    walk.writer.finish(hashes)
}

impl FactsBuilder<'_> {
    /// Adds the definitions before a node that no visitor has added, such as those in an expression
    /// that the parser could not read.
    fn add_skipped(&mut self, before: NodeIndex) {
        while let (Some(node), Some(name)) = (self.writer.next_node(), self.writer.next_name()) {
            if node >= before {
                return;
            }
            let id = self.writer.next_definition(node);
            let inside = self.open_function(ScopeKind::Function, MODULE, id);
            let name = self.name_at(name);
            self.writer
                .add_definition(name, inside, Vec::new(), Vec::new());
        }
    }

    fn visit(&mut self, node: NodeIndex) {
        let Some(context) = self.roles.get(node) else {
            return;
        };
        let kind = self.tree.kind(node);
        match kind {
            _ if kind.is_name() => return self.visit_name(node, kind, context),
            _ if self.tree.is_leaf(node) => return,
            _ => {}
        }
        let role = match (kind, context.role) {
            (_, Role::Handled) => Role::Handled,
            (Kind::TemplateArguments, _) => Role::Read,
            (_, Role::Arguments) => Role::Arguments,
            (Kind::BaseClause, _) => Role::Base,
            (_, Role::Declarator) => Role::Declarator,
            (Kind::Parenthesized, role) => role,
            _ => Role::Read,
        };
        self.roles.set_children(node, role, context.scope);
        let scope = context.scope;
        if !matches!(context.role, Role::Handled | Role::Declarator) {
            match kind {
                Kind::TemplateFunction | Kind::TemplateType => self.add_template(node, scope),
                Kind::Qualified => self.add_global(node),
                Kind::Decltype => self.add_decltype(node, scope),
                _ => {}
            }
        }
        if matches!(context.role, Role::Handled | Role::Arguments) {
            return;
        }
        match kind {
            Kind::Function => self.visit_function(node, scope),
            Kind::Declaration | Kind::FieldDeclaration => self.visit_declaration(node, scope),
            Kind::Parameter => self.visit_parameter(node, scope),
            Kind::TypeDefinition => self.visit_type_definition(node, scope),
            Kind::TagSpecifier | Kind::EnumSpecifier => self.visit_tag(node, context),
            Kind::Enumerator => self.visit_enumerator(node, scope),
            Kind::MacroFunction => self.visit_macro(node, scope),
            Kind::MacroVariable => self.visit_macro_variable(node, scope),
            Kind::Include => self.visit_include(node, scope),
            Kind::Namespace => self.visit_namespace(node, scope),
            Kind::NamespaceAlias => self.visit_namespace_alias(node, scope),
            Kind::Using => self.visit_using(node, scope),
            Kind::AliasDeclaration | Kind::Concept => self.visit_alias(node, scope),
            Kind::Template => self.visit_template(node, scope),
            Kind::TypeParameter => self.visit_type_parameter(node, scope),
            _ => self.visit_statement(node, kind, context),
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Block if context.role == Role::OwnScope => {}
            Kind::Block | Kind::Statement => {
                let head = self.place_of(scope).and_then(|_| self.head_of_test(node));
                let fixture = head.and_then(|head| self.fixture_of_call(head));
                let around = fixture.map_or(scope, |(class, offset)| {
                    self.open_class_of_body(class, offset, scope)
                });
                let inside = self.open_block(node, around);
                if head.is_some() {
                    self.places.insert(inside, None);
                }
            }
            Kind::CatchClause => self.visit_catch(node, scope),
            Kind::TrailingReturn => {
                let inside = self.signatures.get(&node).copied().unwrap_or(scope);
                self.roles.set_children(node, Role::Read, inside);
            }
            Kind::FieldInitializer => self.visit_field_initializer(node, scope),
            Kind::RangeFor => self.visit_range_for(node, scope),
            Kind::Lambda => self.visit_lambda(node, scope),
            Kind::Return => self.visit_return(node, scope),
            Kind::LambdaCapture => self.visit_capture(node, scope),
            Kind::PreprocIfdef => {
                let name = self.tree.child(node, Field::Name);
                self.visit_macro_test(name, scope);
            }
            Kind::PreprocDefined => {
                let name = self.tree.operands(node).last();
                self.visit_macro_test(name, scope);
            }
            Kind::PreprocCall => self.visit_undef(node, scope),
            Kind::MacroParameters | Kind::Attribute => {
                self.roles.set_children(node, Role::Handled, scope);
            }
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
                self.add_group(node, scope);
            }
            Kind::Binary => self.add_operation(node, scope),
            Kind::MacroType => self.roles.set_field(node, Field::Name, Role::Callee, scope),
            Kind::New | Kind::CompoundLiteral => {
                self.roles.set_field(node, Field::Type, Role::Callee, scope);
            }
            Kind::FieldExpression => self.visit_field_expression(node, context),
            Kind::Qualified => self.visit_qualified(node, context),
            Kind::TemplateType | Kind::TemplateFunction => {
                // `f` of `f<T>`; its arguments are read.
                self.roles.set_children(node, context.role, scope);
            }
            Kind::Friend => self.visit_friend(node, scope),
            Kind::InitDeclarator => {
                self.roles
                    .set_field(node, Field::Declarator, Role::Declarator, scope);
            }
            Kind::FunctionDeclarator => {
                if context.role == Role::Read {
                    self.visit_stray_function(node, scope);
                }
                self.roles
                    .set_field(node, Field::Parameters, Role::Read, scope);
            }
            Kind::ArrayDeclarator => self.roles.set_field(node, Field::Size, Role::Read, scope),
            _ => {}
        }
    }

    /// Returns the node before the body of a test that has a string for a name:
    /// `TEST_CASE("empty") { … }`, which the grammar reads as a call and a block.
    fn head_of_test(&self, block: NodeIndex) -> Option<NodeIndex> {
        let tree = self.tree;
        let parent = tree.parent(block);
        // The last node of the sibling before precedes the block.
        let last = block.checked_sub(1).filter(|last| *last != parent);
        let around = std::iter::successors(last, |node| Some(tree.parent(*node)));
        let mut around = around.take(MAX_STEPS);
        let before = around.find(|node| tree.parent(*node) == parent)?;
        let mut inside = before..tree.subtree_end(before);
        let has_name = inside.any(|node| tree.kind(node) == Kind::String);
        has_name.then_some(before)
    }

    fn visit_name(&mut self, node: NodeIndex, kind: Kind, Context { role, scope }: Context) {
        let (role, space) = match kind {
            Kind::TypeIdentifier if self.tree.is_macro_before_body(node) => {
                (Role::Callee, Space::Any)
            }
            Kind::TypeIdentifier | Kind::NamespaceIdentifier => (role, Space::Types),
            Kind::Identifier if role == Role::Declarator => return,
            Kind::Identifier => (role, Space::Any),
            // The designator of a field, or its declaration.
            _ => return,
        };
        // The arguments of feature tests are no names of the code: `<a.h>`, `gnu::pure`.
        let is_argument = self.tree.text(node).contains(['<', '"', ':']);
        if is_argument || self.handled.contains(&node) {
            return;
        }
        if let Some(kind) = reference_kind(role) {
            self.add_reference(node, scope, (kind, Receiver::None, space));
        }
    }

    /// Visits `a.b` or `a->b`. The fields and function pointers of C are no definitions.
    fn visit_field_expression(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some(member) = tree.child(node, Field::Member) else {
            return;
        };
        self.roles.set(member, Role::Handled, context.scope);
        if self.is_c() {
            return;
        }
        if tree.kind(member) == Kind::Qualified {
            // `a->B::f()` calls the `f` of `B` itself.
            return self.roles.set(member, context.role, context.scope);
        }
        self.roles.set(member, Role::Arguments, context.scope);
        let name = tree.name_inside(member);
        if !tree.kind(name).is_name() {
            return;
        }
        let receiver = self.writer.receiver(tree.receiver_value(node));
        let kind = match context.role {
            Role::Callee => ReferenceKind::Call,
            _ => ReferenceKind::Reference,
        };
        self.add_reference(name, context.scope, (kind, receiver, Space::Any));
    }

    /// Visits `a::b`, or `::b`.
    fn visit_qualified(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let scope = context.scope;
        let before = tree.path_before_name(node);
        if let Some(of) = tree.child(node, Field::Scope) {
            self.roles.set(of, Role::Arguments, scope);
            self.refer_to_scope(of, node, scope);
        }
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        if tree.kind(name) == Kind::Qualified {
            self.roles.set(name, context.role, scope);
            return;
        }
        self.roles.set(name, Role::Arguments, scope);
        let inner = tree.name_inside(name);
        if context.role == Role::Declarator || !tree.kind(inner).is_name() {
            return;
        }
        let Some(kind) = reference_kind(context.role) else {
            return;
        };
        let space = match tree.kind(inner) {
            Kind::TypeIdentifier => Space::Types,
            _ => Space::Any,
        };
        match before {
            Some(path) if path.is_empty() => {
                self.add_reference(inner, MODULE, (kind, Receiver::None, space));
            }
            path => {
                let value = path.map(ValueText::name).and_then(ValueText::within_limit);
                let receiver = self.writer.receiver(value);
                self.add_reference(inner, scope, (kind, receiver, space));
            }
        }
    }

    /// Adds the reference to the class or namespace before `::`.
    fn refer_to_scope(&mut self, of: NodeIndex, qualified: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let name = tree.name_inside(of);
        if !tree.kind(name).is_name() {
            return;
        }
        let before = match tree.kind(tree.parent(qualified)) {
            Kind::Qualified => tree.path_before_name(tree.parent(qualified)),
            _ => None,
        };
        let (receiver, place) = match before {
            Some(path) if path.is_empty() => (Receiver::None, MODULE),
            Some(path) => {
                let value = ValueText::name(path).within_limit();
                (self.writer.receiver(value), scope)
            }
            None => (Receiver::None, scope),
        };
        let kind = ReferenceKind::Reference;
        self.add_reference(name, place, (kind, receiver, Space::Types));
    }
}

pub(super) fn reference_kind(role: Role) -> Option<ReferenceKind> {
    match role {
        Role::Read | Role::OwnScope | Role::Declarator => Some(ReferenceKind::Reference),
        Role::Callee => Some(ReferenceKind::Call),
        Role::Base => Some(ReferenceKind::Inherit),
        Role::Arguments | Role::Handled => None,
    }
}
