//! The results of blocks, and of the calls that have them: `a.map { |b| C.new(b) }`.

use std::cell::Cell;

use ragnav_base::hash::HashMap;

use super::kinds::{Field, FlatTree, Kind};
use super::passed_values::{Passed, passed_value};
use super::values::{MAX_STEPS, NameMeaning, Names};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of assignments in a block through which its result is followed.
const MAX_ASSIGNMENTS: usize = 8;

/// The maximum number of nodes between `it` and its block.
const MAX_DEPTH: usize = 32;

/// What a method makes of the result of its block.
#[derive(Debug, Clone, Copy)]
enum Collected {
    /// An array of the results.
    Array,
    /// An array of what the results contain.
    Joined,
    /// A hash with the results as values.
    Hash,
    /// The result itself.
    Result,
    /// A function that returns the result.
    Function,
}

impl Collected {
    /// Returns what a method makes of the result of its block, by the text of its receiver.
    fn by_call(receiver: Option<&str>, method: &str) -> Option<Self> {
        match (receiver, method) {
            (Some("Array" | "::Array"), "new") => Some(Self::Array),
            (Some("Hash" | "::Hash"), "new") => Some(Self::Hash),
            (Some("Proc" | "::Proc"), "new") | (None, "lambda" | "proc") => Some(Self::Function),
            (None, _) => None,
            (_, "collect" | "collect!" | "filter_map" | "map" | "map!") => Some(Self::Array),
            (_, "collect_concat" | "flat_map") => Some(Self::Joined),
            (_, "index_with" | "transform_values") => Some(Self::Hash),
            (_, "then" | "yield_self") => Some(Self::Result),
            _ => None,
        }
    }

    fn value_of(self, result: ValueText) -> Option<ValueText> {
        match self {
            Self::Array => Some(result.into_sequence()),
            Self::Joined => Some(result.into_slice()),
            Self::Hash => Some(result.into_mapping()),
            Self::Result => Some(result),
            Self::Function => Some(ValueText::name(format!("<{}>", result.into_path()))),
        }
    }
}

/// The names in a block that belong to it.
struct BlockNames<'t, 'n> {
    tree: &'n FlatTree<'t>,
    block: NodeIndex,
    /// The names of the parameters, if the block has a list of them.
    parameters: Option<Vec<&'t str>>,
    /// The method and the value of the receiver of the call that has the block.
    call: Option<(NodeIndex, &'n str, &'n ValueText)>,
    outer: Names<'n>,
    steps: usize,
    /// The number of assignments that may still be followed.
    assignments: Cell<usize>,
}

impl BlockNames<'_, '_> {
    fn meaning(&self, name: &str) -> NameMeaning {
        if let Some(place) = self.place_of_parameter(name) {
            return NameMeaning::Variable(self.passed(place));
        }
        match self.assigned(name) {
            Some(value) => NameMeaning::Variable(self.value_assigned(value)),
            None => (self.outer)(name),
        }
    }

    /// Returns the index of a parameter and the number of parameters.
    fn place_of_parameter(&self, name: &str) -> Option<(usize, usize)> {
        let Some(parameters) = &self.parameters else {
            return implicit_place(name);
        };
        let index = parameters.iter().position(|one| *one == name)?;
        Some((index, parameters.len()))
    }

    /// Returns the value that the parameter at an index receives.
    fn passed(&self, place: (usize, usize)) -> Option<ValueText> {
        let (call, method, receiver) = self.call?;
        let arguments = self.tree.child(call, Field::Arguments);
        let passed = Passed::by_call(method, arguments, place)?;
        passed_value(receiver.clone(), method, passed)
    }

    /// Returns the value of the only assignment to a variable in the block, or `Some(None)` if
    /// there are several.
    fn assigned(&self, name: &str) -> Option<Option<NodeIndex>> {
        let tree = self.tree;
        let nodes = self.block..tree.subtree_end(self.block);
        let is_meant = |node: &NodeIndex| {
            tree.kind(*node) == Kind::Identifier
                && tree.text(*node) == name
                && (tree.node(*node).field == Field::Left
                    || tree.kind(tree.parent(*node)) == Kind::LeftAssignmentList)
        };
        let mut assigned = nodes.filter(is_meant);
        let first = assigned.next()?;
        let assignment = tree.parent(first);
        let is_only = assigned.next().is_none() && tree.kind(assignment) == Kind::Assignment;
        Some(
            is_only
                .then(|| tree.child(assignment, Field::Right))
                .flatten(),
        )
    }

