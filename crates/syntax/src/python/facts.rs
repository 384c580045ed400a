//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! Scopes follow CPython: default values, decorators, annotations, base classes and the first
//! iterable of a comprehension belong to the enclosing scope.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::sort::SmallSort;

use super::builder::{Context, FactsBuilder, MODULE, Role, ScopeInfo};
use super::definitions::find_definitions;
use super::kinds::{Field, FlatTree, Kind, kind_table};
use super::library_generics;
use super::values::CallNumbers;
use crate::body_hash;
use crate::facts::{Facts, Outer, ReferenceKind, Scope, ScopeKind};
use crate::name_interner::NameInterner;
use crate::node_roles::NodeRoles;
use crate::position_cursor::PositionCursor;
use crate::raw_definition::{RawDefinition, into_symbols};
use crate::source_text::SourceText;
use crate::syntax_tree::SyntaxTree;
use crate::tree::NodeIndex;

pub(super) fn build_facts(tree: &SyntaxTree, text: SourceText<'_>) -> Facts {
    let flat = FlatTree::new(tree, text.code, kind_table(tree));
    let outline = find_definitions(&flat);
    let definitions = outline.definitions.into_iter().map(|found| found.raw);
    let definitions: Vec<RawDefinition> = definitions.collect();
    let symbols = into_symbols(definitions.clone(), text.file);
    let classes = definitions.iter().map(|found| found.name_path.as_str());
    let own_generics =
        classes.filter(|name| library_generics::find_library_generic(name).is_some());
    let own_generics = own_generics.map(str::to_owned).collect();
    let context = Context {
        role: Role::Read,
        scope: MODULE,
    };
    let mut walk = FactsBuilder {
        tree: &flat,
        facts: Facts {
            is_partial: outline.is_partial,
            ..Facts::default()
        },
        names: NameInterner::default(),
        positions: PositionCursor::new(text.file),
        scope_info: Vec::new(),
        pending_definitions: definitions.into_iter().zip(symbols).rev().collect(),
        definition_nodes: Vec::new(),
        roles: NodeRoles::new(&flat, context),
        bound_nodes: Vec::new(),
        call_numbers: CallNumbers::default(),
        local_names: HashMap::default(),
        bound_names: HashSet::default(),
        own_bindings: HashSet::default(),
        library_objects: HashMap::default(),
        additions: Vec::new(),
        definition_ids: HashMap::default(),
        literals: HashMap::default(),
        types_by_value: HashSet::default(),
        own_generics,
        values_around: 0,
    };
    walk.facts.scopes.push(Scope {
        kind: ScopeKind::Module,
        parent: None,
        definition: None,
    });
    walk.scope_info.push(ScopeInfo::default());
    for node in 0..flat.len() {
        walk.visit(node);
    }
    walk.collect_flow();
    walk.finish()
}

