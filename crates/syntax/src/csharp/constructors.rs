//! Refers to constructors where the text does not name their type: `: base(a)`, `: this(a)` and
//! `A b = new(c)`.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ARITY, FIELD, ReferenceKind, ScopeId, TYPE};
use crate::tree::NodeIndex;
use crate::value_text::ArgumentText;

/// The number of nodes from a call of a constructor to the type that it is in.
const MAX_STEPS: usize = 4;

impl FactsBuilder<'_> {
    /// Visits `: base(a)` or `: this(a)`.
    pub(super) fn visit_constructor_call(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut words = tree.children(node);
        let keyword = words.find(|one| matches!(tree.text(*one), "base" | "this"));
        let Some((keyword, class)) = keyword.zip(tree.type_around(node)) else {
            return;
        };
        let keyword_text = tree.text(keyword);
        let named = match keyword_text {
            "this" => tree.child(class, Field::Name),
            _ => tree.first_base(class),
        };
        if let Some(name) = named.and_then(|named| self.last_name(named)) {
            let constructor = format!("{keyword_text}.{}", tree.text(name));
            self.refer_to_constructor((keyword, node), scope, constructor);
        }
    }

    /// Visits `new(c)`, whose type is that of the variable, member or result that it becomes.
    pub(super) fn visit_implicit_creation(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let expected = tree.expected_type(node).filter(|of| of.is_called);
        let path = expected.map(|of| of.path);
        let path = path.filter(|path| path.starts_with(TYPE));
        let new = tree.children(node).find(|one| tree.text(*one) == "new");
        if let Some((path, new)) = path.zip(new) {
            let name = path.rsplit(['.', FIELD, TYPE]).next().unwrap_or(&path);
            let name = name.split(ARITY).next().unwrap_or(name);
            let constructor = format!("{path}.{name}");
            self.refer_to_constructor((new, node), scope, constructor);
        }
    }

    fn refer_to_constructor(
        &mut self,
        (name, call): (NodeIndex, NodeIndex),
        scope: ScopeId,
        constructor: String,
    ) {
        let call = (ReferenceKind::Call, Some(self.tree.listed_arguments(call)));
        let name = self.name_at(name);
        self.writer.refer_to_value(name, scope, constructor, call);
    }

    /// Returns the last name of a type: `B` of `a.B<C>`.
    fn last_name(&self, of: NodeIndex) -> Option<NodeIndex> {
        let last = match self.tree.kind(of) {
            Kind::Qualified => self.tree.child(of, Field::Name)?,
            _ => of,
        };
        self.simple_name(last)
    }
}

impl FlatTree<'_> {
    /// Returns the arguments in the list below a call.
    fn listed_arguments(&self, call: NodeIndex) -> Vec<ArgumentText> {
        let mut parts = self.operands(call);
        let list = parts.find(|one| self.kind(*one) == Kind::Arguments);
        list.map_or_else(Vec::new, |list| self.arguments_in(list))
    }

    /// Returns the declaration of the type around a node.
    fn type_around(&self, node: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(node), |one| Some(self.parent(*one)));
        let mut around = around.take(MAX_STEPS);
        around.find(|one| self.kind(*one) == Kind::TypeDeclaration)
    }

    /// Returns the first type that a type extends or implements.
    fn first_base(&self, class: NodeIndex) -> Option<NodeIndex> {
        let mut parts = self.operands(class);
        let list = parts.find(|one| self.kind(*one) == Kind::BaseList)?;
        let first = self.operands(list).next()?;
        match self.kind(first) {
            Kind::PrimaryBase => self.child(first, Field::Type),
            _ => Some(first),
        }
    }
}