    fn value_assigned(&self, value: Option<NodeIndex>) -> Option<ValueText> {
        self.assignments.set(self.assignments.get().checked_sub(1)?);
        let names = |name: &str| self.meaning(name);
        self.tree.value_within(value?, &names, self.steps)
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the value of a call that depends on the result of its block.
    pub(super) fn value_by_block(
        &self,
        (call, method): (NodeIndex, &str),
        receiver: Option<&ValueText>,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let object = self.child(call, Field::Receiver);
        let collected = Collected::by_call(object.map(|object| self.text(object)), method)?;
        let result = match self.child(call, Field::Block) {
            Some(block) => {
                let receiver = receiver.filter(|_| object.is_some());
                let passing = receiver.map(|receiver| (call, method, receiver));
                self.block_result(block, passing, names, steps)?
            }
            None => self.result_by_symbol(call, method, receiver?)?,
        };
        collected.value_of(result)
    }

    /// Returns the result of `&:a` as the block of a call.
    fn result_by_symbol(
        &self,
        call: NodeIndex,
        method: &str,
        receiver: &ValueText,
    ) -> Option<ValueText> {
        let list = self.child(call, Field::Arguments)?;
        let block = self.operands(list).last()?;
        let symbol = self.operands(block).next()?;
        let is_symbol =
            self.kind(block) == Kind::BlockArgument && self.kind(symbol) == Kind::Symbol;
        let passed = Passed::by_call(method, Some(list), (0, 1)).filter(|_| is_symbol)?;
        let of = passed_value(receiver.clone(), method, passed)?;
        of.member(self.name_of_method(symbol).text)?.called()
    }

    /// Returns what a block returns whose parameters are not known.
    pub(super) fn value_of_block(&self, block: NodeIndex, names: Names<'_>) -> Option<ValueText> {
        self.block_result(block, None, names, MAX_STEPS)?
            .within_limit()
    }

    /// Returns what a block returns, by the call that has it, if its parameters are known.
    fn block_result(
        &self,
        block: NodeIndex,
        call: Option<(NodeIndex, &str, &ValueText)>,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let inside = BlockNames {
            tree: self,
            block,
            parameters: self.parameters_of(block),
            call,
            outer: names,
            steps,
            assignments: Cell::new(MAX_ASSIGNMENTS),
        };
        let body = self.child(block, Field::Body)?;
        self.only_result(body, &|name| inside.meaning(name), steps)
    }

    /// Returns the value of `-> (a) { b }`.
    pub(super) fn function_value(
        &self,
        lambda: NodeIndex,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let block = self.child(lambda, Field::Body)?;
        let result = self.block_result(block, None, names, steps)?;
        Collected::Function.value_of(result)
    }

    /// Returns the names of the parameters of a block or lambda, if it has a list of them.
    fn parameters_of(&self, block: NodeIndex) -> Option<Vec<&'t str>> {
        let own = self.child(block, Field::Parameters);
        let list = own.or_else(|| self.child(self.parent(block), Field::Parameters))?;
        let name = |one: NodeIndex| self.text(self.child(one, Field::Name).unwrap_or(one));
        Some(self.operands(list).map(name).collect())
    }

    /// Returns the blocks that read parameters which they do not declare, with these names.
    pub(super) fn implicit_parameters(&self) -> HashMap<NodeIndex, Vec<NodeIndex>> {
        let mut found: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::default();
        for node in 0..self.len() {
            let is_read = self.kind(node) == Kind::Identifier
                && self.node(node).field != Field::Method
                && implicit_place(self.text(node)).is_some();
            let Some(block) = is_read.then(|| self.block_around(node)).flatten() else {
                continue;
            };
            let names = found.entry(block).or_default();
            if !names.iter().any(|name| self.text(*name) == self.text(node)) {
                names.push(node);
            }
        }
        found.retain(|block, _| self.parameters_of(*block).is_none());
        found
    }

    fn block_around(&self, node: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(node), |node| Some(self.parent(*node)));
        let mut around = around.take(MAX_DEPTH);
        around.find(|one| self.kind(*one) == Kind::Block)
    }
}

/// Returns the index of a parameter that no list declares, and the number of such parameters.
pub(super) fn implicit_place(name: &str) -> Option<(usize, usize)> {
    match name {
        "it" | "_1" => Some((0, 1)),
        "_2" => Some((1, 2)),
        _ => None,
    }
}