impl FactsBuilder<'_> {
    fn finish(mut self) -> Facts {
        let hashes = body_hash::hash_bodies(self.tree, &self.definition_nodes);
        for (definition, hash) in self.facts.definitions.iter_mut().zip(hashes) {
            definition.body = hash;
        }
        // A syntax error inside an import is visited after the imported names.
        self.facts
            .references
            .small_sort_by_key(|reference| reference.position);
        self.facts
            .bindings
            .small_sort_by_key(|binding| binding.position);
        self.facts.names = self.names.into_texts();
        self.facts
    }

    fn visit(&mut self, node: NodeIndex) {
        let Some(context) = self.roles.get(node) else {
            return;
        };
        let kind = self.tree.kind(node);
        if kind == Kind::Identifier {
            return self.visit_identifier(node, context);
        }
        if self.tree.is_leaf(node) {
            return;
        }
        self.roles
            .set_children(node, child_role(kind, context.role), context.scope);
        if context.role == Role::Handled {
            return;
        }
        match kind {
            Kind::FunctionDefinition => self.visit_function(node, context),
            Kind::ClassDefinition => self.visit_class(node, context),
            Kind::Lambda => self.visit_lambda(node, context),
            Kind::Comprehension => self.visit_comprehension(node, context),
            Kind::ForInClause => self.visit_for_in(node, context),
            Kind::Parameters => self.visit_parameters(node, context),
            Kind::TypedParameter => self.visit_typed_parameter(node, context),
            Kind::DefaultParameter => self.visit_default_parameter(node, context),
            Kind::TypeAliasStatement => self.visit_type_alias(node, context),
            Kind::ImportStatement | Kind::FutureImportStatement | Kind::ImportFromStatement => {
                self.visit_import(node, context);
            }
            Kind::ArgumentList if context.role == Role::Superclasses => {
                self.visit_superclasses(node, context);
            }
            Kind::Call => {
                self.roles
                    .set_field(node, Field::Function, Role::Callee, context.scope);
                self.refer_to_own_constructor(node, context.scope);
                self.visit_quoted_arguments(node, context);
                self.collect_extended_exports(node, context);
            }
            Kind::Assignment | Kind::AugmentedAssignment => self.visit_assignment(node, context),
            Kind::NamedExpression => self.visit_named_expression(node, context),
            _ => self.visit_names(node, kind, context),
        }
    }

    /// Visits smaller constructs whose children are not all read.
    fn visit_names(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Attribute | Kind::MemberType => self.visit_attribute(node, context),
            Kind::String if context.role == Role::Annotation => {
                self.visit_quoted_annotation(node, scope);
            }
            Kind::Subscript | Kind::TypeParameter if context.role == Role::Annotation => {
                self.visit_generic_annotation(node, scope);
            }
            // The value of a type alias may contain quoted annotations, too.
            Kind::Subscript if context.role == Role::Read && self.is_typing_generic(node) => {
                self.roles.set_children(node, Role::Annotation, scope);
                self.visit_generic_annotation(node, scope);
            }
            Kind::ReturnStatement => self.visit_return(node, scope),
            Kind::Subscript if context.role == Role::Base => {
                self.roles.set_field(node, Field::Value, Role::Base, scope);
            }
            Kind::KeywordArgument => self
                .roles
                .set_field(node, Field::Name, Role::Handled, scope),
            Kind::KeywordPattern => self.roles.set_operand(node, 0, Role::Handled, scope),
            Kind::ForStatement => {
                let element = self.loop_element(node);
                self.roles
                    .set_field(node, Field::Left, Role::Target(element), scope);
            }
            Kind::AsPattern => self.visit_as_pattern(node, context),
            Kind::ExceptClause => self.visit_except(node, context),
            Kind::ClassPattern => self.roles.set_operand(node, 0, Role::PatternClass, scope),
            Kind::GenericType if matches!(context.role, Role::Target(_)) => {
                self.visit_generic_alias(node, context);
            }
            Kind::DottedName => self.visit_dotted_name(node, context),
            Kind::ConstrainedType if matches!(context.role, Role::TypeParameter(_)) => {
                let bound = self.tree.operands(node).nth(1);
                let bound = bound.and_then(|bound| self.annotation_text(bound, scope));
                let role = Role::TypeParameter(self.intern_value(bound));
                self.roles.set_operand(node, 0, role, scope);
            }
            _ => {}
        }
    }

    fn is_typing_generic(&self, subscript: NodeIndex) -> bool {
        let of = self.tree.child(subscript, Field::Value);
        let name = of.and_then(|of| self.tree.last_name(of));
        name.is_some_and(library_generics::is_typing_generic)
    }

    /// Visits `a.b`: `b` has the role of the whole, `a` is read.
    fn visit_attribute(&mut self, node: NodeIndex, context: Context) {
        let role = match context.role {
            Role::Target(value) => Role::TargetMember(value),
            Role::Callee => Role::Member(ReferenceKind::Call),
            Role::Base => Role::Member(ReferenceKind::Inherit),
            _ => Role::Member(ReferenceKind::Reference),
        };
        self.roles.set_operand(node, 1, role, context.scope);
    }

    /// Visits a dotted name. In a pattern a single name is bound, unless it names a class.
    fn visit_dotted_name(&mut self, node: NodeIndex, context: Context) {
        let in_pattern = matches!(
            self.tree.kind(self.tree.parent(node)),
            Kind::Pattern | Kind::KeywordPattern
        );
        let is_class = context.role == Role::PatternClass;
        let is_capture = in_pattern && !is_class && self.tree.operands(node).nth(1).is_none();
        let first = if is_capture {
            Role::Target(None)
        } else {
            Role::Read
        };
        self.roles
            .set_children(node, Role::Member(ReferenceKind::Reference), context.scope);
        self.roles.set_operand(node, 0, first, context.scope);
    }
}

/// Returns the role of the children of a node before its visitor assigns other ones.
fn child_role(kind: Kind, role: Role) -> Role {
    match kind {
        _ if role == Role::Handled => Role::Handled,
        Kind::ParenthesizedExpression | Kind::AsPatternTarget | Kind::Type => role,
        Kind::BinaryOperator
        | Kind::GenericType
        | Kind::Subscript
        | Kind::TypeParameter
        | Kind::UnionType
            if role == Role::Annotation =>
        {
            role
        }
        Kind::TypeParameter | Kind::SplatType if matches!(role, Role::TypeParameter(_)) => role,
        // The grammar reads `*f()` as a call of `*f`.
        Kind::Splat if role == Role::Callee => role,
        Kind::Splat if matches!(role, Role::Parameter(_)) => role,
        Kind::Elements | Kind::List | Kind::Splat | Kind::Tuple => role.for_elements(),
        Kind::GlobalStatement => Role::Outer(Outer::Global),
        Kind::NonlocalStatement => Role::Outer(Outer::Nonlocal),
        Kind::SplatPattern => Role::Target(None),
        _ => Role::Read,
    }
}
