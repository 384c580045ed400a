//! Visits packages, imports, fields and variables.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{
    BindingTarget, Import, ImportId, ImportedItem, Receiver, ReferenceKind, ScopeId, ScopeKind,
    Space, TUPLE_PART,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

/// The longest stored path of an import, in bytes.
const MAX_MODULE: usize = 400;

/// The number of scopes around a place from which on variables of patterns open no further one.
const MAX_DEPTH: usize = 64;

/// The outcome of a condition with which its patterns bind variables: `a instanceof T b`, or
/// `!(a instanceof T b)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    True,
    False,
}

impl FactsBuilder<'_> {
    pub(super) fn visit_package(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let is_name =
            |one: &NodeIndex| matches!(tree.kind(*one), Kind::ScopedIdentifier | Kind::Identifier);
        let name = tree.operands(node).find(is_name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
            let package = self.dotted(name);
            self.writer.facts.package = Some(self.writer.names.intern(package));
        }
    }

    fn dotted(&self, node: NodeIndex) -> String {
        let text = self.tree.text(node).chars();
        text.filter(|letter| !letter.is_whitespace()).collect()
    }

    pub(super) fn visit_import(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        let mut operands = tree.operands(node);
        let Some(path) = operands.next() else {
            return;
        };
        let is_star = operands.any(|one| tree.kind(one) == Kind::Asterisk);
        let dotted = self.dotted(path);
        if dotted.len() > MAX_MODULE {
            return;
        }
        let last = match tree.kind(path) {
            Kind::ScopedIdentifier => tree.child(path, Field::Name).unwrap_or(path),
            _ => path,
        };
        self.refer_to_outer_types(path, is_star, scope);
        let name = tree.text(last);
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let position = self.writer.position_at(tree.node(last).start);
        let (module, item) = if is_star {
            (dotted.as_str(), ImportedItem::Star)
        } else {
            let module = dotted.rsplit_once('.').map_or("", |(module, _)| module);
            (module, ImportedItem::Member(self.writer.names.intern(name)))
        };
        let import = Import {
            module: self.writer.names.intern(module.to_owned()),
            level: 0,
            item,
            alias: (!is_star).then(|| self.writer.names.intern(name)),
            scope,
            position,
        };
        self.writer.facts.imports.push(import);
        if is_star {
            return;
        }
        *self.imported.entry(name).or_default() += 1;
        self.bind(last, scope, BindingTarget::Import(id));
        let kind = ReferenceKind::Import;
        self.add_reference(last, scope, (kind, Receiver::Unknown, Space::Any));
    }

    /// Adds references to the types in the path of an import: `B` of `import a.B.C`. By convention
    /// they begin with a capital.
    pub(super) fn refer_to_outer_types(&mut self, path: NodeIndex, is_star: bool, scope: ScopeId) {
        let tree = self.tree;
        let scoped = (path..tree.subtree_end(path))
            .filter(|one| tree.kind(*one) == Kind::ScopedIdentifier && (is_star || *one != path));
        let scoped: Vec<NodeIndex> = scoped.collect();
        for one in scoped {
            let Some(name) = tree.child(one, Field::Name) else {
                continue;
            };
            let dotted = self.dotted(one);
            let of = dotted.rsplit_once('.').map(|(of, _)| ValueText::name(of));
            let of = of.and_then(ValueText::within_limit);
            if tree.text(name).starts_with(char::is_uppercase) {
                let receiver = self.writer.receiver(of);
                let kind = ReferenceKind::Reference;
                self.add_reference(name, scope, (kind, receiver, Space::Types));
            }
        }
    }

    pub(super) fn visit_field(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        for declarator in self.declarators(node) {
            let Some(name) = tree.child(declarator, Field::Name) else {
                continue;
            };
            let value = value.clone().map(|of| tree.array_of(of, declarator));
            let has_arguments = value.as_ref().is_some_and(|value| value.has_arguments);
            self.bind_member(name, scope, |writer| {
                BindingTarget::Attribute(writer.intern_value(value))
            });
            if has_arguments {
                self.bind_member(name, scope, |_| BindingTarget::Attribute(None));
            }
        }
    }

    /// Visits `T a = b, c;`, or `var a = b;`.
    pub(super) fn visit_variables(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let of = of.and_then(|of| tree.type_value(of));
        for declarator in self.declarators(node) {
            let value = tree.child(declarator, Field::Value);
            let value = value.and_then(|value| tree.value_text(value));
            let of = of.clone().map(|of| tree.array_of(of, declarator));
            let value = of.or(value);
            if let Some(name) = tree.child(declarator, Field::Name) {
                self.bind_value(name, scope, (value, BindingTarget::Variable));
            }
        }
    }

    fn declarators(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let operands = self.tree.operands(node);
        let declarators = operands.filter(|one| self.tree.kind(*one) == Kind::Declarator);
        declarators.collect()
    }

    fn declarator_names(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let declarators = self.declarators(node).into_iter();
        declarators
            .filter_map(|one| self.tree.child(one, Field::Name))
            .collect()
    }

    /// Visits `T a`, in a list of parameters or of resources.
    pub(super) fn visit_typed_name(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let value = value.map(|of| tree.array_of(of, node));
        let given = tree.child(node, Field::Value);
        let value = value.or_else(|| tree.value_text(given?));
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            self.bind_value(name, scope, (value, BindingTarget::Parameter));
        }
    }

    /// Visits `T... a`.
    pub(super) fn visit_spread_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let value = operands.find_map(|one| tree.type_value(one));
        let value = value.map(ValueText::into_sequence);
        for name in self.declarator_names(node) {
            let value = value.clone();
            self.bind_value(name, scope, (value, BindingTarget::Parameter));
        }
    }

    /// Visits `A | B a` of a `catch`.
    pub(super) fn visit_catch_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let types = tree.operands(node);
        let types = types.filter(|one| tree.kind(*one) == Kind::CatchType);
        let types = types.flat_map(|types| tree.operands(types));
        let values: Vec<_> = types.map(|of| tree.type_value(of)).collect();
        for value in values {
            self.bind_value(name, scope, (value, BindingTarget::Parameter));
        }
    }

    /// Visits `for (T a : b)`.
    pub(super) fn visit_enhanced_for(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let given = tree.child(node, Field::Value);
        if let Some(given) = given {
            self.roles.set(given, Role::Read, scope);
        }
        let element = || tree.value_text(given?)?.element();
        let value = value.or_else(element);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, inside);
            self.writer.bind_value(
                self.name_at(name),
                inside,
                (value, scope),
                BindingTarget::Variable,
            );
        }
    }

    /// Visits `a instanceof T b`, after which `b` is visible in the rest of the block.
    pub(super) fn visit_instance_of(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Right);
        let value = of.and_then(|of| tree.type_value(of));
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            self.bind_value(name, scope, (value, BindingTarget::Variable));
        }
    }

    /// Visits a statement or an expression with a condition, whose patterns may bind variables.
    /// They are visible in one of its parts, and perhaps in the statements behind it ([JLS 6.3]).
    ///
    /// [JLS 6.3]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.3
    pub(super) fn visit_conditional(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(outcome) = tree.binding_outcome(node).filter(|_| !self.is_deep(scope)) else {
            return;
        };
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        let seeing: &[Field] = match outcome {
            Outcome::True => &[Field::Condition, Field::Body, Field::Consequence],
            Outcome::False => &[Field::Condition, Field::Alternative],
        };
        for part in seeing {
            self.roles.set_field(node, *part, Role::Read, inside);
        }
        if outcome == Outcome::False && tree.continues_unmatched(node) {
            let parent = tree.parent(node);
            for behind in tree.children(parent).filter(|one| *one > node) {
                self.roles.set(behind, Role::Read, inside);
            }
        }
    }

    /// Reports whether a scope is in so many others that no further one is opened for variables of
    /// patterns: each statement behind `if (!(a instanceof T b)) return;` is in one more.
    fn is_deep(&self, scope: ScopeId) -> bool {
        let facts = &self.writer.facts;
        let around = std::iter::successors(Some(scope), |id| facts.scope(*id)?.parent);
        around.take(MAX_DEPTH).count() == MAX_DEPTH
    }

    /// Visits `T a` in a pattern.
    pub(super) fn visit_pattern(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let (Some(of), Some(name)) = (operands.next(), operands.next()) else {
            return;
        };
        if tree.kind(name) != Kind::Identifier {
            return;
        }
        self.roles.set(name, Role::Handled, scope);
        let value = tree.type_value(of).or_else(|| tree.component_value(node));
        self.bind_value(name, scope, (value, BindingTarget::Variable));
    }
}

