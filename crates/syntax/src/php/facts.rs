//! Builds the facts in one pass, in which each node assigns roles to its children.
//!
//! Names are resolved by the rules of namespaces:
//! <https://www.php.net/manual/language.namespaces.rules.php>. A variable is visible in its whole function.

use super::CONSTRUCTOR;
use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind, kind_table};
use crate::body_hash;
use crate::facts::{Facts, MODULE, Receiver, ReferenceKind, ScopeId, Space};
use crate::facts_writer::{FactsWriter, NameAt};
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
        assigned: Vec::new(),
    };
    for node in 0..flat.len() {
        walk.visit(node);
    }
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
            Kind::Name | Kind::QualifiedName => return self.visit_class_name(node, context),
            Kind::Comment => return self.visit_comment(node, context.scope),
            _ if self.tree.is_leaf(node) => return,
            _ => {}
        }
        let role = match (kind, context.role) {
            (Kind::Variable | Kind::NamespaceName | Kind::Label, _) | (_, Role::Handled) => {
                Role::Handled
            }
            (Kind::BaseClause, _) => Role::Base,
            _ => Role::Read,
        };
        self.roles.set_children(node, role, context.scope);
        if context.role != Role::Handled {
            self.visit_declaration(node, kind, context);
        }
    }

    fn visit_declaration(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        let scope = context.scope;
        if self.tree.is_chosen_receiver(node) {
            let values = self.tree.alternatives(node).into_iter();
            let values = values.map(|one| self.tree.value_text(one)).collect();
            self.bind_choice(node, scope, values);
        }
        match kind {
            Kind::Namespace => self.visit_namespace(node, scope),
            Kind::Use => self.visit_use(node, scope),
            Kind::TypeDeclaration => self.visit_type(node, scope),
            Kind::AnonymousClass => self.visit_anonymous_class(node, scope),
            Kind::TraitUse => self.visit_trait_use(node, scope),
            Kind::TraitAlias => self.visit_trait_alias(node, scope),
            Kind::TraitChoice => self.visit_trait_choice(node, scope),
            Kind::Function | Kind::Method => self.visit_function(node, scope),
            Kind::Closure => self.visit_closure(node, scope),
            Kind::ArrowFunction => self.visit_arrow_function(node, scope),
            Kind::Parameter | Kind::Variadic => self.visit_parameter(node, scope),
            Kind::PropertyDeclaration => self.visit_property(node, scope),
            Kind::EnumCase => self.visit_enum_case(node, scope),
            Kind::ConstElement => self.roles.set_operand(node, 0, Role::Handled, scope),
            Kind::CatchClause => self.visit_catch(node, scope),
            Kind::Assignment => self.visit_assignment(node, scope),
            Kind::AugmentedAssignment => self.visit_null_assignment(node, scope),
            Kind::Foreach => self.visit_foreach(node, scope),
            Kind::Return => self.visit_return(node, scope),
            Kind::Yield => self.visit_yield(node, scope),
            Kind::Binary => self.visit_binary(node, scope),
            _ => self.visit_expression(node, kind, scope),
        }
    }

    fn visit_expression(&mut self, node: NodeIndex, kind: Kind, scope: ScopeId) {
        match kind {
            Kind::Creation => {
                self.roles.set_operand(node, 0, Role::Created, scope);
                self.note_arguments(node, scope);
            }
            Kind::FunctionCall => {
                self.visit_function_call(node, scope);
                self.visit_class_test(node, scope);
                let joined = self.tree.values_joined_by(node);
                self.bind_choice(node, scope, joined);
                self.note_arguments(node, scope);
            }
            Kind::MemberCall => {
                self.visit_method_call(node, scope, Field::Object);
                self.note_arguments(node, scope);
            }
            Kind::ScopedCall => {
                self.visit_method_call(node, scope, Field::Scope);
                self.note_arguments(node, scope);
            }
            Kind::ArrayCreation => {
                self.refer_to_callable(node, scope);
                let spread = self.tree.spread_values(node);
                self.bind_choice(node, scope, spread);
            }
            Kind::Argument | Kind::MemberAccess | Kind::ScopedProperty => {
                self.roles
                    .set_field(node, Field::Name, Role::Handled, scope);
            }
            Kind::ConstantAccess => self.roles.set_operand(node, 1, Role::Handled, scope),
            _ => {}
        }
    }

    /// Visits the name of a class or a constant.
    fn visit_class_name(&mut self, node: NodeIndex, Context { role, scope }: Context) {
        let tree = self.tree;
        let Some(kind) = reference_kind(role) else {
            if tree.kind(node) == Kind::QualifiedName {
                self.roles.set_children(node, Role::Handled, scope);
            }
            return;
        };
        if tree.kind(node) == Kind::Name {
            let text = tree.text(node);
            if let Some(class) = own_class(text).filter(|_| role == Role::Created) {
                let offset = tree.node(node).start;
                let constructor = format!("{class}.{CONSTRUCTOR}");
                let to = (ReferenceKind::Call, None);
                let word = NameAt { text, offset };
                return self.writer.refer_to_value(word, scope, constructor, to);
            }
            if is_keyword(text) {
                return;
            }
            return self.add_reference(node, scope, (kind, Receiver::None, Space::Types));
        }
        self.roles.set_children(node, Role::Handled, scope);
        self.add_qualified(node, scope, (kind, Space::Types));
    }

    /// Adds a reference to the last name of a qualified one, as a member of the namespace before
    /// it.
    fn add_qualified(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, space): (ReferenceKind, Space),
    ) {
        let tree = self.tree;
        let Some(name) = tree.operands(node).last() else {
            return;
        };
        let before = tree.slice(tree.node(node).start, tree.node(name).start);
        let namespace = match before.trim_end_matches('\\') {
            "" => "\\",
            namespace => namespace,
        };
        let receiver = ValueText::name(format!("{namespace}\\"));
        let receiver = self.writer.receiver(receiver.within_limit());
        self.add_reference(name, scope, (kind, receiver, space));
    }

    /// Visits `a(b)`.
    fn visit_function_call(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(function) = tree.child(node, Field::Function) else {
            return;
        };
        let kind = ReferenceKind::Call;
        match tree.kind(function) {
            Kind::Name => {
                self.roles.set(function, Role::Handled, scope);
                if is_construct(tree.text(function)) {
                    return;
                }
                let to = (kind, Receiver::None, Space::Methods);
                self.add_reference(function, scope, to);
            }
            Kind::QualifiedName => {
                self.roles.set(function, Role::Handled, scope);
                self.add_qualified(function, scope, (kind, Space::Methods));
            }
            _ => {}
        }
    }

    /// Visits `$a->b(c)` or `A::b(c)`.
    fn visit_method_call(&mut self, node: NodeIndex, scope: ScopeId, of: Field) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        if tree.kind(name) != Kind::Name {
            return;
        }
        self.roles.set(name, Role::Handled, scope);
        let of = tree.child(node, of);
        let value = of.and_then(|of| tree.value_text(of));
        let receiver = self.writer.receiver(value);
        let to = (ReferenceKind::Call, receiver, Space::Any);
        self.add_reference(name, scope, to);
    }
}

