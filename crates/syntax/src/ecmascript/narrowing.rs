//! Narrows the types of variables in the branch that a test of the type guards:
//! `if (a instanceof B) { … }` and `if (isB(a)) { … }`.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::ValueText;
use crate::facts::{BindingTarget, PREDICATE, ScopeId};
use crate::tree::NodeIndex;

/// A test of the type of a variable.
pub(super) struct Test<'t> {
    pub(super) variable: NodeIndex,
    /// The type of the variable after the test.
    pub(super) narrowed: ValueText<'t>,
}

/// The beginnings of the names of functions that throw unless a value is of a type.
const ASSERTING: [&str; 3] = ["assert", "ensure", "invariant"];

/// The functions that throw unless a condition holds.
const ASSERTING_CONDITIONS: [&str; 7] = [
    "assert",
    "assert.isTrue",
    "assert.ok",
    "assertTrue",
    "console.assert",
    "ensure",
    "invariant",
];

/// The maximum number of nodes around a type predicate.
const MAX_WRAPPERS: usize = 4;

/// The maximum number of tests in one condition.
const MAX_TESTS: usize = 8;

/// The maximum number of parts of one condition that are read.
const MAX_PARTS: usize = 64;

impl<'t> FactsBuilder<'_, 't> {
    /// Returns the variables whose type is tested before a block, with that type.
    pub(super) fn narrowed_before(&self, block: NodeIndex) -> Vec<Test<'t>> {
        let tree = self.tree;
        let branch = tree.parent(block);
        let is_guarded = tree.kind(branch) == Kind::If
            && tree.node(block).field == Field::Consequence
            && self.is_typed;
        let condition = tree.child(branch, Field::Condition).filter(|_| is_guarded);
        condition.map_or_else(Vec::new, |condition| tree.tested(condition))
    }

    /// Binds narrowed variables in the scope of a block.
    pub(super) fn bind_narrowed(&mut self, narrowed: Vec<Test<'t>>, scope: ScopeId) {
        let around = self.facts.enclosing_scope(scope);
        for Test { variable, narrowed } in narrowed {
            self.declare_type(scope, variable);
            let value = self.intern_value(Some(narrowed));
            let name = self.intern(self.tree.text(variable));
            self.bind_name(
                name,
                variable,
                scope,
                BindingTarget::Variable(value),
                around,
            );
        }
    }

    /// Binds the type that a function tests its parameter for: `B` of `(a): a is B`. Reports
    /// whether there is one.
    pub(super) fn bind_predicate(
        &mut self,
        function: NodeIndex,
        scope: ScopeId,
        around: ScopeId,
    ) -> bool {
        let tree = self.tree;
        let predicate = tree.predicate(function).filter(|_| self.is_typed);
        let Some(predicate) = predicate else {
            return false;
        };
        let value_text = tree.declared_text(predicate);
        let value = self.intern_value(value_text);
        let name = self.intern(PREDICATE);
        self.bind_name(
            name,
            predicate,
            scope,
            BindingTarget::Variable(value),
            around,
        );
        true
    }
}

impl<'t> FlatTree<'t> {
    /// Returns what a function tells about the type of its parameter: `a is B`, also in
    /// `asserts a is B`.
    pub(super) fn predicate(&self, function: NodeIndex) -> Option<NodeIndex> {
        let mut inner = self.child(function, Field::ReturnType)?;
        // A function type has no annotation around it: `(a) => a is B`.
        for _ in 0..MAX_WRAPPERS {
            match self.kind(inner) {
                Kind::TypePredicate => return Some(inner),
                Kind::TypeAnnotation | Kind::Asserts => inner = self.operands(inner).next()?,
                _ => return None,
            }
        }
        None
    }

