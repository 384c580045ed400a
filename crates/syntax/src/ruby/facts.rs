//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! A method sees no variables but its own, and a block those around it:
//! <https://docs.ruby-lang.org/en/master/syntax/assignment_rdoc.html>.

use ragnav_base::hash::{HashMap, HashSet};

use super::INITIALIZE;
use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind, kind_table};
use crate::body_hash;
use crate::facts::{
    DefinitionFact, Facts, INHERITED, MODULE, Receiver, ReferenceKind, SELF_INSTANCE, ScopeId,
    ScopeKind, Space, TOP_LEVEL,
};
use crate::facts_writer::{FactsWriter, ReferenceTo};
use crate::node_roles::NodeRoles;
use crate::rule_based::FoundDefinition;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The characters that begin an argument after a method, but are operators after a variable.
const OPERATORS: [char; 8] = ['&', '*', '+', '-', '/', '%', '<', '['];

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
        variables: HashSet::default(),
        assigned: Vec::new(),
        added: Vec::new(),
        declared: HashSet::default(),
        included: HashSet::default(),
        class_bodies: HashMap::default(),
        returns: HashMap::default(),
        block_parameters: HashSet::default(),
        setters: HashSet::default(),
        structs: HashMap::default(),
        memoized: HashSet::default(),
        implicit: flat.implicit_parameters(),
        evaluated: HashMap::default(),
    };
    for node in 0..flat.len() {
        walk.visit(node);
    }
    walk.bind_results();
    walk.bind_added_elements();
    walk.collect_order();
    walk.writer.drop_calls_of_others();
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
            Kind::Identifier => return self.visit_name(node, context),
            Kind::Constant => return self.visit_constant(node, context),
            Kind::Super => return self.visit_super(node, context.scope),
            _ if self.tree.is_leaf(node) => return,
            _ => {}
        }
        let role = match (kind, context.role) {
            (_, Role::Handled) => Role::Handled,
            (Kind::Superclass, _) => Role::Base,
            _ => Role::Read,
        };
        self.roles.set_children(node, role, context.scope);
        if context.role != Role::Handled {
            self.visit_statement(node, kind, context);
        }
    }

    fn visit_statement(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        if self.tree.is_chosen_receiver(node) {
            self.bind_choice(node, scope);
        }
        match kind {
            Kind::Class | Kind::Module => self.visit_class(node, scope),
            Kind::SingletonClass => self.visit_singleton_class(node, scope),
            Kind::Method | Kind::SingletonMethod => self.visit_method(node, scope),
            Kind::Block | Kind::Lambda if context.role != Role::OwnScope => {
                match self.class_bodies.remove(&node) {
                    Some(class) => self.roles.set_children(node, Role::Read, class),
                    None => self.open_block(node, scope),
                }
            }
            Kind::DeclaredNames => self.visit_declared_names(node, scope),
            Kind::Parameter | Kind::BlockParameter => self.visit_parameter(node, scope),
            Kind::Assignment | Kind::OperatorAssignment => self.visit_assignment(node, scope),
            Kind::Rescue => self.visit_rescue(node, scope),
            Kind::Alias => {
                self.roles.set_children(node, Role::Handled, scope);
                self.visit_alias(node, scope);
            }
            Kind::Return => self.visit_return(node, scope),
            Kind::Yield => self.visit_yield(node, scope),
            Kind::Loop => self.visit_for(node, scope),
            Kind::Branch => self.visit_patterns(node, scope),
            Kind::AsPattern => self.visit_as_pattern(node, scope),
            Kind::Binary => self.visit_binary(node, scope),
            Kind::Call => self.visit_call(node, scope),
            Kind::ScopeResolution => self.visit_scope_resolution(node, context),
            _ => {}
        }
    }

    /// Visits a name that is not a constant: a variable, or else a method of the current object.
    fn visit_name(&mut self, node: NodeIndex, Context { role, scope }: Context) {
        let is_variable = self.is_variable(scope, self.tree.text(node));
        let is_call = !is_variable && !self.tree.is_pseudo_variable(node);
        if role == Role::Handled || !is_call || self.declared.contains(&node) {
            return;
        }
        if self.tree.text(node) == "new" {
            self.refer_to_own_constructor(node, None, scope);
        }
        let receiver = self.writer.receiver(Some(ValueText::name("self")));
        self.add_reference(node, scope, (ReferenceKind::Call, receiver));
    }

    /// Visits `new`, `self.new` in a method of a class, and `self.class.new`.
    fn refer_to_own_constructor(&mut self, new: NodeIndex, of: Option<NodeIndex>, scope: ScopeId) {
        let of = of.map_or("self", |of| self.tree.text(of));
        let method = self.method_around(scope);
        let is_of_class = method.is_some_and(|method| !method.decorators.is_empty());
        if of == "self.class" || (of == "self" && is_of_class) {
            let path = format!("{SELF_INSTANCE}.{INITIALIZE}");
            let call = (ReferenceKind::Call, None);
            let new = self.name_at(new);
            self.writer.refer_to_value(new, scope, path, call);
        }
    }

    fn method_around(&self, scope: ScopeId) -> Option<&DefinitionFact> {
        let facts = &self.writer.facts;
        let at = |id: ScopeId| facts.scope(id);
        let mut around = std::iter::successors(at(scope), |scope| at(scope.parent?));
        let method = around.find(|scope| scope.kind == ScopeKind::Function)?;
        facts.definition(method.definition?)
    }

    /// Visits `super`, a call of the inherited method with the name of the method around.
    fn visit_super(&mut self, node: NodeIndex, scope: ScopeId) {
        let method = self.method_around(scope);
        let name = method.map(|method| self.writer.names.text(method.name));
        // Other names, such as `[]`, are syntax in a path.
        let is_word = |name: &&str| !name.contains(['(', '[', '*']);
        let Some(name) = name.filter(is_word) else {
            return;
        };
        let name = name.to_owned();
        let path = format!("{INHERITED}.{name}");
        let call = (ReferenceKind::Call, None);
        let word = self.name_at(node);
        self.writer.refer_to_value(word, scope, path, call);
        self.note_arguments_of_super(node, &name, scope);
    }

    fn visit_constant(&mut self, node: NodeIndex, Context { role, scope }: Context) {
        let is_declared = self.declared.contains(&node);
        let role = self.role_of(node, role);
        if let Some(kind) = reference_kind(role).filter(|_| !is_declared) {
            self.add_reference(node, scope, (kind, Receiver::None));
        }
    }

    fn role_of(&self, node: NodeIndex, role: Role) -> Role {
        if self.included.contains(&node) {
            return Role::Base;
        }
        role
    }

    /// Visits `A::B`.
    fn visit_scope_resolution(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, context.scope);
        let kind = reference_kind(self.role_of(node, context.role));
        let Some(kind) = kind.filter(|_| !self.declared.contains(&name)) else {
            return;
        };
        let receiver = match tree.child(node, Field::Scope) {
            None => self.writer.receiver(Some(ValueText::name(TOP_LEVEL))),
            Some(of) => {
                let value = self.value_text(of, context.scope);
                self.writer.receiver(value)
            }
        };
        self.add_reference(name, context.scope, (kind, receiver));
    }

    /// Visits `a.b(c)` and `b(c)`.
    fn visit_call(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Receiver);
        let Some(name) = tree.child(node, Field::Method) else {
            if let Some(of) = of {
                self.visit_call_of_block(node, (of, "call"), scope);
            }
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        if of.is_none() && self.is_operand(node, scope) {
            return;
        }
        let value = match of {
            None => Some(ValueText::name("self")),
            Some(of) => self.value_text(of, scope),
        };
        if let Some(of) = of.filter(|_| tree.text(name) == "new") {
            self.roles.set(of, Role::Created, scope);
            self.bind_members_of_struct(node, scope);
        }
        if tree.text(name) == "new" {
            self.refer_to_own_constructor(name, of, scope);
        }
        if of.is_none() {
            self.visit_declaration(node, tree.text(name), scope);
            self.visit_memoized(node, tree.text(name), scope);
            self.visit_require(node, tree.text(name), scope);
        }
        if let Some(of) = of {
            self.visit_test(node, (of, tree.text(name)), scope);
            self.visit_call_of_block(node, (of, tree.text(name)), scope);
        }
        self.refer_by_symbols((node, tree.text(name)), value.as_ref(), scope);
        let is_name = matches!(tree.kind(name), Kind::Identifier | Kind::Constant);
        if !is_name {
            return;
        }
        self.visit_arguments(node, tree.text(name), scope);
        self.note_arguments((node, tree.text(name)), value.clone(), scope);
        let receiver = self.writer.receiver(value);
        let assignment = self.assignment_to(node).filter(|_| of.is_some());
        if assignment != Some(Kind::Assignment) {
            self.add_reference(name, scope, (ReferenceKind::Call, receiver));
        }
        if assignment.is_some() {
            let to = ReferenceTo {
                kind: ReferenceKind::Call,
                receiver,
                space: Space::Setters,
            };
            self.writer.add_reference(self.name_at(name), scope, to);
        }
    }

    /// Returns how a call is assigned to, as in `a.b = c` and `a.b += c`, which call `b=`.
    fn assignment_to(&self, call: NodeIndex) -> Option<Kind> {
        let tree = self.tree;
        match tree.kind(tree.parent(call)) {
            Kind::LeftAssignmentList => Some(Kind::Assignment),
            kind @ (Kind::Assignment | Kind::OperatorAssignment) => {
                (tree.node(call).field == Field::Left).then_some(kind)
            }
            _ => None,
        }
    }

    /// Reports whether a call is an operator after a variable: `a &b` and `a -1`. The grammar does not
    /// know which names are variables.
    fn is_operand(&self, call: NodeIndex, scope: ScopeId) -> bool {
        let tree = self.tree;
        let name = tree.child(call, Field::Method);
        let is_variable = name.is_some_and(|name| self.is_variable(scope, tree.text(name)));
        let arguments = tree.child(call, Field::Arguments);
        let is_operator =
            arguments.is_some_and(|arguments| tree.text(arguments).starts_with(OPERATORS));
        is_variable && is_operator
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