/// Returns the keyword that stands for the class around it, or for its base.
fn own_class(word: &str) -> Option<&'static str> {
    let mut classes = ["self", "static", "parent"].into_iter();
    classes.find(|class| word.eq_ignore_ascii_case(class))
}

/// Reports whether a word names the class around it, or is a constant of the parser:
/// <https://www.php.net/manual/language.constants.magic.php>.
fn is_keyword(word: &str) -> bool {
    let keywords = [
        "__CLASS__",
        "__DIR__",
        "__FILE__",
        "__FUNCTION__",
        "__LINE__",
        "__METHOD__",
        "__NAMESPACE__",
        "__PROPERTY__",
        "__TRAIT__",
    ];
    let mut keywords = keywords.iter();
    own_class(word).is_some() || keywords.any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// Reports whether a word before an argument list is a language construct, which is no function.
fn is_construct(word: &str) -> bool {
    let constructs = ["isset", "empty", "eval"];
    constructs
        .iter()
        .any(|construct| word.eq_ignore_ascii_case(construct))
}

fn reference_kind(role: Role) -> Option<ReferenceKind> {
    match role {
        Role::Read | Role::OwnScope => Some(ReferenceKind::Reference),
        Role::Created => Some(ReferenceKind::Call),
        Role::Base => Some(ReferenceKind::Inherit),
        Role::Handled => None,
    }
}