    /// Returns the tests that a statement has passed if the next one runs: those of
    /// `assert(a instanceof B)` and of `assertIsB(a)`. Other calls than of functions with such
    /// names are not read, since most functions assert nothing. Some assert that a test fails.
    pub(super) fn asserted(&self, statement: NodeIndex) -> Vec<Test<'t>> {
        let tests = || {
            let call = self.operands(statement).next()?;
            let callee = self.path(self.callee(call)?)?;
            let arguments = self.argument_list(call)?;
            if ASSERTING_CONDITIONS.contains(&&*callee) {
                let condition = self.operands(arguments).next()?;
                return Some(self.tested(condition));
            }
            let name = callee.rsplit('.').next().unwrap_or(&callee);
            let is_assertion = ASSERTING.iter().any(|one| name.starts_with(one));
            let test = self.guarded(arguments).filter(|_| is_assertion)?;
            Some(vec![test])
        };
        tests().unwrap_or_default()
    }

    /// Returns the tests that a condition has passed if it holds.
    pub(super) fn tested(&self, condition: NodeIndex) -> Vec<Test<'t>> {
        let mut pending = vec![condition];
        let mut found = Vec::new();
        for _ in 0..MAX_PARTS {
            let Some(node) = pending.pop() else { break };
            if found.len() + pending.len() > MAX_TESTS {
                break;
            }
            match self.kind(node) {
                Kind::Parenthesized => pending.extend(self.operands(node)),
                Kind::Binary if self.operator(node) == Some("&&") => {
                    pending.extend(self.operands(node));
                }
                Kind::Binary if self.operator(node) == Some("||") => {
                    found.extend(self.any_test(node).unwrap_or_default());
                }
                _ => found.extend(self.test(node)),
            }
        }
        found
    }

    /// Returns the tests that a condition has passed if it does not hold: `isB(a)` of
    /// `!isB(a) || c`.
    pub(super) fn refuted(&self, condition: NodeIndex) -> Vec<Test<'t>> {
        let mut pending = vec![condition];
        let mut found = Vec::new();
        for _ in 0..MAX_PARTS {
            let Some(node) = pending.pop() else { break };
            if found.len() + pending.len() > MAX_TESTS {
                break;
            }
            match (self.kind(node), self.operator(node)) {
                (Kind::Parenthesized, _) | (Kind::Binary, Some("||")) => {
                    pending.extend(self.operands(node));
                }
                (_, Some("!")) => {
                    let inner = self.operands(node).next();
                    found.extend(inner.into_iter().flat_map(|inner| self.tested(inner)));
                }
                _ => {}
            }
        }
        found
    }

    /// Reads one test of a variable.
    fn test(&self, node: NodeIndex) -> Option<Test<'t>> {
        match self.kind(node) {
            Kind::Binary => self.instance_test(node),
            Kind::Call => self.guard(node),
            _ => None,
        }
    }

    /// Reads tests of one variable, any of which is met: `isB(a) || isC(a)`.
    fn any_test(&self, node: NodeIndex) -> Option<Vec<Test<'t>>> {
        let mut pending = vec![node];
        let mut tests: Vec<Test<'t>> = Vec::new();
        while let Some(node) = pending.pop() {
            match self.operator(node) {
                Some("||") if tests.len() + pending.len() < MAX_TESTS => {
                    pending.extend(self.operands(node));
                }
                _ => tests.push(self.test(node)?),
            }
        }
        let mut names = tests.iter().map(|test| self.text(test.variable));
        let first = names.next()?;
        names.all(|name| name == first).then_some(tests)
    }

    /// Reads `a instanceof B`.
    fn instance_test(&self, node: NodeIndex) -> Option<Test<'t>> {
        let mut operands = self.operands(node);
        let (variable, class) = (operands.next()?, operands.next()?);
        let is_test = self.operator(node) == Some("instanceof");
        let path = self.path(class).filter(|_| is_test)?;
        let is_called = true;
        let is_variable = self.kind(variable) == Kind::Identifier;
        is_variable.then_some(Test {
            variable,
            narrowed: ValueText { path, is_called },
        })
    }

    /// Reads `isB(a)`.
    fn guard(&self, call: NodeIndex) -> Option<Test<'t>> {
        let arguments = self.argument_list(call)?;
        let is_only = self.operands(arguments).count() == 1;
        self.guarded(arguments).filter(|_| is_only)
    }

    /// Reads the variable that a call tests, its first argument. The number of the list of arguments
    /// stands for the type after the test.
    fn guarded(&self, arguments: NodeIndex) -> Option<Test<'t>> {
        let variable = self.operands(arguments).next()?;
        let is_variable = self.kind(variable) == Kind::Identifier;
        is_variable.then(|| Test {
            variable,
            narrowed: type_number(arguments),
        })
    }
}
