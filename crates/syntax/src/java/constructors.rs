//! Refers to constructors where the text does not name their class: `super(a)`, `this(a)`, `A::new`
//! and the constants of an enum.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ReferenceKind, ScopeId};
use crate::tree::NodeIndex;
use crate::value_text::ArgumentText;

/// The number of nodes from a call of a constructor to the class that it is in.
const MAX_STEPS: usize = 8;

impl FactsBuilder<'_> {
    /// Visits `super(a)` or `this(a)`.
    pub(super) fn visit_constructor_call(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(keyword) = tree.child(node, Field::Constructor) else {
            return;
        };
        let class = tree.type_around(node);
        let named = match tree.kind(keyword) {
            Kind::This => class.and_then(|class| tree.child(class, Field::Name)),
            _ => class.and_then(|class| tree.superclass(class)),
        };
        if let Some(named) = named {
            let constructor = format!("{}.{}", tree.text(keyword), tree.simple_name(named));
            self.add_constructor_call((keyword, node), scope, constructor);
        }
    }

    /// Refers to the constructor that makes a constant of an enum.
    pub(super) fn refer_to_enum_constructor(
        &mut self,
        constant: NodeIndex,
        name: NodeIndex,
        (scope, owner): (ScopeId, &str),
    ) {
        self.add_constructor_call((name, constant), scope, format!("this.{owner}"));
    }

    /// Visits `A::new`.
    pub(super) fn visit_constructor_reference(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree
            .operands(node)
            .next()
            .map(|of| tree.without_arguments(of));
        let path = of.and_then(|of| Some((of, tree.type_path(of)?)));
        let new = tree.children(node).find(|one| tree.text(*one) == "new");
        if let Some(((of, path), new)) = path.zip(new) {
            let constructor = format!("{path}.{}", tree.simple_name(of));
            let kind = ReferenceKind::Reference;
            self.refer_to_constructor((new, scope), constructor, (kind, None));
        }
    }

    fn add_constructor_call(
        &mut self,
        (name, call): (NodeIndex, NodeIndex),
        scope: ScopeId,
        constructor: String,
    ) {
        let arguments = self.tree.arguments_of(call).unwrap_or_default();
        let call = (ReferenceKind::Call, Some(arguments));
        self.refer_to_constructor((name, scope), constructor, call);
    }

    fn refer_to_constructor(
        &mut self,
        (name, scope): (NodeIndex, ScopeId),
        constructor: String,
        reference: (ReferenceKind, Option<Vec<ArgumentText>>),
    ) {
        let name = self.name_at(name);
        self.writer
            .refer_to_value(name, scope, constructor, reference);
    }
}

impl FlatTree<'_> {
    /// Returns the declaration of the type around a node, unless a class without a name is nearer.
    fn type_around(&self, node: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(node), |one| Some(self.parent(*one)));
        let mut around = around.take(MAX_STEPS);
        around
            .find(|one| matches!(self.kind(*one), Kind::TypeDeclaration | Kind::Creation))
            .filter(|one| self.kind(*one) == Kind::TypeDeclaration)
    }

    /// Returns the superclass that a class declares.
    fn superclass(&self, class: NodeIndex) -> Option<NodeIndex> {
        let mut clauses = self.operands(class);
        let clause = clauses.find(|one| {
            self.kind(*one) == Kind::SuperTypes && self.text(*one).starts_with("extends")
        })?;
        self.operands(clause).next()
    }

    /// Returns a type without its type arguments and annotations.
    fn without_arguments(&self, of: NodeIndex) -> NodeIndex {
        let inner = match self.kind(of) {
            Kind::GenericType => self.operands(of).next(),
            Kind::AnnotatedType => self.operands(of).last(),
            _ => None,
        };
        inner.unwrap_or(of)
    }

    /// Returns the last name of a type: `B` of `a.B<C>`.
    fn simple_name(&self, of: NodeIndex) -> &str {
        let of = self.without_arguments(of);
        let last = match self.kind(of) {
            Kind::ScopedType => self.operands(of).last(),
            _ => None,
        };
        self.text(last.unwrap_or(of))
    }
}
