//! Builds the facts in one pass, in which each node assigns roles to its children.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::sort::SmallSort;

use super::Flow;
use super::builder::{FactsBuilder, ScopeInfo};
use super::definitions::{self, FoundDefinition};
use super::documented_types::DocumentedTypes;
use super::flow_state::FlowState;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, MODULE, Role};
use crate::body_hash::{self, NamedNode};
use crate::facts::{Facts, Scope, ScopeKind};
use crate::name_interner::NameInterner;
use crate::node_roles::NodeRoles;
use crate::position_cursor::PositionCursor;
use crate::tree::NodeIndex;

/// Builds the facts of a tree. Positions count in `text`, the text of the file.
pub(super) fn build_facts<'t>(tree: &FlatTree<'t>, text: &'t str, flow: Flow) -> Facts {
    let context = Context {
        role: Role::Read,
        scope: MODULE,
    };
    let outline = definitions::find_definitions(tree);
    let mut walk = FactsBuilder {
        tree,
        facts: Facts {
            is_partial: outline.is_partial,
            ..Facts::default()
        },
        names: NameInterner::default(),
        positions: PositionCursor::new(text),
        scope_info: vec![ScopeInfo::default()],
        definitions: outline.definitions,
        pending_assignments: Vec::new(),
        exported_containers: Vec::new(),
        imported: HashMap::default(),
        bound_imports: HashMap::default(),
        shadows: HashSet::default(),
        stars: Vec::new(),
        aliases: HashSet::default(),
        roles: NodeRoles::new(tree, context),
        flow: FlowState::default(),
        documented: DocumentedTypes::default(),
        is_typed: flow == Flow::Declared,
        declared_types: HashSet::default(),
        assigned_attributes: Vec::new(),
    };
    walk.facts.scopes.push(Scope {
        kind: ScopeKind::Module,
        parent: None,
        definition: None,
    });
    if tree.is_strict(0) {
        walk.set_strict(MODULE);
    }
    walk.add_definitions(text);
    if flow == Flow::Followed {
        walk.collect_documented_types();
    }
    for node in 0..tree.len() {
        walk.visit(node);
    }
    walk.finish(flow)
}

impl FactsBuilder<'_, '_> {
    fn finish(mut self, flow: Flow) -> Facts {
        let named = self.definitions.iter().map(FoundDefinition::named);
        let named: Vec<NamedNode> = named.collect();
        let hashes = body_hash::hash_bodies(self.tree, &named);
        for (definition, hash) in self.facts.definitions.iter_mut().zip(hashes) {
            definition.body = hash;
        }
        self.bind_assignments();
        self.bind_assigned_attributes();
        self.export_stars();
        self.widen_alias_references();
        match flow {
            Flow::Followed => {
                self.add_documented_types();
                self.collect_flow();
            }
            Flow::Declared => {
                self.bind_globals();
                self.refer_to_merged_types();
                self.collect_narrowed_ranges();
                self.collect_types();
            }
            Flow::Unknown => {}
        }
        self.facts
            .references
            .small_sort_by_key(|reference| reference.position);
        self.facts
            .bindings
            .small_sort_by_key(|binding| binding.position);
        self.facts
            .exported
            .small_sort_by_key(|export| export.position);
        self.facts.names = self.names.into_texts();
        self.facts
    }

