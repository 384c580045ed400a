//! `isinstance(a, A)` as a condition: in the branch, `a` is an instance of `A`.

use crate::facts::{Assignment, Effect, ScopeId};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// The maximum number of conditions and classes that are read.
const MAX_PARTS: usize = 8;

impl FactsBuilder<'_> {
    /// Visits `if isinstance(a, A): …` and `if not isinstance(a, A): return`.
    pub(super) fn narrow_branch(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (Some(condition), Some(branch)) = (
            tree.child(node, Field::Condition),
            tree.child(node, Field::Consequence),
        ) else {
            return;
        };
        let condition = self.without_brackets(condition);
        if tree.kind(condition) == Kind::NotOperator {
            let inner = tree.operands(condition).next();
            if let Some(inner) = inner.filter(|_| self.leaves(branch)) {
                self.narrow_after(inner, node);
            }
            return;
        }
        for test in self.conjuncts(condition) {
            self.narrow(test, branch, (branch, branch));
        }
    }

    /// Visits `assert isinstance(a, A)`.
    pub(super) fn narrow_assertion(&mut self, node: NodeIndex) {
        let Some(condition) = self.tree.operands(node).next() else {
            return;
        };
        for test in self.conjuncts(condition) {
            self.narrow_after(test, node);
        }
    }

    /// Narrows a name in the rest of the block after a statement.
    fn narrow_after(&mut self, test: NodeIndex, statement: NodeIndex) {
        let tree = self.tree;
        let block = tree.parent(statement);
        if tree.kind(block) == Kind::Block {
            self.narrow(test, statement, (statement, block));
        }
    }

    /// Returns the parts of `a and b`.
    fn conjuncts(&self, condition: NodeIndex) -> Vec<NodeIndex> {
        let tree = self.tree;
        let mut found = Vec::new();
        let mut pending = vec![condition];
        while let Some(node) = pending.pop() {
            let node = self.without_brackets(node);
            let is_and = tree.kind(node) == Kind::BooleanOperator
                && tree.children(node).any(|part| tree.text(part) == "and");
            if is_and && found.len() + pending.len() < MAX_PARTS {
                pending.extend(tree.operands(node));
            } else {
                found.push(node);
            }
        }
        found
    }

    /// Reports whether the last statement of a block leaves it.
    fn leaves(&self, block: NodeIndex) -> bool {
        let tree = self.tree;
        let last = tree.operands(block).last();
        last.is_some_and(|last| {
            let is_known = matches!(
                tree.kind(last),
                Kind::ReturnStatement | Kind::RaiseStatement
            );
            is_known || matches!(tree.text(last).trim(), "continue" | "break")
        })
    }

    /// Binds the name in a test to instances of its classes, from one node to the end of another.
    fn narrow(&mut self, test: NodeIndex, after: NodeIndex, (from, block): (NodeIndex, NodeIndex)) {
        let tree = self.tree;
        let test = self.without_brackets(test);
        let function = tree.child(test, Field::Function);
        let is_test = tree.kind(test) == Kind::Call
            && function.is_some_and(|function| tree.text(function) == "isinstance");
        let arguments = tree.operands(test).nth(1).filter(|_| is_test);
        let Some(arguments) = arguments else {
            return;
        };
        let parts: Vec<NodeIndex> = tree.operands(arguments).take(2).collect();
        let [object, class] = *parts else {
            return;
        };
        let classes: Vec<NodeIndex> = match tree.kind(class) {
            Kind::Tuple => tree.operands(class).take(MAX_PARTS).collect(),
            _ => vec![class],
        };
        let classes = classes.into_iter().filter_map(|one| self.path_text(one));
        let classes: Vec<String> = classes.collect();
        self.narrow_to((object, object), &classes, after, (from, block));
    }

    /// Binds a name that a test is about to instances of some classes, from one node to the end of
    /// another. Each test has a place of its own.
    pub(super) fn narrow_to(
        &mut self,
        (object, test): (NodeIndex, NodeIndex),
        classes: &[String],
        after: NodeIndex,
        (from, block): (NodeIndex, NodeIndex),
    ) {
        let tree = self.tree;
        let scope = self.scope_of(object);
        let path = self.path_text(object);
        let Some(path) = path.filter(|path| !path.contains(['(', '['])) else {
            return;
        };
        let end = path.find('.').unwrap_or(path.len());
        let head = self.intern(path.get(..end).unwrap_or_default().to_owned());
        if classes.is_empty() || !self.local_names.contains_key(&(scope, head)) {
            return;
        }
        let name = self.intern(path);
        let before = self.facts.flow.bindings.len();
        for class in classes {
            self.flow_bind((scope, name), test, (&format!("{class}()"), scope));
        }
        if self.facts.flow.bindings.len() == before {
            return;
        }
        // The order of assignments is computed for other bindings only.
        self.bound_nodes
            .truncate(self.bound_nodes.len() + before - self.facts.flow.bindings.len());
        let is_branch = after == block;
        let start = if is_branch {
            tree.node(from).start
        } else {
            tree.node(from).end
        };
        self.add_narrowing((scope, name), test, (start, tree.node(block).end));
    }

    fn add_narrowing(
        &mut self,
        (scope, name): (ScopeId, crate::facts::Name),
        test: NodeIndex,
        (start, end): (u32, u32),
    ) {
        let assignment = Assignment {
            scope,
            name,
            position: self.position_of(test),
            end: self.positions.position_at(start as usize),
            loop_start: None,
            block_end: Some(self.positions.position_at(end as usize)),
            effect: Effect::Narrows,
        };
        self.facts.flow.assignments.push(assignment);
    }
}
