//! Classes and modules that calls create: `Point = Struct.new(:x)`.
//!
//! <https://docs.ruby-lang.org/en/master/Struct.html#method-c-new>, and likewise `Data.define`,
//! `Class.new` and `Module.new`.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree};
use super::literals::is_builtin;
use crate::facts::{BindingTarget, ScopeId, ScopeKind};
use crate::passed_arguments::PassedTo;
use crate::rule_based;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::item::DefinitionKind;

/// What a call creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Created {
    Class,
    Module,
    /// A class whose instances have the members that the arguments name.
    Struct,
    /// A class as above, without setters.
    Data,
}

impl Created {
    fn by_call(receiver: &str, method: &str) -> Option<Self> {
        match (receiver.trim_start_matches("::"), method) {
            ("Class", "new") => Some(Self::Class),
            ("Module", "new") => Some(Self::Module),
            ("Struct", "new") => Some(Self::Struct),
            ("Data", "define") => Some(Self::Data),
            _ => None,
        }
    }

    /// Returns what follows a member's name in the methods that it gets, or `None` if the arguments
    /// name no members.
    fn accessors(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Class | Self::Module => None,
            Self::Struct => Some(&["", "="]),
            Self::Data => Some(&[""]),
        }
    }
}

/// Returns the kind of definition that an assignment to a constant is, if its value is a new class
/// or module.
pub(super) fn kind_of_assignment(
    tree: &rule_based::FlatTree<'_>,
    assignment: NodeIndex,
) -> Option<DefinitionKind> {
    use rule_based::{Field, Rule};
    let name = tree.child(assignment, Field::Left)?;
    let call = tree.child(assignment, Field::Right)?;
    let receiver = tree.child(call, Field::Receiver)?;
    let method = tree.child(call, Field::Method)?;
    if tree.kind(name) != Rule::Name {
        return None;
    }
    Some(
        match Created::by_call(tree.text(receiver), tree.text(method))? {
            Created::Module => DefinitionKind::Namespace,
            Created::Class | Created::Struct | Created::Data => DefinitionKind::Class,
        },
    )
}

impl FlatTree<'_> {
    fn created_by(&self, call: NodeIndex) -> Option<Created> {
        let receiver = self.child(call, Field::Receiver)?;
        let method = self.child(call, Field::Method)?;
        Created::by_call(self.text(receiver), self.text(method))
    }

    /// Returns the superclass of what a call creates: `A` of `Class.new(A)`, and `Struct` itself.
    fn base_of_created(&self, call: NodeIndex) -> Option<NodeIndex> {
        match self.created_by(call)? {
            Created::Struct | Created::Data => self.child(call, Field::Receiver),
            Created::Class => {
                let arguments = self.child(call, Field::Arguments)?;
                self.operands(arguments).next()
            }
            Created::Module => None,
        }
    }
}

impl<'t> FactsBuilder<'t> {
    /// Visits an assignment that defines a class or module. Returns `false` for any other.
    pub(super) fn visit_created_class(
        &mut self,
        (assignment, name, call): (NodeIndex, NodeIndex, NodeIndex),
        scope: ScopeId,
    ) -> bool {
        let tree = self.tree;
        let Some(id) = self.writer.next_definition(assignment) else {
            return false;
        };
        let inside = self.open_scope(ScopeKind::Namespace, scope, Some(id));
        self.roles.set(name, Role::Handled, scope);
        self.declared.insert(name);
        self.bind(name, scope, BindingTarget::Definition(id));
        let base = tree.base_of_created(call);
        let is_argument = |base: &NodeIndex| Some(*base) != tree.child(call, Field::Receiver);
        self.included.extend(base.filter(is_argument));
        let base = base.and_then(|base| tree.path(base)).map(ValueText::name);
        let bases = base.into_iter().collect();
        self.writer
            .add_definition(self.name_at(name), inside, bases, Vec::new());
        self.bind_created_members((call, tree.text(name)), inside);
        if let Some(block) = tree.child(call, Field::Block) {
            self.class_bodies.insert(block, inside);
        }
        true
    }

    /// Binds the members that the arguments of `Struct.new(:a)` name in a class.
    pub(super) fn bind_created_members(
        &mut self,
        (call, name): (NodeIndex, &'t str),
        class: ScopeId,
    ) {
        let tree = self.tree;
        let created = tree.created_by(call);
        let arguments = tree.child(call, Field::Arguments);
        if let (Some(ends), Some(arguments)) = (created.and_then(Created::accessors), arguments) {
            self.bind_attributes(arguments, class, ends);
            let members = tree.operands(arguments);
            let members = members.filter_map(|one| tree.text(one).strip_prefix(':'));
            self.structs.insert(name, (class, members.collect()));
        }
    }

    /// Binds the members of a struct to what `Point.new(a, b)` or `Point.new(x: a)` passes.
    pub(super) fn bind_members_of_struct(&mut self, creation: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let class = tree.child(creation, Field::Receiver);
        let list = tree.child(creation, Field::Arguments);
        let (Some(class), Some(list)) = (class, list) else {
            return;
        };
        let Some((class, members)) = self.structs.get(tree.text(class)).cloned() else {
            return;
        };
        for (place, argument) in tree.arguments_in(list) {
            let name = match place {
                PassedTo::Index(index) => members.get(index).copied(),
                PassedTo::Keyword(name) => members.iter().find(|one| **one == name).copied(),
            };
            let value = self.value_text(argument, scope);
            if let (Some(name), Some(value)) = (name, value.filter(|value| !is_builtin(value))) {
                let offset = tree.node(argument).start;
                let known = self.writer.intern_value(Some(value));
                // Other files may pass other values.
                for value in [known, None] {
                    let target = BindingTarget::Attribute(value);
                    self.writer
                        .bind_text_in(format!("@{name}"), offset, class, (target, scope));
                }
            }
        }
    }
}