    fn visit(&mut self, node: NodeIndex) {
        let Some(context) = self.roles.get(node) else {
            return;
        };
        let kind = self.tree.kind(node);
        if self.tree.is_leaf(node) {
            return self.visit_leaf(node, kind, context);
        }
        self.roles
            .set_children(node, child_role(kind, context.role), context.scope);
        if context.role == Role::Handled {
            return;
        }
        match kind {
            Kind::FunctionDeclaration
            | Kind::FunctionExpression
            | Kind::ArrowFunction
            | Kind::Method
            | Kind::MethodSignature => self.visit_function(node, context),
            Kind::FunctionType => self.visit_function_type(node, context),
            Kind::Class => self.visit_class(node, context),
            Kind::Interface => self.visit_interface(node, context),
            Kind::Enum => self.visit_enum(node, context),
            Kind::Namespace => self.visit_namespace(node, context),
            Kind::TypeAlias => self.visit_type_alias(node, context),
            Kind::ClassBody => self.visit_members(node, context),
            Kind::FieldDefinition => self.visit_field(node, context),
            Kind::ClassStaticBlock => self.visit_static_block(node, context),
            Kind::Block | Kind::SwitchBody => self.visit_block(node, context),
            Kind::For => self.visit_for_loop(node, context),
            Kind::ForIn => self.visit_for_in(node, context),
            Kind::Catch => self.visit_catch(node, context),
            _ => self.visit_statement(node, kind, context),
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        match kind {
            Kind::ImportStatement => self.visit_import(node, context),
            Kind::ImportAlias => self.visit_import_alias(node, context),
            Kind::Export => self.visit_export(node, context),
            Kind::VariableDeclarator => self.visit_declarator(node, context),
            Kind::Assignment => self.visit_assignment(node, context),
            Kind::AugmentedAssignment if self.tree.is_logical_assignment(node) => {
                self.visit_logical_assignment(node, context.scope);
            }
            Kind::FormalParameters => self.visit_parameters(node, context),
            Kind::Return => self.visit_return(node, context),
            Kind::Yield if self.is_typed => self.visit_yield(node, context),
            Kind::Parameter => self.visit_parameter(node, context),
            Kind::ObjectPattern => self.visit_object_pattern(node, context),
            Kind::ArrayPattern => self.visit_array_pattern(node, context),
            Kind::RestPattern => self.visit_rest_pattern(node, context),
            Kind::PairPattern => self.visit_pair_pattern(node, context),
            Kind::AssignmentPattern => {
                self.roles
                    .set_field(node, Field::Left, context.role, context.scope);
                self.roles
                    .set_field(node, Field::Right, Role::Read, context.scope);
            }
            _ => self.visit_expression(node, kind, context),
        }
    }

    fn visit_expression(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Call => self.visit_call(node, context),
            Kind::New => self
                .roles
                .set_field(node, Field::Constructor, Role::Callee, scope),
            Kind::Member => self.visit_member(node, context),
            Kind::Object => self.refer_to_keys(node, scope),
            Kind::Subscript => self.visit_subscript(node, context),
            Kind::JsxOpening => self.visit_element(node, Role::Callee, scope),
            Kind::JsxClosing => self.visit_element(node, Role::Read, scope),
            Kind::JsxNamespaceName => self.roles.set_children(node, Role::Handled, scope),
            Kind::ExtendsClause => self.visit_heritage(node, context),
            Kind::GenericType => self.roles.set_operand(node, 0, context.role, scope),
            _ => self.visit_type(node, kind, context),
        }
    }
}

/// Returns the role of the children of a node before its visitor assigns other ones.
fn child_role(kind: Kind, role: Role) -> Role {
    match (kind, role) {
        (_, Role::Handled) => Role::Handled,
        (Kind::Parenthesized | Kind::NonNull, Role::Signature | Role::Body) => Role::Read,
        (Kind::Parenthesized | Kind::NonNull, _)
        | (Kind::AmbientDeclaration, Role::ExportedDeclaration) => role,
        (Kind::ClassHeritage, _) => Role::Base,
        (Kind::ArrayPattern | Kind::RestPattern | Kind::Array | Kind::Spread, _) => match role {
            Role::Declared(declaration) => Role::Declared(Declaration {
                target: declaration.target.for_parts(),
                ..declaration
            }),
            Role::AssignmentTarget(_) => Role::AssignmentTarget(DeclaredTarget::Variable(None)),
            _ => Role::Read,
        },
        _ => Role::Read,
    }
}