impl FlatTree<'_> {
    /// Returns the value of `var a` in `R(var a)`: a component of the record.
    fn component_value(&self, pattern: NodeIndex) -> Option<ValueText> {
        let components = self.parent(pattern);
        let index = self.operands(components).position(|one| one == pattern)?;
        let record = self.operands(self.parent(components)).next()?;
        self.type_value(record)?
            .member(&format!("{TUPLE_PART}{index}"))?
            .within_limit()
    }

    /// Returns the outcome of a condition with which its patterns bind variables. Returns `None` if
    /// it has no such patterns.
    fn binding_outcome(&self, node: NodeIndex) -> Option<Outcome> {
        let condition = self.child(node, Field::Condition)?;
        let mut patterns = (condition..self.subtree_end(condition)).filter(|one| {
            let is_named = || self.child(*one, Field::Name).is_some();
            match self.kind(*one) {
                Kind::InstanceOf => is_named(),
                kind => kind == Kind::Pattern,
            }
        });
        let is_matched = |pattern: NodeIndex| {
            let around = std::iter::successors(Some(pattern), |one| Some(self.parent(*one)));
            let mut around = around.take_while(|one| *one >= condition);
            !around.any(|one| {
                let mut children = self.children(one);
                children.any(|child| matches!(self.text(child), "!" | "||"))
            })
        };
        let first = is_matched(patterns.next()?);
        Some(if first && patterns.all(is_matched) {
            Outcome::True
        } else {
            Outcome::False
        })
    }

    /// Reports whether the statements behind a conditional run only if its condition was false.
    fn continues_unmatched(&self, node: NodeIndex) -> bool {
        let is_in_block = matches!(self.kind(self.parent(node)), Kind::Block | Kind::SwitchArm);
        is_in_block
            && match self.kind(node) {
                Kind::If => self
                    .child(node, Field::Consequence)
                    .is_some_and(|branch| self.ends_abruptly(branch)),
                kind => matches!(kind, Kind::Do | Kind::While),
            }
    }

    /// Reports whether a statement ends by leaving the block around it.
    fn ends_abruptly(&self, statement: NodeIndex) -> bool {
        let mut last = Some(statement);
        while let Some(block) = last.filter(|one| self.kind(*one) == Kind::Block) {
            last = self.operands(block).last();
        }
        last.is_some_and(|last| matches!(self.kind(last), Kind::Jump | Kind::Return | Kind::Throw))
    }
}
