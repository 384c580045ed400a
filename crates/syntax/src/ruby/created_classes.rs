//! Classes and modules that calls create: `Point = Struct.new(:x)`.
//!
//! <https://docs.ruby-lang.org/en/master/Struct.html#method-c-new>, and likewise `Data.define`,
//! `Class.new` and `Module.new`.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree};
use crate::facts::{BindingTarget, ScopeId, ScopeKind};
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
}

impl FactsBuilder<'_> {
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
        let base = self.base_of_created(call);
        self.writer
            .add_definition(self.name_at(name), inside, base, Vec::new());
        self.bind_created_members(call, inside);
        if let Some(block) = tree.child(call, Field::Block) {
            self.class_bodies.insert(block, inside);
        }
        true
    }

    /// Returns the superclass of what a call creates: `A` of `Class.new(A)`, and `Struct` itself.
    fn base_of_created(&mut self, call: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let base = match tree.created_by(call) {
            Some(Created::Struct | Created::Data) => tree.child(call, Field::Receiver),
            Some(Created::Class) => {
                let arguments = tree.child(call, Field::Arguments);
                let base = arguments.and_then(|arguments| tree.operands(arguments).next());
                self.included.extend(base);
                base
            }
            Some(Created::Module) | None => None,
        };
        let path = base.and_then(|base| tree.path(base));
        path.map(ValueText::name).into_iter().collect()
    }

    /// Binds the members that the arguments of `Struct.new(:a)` name in a class.
    pub(super) fn bind_created_members(&mut self, call: NodeIndex, class: ScopeId) {
        let created = self.tree.created_by(call);
        let arguments = self.tree.child(call, Field::Arguments);
        if let (Some(ends), Some(arguments)) = (created.and_then(Created::accessors), arguments) {
            self.bind_attributes(arguments, class, ends);
        }
    }
}
